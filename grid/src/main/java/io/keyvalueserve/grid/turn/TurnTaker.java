package io.keyvalueserve.grid.turn;

import io.keyvalueserve.gates.fairness.Claim;

/** A connection that is served in turns. */
public interface TurnTaker {
  /**
   * Decodes what was read and answers it, until the thread's slice is over. On the thread of the
   * turns.
   *
   * @param claim whose turn it is; one the connection had here before it moved on is to leave
   * @return whether there is more to decode
   */
  boolean takeTurn(Claim<TurnTaker> claim);

  /** Sends what the turn that ended has left to be sent. */
  void endTurn();
}
