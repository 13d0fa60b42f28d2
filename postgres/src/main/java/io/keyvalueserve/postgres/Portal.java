package io.keyvalueserve.postgres;

import io.keyvalueserve.postgres.Rows.Formats;
import io.keyvalueserve.postgres.plan.Execution;
import io.keyvalueserve.postgres.plan.Plan;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A prepared statement with its parameters, which may have been carried out in part. */
final class Portal {
  private final @Nullable Plan plan;
  private final List<@Nullable Object> parameters;
  private final Formats formats;
  private final int heapBytes;
  private @Nullable Execution execution;
  private boolean done;
  private long rows;

  /**
   * @param heapBytes about how many bytes of heap the parameters take
   */
  Portal(@Nullable Plan plan, List<@Nullable Object> parameters, Formats formats, int heapBytes) {
    this.plan = plan;
    this.parameters = parameters;
    this.formats = formats;
    this.heapBytes = heapBytes;
  }

  @Nullable Plan plan() {
    return plan;
  }

  List<@Nullable Object> parameters() {
    return parameters;
  }

  int heapBytes() {
    return heapBytes;
  }

  Formats formats() {
    return formats;
  }

  /** Returns what is carried out; null before it has begun. */
  @Nullable Execution execution() {
    return execution;
  }

  void begun(Execution begun) {
    execution = begun;
  }

  boolean isDone() {
    return done;
  }

  void rowSent() {
    rows++;
  }

  /** Returns how many rows were sent since the beginning. */
  long rows() {
    return rows;
  }

  void close() {
    done = true;
    Execution open = execution;
    if (open != null) {
      open.close();
    }
  }
}
