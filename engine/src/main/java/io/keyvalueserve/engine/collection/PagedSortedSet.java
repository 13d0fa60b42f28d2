package io.keyvalueserve.engine.collection;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * A sorted set in pages: two trees.
 *
 * <pre>
 *   members: hash (4 bytes), member -> score (8 bytes, IEEE 754)
 *   order: score (8 bytes, in the order of scores), member -> nothing, or 1 byte for the score -0.0
 * </pre>
 *
 * <p>The scores 0.0 and -0.0 are equal in the order.
 */
final class PagedSortedSet extends PagedCollection implements SortedSetView {
  private static final VarHandle LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);
  private static final Bytes NOTHING = Bytes.of(new byte[0]);
  private static final Bytes NEGATIVE = Bytes.of(new byte[1]);
  private static final int BATCH = 512;

  private final NameHash hash;
  private final ElementTree members;
  private final ElementTree order;

  PagedSortedSet(PageDraft pages, @Nullable PagedHead head) {
    super(CollectionType.SORTED_SET, pages, head);
    this.hash = head == null ? NameHash.random() : head.hash();
    this.members = tree(head, 0);
    this.order = tree(head, 1);
  }

  @Override
  List<ElementTree> trees() {
    return List.of(members, order);
  }

  @Override
  NameHash hash() {
    return hash;
  }

  @Override
  public long size() {
    return members.size();
  }

  @Override
  public @Nullable Double score(Bytes member) {
    Bytes value = members.get(hash.key(member));
    return value == null ? null : checked(bits(value));
  }

  @Override
  public boolean put(Bytes member, double score) {
    Double before = score(member);
    if (before != null) {
      require(order.remove(place(member, before)));
    }
    byte[] value = new byte[Double.BYTES];
    LONG.set(value, 0, Double.doubleToRawLongBits(score));
    boolean _ = members.put(hash.key(member), Bytes.of(value));
    boolean negative = score == 0 && Double.doubleToRawLongBits(score) != 0;
    boolean _ = order.put(place(member, score), negative ? NEGATIVE : NOTHING);
    changed();
    return before == null;
  }

  @Override
  public boolean remove(Bytes member) {
    Double score = score(member);
    if (score == null) {
      return false;
    }
    require(members.remove(hash.key(member)));
    require(order.remove(place(member, score)));
    changed();
    return true;
  }

  @Override
  public long rank(Bytes member) {
    Double score = score(member);
    return score == null ? -1 : order.rank(place(member, score), false);
  }

  @Override
  public void visit(long from, long count, Predicate<Scored> visitor) {
    order.visit(
        from, Math.min(count, size() - from), (place, value) -> visitor.test(scored(place, value)));
  }

  @Override
  public List<Scored> range(long from, long count) {
    List<Scored> found = new ArrayList<>();
    visit(from, count, found::add);
    return found;
  }

  @Override
  public void removeRange(long from, long count) {
    if (count == 0) {
      return;
    }
    changed();
    if (count == size()) {
      members.drop();
      order.drop();
      return;
    }
    for (long left = count; left > 0; left -= BATCH) {
      List<Scored> removed = range(from, Math.min(left, BATCH));
      order.removeRange(from, removed.size());
      removed.forEach(each -> require(members.remove(hash.key(each.member()))));
    }
  }

  @Override
  public long countBelow(double score, boolean orAt) {
    if (Double.isNaN(score)) {
      return 0;
    }
    byte[] limit = new byte[Double.BYTES];
    LONG.set(limit, 0, ordered(score) + (orAt ? 1 : 0));
    return order.rank(Bytes.of(limit), false);
  }

  @Override
  public long countBelow(Bytes member, boolean orAt) {
    Scored first = size() == 0 ? null : places().at(0);
    return first == null ? 0 : order.rank(place(member, first.score()), orAt);
  }

  @Override
  public long scan(long cursor, int count, Predicate<Scored> visitor) {
    return hash.scan(
        members,
        cursor,
        count,
        (key, value) -> visitor.test(new Scored(NameHash.name(key), checked(bits(value)))));
  }

  @Override
  public Places<Scored> places() {
    return new TreePlaces<>(order, PagedSortedSet::scored);
  }

  @Override
  void addAll(PackedElements elements) {
    while (elements.next()) {
      if (Double.isNaN(elements.score())) {
        throw new CorruptCollectionException("a score is not a number");
      }
      boolean _ = put(elements.name(), elements.score());
    }
  }

  @Override
  CollectionValue pack(long mostBytes) {
    PackingRoom room = new PackingRoom(mostBytes);
    visit(0, size(), each -> room.add(Double.BYTES + PackedWriter.size(each.member().length())));
    PackedWriter writer = room.begin(PackingRoom.PLAIN, size());
    visit(
        0,
        size(),
        each -> {
          writer.writeDouble(each.score()).writeBytes(each.member());
          return true;
        });
    return writer.finish(CollectionType.SORTED_SET);
  }

  /** Both trees have the same members. */
  private static void require(boolean found) {
    if (!found) {
      throw new CorruptCollectionException("a member is in one of two trees");
    }
  }

  /** The key of a member in the order. */
  private static Bytes place(Bytes member, double score) {
    byte[] place = new byte[Double.BYTES + member.length()];
    LONG.set(place, 0, ordered(score));
    System.arraycopy(member.array(), member.offset(), place, Double.BYTES, member.length());
    return Bytes.of(place);
  }

  private static Scored scored(Bytes place, Bytes value) {
    double score = value.length() == 0 ? scoreOf(place) : -0.0;
    return new Scored(NameHash.name(place, Double.BYTES), score);
  }

  /** Bits that are in the order of the scores, as unsigned bytes. */
  private static long ordered(double score) {
    long bits = Double.doubleToRawLongBits(score == 0 ? 0.0 : score);
    return bits < 0 ? ~bits : bits ^ Long.MIN_VALUE;
  }

  /** The score of a place in the order. */
  private static double scoreOf(Bytes place) {
    long bits = bits(place);
    return checked(bits < 0 ? bits ^ Long.MIN_VALUE : ~bits);
  }

  private static double checked(long bits) {
    double score = Double.longBitsToDouble(bits);
    if (Double.isNaN(score)) {
      throw new CorruptCollectionException("a score is not a number");
    }
    return score;
  }

  private static long bits(Bytes bytes) {
    if (bytes.length() < Double.BYTES) {
      throw new CorruptCollectionException("a score is too short");
    }
    return (long) LONG.get(bytes.array(), bytes.offset());
  }
}
