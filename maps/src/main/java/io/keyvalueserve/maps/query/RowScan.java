package io.keyvalueserve.maps.query;

import io.keyvalueserve.engine.query.QueryException;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Carries a scan out on this member, in slices, each in its tenant's turn. Holds no thread between
 * slices.
 */
public final class RowScan {
  /** A slice works about so long before it gives its turn back. */
  public static final long SLICE_NANOS = 1_500_000;

  private final MapScan scan;
  private final RowVisitor visitor;
  private final QueryTurns turns;
  private final int tenant;
  private final BooleanSupplier wanted;
  private final Done done;
  private boolean stopped;

  /** Takes the end of a scan, once. */
  @FunctionalInterface
  public interface Done {
    /**
     * Ends.
     *
     * @param position where to go on
     * @param failure why it failed; null if it did not
     */
    void done(ScanPosition position, @Nullable RuntimeException failure);
  }

  /**
   * @param visitor of one thread at a time; each call sees what the one before did. It is called no
   *     more once it has returned false
   * @param wanted whether anybody still waits for the end; if not, it comes early
   */
  public RowScan(
      MapScan scan,
      RowVisitor visitor,
      QueryTurns turns,
      int tenant,
      BooleanSupplier wanted,
      Done done) {
    this.scan = scan;
    this.visitor =
        row -> {
          stopped = !visitor.visit(row);
          return !stopped;
        };
    this.turns = turns;
    this.tenant = tenant;
    this.wanted = wanted;
    this.done = done;
  }

  /** Does the first slice on this thread, and leaves the others to the threads of queries. */
  public void run(ScanPosition from) {
    ScanPosition position = from;
    try {
      if (wanted.getAsBoolean()) {
        position = scan.run(from, visitor, SLICE_NANOS);
        if (!stopped && !position.isDone()) {
          ScanPosition next = position;
          turns.execute(tenant, () -> run(next));
          return;
        }
      }
    } catch (RejectedExecutionException e) {
      done.done(position, tooMany(e));
      return;
    } catch (RuntimeException e) {
      done.done(position, e);
      return;
    } catch (StackOverflowError e) {
      done.done(position, tooDeep(e));
      return;
    }
    done.done(position, null);
  }

  private static QueryException tooDeep(StackOverflowError cause) {
    return new QueryException(
        QueryException.Kind.BAD_VALUE,
        "a value is too long or too deep for a test of it: use a simpler regular expression",
        cause);
  }

  private static QueryException tooMany(RejectedExecutionException cause) {
    return new QueryException(
        QueryException.Kind.THROTTLED,
        "too many queries of the tenant wait for their turn: try again when fewer do",
        cause);
  }
}
