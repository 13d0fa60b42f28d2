package io.keyvalueserve.engine;

import org.jspecify.annotations.Nullable;

/**
 * The effect of a command on an entry, and its answer.
 *
 * @param effect what to do
 * @param value the new value, for {@link Effect#PUT} only
 * @param expireAtMillis the new expiry ({@link Expiry#NONE} or a time to come, never {@link
 *     Expiry#KEEP}), for {@link Effect#PUT} and {@link Effect#SET_EXPIRY} only
 * @param outcome the answer
 */
public record Transition(
    Effect effect, byte @Nullable [] value, long expireAtMillis, Outcome outcome) {
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

  static Transition nothing(Outcome outcome) {
    return new Transition(Effect.NOTHING, null, Expiry.NONE, outcome);
  }

  static Transition access(Outcome outcome) {
    return new Transition(Effect.ACCESS, null, Expiry.NONE, outcome);
  }

  static Transition put(byte[] value, long expireAtMillis, Outcome outcome) {
    return new Transition(Effect.PUT, value, expireAtMillis, outcome);
  }

  static Transition setExpiry(long expireAtMillis, Outcome outcome) {
    return new Transition(Effect.SET_EXPIRY, null, expireAtMillis, outcome);
  }

  static Transition remove(Outcome outcome) {
    return new Transition(Effect.REMOVE, null, Expiry.NONE, outcome);
  }
}
