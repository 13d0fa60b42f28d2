package io.keyvalueserve.gates.heap;

/**
 * Bounds the Java heap that tenants may make one member keep.
 *
 * @param tenantBytes the most bytes of one tenant, 1 or more
 * @param allBytes the most bytes of all tenants together, 1 or more
 */
public record HeapLimits(long tenantBytes, long allBytes) {
  private static final int TENANT_PART = 8;
  private static final int ALL_PART = 3;

  /**
   * @throws IllegalArgumentException if a bound is less than 1
   */
  public HeapLimits {
    if (tenantBytes < 1 || allBytes < 1) {
      throw new IllegalArgumentException(
          "bounds of kept heap must be 1 or more: tenantBytes="
              + tenantBytes
              + " allBytes="
              + allBytes);
    }
  }

  /**
   * Returns the usual bounds: an eighth of the heap for one tenant, a third for all.
   *
   * @param heapBytes the most bytes that the heap may have
   */
  public static HeapLimits ofHeap(long heapBytes) {
    return new HeapLimits(Math.max(1, heapBytes / TENANT_PART), Math.max(1, heapBytes / ALL_PART));
  }
}
