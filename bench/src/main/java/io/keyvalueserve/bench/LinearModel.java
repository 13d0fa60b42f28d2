package io.keyvalueserve.bench;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Knows what each operation of a history does to its key, and which answers are right. Not
 * thread-safe.
 *
 * <p>Values have numbers. All values that no operation saw or asked for have the same number, as no
 * operation of the history can tell them apart. Numbers in decimal have numbers of their own if the
 * history has an INCREMENT.
 */
final class LinearModel {
  private static final int UNSEEN = 1;

  private final List<KeyOperation> operations;
  private final long slackNanos;
  private final UnknownWrites unknownWrites;
  private final Set<String> seen = new HashSet<>();
  private final boolean increments;
  private final Map<String, Integer> numbers = new HashMap<>();
  private final LinearState[] written;
  private final int[] expected;
  private final int[] result;

  /**
   * @param slackNanos how far clocks may differ
   */
  LinearModel(List<KeyOperation> operations, long slackNanos, UnknownWrites unknownWrites) {
    this.operations = operations;
    this.slackNanos = slackNanos;
    this.unknownWrites = unknownWrites;
    boolean anyIncrements = false;
    for (KeyOperation operation : operations) {
      anyIncrements |= operation.kind() == KeyOperation.Kind.INCREMENT;
      if (tellsValue(operation)) {
        noteSeen(operation.result());
      }
      noteSeen(operation.expected());
    }
    increments = anyIncrements;
    written = new LinearState[operations.size()];
    expected = new int[operations.size()];
    result = new int[operations.size()];
    for (int i = 0; i < operations.size(); i++) {
      KeyOperation operation = operations.get(i);
      written[i] = written(operation);
      expected[i] = number(operation.expected());
      result[i] = tellsValue(operation) ? number(operation.result()) : LinearState.ABSENT.value;
    }
  }

  /**
   * Returns whether an operation is right in every state and leaves the same content after each of
   * them.
   *
   * <p>If writes may be undone, an acknowledged DELETE is not blind. One that removed a value rules
   * out that earlier writes are undone. Another one does not.
   */
  boolean isBlind(int index) {
    KeyOperation operation = operations.get(index);
    boolean isAnyAnswerRight = operation.isUnknown() || operation.isNotTold();
    return switch (operation.kind()) {
      case SET, SET_WITH_EXPIRY -> true;
      case DELETE ->
          operation.isUnknown()
              || (isAnyAnswerRight && unknownWrites == UnknownWrites.TAKE_EFFECT_OR_NOT);
      case GET_AND_SET -> isAnyAnswerRight;
      case GET, SET_IF_ABSENT, COMPARE_AND_SET, INCREMENT -> false;
    };
  }

  /** Returns whether an operation is known to have changed nothing. */
  boolean isRead(int index) {
    KeyOperation operation = operations.get(index);
    return switch (operation.kind()) {
      case GET -> !operation.isUnknown();
      case DELETE, SET_IF_ABSENT, COMPARE_AND_SET ->
          !operation.isUnknown() && KeyOperation.NOT_DONE.equals(operation.result());
      case SET, SET_WITH_EXPIRY, GET_AND_SET, INCREMENT -> false;
    };
  }

  /** Returns the state after a blind operation, without one to return to. */
  LinearState afterBlind(int index) {
    return written[index];
  }

  /**
   * Returns the state after an operation on a key that has a value, or null if the answer is wrong
   * then or the outcome is unknown and nothing changes. Only if nothing changes it is the given
   * one, otherwise it has no state to return to.
   */
  @Nullable LinearState afterPresent(LinearState state, int index) {
    KeyOperation operation = operations.get(index);
    return switch (operation.kind()) {
      case GET -> state.value == result[index] ? state : null;
      case SET, SET_WITH_EXPIRY -> written[index];
      case DELETE -> isAnswer(operation, KeyOperation.DONE) ? LinearState.ABSENT : null;
      case SET_IF_ABSENT -> isUnchanged(operation) ? state : null;
      case COMPARE_AND_SET -> afterCompare(state, index);
      case GET_AND_SET -> isBlind(index) || state.value == result[index] ? written[index] : null;
      case INCREMENT -> afterIncrement(state, operation);
    };
  }

  /**
   * Returns the state after an operation on a key that has no value, or null if the answer is wrong
   * then or the outcome is unknown and nothing changes. Only if nothing changes it is the given
   * one, otherwise it has no state to return to.
   */
  @Nullable LinearState afterAbsent(LinearState state, int index) {
    KeyOperation operation = operations.get(index);
    return switch (operation.kind()) {
      case GET -> result[index] == LinearState.ABSENT.value ? state : null;
      case SET, SET_WITH_EXPIRY -> written[index];
      case DELETE -> isAnswer(operation, KeyOperation.NOT_DONE) ? state : null;
      case SET_IF_ABSENT -> isAnswer(operation, KeyOperation.DONE) ? written[index] : null;
      case COMPARE_AND_SET -> isUnchanged(operation) ? state : null;
      case GET_AND_SET ->
          isBlind(index) || result[index] == LinearState.ABSENT.value ? written[index] : null;
      case INCREMENT -> isAnswer(operation, "1") ? LinearState.of(number("1"), "1") : null;
    };
  }

  /**
   * Returns for each operation an earlier one with an unknown outcome that has the same effect in
   * every state, or -1. A search may demand that the earlier one comes first, as they can change
   * places. Operations have to be sorted by their invocation.
   */
  int[] twins() {
    int[] twins = new int[operations.size()];
    Map<Effect, Integer> last = new HashMap<>();
    for (int i = 0; i < twins.length; i++) {
      KeyOperation operation = operations.get(i);
      boolean expires = operation.kind() == KeyOperation.Kind.SET_WITH_EXPIRY;
      Integer twin = null;
      if (operation.isUnknown() && !expires) {
        boolean sets = operation.kind() == KeyOperation.Kind.GET_AND_SET;
        KeyOperation.Kind kind = sets ? KeyOperation.Kind.SET : operation.kind();
        twin = last.put(new Effect(kind, number(operation.argument()), expected[i]), i);
      }
      twins[i] = twin == null ? -1 : twin;
    }
    return twins;
  }

  private record Effect(KeyOperation.Kind kind, int argument, int expected) {}

  private LinearState written(KeyOperation operation) {
    String argument = operation.argument();
    if (argument == null) {
      return LinearState.ABSENT;
    }
    LinearState state = LinearState.of(number(argument), argument);
    if (operation.kind() != KeyOperation.Kind.SET_WITH_EXPIRY) {
      return state;
    }
    long earliest = sum(operation.invokedNanos(), operation.expiryNanos());
    long latest = sum(sum(operation.returnedNanos(), operation.expiryNanos()), slackNanos);
    return state.expiring(
        earliest == KeyOperation.NEVER ? earliest : earliest - slackNanos, latest);
  }

  private @Nullable LinearState afterCompare(LinearState state, int index) {
    KeyOperation operation = operations.get(index);
    if (state.value != expected[index]) {
      return isUnchanged(operation) ? state : null;
    }
    LinearState next = written[index];
    return isAnswer(operation, KeyOperation.DONE)
        ? state.replaced(next.value, String.valueOf(next.text))
        : null;
  }

  private @Nullable LinearState afterIncrement(LinearState state, KeyOperation operation) {
    if (!isNumber(state.text)) {
      return null;
    }
    long number = Long.parseLong(String.valueOf(state.text));
    if (number == Long.MAX_VALUE) {
      return null;
    }
    String next = Long.toString(number + 1);
    return isAnswer(operation, next) ? state.replaced(number(next), next) : null;
  }

  /** Whether an operation has a result, or may have had it. */
  private static boolean isAnswer(KeyOperation operation, String result) {
    return operation.isUnknown() || operation.isNotTold() || result.equals(operation.result());
  }

  /** Whether an answer allows that a conditional operation changed nothing. */
  private static boolean isUnchanged(KeyOperation operation) {
    return !operation.isUnknown() && isAnswer(operation, KeyOperation.NOT_DONE);
  }

  private static boolean tellsValue(KeyOperation operation) {
    return switch (operation.kind()) {
      case GET, GET_AND_SET -> !operation.isUnknown() && !operation.isNotTold();
      case SET, SET_WITH_EXPIRY, DELETE, SET_IF_ABSENT, COMPARE_AND_SET, INCREMENT -> false;
    };
  }

  private void noteSeen(@Nullable String value) {
    if (value != null) {
      seen.add(value);
    }
  }

  private int number(@Nullable String value) {
    if (value == null) {
      return LinearState.ABSENT.value;
    }
    if (!seen.contains(value) && !(increments && isNumber(value))) {
      return UNSEEN;
    }
    return numbers.computeIfAbsent(value, text -> UNSEEN + 1 + numbers.size());
  }

  private static boolean isNumber(@Nullable String value) {
    if (value == null) {
      return false;
    }
    try {
      return Long.toString(Long.parseLong(value)).equals(value);
    } catch (NumberFormatException e) {
      return false;
    }
  }

  private static long sum(long nanos, long more) {
    return nanos > KeyOperation.NEVER - more ? KeyOperation.NEVER : nanos + more;
  }
}
