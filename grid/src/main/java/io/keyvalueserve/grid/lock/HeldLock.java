package io.keyvalueserve.grid.lock;

/**
 * A lock on a key of a map.
 *
 * @param key the key's text, see {@link io.keyvalueserve.grid.space.KeyText}; empty for a key that
 *     has none
 * @param hasText whether the key has a text, by which it can be unlocked
 * @param holder the id of the client or member that holds it
 * @param thread the number of its thread
 * @param remainingMillis until it ends by itself; -1 if it does not
 * @param transactional whether a transaction holds it
 */
public record HeldLock(
    String key,
    boolean hasText,
    String holder,
    long thread,
    long remainingMillis,
    boolean transactional) {}
