package io.keyvalueserve.tenancy.audit;

import java.io.Closeable;
import java.io.IOException;
import java.time.Instant;
import java.util.List;

/**
 * The store of events. One thread writes; any threads read {@link #parts} meanwhile.
 *
 * @see FileTrail
 * @see MemoryTrail
 */
interface Trail extends Closeable {
  /** The sequence of the event that is to come next. */
  long nextSequence();

  /** The newest event's time; {@link Instant#MIN} if there is none. */
  Instant lastTime();

  /**
   * Takes in events, whose sequences go on from {@link #nextSequence}.
   *
   * @throws IOException if not all were written; the next sequence says which were
   */
  void append(List<AuditEvent> events) throws IOException;

  /** Makes sure that what was appended outlives a crash of the machine. */
  void force() throws IOException;

  /** Lets go of what need not be kept any more. */
  void retain(Instant now) throws IOException;

  /** Returns the parts of the trail at this moment, oldest first. */
  List<? extends Part> parts();

  /** A stretch of the trail. Thread-safe. */
  interface Part {
    /**
     * Returns the first sequence that may be in it. All its sequences are this or higher, and lower
     * than the next part's first one.
     */
    long firstSequence();

    /** Returns whether it may hold events of the times asked for. */
    boolean mayMatch(AuditQuery query);

    /** Gives a sink its events and damaged lines, oldest first. */
    void read(EventSink sink) throws IOException;
  }
}
