package io.keyvalueserve.engine;

import java.util.List;

/**
 * Ends the run of a transaction's body, because it asked for keys that are not locked. The engine
 * locks them and runs the body again.
 */
public final class KeyNeeded extends NotAtHand {
  private static final long serialVersionUID = 1L;

  private final transient List<KeyRef> keys;

  /** Makes one for a key. */
  public KeyNeeded(KeyRef key) {
    this(List.of(key));
  }

  /** Makes one for keys, at least one. */
  public KeyNeeded(List<KeyRef> keys) {
    super("keys have to be locked first");
    this.keys = List.copyOf(keys);
  }

  /** Returns the first of the keys. */
  public KeyRef key() {
    return keys.getFirst();
  }

  /** Returns the keys. */
  public List<KeyRef> keys() {
    return keys;
  }
}
