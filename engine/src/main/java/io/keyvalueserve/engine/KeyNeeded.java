package io.keyvalueserve.engine;

import java.util.List;

/**
 * Ends the run of a transaction's body, because it asked for keys that are not locked. The engine
 * locks them and runs the body again. Who runs code of others in a body, as scripts, lets it pass.
 */
public final class KeyNeeded extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final transient List<KeyRef> keys;

  /** Makes one for a key. It has no stack trace, because it says nothing of a fault. */
  public KeyNeeded(KeyRef key) {
    this(List.of(key));
  }

  /**
   * Makes one for keys, at least one. It has no stack trace, because it says nothing of a fault.
   */
  public KeyNeeded(List<KeyRef> keys) {
    super("keys have to be locked first", null, false, false);
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
