package io.keyvalueserve.journal;

/** Takes note of what the log need not keep. Thread-safe. */
@FunctionalInterface
public interface DeadBytes {
  /**
   * A record's frame is not needed any more: it was replaced, removed or has expired, and what
   * replaced or removed it has been appended.
   *
   * @param position where it is
   * @param payloadBytes how long its payload is
   */
  void dead(long position, int payloadBytes);
}
