package io.keyvalueserve.bench;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The content of a key after some of its operations. Times are in nanoseconds. Immutable.
 *
 * <p>Two states are equal if no operation of the history can tell them apart. Their texts may
 * differ.
 *
 * <p>A state may have another one before it, to which it returns if writes with an unknown outcome
 * are undone. That one may have one before it too, and so on.
 */
final class LinearState {
  /** The state of a key without a value. */
  static final LinearState ABSENT =
      new LinearState(0, null, KeyOperation.NEVER, KeyOperation.NEVER, null);

  /** The number of the value; see {@link LinearModel}. */
  final int value;

  /** The value, for reports; null if the key is absent. */
  final @Nullable String text;

  /** The state to which an undo of the last change returns; null if nothing can be undone. */
  final @Nullable LinearState before;

  private final long earliestExpiryNanos;
  private final long latestExpiryNanos;

  private LinearState(
      int value,
      @Nullable String text,
      long earliestExpiryNanos,
      long latestExpiryNanos,
      @Nullable LinearState before) {
    this.value = value;
    this.text = text;
    this.earliestExpiryNanos = earliestExpiryNanos;
    this.latestExpiryNanos = latestExpiryNanos;
    this.before = before;
  }

  /** Returns the state of a key with a value that does not expire. */
  static LinearState of(int value, String text) {
    return new LinearState(value, text, KeyOperation.NEVER, KeyOperation.NEVER, null);
  }

  /** Returns this state with a value that expires at an unknown moment of an interval. */
  LinearState expiring(long earliestNanos, long latestNanos) {
    return new LinearState(value, text, earliestNanos, latestNanos, null);
  }

  /** Returns this state with another one to which it returns if it is undone. */
  LinearState over(LinearState other) {
    return new LinearState(value, text, earliestExpiryNanos, latestExpiryNanos, other);
  }

  /** Returns this state without its value. What can be undone stays the same. */
  LinearState expired() {
    return before == null ? ABSENT : ABSENT.over(before);
  }

  /**
   * Returns the state after the value was replaced in place, without one to return to. An expiring
   * value may keep its moment of expiry or lose it: servers differ.
   */
  LinearState replaced(int newValue, String newText) {
    return new LinearState(newValue, newText, earliestExpiryNanos, KeyOperation.NEVER, null);
  }

  /** Returns whether the key may have a value at a moment that is not before the given one. */
  boolean mayBePresent(long notBeforeNanos) {
    return value != ABSENT.value && notBeforeNanos <= latestExpiryNanos;
  }

  /** Returns whether what the key holds may be found at every later moment. */
  boolean mayStay() {
    return latestExpiryNanos == KeyOperation.NEVER;
  }

  /**
   * Returns whether a state before this one has a value that may be found at one moment, but not at
   * a later one.
   */
  boolean losesBefore(long fromNanos, long toNanos) {
    for (LinearState state = before; state != null; state = state.before) {
      if (state.mayBePresent(fromNanos) && !state.mayBePresent(toNanos)) {
        return true;
      }
    }
    return false;
  }

  /** Returns whether the key may have no value at a moment that is not after the given one. */
  boolean mayBeAbsent(long notAfterNanos) {
    return value == ABSENT.value
        || (earliestExpiryNanos != KeyOperation.NEVER && notAfterNanos >= earliestExpiryNanos);
  }

  /**
   * Describes the state.
   *
   * @param originNanos the moment from which its times are counted
   */
  String describe(long originNanos) {
    if (value == ABSENT.value) {
      return "no value";
    }
    if (earliestExpiryNanos == KeyOperation.NEVER) {
      return String.valueOf(text);
    }
    String latest =
        latestExpiryNanos == KeyOperation.NEVER
            ? "or later or never"
            : "to " + KeyOperation.millis(latestExpiryNanos, originNanos) + " ms";
    return text
        + ", which expires at "
        + KeyOperation.millis(earliestExpiryNanos, originNanos)
        + " ms "
        + latest;
  }

  /** Returns whether two states are equal except for what can be undone. */
  boolean holdsSame(LinearState that) {
    return value == that.value
        && earliestExpiryNanos == that.earliestExpiryNanos
        && latestExpiryNanos == that.latestExpiryNanos;
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof LinearState that
        && holdsSame(that)
        && Objects.equals(before, that.before);
  }

  @Override
  public int hashCode() {
    return Objects.hash(value, earliestExpiryNanos, latestExpiryNanos, before);
  }
}
