package io.keyvalueserve.bench;

import org.jspecify.annotations.Nullable;

/** Operations of each kind, for histories that tests make up. */
final class KeyOperations {
  private KeyOperations() {}

  static KeyOperation get(
      int client, String door, long invokedNanos, long returnedNanos, @Nullable String seen) {
    return new KeyOperation(
        client, door, KeyOperation.Kind.GET, invokedNanos, returnedNanos, null, null, 0, seen);
  }

  static KeyOperation set(
      int client, String door, long invokedNanos, long returnedNanos, String value) {
    return new KeyOperation(
        client, door, KeyOperation.Kind.SET, invokedNanos, returnedNanos, value, null, 0, null);
  }

  static KeyOperation setWithExpiry(
      int client,
      String door,
      long invokedNanos,
      long returnedNanos,
      String value,
      long expiryNanos) {
    return new KeyOperation(
        client,
        door,
        KeyOperation.Kind.SET_WITH_EXPIRY,
        invokedNanos,
        returnedNanos,
        value,
        null,
        expiryNanos,
        null);
  }

  static KeyOperation delete(
      int client, String door, long invokedNanos, long returnedNanos, @Nullable String result) {
    return new KeyOperation(
        client, door, KeyOperation.Kind.DELETE, invokedNanos, returnedNanos, null, null, 0, result);
  }

  static KeyOperation setIfAbsent(
      int client,
      String door,
      long invokedNanos,
      long returnedNanos,
      String value,
      @Nullable String result) {
    return new KeyOperation(
        client,
        door,
        KeyOperation.Kind.SET_IF_ABSENT,
        invokedNanos,
        returnedNanos,
        value,
        null,
        0,
        result);
  }

  static KeyOperation compareAndSet(
      int client,
      String door,
      long invokedNanos,
      long returnedNanos,
      String expected,
      String value,
      @Nullable String result) {
    return new KeyOperation(
        client,
        door,
        KeyOperation.Kind.COMPARE_AND_SET,
        invokedNanos,
        returnedNanos,
        value,
        expected,
        0,
        result);
  }

  static KeyOperation getAndSet(
      int client,
      String door,
      long invokedNanos,
      long returnedNanos,
      String value,
      @Nullable String seen) {
    return new KeyOperation(
        client,
        door,
        KeyOperation.Kind.GET_AND_SET,
        invokedNanos,
        returnedNanos,
        value,
        null,
        0,
        seen);
  }

  static KeyOperation increment(
      int client, String door, long invokedNanos, long returnedNanos, @Nullable String result) {
    return new KeyOperation(
        client,
        door,
        KeyOperation.Kind.INCREMENT,
        invokedNanos,
        returnedNanos,
        null,
        null,
        0,
        result);
  }
}
