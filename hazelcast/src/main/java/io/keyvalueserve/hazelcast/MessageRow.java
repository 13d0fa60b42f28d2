package io.keyvalueserve.hazelcast;

import io.keyvalueserve.billing.metering.Measure;
import io.keyvalueserve.tenancy.grant.Rights;
import org.jspecify.annotations.Nullable;

/**
 * A row of the {@link MessageTable} while it is written: it states what is not usual.
 *
 * <p>How it is charged has to be stated if it is an operation, except of a request on a map, which
 * is charged by the grants that it needs. A request that finds what it names is a read. A request
 * that looks through the structure is a query. A request that takes something out is a delete, even
 * if it returns what it took.
 */
final class MessageRow {
  private final int type;
  private final MessageRule rule;
  private final @Nullable Structure structure;
  private boolean transactional;
  private @Nullable MapNeed need;
  private boolean chargeStated;
  private @Nullable Measure measure;
  private @Nullable WaitingKind waiting;
  private boolean untimed;
  private @Nullable Keeping keeping;
  private boolean logged;
  private boolean unlocks;
  private int remover = MessageDescriptor.NONE;
  private BulkSize size = BulkSize.ONE;
  private RequestObjects.Parts objects = RequestObjects.Parts.NONE;

  MessageRow(int type, MessageRule rule, @Nullable Structure structure) {
    this.type = type;
    this.rule = rule;
    this.structure = structure;
  }

  /** States that the request is on an object within a transaction. */
  MessageRow inTransaction() {
    transactional = true;
    return this;
  }

  /** States the grants that others than the map's owner need. */
  MessageRow needs(MapNeed.On on, Rights rights) {
    need = new MapNeed(on, rights);
    return this;
  }

  /** States what the request is charged as, besides its bytes. */
  MessageRow charged(Measure as) {
    chargeStated = true;
    measure = as;
    return this;
  }

  /** States that only the bytes of the request are charged. */
  MessageRow free() {
    chargeStated = true;
    return this;
  }

  /** States with which others the request is bounded while it waits. */
  MessageRow waits(WaitingKind kind) {
    waiting = kind;
    return this;
  }

  /** States that the request waits for the key's lock, for as long as the client says. */
  MessageRow untimed() {
    untimed = true;
    return this;
  }

  /** States what the request makes a member keep on its heap. */
  MessageRow keeps(Keeping what) {
    keeping = what;
    return this;
  }

  /** States that the request leaves a record in its transaction's log, as writes and deletes do. */
  MessageRow logged() {
    logged = true;
    return this;
  }

  /** States that the request gives back a lock of the tenant's, for which others may wait. */
  MessageRow unlocks() {
    unlocks = true;
    return waits(WaitingKind.FREEING);
  }

  /** States that the request adds a listener, which one of the other type removes. */
  MessageRow adds(int removingType) {
    remover = removingType;
    return free();
  }

  /** States that the request removes a listener. */
  MessageRow removesListener() {
    return adds(type);
  }

  /** States for how many operations the request counts. */
  MessageRow counts(BulkSize operations) {
    size = operations;
    return this;
  }

  /** States of which parts of the request a member makes objects. */
  MessageRow makes(RequestObjects.Parts parts) {
    objects = parts;
    return this;
  }

  /**
   * Returns all that is known of the type, with what is usual.
   *
   * @throws IllegalStateException if it is not stated how it is charged
   */
  MessageDescriptor describe() {
    if (rule.isOperation() && !chargeStated && need == null) {
      throw new IllegalStateException(
          "it is not stated how message type 0x" + Integer.toHexString(type) + " is charged");
    }
    Measure charged = chargeStated || need == null ? measure : usualMeasure(need);
    boolean changes = charged == Measure.WRITES || charged == Measure.DELETES;
    return new MessageDescriptor(
        type,
        rule,
        structure,
        transactional,
        need,
        charged,
        waiting == null ? usualWaiting(charged) : waiting,
        need != null && charged != null && charged != Measure.LOCKS && !untimed,
        keeping == null ? usualKeeping() : keeping,
        logged || (transactional && changes),
        unlocks,
        remover,
        size,
        objects);
  }

  private static @Nullable Measure usualMeasure(MapNeed need) {
    return switch (need.on()) {
      case NOTHING, EVENTS, ALL_EVENTS -> null;
      case MAP -> Measure.QUERIES;
      case KEY, KEYS, KEY_OF_PROCESSOR, KEYS_OF_PROCESSOR, ENTRIES -> {
        if (need.rights().equals(Rights.LOCK)) {
          yield Measure.LOCKS;
        }
        yield need.rights().equals(Rights.READ) ? Measure.READS : Measure.WRITES;
      }
    };
  }

  private static WaitingKind usualWaiting(@Nullable Measure charged) {
    if (charged == null) {
      return WaitingKind.FREEING;
    }
    return charged == Measure.LOCKS ? WaitingKind.PARKED : WaitingKind.ORDINARY;
  }

  private Keeping usualKeeping() {
    if (remover != MessageDescriptor.NONE && remover != type) {
      return Keeping.LISTENER;
    }
    return transactional ? Keeping.TRANSACTION_RECORD : Keeping.NOTHING;
  }
}
