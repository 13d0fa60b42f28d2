package io.keyvalueserve.engine;

import io.keyvalueserve.engine.collection.CollectionValue;
import io.keyvalueserve.engine.collection.PageChanges;
import org.jspecify.annotations.Nullable;

/**
 * The effect of a command on an entry, and its answer.
 *
 * @param effect what to do
 * @param value the new value, for {@link Effect#PUT} of a byte string only
 * @param collection the new value, for {@link Effect#PUT} of a collection only
 * @param pages the changes to the pages of the collection, for {@link Effect#PUT} of a collection
 *     only
 * @param expireAtMillis the new expiry ({@link Expiry#NONE} or a time to come, never {@link
 *     Expiry#KEEP}), for {@link Effect#PUT} and {@link Effect#SET_EXPIRY} only
 * @param outcome the answer
 */
public record Transition(
    Effect effect,
    byte @Nullable [] value,
    @Nullable CollectionValue collection,
    PageChanges pages,
    long expireAtMillis,
    Outcome outcome) {
  /** The ways to change an entry. */
  public enum Effect {
    /** Leave it. */
    NOTHING,
    /** Count a use of it, and leave it. */
    ACCESS,
    /** Write value and expiry. */
    PUT,
    /** Write the expiry alone. */
    SET_EXPIRY,
    /** Remove it. */
    REMOVE
  }

  /** Leaves the entry. */
  public static Transition nothing(Outcome outcome) {
    return new Transition(Effect.NOTHING, null, null, PageChanges.NONE, Expiry.NONE, outcome);
  }

  /** Counts a use. */
  public static Transition access(Outcome outcome) {
    return new Transition(Effect.ACCESS, null, null, PageChanges.NONE, Expiry.NONE, outcome);
  }

  static Transition put(byte[] value, long expireAtMillis, Outcome outcome) {
    return new Transition(Effect.PUT, value, null, PageChanges.NONE, expireAtMillis, outcome);
  }

  /** Writes a collection, which is not empty and one piece. */
  public static Transition put(CollectionValue value, long expireAtMillis, Outcome outcome) {
    return put(value, PageChanges.NONE, expireAtMillis, outcome);
  }

  /** Writes a collection, which is not empty. */
  public static Transition put(
      CollectionValue value, PageChanges pages, long expireAtMillis, Outcome outcome) {
    return new Transition(Effect.PUT, null, value, pages, expireAtMillis, outcome);
  }

  static Transition setExpiry(long expireAtMillis, Outcome outcome) {
    return new Transition(Effect.SET_EXPIRY, null, null, PageChanges.NONE, expireAtMillis, outcome);
  }

  /** Removes the entry. */
  public static Transition remove(Outcome outcome) {
    return new Transition(Effect.REMOVE, null, null, PageChanges.NONE, Expiry.NONE, outcome);
  }
}
