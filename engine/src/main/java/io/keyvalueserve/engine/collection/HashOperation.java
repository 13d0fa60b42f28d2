package io.keyvalueserve.engine.collection;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.US_ASCII;

import io.keyvalueserve.engine.Arithmetic;
import io.keyvalueserve.engine.Expiry;
import io.keyvalueserve.engine.Outcome;
import io.keyvalueserve.engine.Outcome.Rejected;
import io.keyvalueserve.engine.collection.HashView.Field;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/** The operations on hashes. */
public enum HashOperation implements CollectionOperation {
  /** Writes fields: field, value, ... Answers how many are new. */
  SET(1, true, (hash, arguments, now) -> Outcome.of(set(hash, arguments))),

  /** Writes a field that is not there: field, value. Answers 1, or 0 if it is there. */
  SET_IF_ABSENT(
      2,
      true,
      (hash, arguments, now) ->
          hash.get(Bytes.of(arguments.text(0))) != null
              ? Outcome.of(0)
              : Outcome.of(set(hash, arguments))),

  /** The value of a field. Answers an {@link Outcome.Entry}, or that it is missing. */
  GET(
      3,
      false,
      (hash, arguments, now) -> {
        Field field = hash.get(Bytes.of(arguments.text(0)));
        return field == null
            ? Outcome.Missing.MISSING
            : new Outcome.Entry(field.value().toArray(), Expiry.NONE);
      }),

  /** The values of fields. */
  GET_MANY(
      4,
      false,
      (hash, arguments, now) -> {
        Answer values = new Answer();
        for (byte[] name : arguments.texts()) {
          boolean _ = values.add(valueOf(hash.get(Bytes.of(name))));
        }
        return values.outcome();
      }),

  /** Removes fields. Answers how many there were. */
  REMOVE(
      5,
      true,
      (hash, arguments, now) -> {
        int removed = 0;
        for (byte[] name : arguments.texts()) {
          removed += hash.remove(Bytes.of(name)) ? 1 : 0;
        }
        return Outcome.of(removed);
      }),

  /** Returns 1 if a field is there, else 0. */
  EXISTS(
      6,
      false,
      (hash, arguments, now) -> Outcome.of(hash.get(Bytes.of(arguments.text(0))) == null ? 0 : 1)),

  /** The number of fields. */
  SIZE(7, false, (hash, arguments, now) -> Outcome.of(hash.size())),

  /** The length of a field's value, 0 if there is none. */
  VALUE_LENGTH(
      8,
      false,
      (hash, arguments, now) -> {
        Field field = hash.get(Bytes.of(arguments.text(0)));
        return Outcome.of(field == null ? 0 : field.value().length());
      }),

  /** Adds an integer to a field that is an integer; one that is missing counts as 0. */
  INCREMENT(9, true, (hash, arguments, now) -> increment(hash, arguments)),

  /** Adds a decimal number to a field: field, number. One that is missing counts as 0. */
  INCREMENT_DECIMAL(10, true, (hash, arguments, now) -> incrementDecimal(hash, arguments)),

  /** All fields, each with its value behind it. */
  ALL(11, false, (hash, arguments, now) -> list(hash, true, true)),

  /** All fields. */
  NAMES(12, false, (hash, arguments, now) -> list(hash, true, false)),

  /** The values of all fields. */
  VALUES(13, false, (hash, arguments, now) -> list(hash, false, true)),

  /**
   * Fields chosen at random, each with its value behind it. The numbers are how many, as {@link
   * Sample#of} has it, and a seed.
   */
  RANDOM(
      14,
      false,
      (hash, arguments, now) ->
          Sample.of(
              hash.size(),
              hash.places(),
              arguments.number(0),
              arguments.number(1),
              (field, answer) -> {
                boolean _ = answer.add(field.name());
                boolean _ = answer.add(field.value());
              })),

  /**
   * Some of the fields, each with its value behind it: those whose names fit a pattern, if there is
   * one. The numbers are a cursor, 0 to begin; about how many; and 1 for names alone. Answers the
   * cursor to go on with, 0 at the end, and a group.
   */
  SCAN(15, false, (hash, arguments, now) -> scan(hash, arguments)),

  /**
   * Has fields expire. The numbers are a time and the code of an {@link ElementCondition}. Answers
   * for each field: -2 if there is none, 0 if the condition does not hold, 1, or 2 if the time has
   * passed and the field was removed.
   */
  EXPIRE(
      16,
      true,
      (hash, arguments, now) ->
          each(hash, arguments, field -> expire(hash, field, arguments, now))),

  /** When fields expire. Answers -2 if there is none, -1 if it does not expire. */
  EXPIRY(
      17,
      false,
      (hash, arguments, now) ->
          each(
              hash,
              arguments,
              field -> field.expireAtMillis() == Expiry.NONE ? -1 : field.expireAtMillis())),

  /** Lets fields stay. Answers -2 if there is none, -1 if it does not expire, else 1. */
  PERSIST(
      18,
      true,
      (hash, arguments, now) ->
          each(
              hash,
              arguments,
              field -> {
                if (field.expireAtMillis() == Expiry.NONE) {
                  return -1;
                }
                boolean _ = hash.put(field.name(), field.value(), Expiry.NONE);
                return 1;
              })),

  /** The values of fields, which expire from now on at a time, or do not: {@link Expiry#NONE}. */
  GET_AND_EXPIRE(
      19,
      true,
      (hash, arguments, now) -> {
        long at = arguments.number(0);
        return taken(
            hash,
            arguments,
            field -> {
              if (Expiry.hasPassed(at, now)) {
                boolean _ = hash.remove(field.name());
              } else if (field.expireAtMillis() != at) {
                boolean _ = hash.put(field.name(), field.value(), at);
              }
            });
      }),

  /** The values of fields, which are removed. */
  GET_AND_REMOVE(
      20,
      true,
      (hash, arguments, now) ->
          taken(
              hash,
              arguments,
              field -> {
                boolean _ = hash.remove(field.name());
              })),

  /**
   * Writes fields that expire: field, value, ... The numbers are an {@link Expiry}, and 1 if none
   * of them may be there, 2 if all have to be, else 0. Answers 1, or 0 if that does not hold.
   */
  SET_AND_EXPIRE(21, true, (hash, arguments, now) -> setAndExpire(hash, arguments, now));

  /** The fields must not be there, for {@link #SET_AND_EXPIRE}. */
  public static final long IF_NONE = 1;

  /** The fields must be there, for {@link #SET_AND_EXPIRE}. */
  public static final long IF_ALL = 2;

  private static final long NO_FIELD = -2;
  private static final HashOperation[] BY_CODE = values();

  private final int code;
  private final boolean writes;
  private final Body body;

  /** The function of an operation. */
  @FunctionalInterface
  private interface Body {
    Outcome run(HashView hash, Arguments arguments, long nowMillis);
  }

  HashOperation(int code, boolean writes, Body body) {
    this.code = code;
    this.writes = writes;
    this.body = body;
  }

  static @Nullable HashOperation ofCode(int code) {
    return CollectionType.ofCode(BY_CODE, code);
  }

  @Override
  public CollectionType type() {
    return CollectionType.HASH;
  }

  @Override
  public int code() {
    return code;
  }

  @Override
  public boolean writes() {
    return writes;
  }

  @Override
  public Outcome run(CollectionView view, Arguments arguments, long nowMillis) {
    return body.run((HashView) view, arguments, nowMillis);
  }

  /** Returns how many fields are new. */
  private static int set(HashView hash, Arguments arguments) {
    int added = 0;
    for (int i = 0; i + 1 < arguments.count(); i += 2) {
      Bytes value = Bytes.of(arguments.text(i + 1));
      added += hash.put(Bytes.of(arguments.text(i)), value, Expiry.NONE) ? 1 : 0;
    }
    return added;
  }

  private static Outcome scan(HashView hash, Arguments arguments) {
    boolean namesAlone = arguments.number(2) == 1;
    return Scans.answer(
        arguments,
        (cursor, count, sink) ->
            hash.scan(
                cursor,
                count,
                field -> sink.accept(field.name(), namesAlone ? null : field.value())));
  }

  private static Outcome each(HashView hash, Arguments arguments, ToLongFunction<Field> operation) {
    List<Element> answers = new ArrayList<>(arguments.count());
    for (byte[] name : arguments.texts()) {
      Field field = hash.get(Bytes.of(name));
      answers.add(Element.of(field == null ? NO_FIELD : operation.applyAsLong(field)));
    }
    return new Outcome.Elements(answers);
  }

  private static Outcome taken(HashView hash, Arguments arguments, Consumer<Field> operation) {
    Answer values = new Answer();
    for (byte[] name : arguments.texts()) {
      Field field = hash.get(Bytes.of(name));
      boolean _ = values.add(valueOf(field));
      if (field != null) {
        operation.accept(field);
      }
    }
    return values.outcome();
  }

  private static long expire(HashView hash, Field field, Arguments arguments, long now) {
    long at = arguments.number(0);
    if (!ElementCondition.ofCode(arguments.number(1)).holds(field.expireAtMillis(), at)) {
      return 0;
    }
    if (at <= now) {
      boolean _ = hash.remove(field.name());
      return 2;
    }
    boolean _ = hash.put(field.name(), field.value(), at);
    return 1;
  }

  private static Outcome setAndExpire(HashView hash, Arguments arguments, long now) {
    long at = arguments.number(0);
    long condition = arguments.number(1);
    for (int i = 0; condition != 0 && i + 1 < arguments.count(); i += 2) {
      boolean isThere = hash.get(Bytes.of(arguments.text(i))) != null;
      if (isThere == (condition == IF_NONE)) {
        return Outcome.of(0);
      }
    }
    for (int i = 0; i + 1 < arguments.count(); i += 2) {
      Bytes name = Bytes.of(arguments.text(i));
      if (Expiry.hasPassed(at, now)) {
        boolean _ = hash.remove(name);
      } else {
        long expireAt = at == Expiry.KEEP ? expiryOf(hash.get(name)) : at;
        boolean _ = hash.put(name, Bytes.of(arguments.text(i + 1)), expireAt);
      }
    }
    return Outcome.of(1);
  }

  private static @Nullable Bytes valueOf(@Nullable Field field) {
    return field == null ? null : field.value();
  }

  private static Outcome list(HashView hash, boolean names, boolean values) {
    Answer answer = new Answer();
    hash.forEach(
        field -> (!names || answer.add(field.name())) && (!values || answer.add(field.value())));
    return answer.outcome();
  }

  private static Outcome increment(HashView hash, Arguments arguments) {
    Bytes name = Bytes.of(arguments.text(0));
    Field field = hash.get(name);
    Optional<Long> before =
        field == null ? Optional.of(0L) : Arithmetic.parseInteger(field.value().toArray());
    if (before.isEmpty()) {
      return Rejected.ELEMENT_NOT_AN_INTEGER;
    }
    long delta = arguments.number(0);
    long after = before.get() + delta;
    if (((before.get() ^ after) & (delta ^ after)) < 0) {
      return Rejected.OVERFLOW;
    }
    boolean _ = hash.put(name, text(Long.toString(after)), expiryOf(field));
    return Outcome.of(after);
  }

  private static Outcome incrementDecimal(HashView hash, Arguments arguments) {
    Bytes name = Bytes.of(arguments.text(0));
    Field field = hash.get(name);
    String before = field == null ? null : new String(field.value().toArray(), ISO_8859_1);
    Outcome outcome = Arithmetic.addDecimal(before, new String(arguments.text(1), ISO_8859_1));
    if (outcome instanceof Outcome.DecimalResult sum) {
      boolean _ = hash.put(name, text(sum.value()), expiryOf(field));
    }
    return outcome == Rejected.NOT_A_DECIMAL ? Rejected.ELEMENT_NOT_A_DECIMAL : outcome;
  }

  private static long expiryOf(@Nullable Field field) {
    return field == null ? Expiry.NONE : field.expireAtMillis();
  }

  private static Bytes text(String text) {
    return Bytes.of(text.getBytes(US_ASCII));
  }
}
