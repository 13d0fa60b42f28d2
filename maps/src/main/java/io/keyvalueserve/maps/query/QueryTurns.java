package io.keyvalueserve.maps.query;

/**
 * The threads of a member that queries run on, a slice at a time, when it is their tenant's turn.
 */
@FunctionalInterface
public interface QueryTurns {
  /**
   * Has a slice run on a thread that may block. Does not block itself.
   *
   * @param tenant the number of the tenant that asks
   * @throws java.util.concurrent.RejectedExecutionException if too many of the tenant's slices wait
   */
  void execute(int tenant, Runnable slice);
}
