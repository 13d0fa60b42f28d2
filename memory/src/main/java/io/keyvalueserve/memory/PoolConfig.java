package io.keyvalueserve.memory;

import java.util.regex.Pattern;

/**
 * One pool: its name, where its pages come from, and how many bytes it may hold.
 *
 * @param name names the pool in reports, errors and file names; unique in its heap
 * @param source where the pages come from
 * @param capacityBytes bytes the pool may hold, rounded down to whole pages of the source
 * @param preTouch true when every page is touched at open, so that nobody pays for it later
 */
public record PoolConfig(String name, Source source, long capacityBytes, boolean preTouch) {

  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,47}");

  /**
   * Checks every field.
   *
   * @throws IllegalArgumentException naming the field, its value and what would be right
   */
  public PoolConfig {
    requireName("name of a pool", name);
    if (capacityBytes < PageHeap.PAGE_BYTES) {
      throw new IllegalArgumentException(
          "capacityBytes of pool '"
              + name
              + "' must be at least one page: capacityBytes="
              + capacityBytes
              + "; give it "
              + PageHeap.PAGE_BYTES
              + " or more");
    }
  }

  /** Returns the capacity, rounded down to whole pages. */
  long wholePageBytes() {
    return capacityBytes / PageHeap.PAGE_BYTES * PageHeap.PAGE_BYTES;
  }

  static void requireName(String field, String name) {
    if (!NAME.matcher(name).matches()) {
      throw new IllegalArgumentException(
          field
              + " must be 1 to 48 letters, digits, '.', '_' or '-', and start with a letter or"
              + " digit: '"
              + name
              + "'");
    }
  }
}
