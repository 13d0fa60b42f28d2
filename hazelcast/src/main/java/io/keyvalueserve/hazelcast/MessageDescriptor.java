package io.keyvalueserve.hazelcast;

import io.keyvalueserve.billing.metering.Measure;
import org.jspecify.annotations.Nullable;

/**
 * Everything that the door knows of a type of request: a row of the {@link MessageTable}.
 *
 * @param type its number in the protocol
 * @param rule how it is treated
 * @param structure the kind of the object that it is on; null if it is on none
 * @param transactional whether it is on an object within a transaction
 * @param need the grants that it needs on another tenant's map; null if no grants open it
 * @param measure what it is charged as; null if only its bytes are: it begins something, listens,
 *     or tells the client about the cluster
 * @param waiting with which others it is bounded while it waits for its answer
 * @param timed whether its duration is recorded: it is on entries of a map, and is not meant to
 *     wait
 * @param keeping what it makes a member keep on its Java heap
 * @param logged whether it leaves a record in the log of its transaction
 * @param unlocks whether it gives a lock of the tenant's back
 * @param remover the type of the request that removes the listener that it adds; its own type if it
 *     removes one; {@link #NONE} if it does neither
 * @param size for how many operations it counts
 * @param objects the parts of it that a member makes objects of
 */
record MessageDescriptor(
    int type,
    MessageRule rule,
    @Nullable Structure structure,
    boolean transactional,
    @Nullable MapNeed need,
    @Nullable Measure measure,
    WaitingKind waiting,
    boolean timed,
    Keeping keeping,
    boolean logged,
    boolean unlocks,
    int remover,
    BulkSize size,
    RequestObjects.Parts objects) {
  /** No type of a message. */
  static final int NONE = -1;

  /** Returns whether it names a map first. */
  boolean namesMap() {
    return need != null && need.on() != MapNeed.On.NOTHING;
  }

  /** Returns whether it adds a listener that a client removes or loses with its connection. */
  boolean addsListener() {
    return remover != NONE && remover != type;
  }

  /** Returns whether it removes a listener. */
  boolean removesListener() {
    return remover == type;
  }

  /** Returns the type of its answer. */
  int answerType() {
    return type + MessageTable.ANSWER;
  }
}
