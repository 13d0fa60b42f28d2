package io.keyvalueserve.resp.command;

import io.keyvalueserve.engine.Arithmetic;
import io.keyvalueserve.engine.Outcome;
import io.keyvalueserve.engine.collection.Arguments;
import io.keyvalueserve.engine.collection.Bytes;
import io.keyvalueserve.engine.collection.CollectionOperation;
import io.keyvalueserve.engine.collection.CollectionType;
import io.keyvalueserve.engine.collection.Element;
import io.keyvalueserve.engine.collection.SetOperation;
import io.keyvalueserve.engine.collection.SortedSetOperation;
import io.keyvalueserve.engine.collection.SortedSetOperation.Limits;
import io.keyvalueserve.engine.collection.SortedSetOperation.Range;
import io.keyvalueserve.engine.collection.SortedSetView.Scored;
import io.keyvalueserve.resp.command.Descriptor.Flag;
import io.keyvalueserve.resp.command.Descriptor.Group;
import io.keyvalueserve.resp.protocol.Reply;
import io.keyvalueserve.resp.protocol.Request;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Commands on several sorted sets. A set counts as a sorted one, of which each score is 1. */
final class SortedSetAlgebra {
  private static final String COMPLEXITY = "O(N log N) where N is the size of all the sorted sets";

  static final List<Command> ALL =
      List.of(
          new Combine("zunion", Operation.UNION),
          new Combine("zinter", Operation.INTERSECTION),
          new Combine("zdiff", Operation.DIFFERENCE),
          new IntersectionSize(),
          new CombineAndStore("zunionstore", Operation.UNION),
          new CombineAndStore("zinterstore", Operation.INTERSECTION),
          new CombineAndStore("zdiffstore", Operation.DIFFERENCE),
          new RangeStore(),
          new PopMany());

  private SortedSetAlgebra() {}

  private enum Operation {
    UNION("the members of sorted sets"),
    INTERSECTION("the members that sorted sets have in common"),
    DIFFERENCE("the members of a sorted set that others have not");

    private final String what;

    Operation(String what) {
      this.what = what;
    }
  }

  /** How the scores of one member make one. */
  private enum Aggregate {
    SUM,
    MIN,
    MAX;

    /** The least and the greatest of a number and no number (NaN) are the number, as in Redis. */
    double of(double first, double second) {
      return switch (this) {
        case SUM -> orZero(first + second); // of opposite infinities
        case MIN -> second < first ? second : first;
        case MAX -> second > first ? second : first;
      };
    }
  }

  private static double orZero(double score) {
    return Double.isNaN(score) ? 0 : score;
  }

  /**
   * The sorted sets to be combined, and the way.
   *
   * @param weights what the scores of each are multiplied by
   */
  private record Sources(
      List<byte[]> keys, double[] weights, Aggregate aggregate, boolean withScores) {
    /**
     * Reads a request.
     *
     * @param numberIndex the index of the number of keys
     * @throws CommandException if it is not what the command takes
     */
    static Sources of(
        Descriptor descriptor,
        Operation operation,
        Request request,
        int numberIndex,
        boolean mayHaveScores) {
      int count = count(descriptor, request, numberIndex);
      double[] weights = new double[count];
      Arrays.fill(weights, 1);
      Aggregate aggregate = Aggregate.SUM;
      boolean withScores = false;
      boolean weighs = operation != Operation.DIFFERENCE;
      for (int i = numberIndex + 1 + count; i < request.count(); i++) {
        if (weighs && request.is(i, "WEIGHTS") && i + count < request.count()) {
          for (int j = 0; j < count; j++) {
            weights[j] =
                Scores.parse(request.latin(++i))
                    .orElseThrow(() -> new CommandException("ERR weight value is not a float"));
          }
        } else if (weighs && request.is(i, "AGGREGATE") && i + 1 < request.count()) {
          aggregate = aggregate(request, ++i);
        } else if (mayHaveScores && request.is(i, "WITHSCORES")) {
          withScores = true;
        } else {
          throw Parsing.syntaxError();
        }
      }
      List<byte[]> keys = MultiKeyCommand.numbered(request, numberIndex, count);
      return new Sources(keys, weights, aggregate, withScores);
    }

    static int count(Descriptor descriptor, Request request, int numberIndex) {
      long count = Parsing.integer(request, numberIndex);
      if (count < 1) {
        throw new CommandException(
            "ERR at least 1 input key is needed for '" + descriptor.name() + "' command");
      }
      if (count > request.count() - numberIndex - 1) {
        throw Parsing.syntaxError();
      }
      return (int) count;
    }

    private static Aggregate aggregate(Request request, int index) {
      for (Aggregate each : Aggregate.values()) {
        if (request.is(index, each.name())) {
          return each;
        }
      }
      throw Parsing.syntaxError();
    }

    /**
     * Combines them, in the order of the scores. Redis begins with the smallest set, and counts a
     * score that is no number (zero times infinity) as zero: all of a union, and those of the first
     * set of an intersection.
     */
    List<Scored> combine(Operation operation, TransactionScope scope) {
      List<Map<Bytes, Double>> sources = new ArrayList<>(keys.size());
      for (int i = 0; i < keys.size(); i++) {
        sources.add(members(scope, keys.get(i), weights[i]));
        scope.checkTime();
      }
      if (operation != Operation.DIFFERENCE) {
        sources.sort(Comparator.comparingInt(Map::size));
      }
      Map<Bytes, Double> result = sources.getFirst();
      result.replaceAll((_, score) -> orZero(score));
      for (Map<Bytes, Double> source : sources.subList(1, sources.size())) {
        scope.checkTime();
        if (operation == Operation.UNION) {
          source.replaceAll((_, score) -> orZero(score));
        }
        switch (operation) {
          case UNION -> merge(result, source, scope);
          case INTERSECTION -> {
            result.keySet().retainAll(source.keySet());
            source.keySet().retainAll(result.keySet());
            merge(result, source, scope);
          }
          case DIFFERENCE -> result.keySet().removeAll(source.keySet());
        }
      }
      List<Scored> ordered = new ArrayList<>(result.size());
      result.forEach((member, score) -> ordered.add(new Scored(member, score)));
      scope.checkTime();
      ordered.sort(null);
      scope.checkTime();
      return ordered;
    }

    private void merge(Map<Bytes, Double> into, Map<Bytes, Double> from, TransactionScope scope) {
      from.forEach(
          (member, score) -> {
            into.merge(member, score, aggregate::of);
            scope.handled();
          });
    }
  }

  /** The members of a sorted set or a set, each with its weighed score, which may be NaN. */
  private static Map<Bytes, Double> members(TransactionScope scope, byte[] key, double weight) {
    Range everything = new Range(Limits.RANKS, 0, -1, 0, 0, false, 0, -1);
    Outcome found =
        scope.execute(
            scope.on(key, SortedSetOperation.RANGE, Arguments.NONE.with(everything.numbers())));
    boolean sorted = !(found instanceof Outcome.Rejected);
    if (!sorted) {
      found = scope.execute(scope.on(key, SetOperation.ALL, Arguments.NONE));
    }
    List<Element> elements =
        switch (found) {
          case Outcome.Elements all -> all.elements();
          case Outcome.Rejected rejected -> throw new CommandException(Errors.of(rejected));
          case Outcome.Failure failure -> throw new CommandException(Errors.of(failure));
          case Outcome other -> throw Rendering.unexpected(other);
        };
    Map<Bytes, Double> members = HashMap.newHashMap(elements.size());
    for (int i = 0; i < elements.size(); i += sorted ? 2 : 1) {
      if (elements.get(i) instanceof Element.Text member) {
        double score =
            sorted && elements.get(i + 1) instanceof Element.Real real ? real.value() : 1;
        members.put(Bytes.of(member.bytes()), score * weight);
        scope.handled();
      }
    }
    return members;
  }

  /** Refuses a request whose result may not be stored, before anything is read. */
  private static void requireStore(TransactionScope scope, byte[] key) {
    scope.require(List.of(scope.on(key, SortedSetOperation.REPLACE, Arguments.NONE)));
  }

  /** Stores members under a key, or removes it if there are none; returns how many. */
  private static Reply store(TransactionScope scope, byte[] key, List<Scored> members) {
    List<byte[]> names = new ArrayList<>(members.size());
    long[] scores = new long[members.size()];
    for (Scored each : members) {
      scores[names.size()] = Double.doubleToRawLongBits(each.score());
      names.add(each.member().toArray());
    }
    return Rendering.integer(
        scope.demand(scope.on(key, SortedSetOperation.REPLACE, new Arguments(names, scores))));
  }

  private static final class Combine extends MultiKeyCommand {
    private final Descriptor descriptor;
    private final Operation operation;

    Combine(String name, Operation operation) {
      String weights =
          operation == Operation.DIFFERENCE
              ? ""
              : " [WEIGHTS weight [weight ...]] [AGGREGATE <SUM|MIN|MAX>]";
      this.descriptor =
          Descriptor.of(
                  name,
                  -3,
                  Group.SORTED_SET,
                  "numkeys key [key ...]" + weights + " [WITHSCORES]",
                  "Returns " + operation.what + ".")
              .with(Flag.READONLY, Flag.MOVABLEKEYS)
              .since("6.2.0")
              .complexity(COMPLEXITY);
      this.operation = operation;
    }

    @Override
    public Descriptor descriptor() {
      return descriptor;
    }

    @Override
    public List<byte[]> keys(Request request) {
      return Sources.of(descriptor, operation, request, 1, true).keys();
    }

    @Override
    Reply run(TransactionScope scope, Request request) {
      Sources sources = Sources.of(descriptor, operation, request, 1, true);
      List<Reply> replies = new ArrayList<>();
      for (Scored each : sources.combine(operation, scope)) {
        replies.add(new Reply.Bulk(each.member().toArray()));
        if (sources.withScores()) {
          replies.add(new Reply.Real(each.score()));
        }
      }
      return sources.withScores() ? new Reply.PairsOf(replies) : new Reply.Array(replies);
    }
  }

  private static final class CombineAndStore extends MultiKeyCommand {
    private final Descriptor descriptor;
    private final Operation operation;

    CombineAndStore(String name, Operation operation) {
      String weights =
          operation == Operation.DIFFERENCE
              ? ""
              : " [WEIGHTS weight [weight ...]] [AGGREGATE <SUM|MIN|MAX>]";
      this.descriptor =
          Descriptor.of(
                  name,
                  -4,
                  Group.SORTED_SET,
                  "destination numkeys key [key ...]" + weights,
                  "Stores " + operation.what + ".")
              .with(Flag.WRITE, Flag.DENYOOM, Flag.MOVABLEKEYS)
              .keys(1, 1, 1)
              .since(operation == Operation.DIFFERENCE ? "6.2.0" : "2.0.0")
              .complexity(COMPLEXITY);
      this.operation = operation;
    }

    @Override
    public Descriptor descriptor() {
      return descriptor;
    }

    @Override
    public List<byte[]> keys(Request request) {
      List<byte[]> keys =
          new ArrayList<>(Sources.of(descriptor, operation, request, 2, false).keys());
      keys.add(request.argument(1));
      return keys;
    }

    @Override
    Reply run(TransactionScope scope, Request request) {
      Sources sources = Sources.of(descriptor, operation, request, 2, false);
      requireStore(scope, request.argument(1));
      return store(scope, request.argument(1), sources.combine(operation, scope));
    }
  }

  private static final class IntersectionSize extends MultiKeyCommand {
    private static final Descriptor DESCRIPTOR =
        Descriptor.of(
                "zintercard",
                -3,
                Group.SORTED_SET,
                "numkeys key [key ...] [LIMIT limit]",
                "Returns how many members sorted sets have in common.")
            .with(Flag.READONLY, Flag.MOVABLEKEYS)
            .since("7.0.0")
            .complexity(COMPLEXITY);

    @Override
    public Descriptor descriptor() {
      return DESCRIPTOR;
    }

    @Override
    public List<byte[]> keys(Request request) {
      return numbered(request, 1, Sources.count(DESCRIPTOR, request, 1));
    }

    @Override
    Reply run(TransactionScope scope, Request request) {
      int count = Sources.count(DESCRIPTOR, request, 1);
      long limit = 0;
      for (int i = 2 + count; i < request.count(); i += 2) {
        if (!request.is(i, "LIMIT") || i + 1 == request.count()) {
          throw Parsing.syntaxError();
        }
        limit =
            Arithmetic.parseInteger(request.argument(i + 1))
                .filter(value -> value >= 0)
                .orElseThrow(() -> new CommandException("ERR LIMIT can't be negative"));
      }
      Set<Bytes> common = null;
      for (byte[] key : keys(request)) {
        Set<Bytes> members = members(scope, key, 1).keySet();
        if (common == null) {
          common = new HashSet<>(members);
        } else {
          common.retainAll(members);
        }
      }
      int size = common == null ? 0 : common.size();
      return Reply.integer(limit == 0 ? size : Math.min(size, limit));
    }
  }

  private static final class RangeStore extends MultiKeyCommand {
    private static final Descriptor DESCRIPTOR =
        Descriptor.of(
                "zrangestore",
                -5,
                Group.SORTED_SET,
                "dst src min max [BYSCORE|BYLEX] [REV] [LIMIT offset count]",
                "Stores a range of members.")
            .with(Flag.WRITE, Flag.DENYOOM)
            .keys(1, 2, 1)
            .since("6.2.0")
            .complexity(COMPLEXITY);

    @Override
    public Descriptor descriptor() {
      return DESCRIPTOR;
    }

    @Override
    Reply run(TransactionScope scope, Request request) {
      RangeRequest range = RangeRequest.of("zrangestore", request, 3);
      requireStore(scope, request.argument(1));
      Outcome found =
          scope.demand(scope.on(request.argument(2), SortedSetOperation.RANGE, range.arguments()));
      if (!(found instanceof Outcome.Elements all)) {
        throw Rendering.unexpected(found);
      }
      List<Element> elements = all.elements();
      List<Scored> members = new ArrayList<>(elements.size() / 2);
      for (int i = 0; i + 1 < elements.size(); i += 2) {
        if (elements.get(i) instanceof Element.Text member
            && elements.get(i + 1) instanceof Element.Real score) {
          members.add(new Scored(Bytes.of(member.bytes()), score.value()));
        }
      }
      return store(scope, request.argument(1), members);
    }
  }

  /** Takes members out of the first sorted set that is not empty. */
  private static final class PopMany extends MultiKeyCommand {
    private static final Descriptor DESCRIPTOR =
        Descriptor.of(
                "zmpop",
                -4,
                Group.SORTED_SET,
                "numkeys key [key ...] <MIN|MAX> [COUNT count]",
                "Takes out members of the first sorted set that is not empty.")
            .with(Flag.WRITE, Flag.MOVABLEKEYS)
            .since("7.0.0")
            .complexity("O(K+M) where K is the number of keys and M that of members");

    @Override
    public Descriptor descriptor() {
      return DESCRIPTOR;
    }

    @Override
    public List<byte[]> keys(Request request) {
      return numbered(request, 1, ManyPops.keys(request, 1));
    }

    @Override
    Reply run(TransactionScope scope, Request request) {
      int count = ManyPops.keys(request, 1);
      boolean lowest = ManyPops.isMin(request, 2 + count);
      Arguments most = Arguments.NONE.with(ManyPops.count(request, 3 + count));
      CollectionOperation pop = ManyPops.operation(CollectionType.SORTED_SET, lowest);
      for (byte[] key : keys(request)) {
        Reply reply =
            ManyPops.reply(CollectionType.SORTED_SET, key, scope.demand(scope.on(key, pop, most)));
        if (reply != null) {
          return reply;
        }
      }
      return Reply.NullArray.NULL_ARRAY;
    }
  }
}
