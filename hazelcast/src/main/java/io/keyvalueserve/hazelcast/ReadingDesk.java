package io.keyvalueserve.hazelcast;

import io.keyvalueserve.grid.turn.ThreadTurns;

/**
 * The objects that a thread needs while it decodes what was read of one connection. Used by that
 * thread alone.
 */
final class ReadingDesk {
  /** The request that is looked at. */
  final DirectRequest request = new DirectRequest();

  /** The turns of the connections on this thread. */
  final ThreadTurns turns;

  /** The answers of the connection that is served, and of none when it is done. */
  ReplyFrame reply = new ReplyFrame();

  /** True from when a connection has had its turn until it is done. */
  boolean isMyTurn;

  ReadingDesk(ThreadTurns turns) {
    this.turns = turns;
  }
}
