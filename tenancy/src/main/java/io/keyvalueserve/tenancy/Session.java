package io.keyvalueserve.tenancy;

import org.jspecify.annotations.Nullable;

/** A client's authenticated connection, whichever door it came through. */
public interface Session {
  /** Returns the identity that the session speaks for. */
  Identity identity();

  /**
   * Closes the connection. Returns at once; the connection ends soon after. Calling it twice, or on
   * a connection that is gone, does nothing. Called from any thread.
   *
   * @param reason why, for the log; holds no secret
   */
  void end(String reason);

  /**
   * Returns what its tenant may know about the client, or null if the session does not tell. Called
   * from any thread; the connection may be gone.
   */
  default @Nullable ConnectedClient describe() {
    return null;
  }
}
