package io.keyvalueserve.resp.command;

import io.keyvalueserve.engine.Outcome;
import io.keyvalueserve.engine.collection.Arguments;
import io.keyvalueserve.engine.collection.SortedSetOperation;
import io.keyvalueserve.engine.collection.SortedSetOperation.Limits;
import io.keyvalueserve.resp.command.CollectionCommand.Reader;
import io.keyvalueserve.resp.command.Descriptor.Flag;
import io.keyvalueserve.resp.command.Descriptor.Group;
import io.keyvalueserve.resp.protocol.Reply;
import io.keyvalueserve.resp.protocol.Request;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;

/** Commands on one sorted set. */
final class SortedSets {
  private static final String EACH = "O(M) where M is the number of members that are named";
  private static final String ALL_OF_IT = "O(N) where N is the size of the sorted set";

  static final List<Command> ALL =
      List.of(
          new Add(),
          new CollectionCommand(
              descriptor(
                      "zincrby",
                      4,
                      "key increment member",
                      "Adds to the score of a member.",
                      "O(1)")
                  .with(Flag.WRITE, Flag.DENYOOM, Flag.FAST),
              SortedSetOperation.ADD,
              (request, context) ->
                  Arguments.of(request.argument(3))
                      .with(
                          SortedSetOperation.INCREMENT,
                          Double.doubleToRawLongBits(Scores.score(request, 2))),
              SortedSets::score),
          new CollectionCommand(
              descriptor("zscore", 3, "key member", "Returns the score of a member.", "O(1)")
                  .with(Flag.READONLY, Flag.FAST),
              SortedSetOperation.SCORE,
              CollectionCommand.from(2),
              SortedSets::score),
          new CollectionCommand(
              descriptor(
                      "zmscore",
                      -3,
                      "key member [member ...]",
                      "Returns the scores of members.",
                      EACH)
                  .with(Flag.READONLY, Flag.FAST)
                  .since("6.2.0"),
              SortedSetOperation.SCORES,
              CollectionCommand.from(2),
              CollectionCommand::array),
          new CollectionCommand(
              descriptor("zcard", 2, "key", "Returns the number of members.", "O(1)")
                  .with(Flag.READONLY, Flag.FAST),
              SortedSetOperation.SIZE,
              CollectionCommand.from(2),
              Rendering::integer),
          new CollectionCommand(
              descriptor(
                      "zcount",
                      4,
                      "key min max",
                      "Counts the members between two scores.",
                      ALL_OF_IT)
                  .with(Flag.READONLY, Flag.FAST)
                  .since("2.0.0"),
              SortedSetOperation.COUNT,
              limits(Limits.SCORES),
              Rendering::integer),
          new CollectionCommand(
              descriptor(
                      "zlexcount",
                      4,
                      "key min max",
                      "Counts the members between two members.",
                      ALL_OF_IT)
                  .with(Flag.READONLY, Flag.FAST)
                  .since("2.8.9"),
              SortedSetOperation.COUNT,
              limits(Limits.MEMBERS),
              Rendering::integer),
          new Rank("zrank", false),
          new Rank("zrevrank", true),
          new Ranges(
              "zrange",
              -4,
              "key start stop [BYSCORE|BYLEX] [REV] [LIMIT offset count]" + " [WITHSCORES]",
              "1.2.0"),
          new Ranges("zrevrange", -4, "key start stop [WITHSCORES]", "1.2.0"),
          new Ranges("zrangebyscore", -4, "key min max [WITHSCORES] [LIMIT offset count]", "1.0.5"),
          new Ranges(
              "zrevrangebyscore", -4, "key max min [WITHSCORES] [LIMIT offset count]", "2.2.0"),
          new Ranges("zrangebylex", -4, "key min max [LIMIT offset count]", "2.8.9"),
          new Ranges("zrevrangebylex", -4, "key max min [LIMIT offset count]", "2.8.9"),
          new CollectionCommand(
              descriptor("zrem", -3, "key member [member ...]", "Removes members.", EACH)
                  .with(Flag.WRITE, Flag.FAST),
              SortedSetOperation.REMOVE,
              CollectionCommand.from(2),
              Rendering::integer),
          new CollectionCommand(
              removal(
                  "zremrangebyrank", "key start stop", "Removes the members of a range.", "2.0.0"),
              SortedSetOperation.REMOVE_RANGE,
              limits(Limits.RANKS),
              Rendering::integer),
          new CollectionCommand(
              removal(
                  "zremrangebyscore",
                  "key min max",
                  "Removes the members between two scores.",
                  "1.2.0"),
              SortedSetOperation.REMOVE_RANGE,
              limits(Limits.SCORES),
              Rendering::integer),
          new CollectionCommand(
              removal(
                  "zremrangebylex",
                  "key min max",
                  "Removes the members between two members.",
                  "2.8.9"),
              SortedSetOperation.REMOVE_RANGE,
              limits(Limits.MEMBERS),
              Rendering::integer),
          new Pop("zpopmin", "Takes out the members of the lowest scores.", false),
          new Pop("zpopmax", "Takes out the members of the highest scores.", true),
          new RandomMembers(),
          new CollectionScan(
              descriptor(
                      "zscan",
                      -3,
                      "key cursor [MATCH pattern] [COUNT count]",
                      "Lists the members, some at a time.",
                      ALL_OF_IT)
                  .with(Flag.READONLY)
                  .since("2.8.0"),
              SortedSetOperation.SCAN,
              SortedSetOperation.SIZE,
              false));

  private SortedSets() {}

  static Descriptor descriptor(
      String name, int arity, String usage, String summary, String complexity) {
    return Descriptor.of(name, arity, Group.SORTED_SET, usage, summary)
        .keys(1, 1, 1)
        .since("1.2.0")
        .complexity(complexity);
  }

  private static Descriptor removal(String name, String usage, String summary, String since) {
    return descriptor(name, 4, usage, summary, ALL_OF_IT).with(Flag.WRITE).since(since);
  }

  private static Reader limits(Limits by) {
    return (request, context) -> Scores.range(request, 2, by, false, 0, -1);
  }

  private static Reply score(Outcome outcome) {
    return outcome instanceof Outcome.Missing
        ? Reply.Null.NULL
        : CollectionCommand.replies(outcome).getFirst();
  }

  /** Members, each with its score, or without. */
  static Reply members(Outcome outcome, boolean withScores) {
    List<Reply> flat = CollectionCommand.replies(outcome);
    if (withScores) {
      return new Reply.PairsOf(flat);
    }
    List<Reply> names = new ArrayList<>(flat.size() / 2);
    for (int i = 0; i < flat.size(); i += 2) {
      names.add(flat.get(i));
    }
    return new Reply.Array(names);
  }

  /** Writes members with their scores. */
  private static final class Add implements KeyedCommand {
    private static final Descriptor DESCRIPTOR =
        SortedSets.descriptor(
                "zadd",
                -4,
                "key [NX|XX] [GT|LT] [CH] [INCR] score member [score member ...]",
                "Writes members with their scores.",
                EACH)
            .with(Flag.WRITE, Flag.DENYOOM, Flag.FAST);

    @Override
    public Descriptor descriptor() {
      return DESCRIPTOR;
    }

    @Override
    public KeyedPlan plan(Request request, PlanContext context) {
      int flags = 0;
      int first = 2;
      for (int flag; first < request.count() && (flag = flag(request, first)) != 0; first++) {
        flags |= flag;
      }
      int rest = request.count() - first;
      if (rest == 0 || rest % 2 != 0) {
        throw Parsing.syntaxError();
      }
      check(flags, rest / 2);
      long[] numbers = new long[1 + rest / 2];
      List<byte[]> members = new ArrayList<>(rest / 2);
      numbers[0] = flags;
      for (int i = 0; i < rest / 2; i++) {
        numbers[i + 1] = Double.doubleToRawLongBits(Scores.score(request, first + 2 * i));
        members.add(request.argument(first + 2 * i + 1));
      }
      return CollectionCommand.plan(
          SortedSetOperation.ADD,
          new Arguments(members, numbers),
          request,
          context,
          (flags & SortedSetOperation.INCREMENT) != 0 ? SortedSets::score : Rendering::integer);
    }

    private static int flag(Request request, int index) {
      if (request.is(index, "NX")) {
        return SortedSetOperation.IF_ABSENT;
      }
      if (request.is(index, "XX")) {
        return SortedSetOperation.IF_PRESENT;
      }
      if (request.is(index, "GT")) {
        return SortedSetOperation.IF_GREATER;
      }
      if (request.is(index, "LT")) {
        return SortedSetOperation.IF_LESS;
      }
      if (request.is(index, "CH")) {
        return SortedSetOperation.CHANGED;
      }
      return request.is(index, "INCR") ? SortedSetOperation.INCREMENT : 0;
    }

    private static void check(int flags, int members) {
      boolean absent = (flags & SortedSetOperation.IF_ABSENT) != 0;
      boolean greater = (flags & SortedSetOperation.IF_GREATER) != 0;
      boolean less = (flags & SortedSetOperation.IF_LESS) != 0;
      if (absent && (flags & SortedSetOperation.IF_PRESENT) != 0) {
        throw new CommandException("ERR XX and NX options at the same time are not compatible");
      }
      if ((absent && (greater || less)) || (greater && less)) {
        throw new CommandException(
            "ERR GT, LT, and/or NX options at the same time are not compatible");
      }
      if ((flags & SortedSetOperation.INCREMENT) != 0 && members > 1) {
        throw new CommandException("ERR INCR option supports a single increment-element pair");
      }
    }
  }

  /** Finds the rank of a member. */
  private record Rank(Descriptor descriptor, boolean reverse) implements KeyedCommand {
    Rank(String name, boolean reverse) {
      this(
          SortedSets.descriptor(
                  name,
                  -3,
                  "key member [WITHSCORE]",
                  reverse
                      ? "Returns the rank of a member, from the highest score."
                      : "Returns the rank of a member.",
                  ALL_OF_IT)
              .with(Flag.READONLY, Flag.FAST)
              .since("2.0.0"),
          reverse);
    }

    @Override
    public KeyedPlan plan(Request request, PlanContext context) {
      if (request.count() > 4) {
        throw new CommandException(Errors.wrongArity(descriptor));
      }
      boolean withScore = request.count() == 4;
      if (withScore && !request.is(3, "WITHSCORE")) {
        throw Parsing.syntaxError();
      }
      return CollectionCommand.plan(
          SortedSetOperation.RANK,
          Arguments.of(request.argument(2)).with(reverse ? 1 : 0),
          request,
          context,
          outcome -> {
            if (outcome instanceof Outcome.Missing) {
              return withScore ? Reply.NullArray.NULL_ARRAY : Reply.Null.NULL;
            }
            return withScore
                ? CollectionCommand.array(outcome)
                : CollectionCommand.replies(outcome).getFirst();
          });
    }
  }

  /** Returns a range of members. */
  private record Ranges(Descriptor descriptor) implements KeyedCommand {
    Ranges(String name, int arity, String usage, String since) {
      this(
          SortedSets.descriptor(name, arity, usage, "Returns a range of members.", ALL_OF_IT)
              .with(Flag.READONLY)
              .since(since));
    }

    @Override
    public KeyedPlan plan(Request request, PlanContext context) {
      RangeRequest range = RangeRequest.of(descriptor.name(), request, 2);
      return CollectionCommand.plan(
          SortedSetOperation.RANGE,
          range.arguments(),
          request,
          context,
          outcome -> members(outcome, range.withScores()));
    }
  }

  /** Takes out the members of one end. */
  private record Pop(Descriptor descriptor, boolean highest) implements KeyedCommand {
    Pop(String name, String summary, boolean highest) {
      this(
          SortedSets.descriptor(name, -2, "key [count]", summary, EACH)
              .with(Flag.WRITE, Flag.FAST)
              .since("5.0.0"),
          highest);
    }

    @Override
    public KeyedPlan plan(Request request, PlanContext context) {
      if (request.count() > 3) {
        throw Parsing.syntaxError();
      }
      boolean one = request.count() == 2;
      long count = one ? 1 : Parsing.notNegative(request, 2);
      return CollectionCommand.plan(
          highest ? SortedSetOperation.POP_HIGHEST : SortedSetOperation.POP_LOWEST,
          Arguments.NONE.with(count),
          request,
          context,
          outcome -> one ? CollectionCommand.array(outcome) : members(outcome, true));
    }
  }

  /** Returns members at random. */
  private static final class RandomMembers implements KeyedCommand {
    private static final Descriptor DESCRIPTOR =
        SortedSets.descriptor(
                "zrandmember",
                -2,
                "key [count [WITHSCORES]]",
                "Returns members at random.",
                ALL_OF_IT)
            .with(Flag.READONLY)
            .since("6.2.0");

    @Override
    public Descriptor descriptor() {
      return DESCRIPTOR;
    }

    @Override
    public KeyedPlan plan(Request request, PlanContext context) {
      boolean one = request.count() == 2;
      boolean withScores = request.count() == 4;
      if (request.count() > 4 || (withScores && !request.is(3, "WITHSCORES"))) {
        throw Parsing.syntaxError();
      }
      long count = one ? 1 : Parsing.sample(request, 2);
      if (withScores && (count < -Long.MAX_VALUE / 2 || count > Long.MAX_VALUE / 2)) {
        throw new CommandException("ERR value is out of range");
      }
      return CollectionCommand.plan(
          SortedSetOperation.RANDOM,
          Arguments.NONE.with(count, ThreadLocalRandom.current().nextLong()),
          request,
          context,
          outcome -> {
            if (!one) {
              return members(outcome, withScores);
            }
            List<Reply> found = CollectionCommand.replies(outcome);
            return found.isEmpty() ? Reply.Null.NULL : found.getFirst();
          });
    }
  }
}
