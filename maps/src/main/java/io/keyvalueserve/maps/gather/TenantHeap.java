package io.keyvalueserve.maps.gather;

/** The Java heap of one member that one tenant may take for a while, in bytes. Thread-safe. */
public interface TenantHeap {
  /** The heap of the grid itself, which has no bound. */
  TenantHeap UNBOUNDED =
      new TenantHeap() {
        @Override
        public boolean take(long bytes) {
          return true;
        }

        @Override
        public void give(long bytes) {
          // nothing was counted
        }

        @Override
        public long free() {
          return Long.MAX_VALUE;
        }
      };

  /**
   * Takes bytes.
   *
   * @return false if the tenant would have too many; nothing is taken then
   */
  boolean take(long bytes);

  /** Gives back bytes that were taken. */
  void give(long bytes);

  /** Returns how many bytes the tenant can take now, 0 or more. */
  long free();
}
