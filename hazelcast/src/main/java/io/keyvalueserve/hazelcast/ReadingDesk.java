package io.keyvalueserve.hazelcast;

import io.keyvalueserve.grid.turn.ThreadTurns;

/** What a thread needs while it decodes what was read of one connection. Of that thread alone. */
final class ReadingDesk {
  /** The request that is looked at. */
  final DirectRequest request = new DirectRequest();

  /** Whose turn it is. */
  final ThreadTurns turns;

  /** The answers of the connection that is served, and of none when it is done. */
  ReplyFrame reply = new ReplyFrame();

  /** Whether a connection has had its turn, and is not done yet. */
  boolean isMyTurn;

  ReadingDesk(ThreadTurns turns) {
    this.turns = turns;
  }
}
