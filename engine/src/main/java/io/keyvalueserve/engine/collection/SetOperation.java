package io.keyvalueserve.engine.collection;

import io.keyvalueserve.engine.Outcome;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/** The operations on sets. */
public enum SetOperation implements CollectionOperation {
  /** Adds members. Answers how many are new. */
  ADD(
      1,
      true,
      (set, arguments) -> {
        int added = 0;
        for (byte[] member : arguments.texts()) {
          added += set.add(Bytes.of(member)) ? 1 : 0;
        }
        return Outcome.of(added);
      }),

  /** Removes members. Answers how many there were. */
  REMOVE(
      2,
      true,
      (set, arguments) -> {
        int removed = 0;
        for (byte[] member : arguments.texts()) {
          removed += set.remove(Bytes.of(member)) ? 1 : 0;
        }
        return Outcome.of(removed);
      }),

  /** Returns 1 for a member, else 0. */
  CONTAINS(
      3, false, (set, arguments) -> Outcome.of(set.contains(Bytes.of(arguments.text(0))) ? 1 : 0)),

  /** Returns 1 for each that is a member, else 0. */
  CONTAINS_MANY(
      4,
      false,
      (set, arguments) -> {
        List<Element> answers = new ArrayList<>(arguments.count());
        for (byte[] member : arguments.texts()) {
          answers.add(Element.of(set.contains(Bytes.of(member)) ? 1 : 0));
        }
        return new Outcome.Elements(answers);
      }),

  /** The number of members. */
  SIZE(5, false, (set, arguments) -> Outcome.of(set.size())),

  /** All members. */
  ALL(
      6,
      false,
      (set, arguments) -> {
        Answer answer = new Answer();
        set.forEach(answer::add);
        return answer.outcome();
      }),

  /** Removes members chosen at random, and answers them. The numbers are how many, and a seed. */
  POP(
      7,
      true,
      (set, arguments) -> {
        long count = Math.clamp(arguments.number(0), 0, set.size());
        if (count > Answer.MOST_ELEMENTS) {
          return Answer.tooLong();
        }
        SplittableRandom random = new SplittableRandom(arguments.number(1));
        Answer answer = new Answer();
        for (Bytes chosen : Sample.distinct(set.size(), set.places(), count, random)) {
          boolean _ = answer.add(chosen);
          boolean _ = set.remove(chosen);
        }
        return answer.outcome();
      }),

  /**
   * Members chosen at random. The numbers are how many, as {@link Sample#of} has it, and a seed.
   */
  RANDOM(
      8,
      false,
      (set, arguments) ->
          Sample.of(
              set.size(),
              set.places(),
              arguments.number(0),
              arguments.number(1),
              (member, answer) -> {
                boolean _ = answer.add(member);
              })),

  /**
   * Some of the members: those that fit a pattern, if there is one. The numbers are a cursor, 0 to
   * begin, and about how many. Answers the cursor to go on with, 0 at the end, and a group.
   */
  SCAN(
      9,
      false,
      (set, arguments) ->
          Scans.answer(
              arguments,
              (cursor, count, sink) ->
                  set.scan(cursor, count, member -> sink.accept(member, null)))),

  /** Replaces all there is. Answers how many members there are. */
  REPLACE(
      10,
      true,
      (set, arguments) -> {
        for (byte[] member : arguments.texts()) {
          boolean _ = set.add(Bytes.of(member));
        }
        return Outcome.of(set.size());
      }) {
    @Override
    public boolean replaces() {
      return true;
    }
  };

  private static final SetOperation[] BY_CODE = values();

  private final int code;
  private final boolean writes;
  private final Body body;

  /** The function of an operation. */
  @FunctionalInterface
  private interface Body {
    Outcome run(SetView set, Arguments arguments);
  }

  SetOperation(int code, boolean writes, Body body) {
    this.code = code;
    this.writes = writes;
    this.body = body;
  }

  static @Nullable SetOperation ofCode(int code) {
    return CollectionType.ofCode(BY_CODE, code);
  }

  @Override
  public CollectionType type() {
    return CollectionType.SET;
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
    return body.run((SetView) view, arguments);
  }
}
