package io.keyvalueserve.engine.collection;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.keyvalueserve.engine.Outcome;
import io.keyvalueserve.engine.Outcome.Rejected;
import io.keyvalueserve.engine.RealText;
import io.keyvalueserve.engine.collection.SortedSetView.Scored;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The operations on sorted sets.
 *
 * <p>A range is given by its limits, see {@link Limits}, and by {@link Range}.
 */
public enum SortedSetOperation implements CollectionOperation {
  /**
   * Writes members: flags, score of each; the members. Answers how many are new, or, with {@link
   * #CHANGED}, new or changed. With {@link #INCREMENT} it adds to the score of the only member, and
   * answers what it is then, or that it is missing if nothing was written.
   */
  ADD(1, true, SortedSetOperation::add),

  /** The score of a member, or that it is missing. */
  SCORE(
      2,
      false,
      (set, arguments) -> {
        Double score = set.score(Bytes.of(arguments.text(0)));
        return score == null ? Outcome.Missing.MISSING : real(score);
      }),

  /** The scores of members. */
  SCORES(
      3,
      false,
      (set, arguments) -> {
        List<Element> scores = new ArrayList<>(arguments.count());
        for (byte[] member : arguments.texts()) {
          Double score = set.score(Bytes.of(member));
          scores.add(score == null ? Element.Nothing.NOTHING : new Element.Real(score));
        }
        return new Outcome.Elements(scores);
      }),

  /** The number of members. */
  SIZE(4, false, (set, arguments) -> Outcome.of(set.size())),

  /** How many members are within limits. */
  COUNT(5, false, (set, arguments) -> Outcome.of(span(set, arguments).count())),

  /**
   * The rank of a member, or that it is missing: 1 for from the end. Answers it, and its score, as
   * elements.
   */
  RANK(6, false, SortedSetOperation::rank),

  /** The members within limits. Answers each with its score behind it. */
  RANGE(
      7,
      false,
      (set, arguments) -> {
        Span span = span(set, arguments);
        return scored(set, span, Range.of(arguments).reverse()).outcome();
      }),

  /** Removes members. Answers how many there were. */
  REMOVE(
      8,
      true,
      (set, arguments) -> {
        int removed = 0;
        for (byte[] member : arguments.texts()) {
          removed += set.remove(Bytes.of(member)) ? 1 : 0;
        }
        return Outcome.of(removed);
      }),

  /** Removes the members within limits. Answers how many there were. */
  REMOVE_RANGE(
      9,
      true,
      (set, arguments) -> {
        Span span = span(set, arguments);
        set.removeRange(span.from(), span.count());
        return Outcome.of(span.count());
      }),

  /** Takes the members of the lowest scores out: count. Answers each with its score behind it. */
  POP_LOWEST(10, true, (set, arguments) -> pop(set, arguments, false)),

  /** Takes the members of the highest scores out, the highest one first: count. */
  POP_HIGHEST(11, true, (set, arguments) -> pop(set, arguments, true)),

  /**
   * Members at random: how many, below 0 for members that may be chosen again; a seed. Answers each
   * with its score behind it.
   */
  RANDOM(
      12,
      false,
      (set, arguments) ->
          Sample.of(
              set.size(),
              set.places(),
              arguments.number(0),
              arguments.number(1),
              (member, answer) -> {
                boolean _ = add(member, answer);
              })),

  /** Replaces all there is: score of each; the members. Answers how many there are. */
  REPLACE(
      13,
      true,
      (set, arguments) -> {
        for (int i = 0; i < arguments.count(); i++) {
          boolean _ = set.put(Bytes.of(arguments.text(i)), arguments.real(i));
        }
        return Outcome.of(set.size());
      }) {
    @Override
    public boolean replaces() {
      return true;
    }
  },

  /**
   * Some of the members, each with its score behind it: those that fit a pattern, if there is one.
   * The numbers are a cursor, 0 to begin, and about how many. Answers the cursor to go on with, 0
   * at the end, and a group.
   */
  SCAN(
      14,
      false,
      (set, arguments) ->
          Scans.answer(
              arguments,
              (cursor, count, sink) ->
                  set.scan(
                      cursor,
                      count,
                      each ->
                          sink.accept(
                              each.member(),
                              Bytes.of(RealText.of(each.score()).getBytes(US_ASCII)))))),

  /**
   * The members within ranges of scores: a limit that is included and one that is not, of each
   * range; all members without numbers. If there is a text, it names a member whose score is
   * answered first, or no element. Answers each member with its score behind it, in the order of
   * the set, once; or that there is no set.
   */
  WITHIN(15, false, SortedSetOperation::within);

  /** Writes no member that is there. */
  public static final int IF_ABSENT = 1;

  /** Writes no member that is not there. */
  public static final int IF_PRESENT = 2;

  /** Writes no score that is not greater than the one that is there. */
  public static final int IF_GREATER = 4;

  /** Writes no score that is not less than the one that is there. */
  public static final int IF_LESS = 8;

  /** Counts changed members too. */
  public static final int CHANGED = 16;

  /** Adds to the score. */
  public static final int INCREMENT = 32;

  private static final SortedSetOperation[] BY_CODE = values();

  private final int code;
  private final boolean writes;
  private final Body body;

  /** The work of an operation. */
  @FunctionalInterface
  private interface Body {
    Outcome run(SortedSetView set, Arguments arguments);
  }

  /** The kinds of limits of a range. */
  public enum Limits {
    /** Ranks, both included; below 0 from the end. */
    RANKS(1),
    /** Scores. */
    SCORES(2),
    /** Members: the lower one and the higher one are the texts; an infinite one is empty. */
    MEMBERS(3);

    private final int code;

    Limits(int code) {
      this.code = code;
    }

    private static Limits of(long code) {
      for (Limits limits : values()) {
        if (limits.code == code) {
          return limits;
        }
      }
      throw new IllegalArgumentException("no such limits: " + code);
    }
  }

  /**
   * A range: a part of the members within limits.
   *
   * @param by what the limits are
   * @param low the lower rank, or the lower score as {@link Double#doubleToRawLongBits}; not used
   *     for members
   * @param high likewise
   * @param lowFlags {@link #OPEN} if the limit itself does not count, {@link #LEAST} or {@link
   *     #GREATEST} for an infinite one of members
   * @param highFlags likewise
   * @param reverse whether the last one comes first; ranks and the offset count from the end then
   * @param offset how many are left out
   * @param count how many there are at most; all below 0
   */
  public record Range(
      Limits by,
      long low,
      long high,
      int lowFlags,
      int highFlags,
      boolean reverse,
      long offset,
      long count) {
    /** The limit itself does not count. */
    public static final int OPEN = 1;

    /** Below all members. */
    public static final int LEAST = 2;

    /** Above all members. */
    public static final int GREATEST = 4;

    private static final int NUMBERS = 8;

    /** Returns the numbers of an operation's arguments. */
    public long[] numbers() {
      return new long[] {by.code, low, high, lowFlags, highFlags, reverse ? 1 : 0, offset, count};
    }

    static Range of(Arguments arguments) {
      long[] numbers = arguments.numbers();
      if (numbers.length < NUMBERS) {
        throw new IllegalArgumentException("a range has " + NUMBERS + " numbers");
      }
      return new Range(
          Limits.of(numbers[0]),
          numbers[1],
          numbers[2],
          (int) numbers[3],
          (int) numbers[4],
          numbers[5] != 0,
          numbers[6],
          numbers[7]);
    }
  }

  /** Members that follow each other. */
  private record Span(long from, long count) {}

  SortedSetOperation(int code, boolean writes, Body body) {
    this.code = code;
    this.writes = writes;
    this.body = body;
  }

  static @Nullable SortedSetOperation ofCode(int code) {
    return CollectionType.ofCode(BY_CODE, code);
  }

  @Override
  public CollectionType type() {
    return CollectionType.SORTED_SET;
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
    return body.run((SortedSetView) view, arguments);
  }

  private static Outcome real(double value) {
    return new Outcome.Elements(List.of(new Element.Real(value)));
  }

  private static Answer scored(SortedSetView set, Span span, boolean reverse) {
    Answer answer = new Answer();
    set.visit(span.from(), span.count(), each -> add(each, answer));
    if (reverse) {
      answer.reverse(2);
    }
    return answer;
  }

  private static boolean add(Scored each, Answer answer) {
    return answer.add(each.member()) && answer.add(each.score());
  }

  /** The algorithm is that of Redis' ZADD. */
  private static Outcome add(SortedSetView set, Arguments arguments) {
    int flags = (int) arguments.number(0);
    long added = 0;
    long updated = 0;
    for (int i = 0; i < arguments.count(); i++) {
      Bytes member = Bytes.of(arguments.text(i));
      Double before = set.score(member);
      double score = arguments.real(i + 1);
      if (before == null ? is(flags, IF_PRESENT) : is(flags, IF_ABSENT)) {
        continue;
      }
      if (is(flags, INCREMENT) && before != null) {
        score += before;
      }
      if (Double.isNaN(score)) {
        return Rejected.SCORE_NOT_A_NUMBER;
      }
      if (before != null
          && ((is(flags, IF_GREATER) && score <= before)
              || (is(flags, IF_LESS) && score >= before))) {
        continue;
      }
      if (before == null) {
        added++;
      } else if (before != score) {
        updated++;
      }
      if (before == null || before != score) {
        boolean _ = set.put(member, score);
      }
      if (is(flags, INCREMENT)) {
        return real(score);
      }
    }
    if (is(flags, INCREMENT)) {
      return Outcome.Missing.MISSING;
    }
    return Outcome.of(is(flags, CHANGED) ? added + updated : added);
  }

  private static boolean is(int flags, int flag) {
    return (flags & flag) != 0;
  }

  private static Outcome rank(SortedSetView set, Arguments arguments) {
    Bytes member = Bytes.of(arguments.text(0));
    long rank = set.rank(member);
    Double score = rank < 0 ? null : set.score(member);
    if (score == null) {
      return Outcome.Missing.MISSING;
    }
    long from = arguments.number(0) == 1 ? set.size() - 1 - rank : rank;
    return new Outcome.Elements(List.of(Element.of(from), new Element.Real(score)));
  }

  /** The members within a range, in the order of the set. */
  private static Span span(SortedSetView set, Arguments arguments) {
    Range range = Range.of(arguments);
    long size = set.size();
    long from;
    long end;
    switch (range.by()) {
      case RANKS -> {
        long first = Math.max(0, range.low() < 0 ? size + range.low() : range.low());
        long last = Math.min(size - 1, range.high() < 0 ? size + range.high() : range.high());
        from = range.reverse() ? size - 1 - last : first;
        end = range.reverse() ? size - first : last + 1;
      }
      case SCORES -> {
        from =
            set.countBelow(Double.longBitsToDouble(range.low()), is(range.lowFlags(), Range.OPEN));
        end =
            set.countBelow(
                Double.longBitsToDouble(range.high()), !is(range.highFlags(), Range.OPEN));
      }
      case MEMBERS -> {
        from = countBelow(set, arguments.text(0), range.lowFlags(), true);
        end = countBelow(set, arguments.text(1), range.highFlags(), false);
      }
      default -> throw new IllegalStateException();
    }
    if (from >= end) {
      return new Span(0, 0);
    }
    long count = end - from;
    if (range.offset() < 0 || range.offset() >= count) {
      return new Span(0, 0);
    }
    count -= range.offset();
    if (!range.reverse()) {
      from += range.offset();
    }
    long most = range.count() < 0 ? count : Math.min(range.count(), count);
    return new Span(range.reverse() ? from + count - most : from, most);
  }

  private static long countBelow(SortedSetView set, byte[] limit, int flags, boolean low) {
    if (is(flags, Range.LEAST)) {
      return 0;
    }
    if (is(flags, Range.GREATEST)) {
      return set.size();
    }
    return set.countBelow(Bytes.of(limit), is(flags, Range.OPEN) == low);
  }

  private static Outcome within(SortedSetView set, Arguments arguments) {
    if (!set.exists()) {
      return Outcome.Missing.MISSING;
    }
    Answer answer = new Answer();
    if (arguments.count() > 0) {
      Double score = set.score(Bytes.of(arguments.text(0)));
      boolean _ = score == null ? answer.add(null) : answer.add(score.doubleValue());
    }
    int limits = arguments.numbers().length;
    double least = Double.POSITIVE_INFINITY;
    double most = Double.NEGATIVE_INFINITY;
    for (int i = 0; i + 1 < limits; i += 2) {
      if (arguments.real(i) < arguments.real(i + 1)) {
        least = Math.min(least, arguments.real(i));
        most = Math.max(most, arguments.real(i + 1));
      }
    }
    long from = limits == 0 ? 0 : set.countBelow(least, false);
    long to = limits == 0 ? set.size() : set.countBelow(most, false);
    set.visit(
        from,
        Math.max(0, to - from),
        each -> (limits > 0 && !isWithin(each.score(), arguments)) || add(each, answer));
    return answer.outcome();
  }

  private static boolean isWithin(double score, Arguments arguments) {
    for (int i = 0; i + 1 < arguments.numbers().length; i += 2) {
      if (score >= arguments.real(i) && score < arguments.real(i + 1)) {
        return true;
      }
    }
    return false;
  }

  private static Outcome pop(SortedSetView set, Arguments arguments, boolean highest) {
    long count = Math.min(arguments.number(0), set.size());
    long from = highest ? set.size() - count : 0;
    Answer answer = scored(set, new Span(from, count), highest);
    if (!answer.isTooLong()) {
      set.removeRange(from, count);
    }
    return answer.outcome();
  }
}
