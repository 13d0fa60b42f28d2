package io.keyvalueserve.bench;

import io.keyvalueserve.bench.KeyOperation.Kind;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Reads, writes, compares, counts and locks, one operation at a time, and notes each with its
 * times.
 */
final class KeyWorker extends NemesisWorker<KeyRound> {
  private static final int SHORTEST_EXPIRY_MILLIS = 200;
  private static final int LONGEST_EXPIRY_MILLIS = 3_000;
  private static final int LONGEST_HOLD_MILLIS = 20;

  /** How often each kind is drawn, of a register. */
  private static final List<Kind> MIX = new ArrayList<>();

  static {
    mix(Kind.GET, 40);
    mix(Kind.SET, 16);
    mix(Kind.DELETE, 10);
    mix(Kind.SET_IF_ABSENT, 8);
    mix(Kind.COMPARE_AND_SET, 12);
    mix(Kind.GET_AND_SET, 7);
    mix(Kind.SET_WITH_EXPIRY, 7);
  }

  private static void mix(Kind kind, int times) {
    for (int i = 0; i < times; i++) {
      MIX.add(kind);
    }
  }

  private final NemesisClient client;
  private long sequence;

  /**
   * @param number of the client
   * @param current the round that goes on, if one does
   */
  KeyWorker(
      int number,
      NemesisClient client,
      Supplier<@Nullable KeyRound> current,
      SplittableRandom random) {
    super(number, client.door(), client.member(), current, random);
    this.client = client;
  }

  @Override
  boolean operate(KeyRound round) {
    return operate(round.draw(random));
  }

  @Override
  public void close() {
    client.close();
  }

  private boolean operate(NemesisKey key) {
    if (!key.isOpenTo(number())) {
      return perform(key, Kind.GET, "", "") != null;
    }
    return switch (key.use) {
      case LOCK -> lock(key);
      case COUNTER ->
          perform(key, client.has(Kind.INCREMENT) ? Kind.INCREMENT : Kind.GET, "", "") != null;
      case REGISTER -> register(key);
    };
  }

  private boolean register(NemesisKey key) {
    Kind kind = MIX.get(random.nextInt(MIX.size()));
    String seen = key.seen();
    if (!client.has(kind) || (kind == Kind.COMPARE_AND_SET && seen == null)) {
      kind = Kind.GET;
    }
    String value = kind == Kind.GET || kind == Kind.DELETE ? "" : nextValue();
    return perform(key, kind, value, seen == null ? "" : seen) != null;
  }

  private String nextValue() {
    return number() + "-" + ++sequence;
  }

  private boolean lock(NemesisKey key) {
    KeyOperation taken = perform(key, Kind.SET_IF_ABSENT, nextValue(), "");
    if (taken == null || !"1".equals(taken.result())) {
      return taken != null;
    }
    Clock.sleepMillis(random.nextLong(LONGEST_HOLD_MILLIS));
    long released = System.nanoTime();
    boolean well = false;
    for (int tries = 0; !well && tries < 100 && !isStopped(); tries++) {
      // it alone may delete the key: again after a refusal, never after an unknown outcome
      well = perform(key, Kind.DELETE, "", "") != null;
      if (!well && !key.isOpenTo(number())) {
        break;
      }
      if (!well) {
        Clock.sleepMillis(PAUSE_AFTER_ERROR_MILLIS);
      }
    }
    key.add(new LockHold(number(), client.door(), key.name, taken.returnedNanos(), released));
    return well;
  }

  /** Returns the operation as it was carried out, or null if it was not, or is unknown. */
  private @Nullable KeyOperation perform(
      NemesisKey key, Kind kind, String argument, String expected) {
    long expiry =
        kind == Kind.SET_WITH_EXPIRY
            ? random.nextInt(SHORTEST_EXPIRY_MILLIS, LONGEST_EXPIRY_MILLIS)
            : 0;
    boolean compares = kind == Kind.COMPARE_AND_SET;
    long invoked = System.nanoTime();
    NemesisClient.Outcome outcome =
        client.perform(kind, key.name, argument, compares ? expected : "", expiry);
    long returned = System.nanoTime();
    switch (outcome) {
      case NemesisClient.Outcome.Done(String result) -> {
        KeyOperation operation =
            operation(kind, invoked, returned, argument, expected, expiry, result);
        key.add(operation);
        countDone(client.door(), returned);
        return operation;
      }
      case NemesisClient.Outcome.NotDone(String why) -> countNotDone(client.door() + ": " + why);
      case NemesisClient.Outcome.Unknown(String why) -> {
        if (kind == Kind.GET) {
          count(client.door() + ": " + why);
        } else {
          countUnknown(client.door() + ": " + why);
          key.add(operation(kind, invoked, Long.MAX_VALUE, argument, expected, expiry, null));
        }
      }
    }
    return null;
  }

  private KeyOperation operation(
      Kind kind,
      long invoked,
      long returned,
      String argument,
      String expected,
      long expiryMillis,
      @Nullable String result) {
    return new KeyOperation(
        number(),
        client.door(),
        kind,
        invoked,
        returned,
        argument.isEmpty() ? null : argument,
        kind == Kind.COMPARE_AND_SET ? expected : null,
        expiryMillis * 1_000_000,
        result);
  }
}
