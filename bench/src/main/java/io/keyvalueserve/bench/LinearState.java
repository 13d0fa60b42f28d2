package io.keyvalueserve.bench;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The content of a key after some of its operations. Times are in nanoseconds. Immutable.
 *
 * <p>Two states are equal if no operation of the history can tell them apart. Their texts may
 * differ.
 */
final class LinearState {
  /** The state of a key without a value. */
  static final LinearState ABSENT =
      new LinearState(0, null, KeyOperation.NEVER, KeyOperation.NEVER);

  /** The number of the value; see {@link LinearModel}. */
  final int value;

  /** The value, for reports; null if the key is absent. */
  final @Nullable String text;

  private final long earliestExpiryNanos;
  private final long latestExpiryNanos;

  private LinearState(
      int value, @Nullable String text, long earliestExpiryNanos, long latestExpiryNanos) {
    this.value = value;
    this.text = text;
    this.earliestExpiryNanos = earliestExpiryNanos;
    this.latestExpiryNanos = latestExpiryNanos;
  }

  /** Returns the state of a key with a value that does not expire. */
  static LinearState of(int value, String text) {
    return new LinearState(value, text, KeyOperation.NEVER, KeyOperation.NEVER);
  }

  /** Returns this state with a value that expires at an unknown moment of an interval. */
  LinearState expiring(long earliestNanos, long latestNanos) {
    return new LinearState(value, text, earliestNanos, latestNanos);
  }

  /**
   * Returns the state after the value was replaced in place. An expiring value may keep its moment
   * of expiry or lose it: servers differ.
   */
  LinearState replaced(int newValue, String newText) {
    return new LinearState(newValue, newText, earliestExpiryNanos, KeyOperation.NEVER);
  }

  /** Returns whether the key may have a value at a moment that is not before the given one. */
  boolean mayBePresent(long notBeforeNanos) {
    return value != ABSENT.value && notBeforeNanos <= latestExpiryNanos;
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

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof LinearState that
        && value == that.value
        && earliestExpiryNanos == that.earliestExpiryNanos
        && latestExpiryNanos == that.latestExpiryNanos;
  }

  @Override
  public int hashCode() {
    return Objects.hash(value, earliestExpiryNanos, latestExpiryNanos);
  }
}
