package io.keyvalueserve.maps;

/**
 * The memory that was freed when memory was taken from maps.
 *
 * @param bytes of memory
 * @param records how many gave up their values, or were deleted
 * @param obstacle why it was not more, for an operator; empty if nothing went wrong
 */
public record Freed(long bytes, long records, String obstacle) {
  /** Nothing, for no particular reason. */
  public static final Freed NOTHING = new Freed(0, 0, "");
}
