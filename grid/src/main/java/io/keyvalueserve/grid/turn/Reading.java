package io.keyvalueserve.grid.turn;

/**
 * The reading of one connection. On the thread that has it, but for {@link #isHere}, {@link
 * #isClosed} and {@link #wakeUp}.
 */
public interface Reading {
  /** Whether the calling thread has it. Any thread may ask; for one that has it it stays so. */
  boolean isHere();

  /** Whether the connection is closed. */
  boolean isClosed();

  /** Reads nothing until told to go on. */
  void stop();

  /**
   * Reads on when something has come. Nothing happens if it does already.
   *
   * @throws RuntimeException if the connection has ended
   */
  void goOn();

  /** Has the thread that has it then, soon, go on with it and decode what was read. Any thread. */
  void wakeUp();

  /** What was read cannot be decoded: the connection ends. */
  void failed(Throwable cause);
}
