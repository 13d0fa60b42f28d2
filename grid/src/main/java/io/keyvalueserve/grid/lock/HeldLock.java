package io.keyvalueserve.grid.lock;

import io.keyvalueserve.grid.space.TransactionEnd;
import org.jspecify.annotations.Nullable;

/**
 * A lock on a key of a map.
 *
 * @param key the key's text, see {@link io.keyvalueserve.grid.space.KeyText}; empty for a key that
 *     has none
 * @param hasText whether the key has a text, by which it can be unlocked
 * @param holder whose it is, and what for
 * @param remainingMillis until it ends by itself; -1 if it does not
 * @param sinceMillis when it was taken, in milliseconds since 1970
 * @param end how its transaction ended when the lock was forced off; null if it was not, or that is
 *     not known
 */
public record HeldLock(
    String key,
    boolean hasText,
    LockHolder holder,
    long remainingMillis,
    long sinceMillis,
    @Nullable TransactionEnd end) {
  HeldLock of(LockHolder next) {
    return new HeldLock(key, hasText, next, remainingMillis, sinceMillis, end);
  }

  HeldLock ended(@Nullable TransactionEnd how) {
    return new HeldLock(key, hasText, holder, remainingMillis, sinceMillis, how);
  }
}
