package io.keyvalueserve.resp.command;

import io.keyvalueserve.engine.collection.Arguments;
import io.keyvalueserve.engine.collection.SortedSetOperation;
import io.keyvalueserve.engine.collection.SortedSetView.Scored;
import io.keyvalueserve.resp.command.Descriptor.Flag;
import io.keyvalueserve.resp.command.Descriptor.Group;
import io.keyvalueserve.resp.protocol.Reply;
import io.keyvalueserve.resp.protocol.Request;
import java.util.ArrayList;
import java.util.List;

/**
 * Commands that search an area: GEOSEARCH, GEOSEARCHSTORE, GEORADIUS, GEORADIUSBYMEMBER, and the
 * latter two with _RO. Those that may store are transactions.
 */
final class GeoSearches {
  private static final String COMPLEXITY =
      "O(N+M log M) where N is the size of the sorted set and M the number of members in the area";

  private static final String OPTIONS =
      " [WITHCOORD] [WITHDIST] [WITHHASH] [COUNT count [ANY]] [ASC|DESC]";
  private static final String STORE = " [STORE key|STOREDIST key]";
  private static final String AREA =
      " <FROMMEMBER member|FROMLONLAT longitude latitude>"
          + " <BYRADIUS radius <M|KM|FT|MI>|BYBOX width height <M|KM|FT|MI>>";
  private static final String RADIUS = "key longitude latitude radius <M|KM|FT|MI>" + OPTIONS;
  private static final String RADIUS_BY_MEMBER = "key member radius <M|KM|FT|MI>" + OPTIONS;

  static final List<Command> ALL =
      List.of(
          new Read(
              descriptor("geosearch", -7, "key" + AREA + OPTIONS, "6.2.0").with(Flag.READONLY),
              GeoQuery.Form.SEARCH),
          new Read(
              descriptor("georadius_ro", -6, RADIUS, "3.2.10").with(Flag.READONLY),
              GeoQuery.Form.RADIUS),
          new Read(
              descriptor("georadiusbymember_ro", -5, RADIUS_BY_MEMBER, "3.2.10")
                  .with(Flag.READONLY),
              GeoQuery.Form.RADIUS_BY_MEMBER),
          new Store(
              Descriptor.of(
                      "geosearchstore",
                      -8,
                      Group.GEO,
                      "destination source" + AREA + " [COUNT count [ANY]] [ASC|DESC] [STOREDIST]",
                      "Stores the members in an area.")
                  .keys(1, 2, 1)
                  .since("6.2.0")
                  .complexity(COMPLEXITY)
                  .with(Flag.WRITE, Flag.DENYOOM),
              GeoQuery.Form.SEARCH,
              2),
          new Store(
              descriptor("georadius", -6, RADIUS + STORE, "3.2.0").with(Flag.WRITE, Flag.DENYOOM),
              GeoQuery.Form.RADIUS,
              1),
          new Store(
              descriptor("georadiusbymember", -5, RADIUS_BY_MEMBER + STORE, "3.2.0")
                  .with(Flag.WRITE, Flag.DENYOOM),
              GeoQuery.Form.RADIUS_BY_MEMBER,
              1));

  private GeoSearches() {}

  private static Descriptor descriptor(String name, int arity, String usage, String since) {
    return Descriptor.of(name, arity, Group.GEO, usage, "Returns the members in an area.")
        .keys(1, 1, 1)
        .since(since)
        .complexity(COMPLEXITY);
  }

  /** Answers what is found. */
  private record Read(Descriptor descriptor, GeoQuery.Form form) implements KeyedCommand {
    private GeoSearch search(Request request, PlanContext context) {
      return new GeoSearch(GeoQuery.of(request, form, 1, false), context.mostCollectionBytes());
    }

    @Override
    public KeyedPlan plan(Request request, PlanContext context) {
      return KeyedPlan.one(
          search(request, context).readOfAll(),
          outcome -> {
            try {
              GeoSearch search = search(request, context);
              search.take(outcome);
              return Computation.finish(search);
            } catch (CommandException e) {
              return e.reply();
            }
          });
    }

    @Override
    public Computation computation(Request request, PlanContext context) {
      return search(request, context);
    }
  }

  /** Answers what is found, or stores it. */
  private static final class Store extends MultiKeyCommand {
    private final Descriptor descriptor;
    private final GeoQuery.Form form;
    private final int keyIndex;

    Store(Descriptor descriptor, GeoQuery.Form form, int keyIndex) {
      this.descriptor = descriptor;
      this.form = form;
      this.keyIndex = keyIndex;
    }

    @Override
    public Descriptor descriptor() {
      return descriptor;
    }

    private GeoQuery query(Request request) {
      return GeoQuery.of(request, form, keyIndex, true);
    }

    @Override
    public List<byte[]> keys(Request request) {
      GeoQuery query = query(request);
      byte[] target = query.target();
      return target == null ? List.of(query.key()) : List.of(query.key(), target);
    }

    @Override
    Reply run(TransactionScope scope, Request request) {
      GeoQuery query = query(request);
      byte[] target = query.target();
      if (target != null) {
        scope.require(List.of(scope.on(target, SortedSetOperation.REPLACE, Arguments.NONE)));
      }
      GeoSearch search = new GeoSearch(query, scope.context().mostCollectionBytes());
      Reply found = scope.finish(search);
      return target == null ? found : store(scope, target, search.scored());
    }

    private static Reply store(TransactionScope scope, byte[] target, List<Scored> members) {
      List<byte[]> names = new ArrayList<>(members.size());
      long[] scores = new long[members.size()];
      for (Scored each : members) {
        scores[names.size()] = Double.doubleToRawLongBits(each.score());
        names.add(each.member().toArray());
      }
      return Rendering.integer(
          scope.demand(scope.on(target, SortedSetOperation.REPLACE, new Arguments(names, scores))));
    }
  }
}
