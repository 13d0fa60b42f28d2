package io.keyvalueserve.bench;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What one key may hold: what was found in it last, and what was written since. Between two surveys
 * it belongs to the one writer that owns the key.
 */
final class KeyHistory {
  private final int number;
  private final List<KeyWrite> writes = new ArrayList<>();
  private KeyWrite base = KeyWrite.absent(0);
  private long sequence;
  private boolean resting;

  /**
   * @param number of the key
   */
  KeyHistory(int number) {
    this.number = number;
  }

  int number() {
    return number;
  }

  /** The key's name. */
  String name() {
    return name(number);
  }

  /** The name of a key. */
  static String name(int number) {
    return "key:" + number;
  }

  /** A write that is about to be sent. */
  KeyWrite begin(int valueBytes, long ttlMillis, long turn, long nowMillis) {
    KeyWrite write = new KeyWrite(++sequence, valueBytes, ttlMillis, turn, nowMillis);
    writes.add(write);
    return write;
  }

  /**
   * Lets it be until the next survey: a write in doubt may still be on its way, and could overtake
   * one that is sent now over another connection.
   */
  void rest() {
    resting = true;
  }

  boolean rests() {
    return resting;
  }

  /** What was found last. It cannot be lost. */
  KeyWrite base() {
    return base;
  }

  /** What was written since, in order. */
  List<KeyWrite> writes() {
    return writes;
  }

  /** The write with a sequence, if it is known still. */
  @Nullable KeyWrite write(long wanted) {
    if (base.sequence == wanted) {
      return base;
    }
    for (KeyWrite write : writes) {
      if (write.sequence == wanted) {
        return write;
      }
    }
    return null;
  }

  /** Begins anew with what was found; whatever was written before it must not come back. */
  void settle(KeyWrite found) {
    base = found.isDelete() ? KeyWrite.absent(sequence) : found;
    writes.clear();
    resting = false;
  }
}
