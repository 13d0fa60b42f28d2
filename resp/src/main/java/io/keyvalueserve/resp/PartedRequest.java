package io.keyvalueserve.resp;

import io.keyvalueserve.resp.protocol.Reply;
import io.keyvalueserve.resp.protocol.ReplyWriter;

/**
 * A request that would take an event loop too long at a stretch: it is done part by part, and
 * others are served in between. On the connection's event loop only.
 */
interface PartedRequest {
  /** Returns whether the request waits for the engine. */
  boolean isWaiting();

  /** Returns whether everything is done and the reply is written. */
  boolean isAnswered();

  /**
   * Returns whether a part of the reply has been written. The reply cannot be replaced any more
   * then.
   */
  boolean isAnswering();

  /**
   * Does the next part.
   *
   * @return how many keys or elements that were, or went to the engine
   */
  int step(ReplyWriter writer);

  /** Returns the bytes of the reply that were gathered so far, written or not. */
  default long gatheredBytes() {
    return 0;
  }

  /** Ends the request with this reply. Nothing more is carried out. */
  void answer(Reply reply, ReplyWriter writer);

  /** Gives back what the request holds, when it is answered or never will be. Idempotent. */
  default void discard() {}

  /** The engine has carried out what was handed to it. */
  default void completed(Batch batch) {
    throw new IllegalStateException("nothing was handed to the engine");
  }
}
