package io.keyvalueserve.resp.command;

import io.keyvalueserve.engine.KeyRef;
import io.keyvalueserve.engine.collection.CollectionType;
import io.keyvalueserve.resp.protocol.Reply;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

/** A request that may wait for elements. Its methods are for the session's event loop. */
public interface BlockedRequest {
  /** All keys, for {@link #attempt}. */
  int ALL = -1;

  /** Returns the keys at which it waits. */
  List<KeyRef> keys();

  /** Returns the type of the collections that it waits for. */
  CollectionType type();

  /** Returns how long it waits at most, in milliseconds; 0 for as long as it takes. */
  long timeoutMillis();

  /**
   * Tries to take what it is to take. Does not block.
   *
   * @param index of the key to look at, or {@link #ALL}
   * @return the reply; empty if there is nothing
   */
  CompletionStage<Optional<Reply>> attempt(int index);

  /** Returns the reply when its time is over. */
  Reply nothing();
}
