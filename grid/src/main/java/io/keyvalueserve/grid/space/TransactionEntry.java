package io.keyvalueserve.grid.space;

import com.hazelcast.internal.serialization.Data;
import com.hazelcast.internal.serialization.SerializationService;
import io.keyvalueserve.engine.Current;
import io.keyvalueserve.engine.Expiry;
import io.keyvalueserve.engine.Transition;
import io.keyvalueserve.engine.collection.CollectionValue;
import io.keyvalueserve.grid.space.EntryState.Times;
import io.keyvalueserve.grid.space.TransactionOverlay.Growth;
import org.jspecify.annotations.Nullable;

/** An entry as a transaction sees it, with what the transaction has done to it so far. */
final class TransactionEntry implements Current {
  private final Data key;
  private final boolean existed;
  private final int bytesBefore;
  private final SerializationService serialization;
  private @Nullable Data value;
  private long expireAtMillis;
  private Times times;
  private @Nullable KeyChange change;
  private int pendingBytes;

  /**
   * @param state null if there is no entry
   */
  TransactionEntry(
      Data key, @Nullable EntryState state, long nowMillis, SerializationService serialization) {
    this.key = key;
    this.serialization = serialization;
    this.times = state == null ? Times.NONE : state.times();
    this.expireAtMillis = expiry(times);
    this.value =
        state == null || Expiry.hasPassed(expireAtMillis, nowMillis) ? null : state.value();
    this.existed = value != null;
    this.bytesBefore = value == null ? 0 : value.totalSize();
  }

  private static long expiry(Times times) {
    return times.expires() ? times.expiration() : Expiry.NONE;
  }

  /** Returns what is done to the entry in the end; null if nothing is. */
  @Nullable KeyChange change() {
    return change;
  }

  /** Returns how many bytes the value has that the transaction last wrote here, 0 if none. */
  int pendingBytes() {
    return pendingBytes;
  }

  void pendingBytes(int bytes) {
    pendingBytes = bytes;
  }

  /** Returns what the entry has more than before. */
  Growth growth() {
    Data now = value;
    KeyChange last = change;
    int written =
        last != null && (last.kind() == KeyChange.Kind.PUT || last.kind() == KeyChange.Kind.PLACE)
            ? last.valueBytes()
            : Growth.NONE.longest();
    return new Growth(
        written,
        (now == null ? 0L : now.totalSize()) - bytesBefore,
        (now == null ? 0 : 1) - (existed ? 1 : 0));
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
        change = existed ? KeyChange.remove(key) : null;
      }
    }
  }

  private void put(Transition transition) {
    Data next = EntryWriter.valueOf(transition);
    value = next;
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

  /** Returns the state of the entry, which exists, to be put under another key. */
  EntryState state(long nowMillis) {
    Data present = present();
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

  /** Becomes a copy of another entry. */
  void place(EntryState state) {
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
