package io.keyvalueserve.grid;

/**
 * The bound on what the Hazelcast clients of one tenant may have waiting at one member: sent and
 * not answered yet. A request that comes when nothing waits is taken however long it is.
 *
 * @param requests the most requests, 1 or more
 * @param bytes the most bytes of them together, 1 or more
 * @param heapBytes the Java heap that requests of all tenants, and results while they are gathered,
 *     may take together, 1 or more
 */
public record WaitingLimit(int requests, long bytes, long heapBytes) {
  private static final int HEAP_PART = 4;

  /** 65,536 requests, 32 MiB. */
  public static final WaitingLimit USUAL = new WaitingLimit(65_536, 32L << 20);

  /**
   * @throws IllegalArgumentException if a limit is less than 1
   */
  public WaitingLimit {
    if (requests < 1 || bytes < 1 || heapBytes < 1) {
      throw new IllegalArgumentException(
          "limits of what waits must be 1 or more: requests="
              + requests
              + " bytes="
              + bytes
              + " heapBytes="
              + heapBytes);
    }
  }

  /** Limits requests and their bytes; all may take a quarter of the Java heap together. */
  public WaitingLimit(int requests, long bytes) {
    this(requests, bytes, Runtime.getRuntime().maxMemory() / HEAP_PART);
  }
}
