package io.keyvalueserve.grid.query;

import io.keyvalueserve.engine.query.QueryControl;
import io.keyvalueserve.engine.query.QueryException;
import java.time.Duration;

/** The bounds of short questions of the grid itself: a time, and nothing else. */
final class PlainControl implements QueryControl {
  private final long deadline;
  private final int tenant;

  private PlainControl(long deadline, int tenant) {
    this.tenant = tenant;
    this.deadline = deadline;
  }

  /** Returns bounds of a time from now on. */
  static PlainControl within(Duration time, int tenant) {
    return new PlainControl(System.nanoTime() + time.toNanos(), tenant);
  }

  @Override
  public void checkpoint() {
    if (System.nanoTime() - deadline >= 0) {
      throw new QueryException(
          QueryException.Kind.UNAVAILABLE, "the members do not answer in time: try again later");
    }
  }

  @Override
  public void examined(long entries) {
    // nobody is charged
  }

  @Override
  public void take(long bytes) {
    // a few entries
  }

  @Override
  public void give(long bytes) {
    // a few entries
  }

  @Override
  public int tenant() {
    return tenant;
  }

  @Override
  public long deadlineNanos() {
    return deadline;
  }
}
