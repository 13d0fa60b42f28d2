package io.keyvalueserve.server.http;

import io.keyvalueserve.billing.metering.Measure;
import io.keyvalueserve.engine.KeyCommand;
import io.keyvalueserve.engine.Outcome;
import io.keyvalueserve.engine.ValueMatch;
import io.keyvalueserve.tenancy.QualifiedName;
import java.util.Arrays;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * One operation of a transaction. Immutable; the arrays inside are not changed by anyone.
 *
 * @param index its place in the request, from 0
 * @param map the map of the key
 * @param action what it does
 */
record TransactionOperation(int index, QualifiedName map, byte[] key, Action action) {
  /** The effect of an operation on its key. */
  sealed interface Action {
    /** Lets the transaction pass if there is an entry, or if there is none. */
    record CheckExists(boolean exists) implements Action {}

    /** Lets the transaction pass if the value has these bytes. */
    record CheckValue(byte[] value) implements Action {}

    /** Lets the transaction pass if the value has one of these entity tags. */
    record CheckTag(Preconditions tags) implements Action {}

    /** Reads the value. */
    record Get() implements Action {}

    /**
     * Writes a value.
     *
     * @param timeToLive as {@link TimeToLive#expiry} takes it
     */
    record Put(byte[] value, long timeToLive, ValueMatch match) implements Action {}

    /** Removes the entry. */
    record Delete(ValueMatch match) implements Action {}

    /** Adds to a number. */
    record Increment(long by) implements Action {}
  }

  /** Returns where the operation is in the request, for errors. */
  String at() {
    return at(index);
  }

  static String at(int index) {
    return "operations[" + index + "]";
  }

  /** Returns the command for it in a transaction that runs now. */
  KeyCommand command(long nowMillis) {
    return switch (action) {
      case Action.CheckExists _ -> new KeyCommand.Probe(key, false);
      case Action.CheckTag(Preconditions tags) when tags.any() -> new KeyCommand.Probe(key, false);
      case Action.CheckTag _, Action.CheckValue _, Action.Get _ -> new KeyCommand.Read(key);
      case Action.Put(byte[] value, long timeToLive, ValueMatch match) ->
          new KeyCommand.WriteIf(key, value, TimeToLive.expiry(timeToLive, nowMillis), match);
      case Action.Delete(ValueMatch match) -> new KeyCommand.RemoveIf(key, match);
      case Action.Increment(long by) -> new KeyCommand.Increment(key, by);
    };
  }

  /** Returns what the operation is charged as. */
  Measure measure() {
    return switch (action) {
      case Action.CheckExists _, Action.CheckTag _, Action.CheckValue _, Action.Get _ ->
          Measure.READS;
      case Action.Put _, Action.Increment _ -> Measure.WRITES;
      case Action.Delete _ -> Measure.DELETES;
    };
  }

  /** Returns why the transaction cannot go on after this outcome, or null if it can. */
  HttpErrors.@Nullable Refused obstacle(Outcome outcome) {
    if (outcome instanceof Outcome.Rejected rejected) {
      return rejected(rejected);
    }
    String unmet = unmet(outcome);
    return unmet == null ? null : EntryRoutes.preconditionFailed(describe(unmet));
  }

  private HttpErrors.Refused rejected(Outcome.Rejected rejected) {
    return switch (rejected) {
      case NOT_AN_INTEGER ->
          EntryRoutes.conflict("not_an_integer", describe("the value is no integer of 64 bits"));
      case OVERFLOW ->
          EntryRoutes.conflict("out_of_range", describe("the sum does not fit 64 bits"));
      case WRONG_TYPE ->
          EntryRoutes.conflict(
              "wrong_type",
              describe(
                  "the value is an object of a Hazelcast client or a collection of a Redis client,"
                      + " neither bytes nor text, number or JSON"));
      default -> throw EntryRoutes.unexpected(rejected);
    };
  }

  private @Nullable String unmet(Outcome outcome) {
    boolean isMissing = outcome == Outcome.Missing.MISSING;
    return switch (action) {
      case Action.CheckExists(boolean exists) -> {
        String found = isMissing ? "there is no such entry" : "there is an entry";
        yield exists == isMissing ? found : null;
      }
      case Action.CheckValue(byte[] value) ->
          outcome instanceof Outcome.Entry entry && Arrays.equals(entry.value(), value)
              ? null
              : isMissing ? "there is no such entry" : "the value is another";
      case Action.CheckTag(Preconditions tags) ->
          isMissing
              ? "there is no such entry"
              : outcome instanceof Outcome.Entry entry && !tags.matchesStrongly(entry.value())
                  ? "the value has another entity tag"
                  : null;
      case Action.Put(_, _, ValueMatch match) ->
          outcome instanceof Outcome.NotApplied ? unmet(match) : null;
      case Action.Delete(ValueMatch match) -> {
        boolean isConditional = match.kind() != ValueMatch.Kind.ANY;
        yield outcome instanceof Outcome.NotApplied || (isMissing && isConditional)
            ? unmet(match)
            : null;
      }
      case Action.Get _, Action.Increment _ -> null;
    };
  }

  private static String unmet(ValueMatch match) {
    return match.kind() == ValueMatch.Kind.ABSENT
        ? "there is an entry, and 'ifNoneMatch' wants none"
        : "the entry is not as 'ifMatch' wants it";
  }

  /** Returns a message that names the operation, and what is the matter. */
  String describe(@Nullable String reason) {
    return "operation "
        + index
        + " ("
        + name()
        + " in map '"
        + map.map()
        + "'): "
        + reason
        + "; nothing was changed";
  }

  private String name() {
    return switch (action) {
      case Action.CheckExists _, Action.CheckTag _, Action.CheckValue _ -> "check";
      default -> action.getClass().getSimpleName().toLowerCase(Locale.ROOT);
    };
  }
}
