package io.keyvalueserve.gates.reservation;

/**
 * The memory that a cluster has for entries.
 *
 * @param memoryBytes of all members together: 0 or more
 * @param copies how many of each entry there are, its backups with it: 1 or more
 */
public record MemoryRoom(long memoryBytes, int copies) {
  private static final int MOST_PERCENT = 80;

  /**
   * @throws IllegalArgumentException if a number is out of its range
   */
  public MemoryRoom {
    if (memoryBytes < 0 || copies < 1) {
      throw new IllegalArgumentException(
          "memoryBytes is 0 or more and copies 1 or more: " + memoryBytes + ", " + copies);
    }
  }

  /** The bytes of entries, each counted once, that may be reserved: 80 % of the memory. */
  public long mostReserved() {
    return memoryBytes / 100 * MOST_PERCENT / copies;
  }

  /** Converts bytes of memory to bytes of entries, each counted once. */
  public long once(long bytes) {
    return bytes / copies;
  }
}
