package io.keyvalueserve.journal;

/**
 * A part of a chunk where no frame is valid.
 *
 * @param from where in the file it begins
 * @param to where a valid frame follows, or the chunk ends
 * @param lastByte behind its last byte that is not 0; {@code from} if all are
 */
record Gap(long from, long to, long lastByte) {
  boolean isZero() {
    return lastByte == from;
  }

  /** Returns the damage to report for the gap, in a chunk's file. */
  Damage damage(String file) {
    String what = isZero() ? "zeros where frames were" : "no valid frame";
    return new Damage(
        Damage.Kind.BAD_FRAMES,
        file,
        from,
        to - from,
        what + "; reading went on behind it, the chunk will be set aside");
  }

  /** Returns this gap joined with one that follows it at once. */
  Gap with(Gap next) {
    return new Gap(from, next.to, next.isZero() ? lastByte : next.lastByte);
  }
}
