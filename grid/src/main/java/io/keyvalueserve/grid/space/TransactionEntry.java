package io.keyvalueserve.grid.space;

import com.hazelcast.internal.serialization.Data;
import com.hazelcast.internal.serialization.SerializationService;
import io.keyvalueserve.engine.Current;
import io.keyvalueserve.engine.EngineException;
import io.keyvalueserve.engine.Expiry;
import io.keyvalueserve.engine.Outcome;
import io.keyvalueserve.engine.Outcome.Failure.Kind;
import io.keyvalueserve.engine.Transition;
import io.keyvalueserve.engine.collection.CollectionTooLargeException;
import io.keyvalueserve.engine.collection.CollectionValue;
import io.keyvalueserve.engine.collection.CorruptCollectionException;
import io.keyvalueserve.engine.collection.LargeCollections;
import io.keyvalueserve.engine.collection.PageSource;
import io.keyvalueserve.grid.space.EntryState.Times;
import io.keyvalueserve.grid.space.TransactionOverlay.Growth;
import org.jspecify.annotations.Nullable;

/** An entry as a transaction sees it, with what the transaction has done to it so far. */
final class TransactionEntry implements Current {
  private final Data key;
  private final boolean existed;
  private final long bytesBefore;
  private final @Nullable Data baseHead;
  private final TransactionPages pages;
  private final SerializationService serialization;
  private @Nullable Data value;
  private long expireAtMillis;
  private Times times;
  private @Nullable KeyChange change;
  private long pendingBytes;

  /**
   * @param state null if there is no entry
   * @param pages of the value as it is stored
   */
  TransactionEntry(
      Data key,
      @Nullable EntryState state,
      PageSource pages,
      long nowMillis,
      SerializationService serialization) {
    this.key = key;
    this.pages = new TransactionPages(pages);
    this.serialization = serialization;
    this.times = state == null ? Times.NONE : state.times();
    this.expireAtMillis = expiry(times);
    this.value =
        state == null || Expiry.hasPassed(expireAtMillis, nowMillis) ? null : state.value();
    this.existed = value != null;
    this.bytesBefore = bytes(value);
    this.baseHead = isPaged(value) ? value : null;
  }

  private static boolean isPaged(@Nullable Data value) {
    CollectionValue collection = KeyData.collection(value);
    return collection != null && collection.isPaged();
  }

  /** The bytes of a value as it is stored; those of its head alone if that is damaged. */
  private static long bytes(@Nullable Data value) {
    if (value == null) {
      return 0;
    }
    CollectionValue collection = KeyData.collection(value);
    try {
      return value.totalSize()
          + (collection != null && collection.isPaged() ? LargeCollections.bytes(collection) : 0);
    } catch (CorruptCollectionException e) {
      return value.totalSize();
    }
  }

  private static long expiry(Times times) {
    return times.expires() ? times.expiration() : Expiry.NONE;
  }

  /** Returns what is done to the entry in the end; null if nothing is. */
  @Nullable KeyChange change() {
    KeyChange last = change;
    Data head = last == null ? null : last.value();
    CollectionValue collection = KeyData.collection(head);
    if (last == null || head == null || collection == null || !collection.isPaged()) {
      return last;
    }
    Data base = baseHead != null && pages.hasStored(collection) ? baseHead : null;
    return KeyChange.put(key, head, pages.changes(), base, last.expireAtMillis());
  }

  /** Returns how many bytes more the transaction writes here than when this was last asked. */
  long moreBytes() {
    KeyChange last = change;
    long now = last == null ? 0 : last.valueBytes() + pages.madeBytes();
    long more = now - pendingBytes;
    pendingBytes = now;
    return more;
  }

  /** Returns what the entry has more than before. */
  Growth growth() {
    Data now = value;
    KeyChange last = change;
    int written =
        last != null && (last.kind() == KeyChange.Kind.PUT || last.kind() == KeyChange.Kind.PLACE)
            ? last.valueBytes()
            : Growth.NONE.longest();
    return new Growth(written, bytes(now) - bytesBefore, (now == null ? 0 : 1) - (existed ? 1 : 0));
  }

  /** Takes a command's effect over. */
  void take(Transition transition, long nowMillis) {
    switch (transition.effect()) {
      case NOTHING -> {}
      case ACCESS -> {
        if (change == null) {
          change = KeyChange.access(key);
        }
      }
      case PUT -> put(transition);
      case SET_EXPIRY -> expire(transition.expireAtMillis(), nowMillis);
      case REMOVE -> {
        value = null;
        pages.clear();
        change = existed ? KeyChange.remove(key) : null;
      }
    }
  }

  private void put(Transition transition) {
    Data next = EntryWriter.valueOf(transition);
    value = next;
    if (transition.collection() == null) {
      pages.clear();
    } else {
      pages.take(transition.pages());
    }
    expireAtMillis = transition.expireAtMillis();
    times = Times.NONE;
    change = KeyChange.put(key, next, expireAtMillis);
  }

  private void expire(long atMillis, long nowMillis) {
    expireAtMillis = atMillis;
    KeyChange before = change;
    if (before != null && before.kind() == KeyChange.Kind.PUT && before.value() != null) {
      change = KeyChange.put(key, before.value(), atMillis);
    } else if (before != null && before.state() != null) {
      times =
          atMillis == Expiry.NONE
              ? Times.NONE
              : new Times(Math.max(1, atMillis - nowMillis), Long.MAX_VALUE, atMillis, nowMillis);
      change = KeyChange.place(key, new EntryState(before.state().value(), times));
    } else {
      change = KeyChange.expire(key, atMillis);
    }
  }

  /**
   * Returns the state of the entry, which exists, to be put under another key: a large collection
   * as one piece.
   *
   * @throws EngineException if it is too large for that, or damaged
   */
  EntryState state(long nowMillis) {
    Data present = portable(nowMillis);
    KeyChange.Kind kind = change == null ? KeyChange.Kind.ACCESS : change.kind();
    if (kind == KeyChange.Kind.ACCESS || kind == KeyChange.Kind.PLACE) {
      return new EntryState(present, times);
    }
    Times own =
        expireAtMillis == Expiry.NONE
            ? Times.NONE
            : new Times(
                Math.max(1, expireAtMillis - nowMillis), Long.MAX_VALUE, expireAtMillis, nowMillis);
    return new EntryState(present, own);
  }

  private Data portable(long nowMillis) {
    Data present = present();
    CollectionValue head = KeyData.collection(present);
    if (head == null || !head.isPaged()) {
      return present;
    }
    try {
      return KeyData.ofCollection(
          LargeCollections.packed(head, pages, nowMillis, LargeCollections.MOST_EXPORTED_BYTES));
    } catch (CollectionTooLargeException e) {
      throw new EngineException(
          new Outcome.Failure(
              Kind.TOO_COSTLY,
              "a collection of more than 64 MiB cannot be copied or moved as a whole; nothing was"
                  + " changed"));
    } catch (CorruptCollectionException e) {
      throw new EngineException(
          new Outcome.Failure(
              Kind.INTERNAL,
              "the bytes of this "
                  + head.type().title()
                  + " are damaged ("
                  + e.getMessage()
                  + "); nothing was changed; remove the key, or write it anew"));
    }
  }

  /** Becomes a copy of another entry. */
  void place(EntryState state) {
    pages.clear();
    value = state.value();
    times = state.times();
    expireAtMillis = expiry(times);
    change = KeyChange.place(key, state);
  }

  @Override
  public boolean exists() {
    return value != null;
  }

  @Override
  public byte @Nullable [] bytes() {
    return ValueText.bytes(present(), serialization);
  }

  @Override
  public @Nullable CollectionValue collection() {
    return KeyData.collection(present());
  }

  @Override
  public PageSource pages() {
    return pages;
  }

  @Override
  public long idleMillis() {
    return 0; // locking it has counted as a use
  }

  @Override
  public long storedBytes() {
    return present().totalSize();
  }

  @Override
  public int length() {
    return ValueText.length(present(), serialization);
  }

  @Override
  public long expireAtMillis() {
    return expireAtMillis;
  }

  private Data present() {
    if (value == null) {
      throw new IllegalStateException("a command asks for nothing but exists() of an absence");
    }
    return value;
  }
}
