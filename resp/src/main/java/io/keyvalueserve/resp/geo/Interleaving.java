package io.keyvalueserve.resp.geo;

/**
 * Makes one number of the bits of two, in turns, and takes them apart again: the order of Morton
 * ("A computer oriented geodetic data base", 1966). The masks are those of S. E. Anderson's "Bit
 * Twiddling Hacks" (Interleave bits by Binary Magic Numbers). Stateless, so safe for use by many
 * threads.
 */
final class Interleaving {
  private static final long[] MASKS = {
    0x5555555555555555L,
    0x3333333333333333L,
    0x0F0F0F0F0F0F0F0FL,
    0x00FF00FF00FF00FFL,
    0x0000FFFF0000FFFFL,
    0x00000000FFFFFFFFL
  };

  private Interleaving() {}

  /** Returns the lower 32 bits of two numbers: those of the first at the places 0, 2, 4 and on. */
  static long of(long even, long odd) {
    return spread(even) | (spread(odd) << 1);
  }

  /** Returns the 32 bits at the places 0, 2, 4 and on. */
  static long even(long bits) {
    long gathered = bits & MASKS[0];
    for (int i = 1; i < MASKS.length; i++) {
      gathered = (gathered | (gathered >>> (1 << (i - 1)))) & MASKS[i];
    }
    return gathered;
  }

  /** Returns the 32 bits at the places 1, 3, 5 and on. */
  static long odd(long bits) {
    return even(bits >>> 1);
  }

  private static long spread(long bits) {
    long spread = bits & MASKS[MASKS.length - 1];
    for (int i = MASKS.length - 2; i >= 0; i--) {
      spread = (spread | (spread << (1 << i))) & MASKS[i];
    }
    return spread;
  }
}
