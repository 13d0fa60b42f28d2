package io.keyvalueserve.journal;

import java.util.Arrays;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Frames that are not needed any more, kept until there are some of them and then told to their
 * chunks together. What a chunk knows of a frame is memory that nobody has looked at for long: to
 * wait for one after the other costs an append more than its own copy, to wait for many at once
 * hardly anything.
 *
 * <p>Late is no harm: a frame that is not known to be dead is asked for when it is compacted, and a
 * chunk that is gone is told nothing. Whoever needs figures flushes first. Thread-safe: threads
 * have their notes in different places, and who finds his taken tells the chunk himself.
 */
final class DeadNotes {
  private static final int NOTES = 32;

  /**
   * The shortest payload that is noted. Marks of shorter frames lie so close together that an
   * append rarely waits for them.
   */
  private static final int LEAST_PAYLOAD_BYTES = 512;

  private static final int PLACES_PER_PROCESSOR = 2;

  private final ChunkSource chunks;
  private final Place[] places;

  DeadNotes(ChunkSource chunks, int processors) {
    this.chunks = chunks;
    places = new Place[Integer.highestOneBit(Math.max(1, processors) * PLACES_PER_PROCESSOR)];
    Arrays.setAll(places, i -> new Place());
  }

  /** Takes note of a frame. */
  void add(long position, int payloadBytes) {
    if (payloadBytes < LEAST_PAYLOAD_BYTES) {
      chunks.dead(position, payloadBytes);
      return;
    }
    Place place = places[(int) Thread.currentThread().threadId() & (places.length - 1)];
    if (!place.take()) {
      chunks.dead(position, payloadBytes);
      return;
    }
    try {
      place.add(position, payloadBytes);
    } finally {
      place.leave();
    }
  }

  /** Tells the chunks what was noted before; what is being noted meanwhile may stay. */
  void flush() {
    for (Place place : places) {
      if (place.take()) {
        try {
          place.flush();
        } finally {
          place.leave();
        }
      }
    }
  }

  /** Some notes; whoever has taken it uses it. */
  private final class Place {
    private final AtomicBoolean taken = new AtomicBoolean();
    private final long[] positions = new long[NOTES];
    private final int[] payloadBytes = new int[NOTES];
    private int count;

    @SuppressWarnings("UnusedVariable") // so that looking at memory is no dead code
    private long seen;

    boolean take() {
      return !taken.get() && taken.compareAndSet(false, true);
    }

    void leave() {
      taken.setRelease(false);
    }

    void add(long position, int bytes) {
      positions[count] = position;
      payloadBytes[count] = bytes;
      count++;
      if (count == NOTES) {
        flush();
      }
    }

    void flush() {
      long all = 0;
      for (int i = 0; i < count; i++) {
        all += chunks.look(positions[i]);
      }
      seen = all;
      for (int i = 0; i < count; i++) {
        chunks.dead(positions[i], payloadBytes[i]);
      }
      count = 0;
    }
  }
}
