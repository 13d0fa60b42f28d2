package io.keyvalueserve.resp.command;

import io.keyvalueserve.engine.Outcome;
import io.keyvalueserve.engine.collection.Arguments;
import io.keyvalueserve.engine.collection.Element;
import io.keyvalueserve.engine.collection.SortedSetOperation;
import io.keyvalueserve.resp.command.Descriptor.Flag;
import io.keyvalueserve.resp.command.Descriptor.Group;
import io.keyvalueserve.resp.geo.GeoPosition;
import io.keyvalueserve.resp.protocol.Reply;
import io.keyvalueserve.resp.protocol.Request;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/**
 * Commands on positions by their names: GEOADD, GEODIST, GEOHASH, GEOPOS. A position is the score
 * of a member of a sorted set, see {@link GeoPosition}.
 */
final class GeoPoints {
  private static final String EACH = "O(M) where M is the number of members that are named";

  static final List<Command> ALL =
      List.of(
          new Add(),
          new Distance(),
          new Each(
              descriptor("geohash", -2, "key [member [member ...]]", "Returns geohashes.", EACH)
                  .with(Flag.READONLY),
              position -> Reply.bulk(position.geohash()),
              Reply.Null.NULL),
          new Each(
              descriptor("geopos", -2, "key [member [member ...]]", "Returns positions.", EACH)
                  .with(Flag.READONLY),
              GeoUnits::coordinates,
              Reply.NullArray.NULL_ARRAY));

  private GeoPoints() {}

  private static Descriptor descriptor(
      String name, int arity, String usage, String summary, String complexity) {
    return Descriptor.of(name, arity, Group.GEO, usage, summary)
        .keys(1, 1, 1)
        .since("3.2.0")
        .complexity(complexity);
  }

  /** Writes members with their positions, as ZADD writes scores. */
  private static final class Add implements KeyedCommand {
    private static final Descriptor DESCRIPTOR =
        GeoPoints.descriptor(
                "geoadd",
                -5,
                "key [NX|XX] [CH] longitude latitude member [longitude latitude member ...]",
                "Writes members with their positions.",
                EACH)
            .with(Flag.WRITE, Flag.DENYOOM);

    private static final int WIDTH = 3;

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
      int both = SortedSetOperation.IF_ABSENT | SortedSetOperation.IF_PRESENT;
      if (rest == 0 || rest % WIDTH != 0 || (flags & both) == both) {
        throw Parsing.syntaxError();
      }
      int count = rest / WIDTH;
      long[] numbers = new long[1 + count];
      List<byte[]> members = new ArrayList<>(count);
      numbers[0] = flags;
      for (int i = 0; i < count; i++) {
        double score = GeoUnits.position(request, first + WIDTH * i).score();
        numbers[i + 1] = Double.doubleToRawLongBits(score);
        members.add(request.argument(first + WIDTH * i + 2));
      }
      return CollectionCommand.plan(
          SortedSetOperation.ADD,
          new Arguments(members, numbers),
          request,
          context,
          Rendering::integer);
    }

    private static int flag(Request request, int index) {
      if (request.is(index, "NX")) {
        return SortedSetOperation.IF_ABSENT;
      }
      if (request.is(index, "XX")) {
        return SortedSetOperation.IF_PRESENT;
      }
      return request.is(index, "CH") ? SortedSetOperation.CHANGED : 0;
    }
  }

  /** The distance between two members. */
  private static final class Distance implements KeyedCommand {
    private static final Descriptor DESCRIPTOR =
        GeoPoints.descriptor(
                "geodist",
                -4,
                "key member1 member2 [M|KM|FT|MI]",
                "Returns the distance between two members.",
                "O(1)")
            .with(Flag.READONLY);

    @Override
    public Descriptor descriptor() {
      return DESCRIPTOR;
    }

    @Override
    public KeyedPlan plan(Request request, PlanContext context) {
      if (request.count() > 5) {
        throw Parsing.syntaxError();
      }
      double unit = request.count() == 5 ? GeoUnits.unit(request, 4) : 1;
      return CollectionCommand.plan(
          SortedSetOperation.SCORES,
          Arguments.of(request.argument(2), request.argument(3)),
          request,
          context,
          outcome -> {
            List<Element> scores = scores(outcome);
            return scores.get(0) instanceof Element.Real one
                    && scores.get(1) instanceof Element.Real other
                ? GeoUnits.distance(
                    GeoPosition.ofScore(one.value()).metersTo(GeoPosition.ofScore(other.value()))
                        / unit)
                : Reply.Null.NULL;
          });
    }
  }

  /** An answer for each member that is named. */
  private record Each(Descriptor descriptor, Function<GeoPosition, Reply> render, Reply missing)
      implements KeyedCommand {
    @Override
    public KeyedPlan plan(Request request, PlanContext context) {
      return CollectionCommand.plan(
          SortedSetOperation.SCORES,
          CollectionCommand.rest(request, 2),
          request,
          context,
          outcome -> {
            List<Element> scores = scores(outcome);
            return new Reply.Array(
                Many.of(
                    scores.size(),
                    i ->
                        scores.get(i) instanceof Element.Real score
                            ? render.apply(GeoPosition.ofScore(score.value()))
                            : missing));
          });
    }
  }

  private static List<Element> scores(Outcome outcome) {
    if (outcome instanceof Outcome.Elements found) {
      return found.elements();
    }
    throw Rendering.unexpected(outcome);
  }
}
