package io.keyvalueserve.grid.turn;

/**
 * The reading of one connection. On the thread that has it, but for {@link #isHere}, {@link
 * #isClosed} and {@link #wakeUp}.
 */
public interface Reading {
  /**
   * Returns whether the calling thread has the connection. Any thread may ask; for the thread that
   * has it the answer does not change.
   */
  boolean isHere();

  /** Returns whether the connection is closed. */
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

  /** Ends the connection because what was read cannot be decoded. */
  void failed(Throwable cause);
}
