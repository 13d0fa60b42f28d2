package io.keyvalueserve.maps;

import com.hazelcast.internal.iteration.IterationPointer;

/**
 * Converts the place where a scan goes on into Hazelcast's form and back. A table's cursor is 32
 * bits, a position in an order that only the keys decide. A pointer of Hazelcast is two ints, which
 * its clients hand back as they got them:
 *
 * <pre>
 *   index          size   means
 *   Integer.MAX    -1     from the beginning (what a client starts with)
 *   cursor >>> 1   0, 1   go on here; the size is the cursor's lowest bit
 *   -1             0      that was all (the only thing that clients look at: index &lt; 0)
 * </pre>
 *
 * <p>As the order is the keys', a scan goes on through growing, shrinking and migration, and needs
 * one pointer where Hazelcast's own maps collect one for each resize.
 */
final class Cursor {
  private static final IterationPointer END = new IterationPointer(-1, 0);
  private static final int FROM_THE_BEGINNING = -1;

  private Cursor() {}

  /** The cursor that a client's pointers stand for; -1 at the end. */
  static long of(IterationPointer[] pointers) {
    IterationPointer last = pointers[pointers.length - 1];
    if (last.getIndex() < 0) {
      return -1;
    }
    return last.getSize() == FROM_THE_BEGINNING
        ? 0
        : ((long) last.getIndex() << 1) | (last.getSize() & 1);
  }

  /** The pointers for a client that shall go on at a cursor; -1 is the end. */
  static IterationPointer[] pointers(long cursor) {
    IterationPointer next =
        cursor < 0
            ? new IterationPointer(END)
            : new IterationPointer((int) (cursor >>> 1), (int) (cursor & 1));
    return new IterationPointer[] {next};
  }
}
