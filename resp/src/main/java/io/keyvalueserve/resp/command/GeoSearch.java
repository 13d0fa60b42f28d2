package io.keyvalueserve.resp.command;

import io.keyvalueserve.engine.KeyCommand;
import io.keyvalueserve.engine.Outcome;
import io.keyvalueserve.engine.collection.Arguments;
import io.keyvalueserve.engine.collection.Bytes;
import io.keyvalueserve.engine.collection.Element;
import io.keyvalueserve.engine.collection.SortedSetOperation;
import io.keyvalueserve.engine.collection.SortedSetView.Scored;
import io.keyvalueserve.resp.geo.GeoArea;
import io.keyvalueserve.resp.geo.GeoPosition;
import io.keyvalueserve.resp.geo.ScoreRange;
import io.keyvalueserve.resp.protocol.Reply;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Finds the members of a sorted set that lie in an area. It reads the members of up to nine cells
 * at once, looks at some of them in each step, and sorts them.
 *
 * <p>A search around a member asks for its score first. The score is read again with the others,
 * and the search begins anew if it is another: so an answer is of one moment.
 */
final class GeoSearch implements Computation {
  /** The members that are looked at in a step. */
  private static final int STEP_MEMBERS = 256;

  /** The memory that a member takes beside its bytes, about. */
  private static final int MEMBER_BYTES = 96;

  private static final double TWO_POWER_63 = 0x1p63;

  private static final Comparator<Found> NEAREST_FIRST =
      (a, b) -> a.meters > b.meters ? 1 : a.meters == b.meters ? 0 : -1;

  private final GeoQuery query;
  private final int mostBytes;
  private final List<Found> found = new ArrayList<>();
  private @Nullable GeoPosition center;
  private @Nullable GeoArea area;
  private List<ScoreRange> ranges = List.of();
  private @Nullable List<Element> members;
  private boolean isMissing;
  private int firstMember;
  private int range;
  private int at;
  private Found[] ordered = {};
  private @Nullable SlicedSort<Found> sort;
  private long heldBytes;

  /** A member in the area. */
  private record Found(byte[] member, double score, GeoPosition position, double meters) {}

  /**
   * @param mostBytes the largest collection, in bytes
   */
  GeoSearch(GeoQuery query, int mostBytes) {
    this.query = query;
    this.mostBytes = mostBytes;
    GeoPosition given = query.center();
    if (given != null) {
      around(given);
    }
  }

  private void around(GeoPosition position) {
    center = position;
    GeoArea next = query.area(position);
    area = next;
    ranges = next.ranges();
  }

  /** Returns one command that reads all that the search may need, around whatever member. */
  KeyCommand readOfAll() {
    return query.member() == null ? read() : within(new long[0]);
  }

  private KeyCommand read() {
    long[] limits = new long[2 * Math.max(1, ranges.size())];
    for (int i = 0; i < ranges.size(); i++) {
      limits[2 * i] = Double.doubleToRawLongBits(ranges.get(i).from());
      limits[2 * i + 1] = Double.doubleToRawLongBits(ranges.get(i).to());
    }
    return within(limits);
  }

  private KeyCommand within(long[] limits) {
    byte[] member = query.member();
    Arguments named = member == null ? Arguments.NONE : Arguments.of(member);
    return new KeyCommand.OnCollection(
        query.key(), SortedSetOperation.WITHIN, named.with(limits), mostBytes);
  }

  @Override
  public List<KeyCommand> known() {
    return List.of(read());
  }

  @Override
  public Step step() {
    if (isMissing) {
      return new Step.Done(reply());
    }
    List<Element> all = members;
    GeoArea within = area;
    if (all == null || within == null) {
      return new Step.Ask(read());
    }
    SlicedSort<Found> begun = sort;
    if (begun != null) {
      return begun.step() ? new Step.Done(reply()) : Step.More.MORE;
    }
    if (look(all, within)) {
      return Step.More.MORE;
    }
    ordered = found.toArray(Found[]::new);
    if (query.order() == GeoQuery.Order.NONE || ordered.length < 2) {
      return new Step.Done(reply());
    }
    Comparator<Found> order =
        query.order() == GeoQuery.Order.NEAREST_FIRST ? NEAREST_FIRST : NEAREST_FIRST.reversed();
    sort =
        size() == ordered.length
            ? SlicedSort.all(ordered, order)
            : SlicedSort.part(ordered, order, 0, size() - 1);
    return Step.More.MORE;
  }

  /** Looks at some members; returns whether there are more. */
  private boolean look(List<Element> all, GeoArea within) {
    for (int looked = 0; looked < STEP_MEMBERS; looked++) {
      if (found.size() >= query.mostFound()) {
        return false;
      }
      if (at + 1 >= all.size()) {
        at = firstMember;
        range++;
      }
      if (range >= ranges.size() || at + 1 >= all.size()) {
        return false;
      }
      if (all.get(at) instanceof Element.Text member
          && all.get(at + 1) instanceof Element.Real score
          && ranges.get(range).contains(score.value())) {
        GeoPosition position = GeoPosition.ofScore(score.value());
        double meters = within.metersIfWithin(position);
        if (!Double.isNaN(meters)) {
          found.add(new Found(member.bytes(), score.value(), position, meters));
          heldBytes += MEMBER_BYTES;
        }
      }
      at += 2;
    }
    return true;
  }

  @Override
  public void take(Outcome outcome) {
    switch (outcome) {
      case Outcome.Missing _ -> {
        query.acceptMissing();
        isMissing = true;
      }
      case Outcome.Elements read -> take(read.elements());
      case Outcome.Rejected rejected -> throw new CommandException(Errors.of(rejected));
      default -> throw Rendering.unexpected(outcome);
    }
  }

  private void take(List<Element> read) {
    if (query.member() == null) {
      begin(read, 0);
      return;
    }
    if (!(read.getFirst() instanceof Element.Real score)) {
      throw new CommandException("ERR could not decode requested zset member");
    }
    GeoPosition now = GeoPosition.ofScore(score.value());
    if (now.equals(center) || readsAll(read)) {
      if (!now.equals(center)) {
        around(now);
      }
      begin(read, 1);
    } else {
      around(now);
    }
  }

  /** Returns whether members were read before the center was known: all of them. */
  private boolean readsAll(List<Element> read) {
    return center == null && read.size() > 1;
  }

  private void begin(List<Element> read, int first) {
    members = read;
    firstMember = first;
    at = first;
    heldBytes = (long) MEMBER_BYTES * read.size() + Element.bytes(read);
  }

  /** Returns how many members are answered. */
  private int size() {
    return (int) Math.min(ordered.length, query.most());
  }

  private Reply reply() {
    return new Reply.Array(Many.of(size(), i -> reply(ordered[i])));
  }

  private Reply reply(Found each) {
    Reply.Bulk name = new Reply.Bulk(each.member);
    if (!query.hasParts()) {
      return name;
    }
    List<Reply> parts = new ArrayList<>(4);
    parts.add(name);
    if (query.withDistances()) {
      parts.add(GeoUnits.distance(each.meters / query.unitMeters()));
    }
    if (query.withHashes()) {
      parts.add(Reply.integer(each.score >= TWO_POWER_63 ? Long.MIN_VALUE : (long) each.score));
    }
    if (query.withCoordinates()) {
      parts.add(GeoUnits.coordinates(each.position));
    }
    return new Reply.Array(parts);
  }

  /** Returns what is to be stored, when all is done. */
  List<Scored> scored() {
    List<Scored> scored = new ArrayList<>(size());
    for (int i = 0; i < size(); i++) {
      Found each = ordered[i];
      scored.add(
          new Scored(
              Bytes.of(each.member),
              query.storesDistances() ? each.meters / query.unitMeters() : each.score));
    }
    return scored;
  }

  @Override
  public long heldBytes() {
    return heldBytes;
  }
}
