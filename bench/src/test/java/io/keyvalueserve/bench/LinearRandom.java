package io.keyvalueserve.bench;

import io.keyvalueserve.bench.KeyOperation.Kind;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/**
 * Generates histories of random clients against one key that takes one operation after the other.
 * The key serves each operation at a random moment between its call and its answer. Not
 * thread-safe.
 */
final class LinearRandom {
  /** When a call that gets no answer is served, if at all. */
  private static final int LATE_NANOS = 3_000;

  private static final int LONGEST_NANOS = 100;
  private static final int LONGEST_EXPIRY_NANOS = 300;

  /** An operation, when it is served, and its place in the history. */
  private record Call(KeyOperation operation, long servedNanos, int place) {}

  /** What the key held before a change that got no answer. */
  private record Before(@Nullable String value, long expiresNanos) {}

  private final SplittableRandom random;
  private final List<Kind> kinds;
  private final boolean uniqueValues;
  private final boolean undoes;
  private final boolean keepsExpiry;
  private @Nullable String value;
  private long expiresNanos = KeyOperation.NEVER;
  private int values;

  /** What can be undone, the last first. */
  private final Deque<Before> undoable = new ArrayDeque<>();

  private boolean wrote;

  /**
   * @param kinds of operations; repeat a kind to have more of it
   * @param uniqueValues whether no value is written twice
   * @param undoes whether operations without an answer are undone at times
   */
  LinearRandom(SplittableRandom random, List<Kind> kinds, boolean uniqueValues, boolean undoes) {
    this.random = random;
    this.kinds = kinds;
    this.uniqueValues = uniqueValues;
    this.undoes = undoes;
    keepsExpiry = random.nextBoolean();
  }

  /**
   * Returns a history that is linearizable, but for what is undone.
   *
   * @param unknown how many operations get no answer
   */
  List<KeyOperation> history(int clients, int operations, int unknown) {
    Set<Integer> unanswered = new HashSet<>();
    while (unanswered.size() < unknown) {
      unanswered.add(random.nextInt(operations));
    }
    List<Call> calls = new ArrayList<>();
    long[] free = new long[clients];
    for (int i = 0; i < operations; i++) {
      int client = random.nextInt(clients);
      long invoked = free[client] + 1 + random.nextInt(LONGEST_NANOS / 2);
      long served = invoked + random.nextInt(LONGEST_NANOS);
      long returned = served + random.nextInt(LONGEST_NANOS);
      free[client] = returned;
      KeyOperation operation = draw(client, invoked, returned);
      if (unanswered.contains(i)) {
        operation = operation.unanswered();
        served = invoked + random.nextInt(random.nextBoolean() ? LATE_NANOS : LONGEST_NANOS);
      }
      calls.add(new Call(operation, served, i));
    }
    calls.sort(Comparator.comparingLong(Call::servedNanos));
    KeyOperation[] history = new KeyOperation[operations];
    for (Call call : calls) {
      boolean lost = call.operation.isUnknown() && random.nextInt(3) == 0;
      history[call.place] = lost ? call.operation : serve(call);
    }
    return new ArrayList<>(List.of(history));
  }

  /**
   * Returns a history of guesses: nobody serves its calls, and half of those that may change the
   * key get no answer. Most such histories are wrong, unless they are short.
   */
  List<KeyOperation> guesses(int operations) {
    List<KeyOperation> history = new ArrayList<>();
    long now = 0;
    for (int i = 0; i < operations; i++) {
      now += 1 + random.nextInt(LONGEST_NANOS);
      KeyOperation operation =
          draw(i, now, now + random.nextInt(random.nextBoolean() ? 2 : 2 * LONGEST_NANOS));
      history.add(operation);
      if (operation.kind() != Kind.GET && random.nextBoolean()) {
        history.set(i, operation.unanswered());
      } else if (operation.kind() == Kind.INCREMENT || !operation.isNotTold()) {
        history.set(i, with(operation, otherResult(history, operation)));
      } else if (random.nextInt(4) != 0) {
        String guess = random.nextBoolean() ? "1" : "0";
        boolean tellsValue = operation.kind() == Kind.GET_AND_SET;
        history.set(i, with(operation, tellsValue ? otherResult(history, operation) : guess));
      }
    }
    return history;
  }

  /** Changes the result of one operation, if one has a result. Most histories are wrong then. */
  void spoil(List<KeyOperation> history) {
    int place = random.nextInt(history.size());
    KeyOperation operation = history.get(place);
    if (!operation.isUnknown()) {
      history.set(place, with(operation, otherResult(history, operation)));
    }
  }

  /** Ends one operation at the moment in which it began. */
  void shorten(List<KeyOperation> history) {
    int place = random.nextInt(history.size());
    KeyOperation old = history.get(place);
    if (!old.isUnknown()) {
      history.set(
          place,
          new KeyOperation(
              old.client(),
              old.door(),
              old.kind(),
              old.invokedNanos(),
              old.invokedNanos(),
              old.argument(),
              old.expected(),
              old.expiryNanos(),
              old.result()));
    }
  }

  private @Nullable String otherResult(List<KeyOperation> history, KeyOperation operation) {
    String result = operation.result();
    return switch (operation.kind()) {
      case GET, GET_AND_SET -> history.get(random.nextInt(history.size())).argument();
      case SET, SET_WITH_EXPIRY -> result;
      case DELETE, SET_IF_ABSENT, COMPARE_AND_SET -> "1".equals(result) ? "0" : "1";
      case INCREMENT -> Integer.toString(1 + random.nextInt(3));
    };
  }

  private KeyOperation draw(int client, long invoked, long returned) {
    String argument = drawValue();
    return switch (kinds.get(random.nextInt(kinds.size()))) {
      case GET -> KeyOperations.get(client, "resp", invoked, returned, null);
      case SET -> KeyOperations.set(client, "resp", invoked, returned, argument);
      case SET_WITH_EXPIRY ->
          KeyOperations.setWithExpiry(
              client, "http", invoked, returned, argument, random.nextInt(LONGEST_EXPIRY_NANOS));
      case DELETE -> KeyOperations.delete(client, "http", invoked, returned, "?");
      case SET_IF_ABSENT ->
          KeyOperations.setIfAbsent(client, "resp", invoked, returned, argument, "?");
      case COMPARE_AND_SET ->
          KeyOperations.compareAndSet(
              client, "member", invoked, returned, drawExpected(), argument, "?");
      case GET_AND_SET ->
          KeyOperations.getAndSet(client, "member", invoked, returned, argument, "?");
      case INCREMENT -> KeyOperations.increment(client, "resp", invoked, returned, "?");
    };
  }

  private String drawValue() {
    values++;
    if (uniqueValues) {
      return "v" + values;
    }
    return List.of("a", "b", "c", "1", "2").get(random.nextInt(5));
  }

  private String drawExpected() {
    return uniqueValues ? "v" + Math.max(1, values - random.nextInt(6)) : drawValue();
  }

  /** Serves a call and returns its operation with the right result. */
  private KeyOperation serve(Call call) {
    KeyOperation operation = call.operation;
    if (undoes) {
      undo();
    }
    if (call.servedNanos >= expiresNanos) {
      store(null);
    }
    String before = value;
    Before undo = new Before(value, expiresNanos);
    wrote = false;
    String result =
        switch (operation.kind()) {
          case GET -> before;
          case SET, GET_AND_SET -> {
            store(operation.argument());
            yield before;
          }
          case SET_WITH_EXPIRY -> {
            store(operation.argument());
            expiresNanos = call.servedNanos + operation.expiryNanos();
            yield null;
          }
          case DELETE -> {
            store(null);
            yield before == null ? "0" : "1";
          }
          case SET_IF_ABSENT -> {
            if (before == null) {
              store(operation.argument());
            }
            yield before == null ? "1" : "0";
          }
          case COMPARE_AND_SET -> {
            boolean right = Objects.equals(before, operation.expected());
            if (right) {
              replace(operation.argument());
            }
            yield right ? "1" : "0";
          }
          case INCREMENT -> increment();
        };
    // To remove what is not there is no write.
    boolean changed = wrote && !(operation.kind() == Kind.DELETE && before == null);
    if (operation.isUnknown()) {
      if (changed) {
        undoable.push(undo);
      }
      return operation;
    }
    if (changed) {
      undoable.clear();
    }
    if (operation.kind() == Kind.INCREMENT && result == null) {
      // Refused with an error: it is no part of a history, so a read takes its place.
      return KeyOperations.get(
          operation.client(),
          operation.door(),
          operation.invokedNanos(),
          operation.returnedNanos(),
          before);
    }
    boolean tells =
        operation.kind() == Kind.GET
            || operation.kind() == Kind.INCREMENT
            || random.nextInt(8) != 0;
    return with(operation, tells ? result : "?");
  }

  private @Nullable String increment() {
    if (value == null) {
      store("1");
      return value;
    }
    try {
      replace(Long.toString(Long.parseLong(value) + 1));
      return value;
    } catch (NumberFormatException e) {
      return null;
    }
  }

  private void undo() {
    while (!undoable.isEmpty() && random.nextInt(3) == 0) {
      Before before = undoable.pop();
      value = before.value;
      expiresNanos = before.expiresNanos;
    }
  }

  private void store(@Nullable String newValue) {
    wrote = true;
    value = newValue;
    expiresNanos = KeyOperation.NEVER;
  }

  private void replace(@Nullable String newValue) {
    wrote = true;
    value = newValue;
    if (!keepsExpiry) {
      expiresNanos = KeyOperation.NEVER;
    }
  }

  private static KeyOperation with(KeyOperation old, @Nullable String result) {
    return new KeyOperation(
        old.client(),
        old.door(),
        old.kind(),
        old.invokedNanos(),
        old.returnedNanos(),
        old.argument(),
        old.expected(),
        old.expiryNanos(),
        result);
  }
}
