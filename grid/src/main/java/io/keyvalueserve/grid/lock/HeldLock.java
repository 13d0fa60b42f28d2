package io.keyvalueserve.grid.lock;

import org.jspecify.annotations.Nullable;

/**
 * A lock on a key of a map.
 *
 * @param key the key's text, see {@link io.keyvalueserve.grid.space.KeyText}; empty for a key that
 *     has none
 * @param hasText whether the key has a text, by which it can be unlocked
 * @param client whose it is
 * @param holder the name of the tenant whose client holds it; null if that is not known
 * @param remainingMillis until it ends by itself; -1 if it does not
 * @param transactional whether a transaction holds it
 */
public record HeldLock(
    String key,
    boolean hasText,
    Client client,
    @Nullable String holder,
    long remainingMillis,
    boolean transactional) {
  /** The kinds of clients that take locks. */
  public enum Client {
    /** A Hazelcast client. */
    HAZELCAST("a Hazelcast client"),

    /** A member, for a Redis or HTTP client's command on several keys. */
    MEMBER("a member, for a Redis or HTTP client");

    private final String words;

    Client(String words) {
      this.words = words;
    }

    /** Returns the words that messages to people use. */
    public String words() {
      return words;
    }
  }

  /** Returns who holds the lock, in words for people. */
  public String holderWords() {
    return holder == null ? client.words() : client.words() + " of " + holder;
  }
}
