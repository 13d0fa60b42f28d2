package io.keyvalueserve.resp;

/**
 * A session as its requests under way see it: they leave its event loop, come back, and have it go
 * on.
 */
interface SessionLoop {
  /**
   * Runs a task on the session's event loop. Any thread.
   *
   * @return false if the loop has ended, and with it the connection
   */
  boolean onEventLoop(Runnable task);

  /** Goes on with the session's requests, if there is anything to do. On the event loop. */
  void resume();

  /** Takes a batch that is complete, and goes on. On the event loop. */
  void completed(Batch batch);
}
