package io.keyvalueserve.engine.collection;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * A packed sorted set, in its order.
 *
 * <pre>
 *   layout 1 (1 byte), count (4 bytes), then for each member:
 *     score (8 bytes, IEEE 754), length (LEB128), member
 * </pre>
 *
 * <p>Few look-ups and the first change work on the bytes as they are; what does more is unpacked.
 */
final class PackedSortedSet implements SortedSetView, StoredCollection {
  private static final int PLAIN = 1;
  private static final int HEAD_BYTES = 1 + Integer.BYTES;

  /** With more look-ups than this on one view it is unpacked. */
  private static final int FEW_LOOKUPS = 8;

  private final boolean exists;
  private CollectionValue packed;
  private int count;
  private int lookups;
  private boolean changed;

  /** The members by name, once it is unpacked. */
  private @Nullable Map<Bytes, Scored> members;

  /** The members in order, once it is unpacked and was asked for them since the last change. */
  private @Nullable List<Scored> ordered;

  PackedSortedSet(@Nullable CollectionValue value) {
    this.exists = value != null;
    if (value == null) {
      packed =
          new PackedWriter(HEAD_BYTES)
              .writeByte(PLAIN)
              .writeInt(0)
              .finish(CollectionType.SORTED_SET);
      return;
    }
    packed = value;
    PackedReader reader = new PackedReader(value);
    if (reader.readByte() != PLAIN) {
      throw new CorruptCollectionException("no such layout of a sorted set");
    }
    count = reader.count(Double.BYTES + 1);
  }

  @Override
  public boolean exists() {
    return exists;
  }

  @Override
  public long size() {
    return members == null ? count : members.size();
  }

  @Override
  public @Nullable Double score(Bytes member) {
    if (members == null && ++lookups > FEW_LOOKUPS) {
      unpack();
    }
    if (members != null) {
      Scored scored = members.get(member);
      return scored == null ? null : scored.score();
    }
    Place place = find(member);
    return place == null ? null : place.score();
  }

  @Override
  public boolean put(Bytes member, double score) {
    Scored next = new Scored(member, score);
    if (members == null && changed) {
      unpack();
    }
    changed = true;
    if (members != null) {
      ordered = null;
      return members.put(member, next) == null;
    }
    Place before = find(member);
    if (before != null) {
      splice(before, null);
    }
    splice(placeFor(next), next);
    return before == null;
  }

  @Override
  public boolean remove(Bytes member) {
    if (members == null && (changed || ++lookups > FEW_LOOKUPS)) {
      unpack();
    }
    if (members != null) {
      boolean removed = members.remove(member) != null;
      if (removed) {
        ordered = null;
        changed = true;
      }
      return removed;
    }
    Place place = find(member);
    if (place == null) {
      return false;
    }
    splice(place, null);
    changed = true;
    return true;
  }

  @Override
  public long rank(Bytes member) {
    if (members == null) {
      Place place = find(member);
      return place == null ? -1 : place.rank();
    }
    Scored scored = members.get(member);
    return scored == null ? -1 : Collections.binarySearch(ordered(), scored);
  }

  @Override
  public List<Scored> range(long from, long wanted) {
    int first = Math.toIntExact(from);
    int most = (int) Math.min(wanted, size() - from);
    if (members != null) {
      return List.copyOf(ordered().subList(first, first + most));
    }
    List<Scored> found = new ArrayList<>(most);
    PackedReader reader = elements();
    skip(reader, first);
    for (int i = 0; i < most; i++) {
      found.add(read(reader));
    }
    return found;
  }

  @Override
  public void removeRange(long from, long removed) {
    if (removed == 0) {
      return;
    }
    if (members == null && !changed) {
      PackedReader reader = elements();
      skip(reader, from);
      int start = reader.at();
      skip(reader, removed);
      splice(new Place((int) from, 0, start, reader.at(), (int) removed), null);
    } else {
      Map<Bytes, Scored> left = unpack();
      range(from, removed).forEach(scored -> left.remove(scored.member()));
      ordered = null;
    }
    changed = true;
  }

  @Override
  public long countBelow(double score, boolean orAt) {
    return countWhile(scored -> scored.score() < score || (orAt && scored.score() == score));
  }

  @Override
  public long countBelow(Bytes member, boolean orAt) {
    return countWhile(
        scored -> {
          int order = scored.member().compareTo(member);
          return order < 0 || (orAt && order == 0);
        });
  }

  /** How many members come before the first one for which a condition does not hold. */
  private long countWhile(Predicate<Scored> condition) {
    if (members != null) {
      List<Scored> all = ordered();
      int low = 0;
      int high = all.size();
      while (low < high) {
        int middle = (low + high) >>> 1;
        if (condition.test(all.get(middle))) {
          low = middle + 1;
        } else {
          high = middle;
        }
      }
      return low;
    }
    PackedReader reader = elements();
    for (int i = 0; i < count; i++) {
      if (!condition.test(read(reader))) {
        return i;
      }
    }
    return count;
  }

  @Override
  public boolean isChanged() {
    return changed;
  }

  @Override
  public CollectionValue pack() {
    if (members == null) {
      return packed;
    }
    List<Scored> all = ordered();
    long length = HEAD_BYTES + (long) Double.BYTES * all.size();
    for (Scored each : all) {
      length += PackedWriter.size(each.member().length());
    }
    PackedWriter writer = new PackedWriter(length).writeByte(PLAIN).writeInt(all.size());
    for (Scored each : all) {
      writer.writeDouble(each.score()).writeBytes(each.member());
    }
    return writer.finish(CollectionType.SORTED_SET);
  }

  /**
   * Where members lie in the bytes.
   *
   * @param rank of the first one
   * @param score of the first one
   * @param start where the first one begins
   * @param end where the last one ends
   * @param members how many there are
   */
  private record Place(int rank, double score, int start, int end, int members) {}

  private @Nullable Place find(Bytes member) {
    PackedReader reader = elements();
    for (int i = 0; i < count; i++) {
      int start = reader.at();
      double score = reader.readDouble();
      int length = reader.skipBytes();
      if (member.matches(packed.bytes(), reader.at() - length, length)) {
        return new Place(i, score, start, reader.at(), 1);
      }
    }
    return null;
  }

  /** The empty place where a member belongs. */
  private Place placeFor(Scored next) {
    PackedReader reader = elements();
    for (int i = 0; i < count; i++) {
      int start = reader.at();
      if (read(reader).compareTo(next) > 0) {
        return new Place(i, 0, start, start, 0);
      }
    }
    int end = reader.at();
    return new Place(count, 0, end, end, 0);
  }

  /** Puts a member in the place of others, or nothing. */
  private void splice(Place place, @Nullable Scored inserted) {
    byte[] from = packed.bytes();
    int start = packed.offset() + HEAD_BYTES;
    int end = packed.offset() + packed.length();
    long length = (long) packed.length() - (place.end() - place.start());
    int newCount = count - place.members();
    if (inserted != null) {
      length += Double.BYTES + (long) PackedWriter.size(inserted.member().length());
      newCount++;
    }
    PackedWriter writer = new PackedWriter(length).writeByte(PLAIN).writeInt(newCount);
    writer.copy(from, start, place.start() - start);
    if (inserted != null) {
      writer.writeDouble(inserted.score()).writeBytes(inserted.member());
    }
    writer.copy(from, place.end(), end - place.end());
    packed = writer.finish(CollectionType.SORTED_SET);
    count = newCount;
  }

  private Map<Bytes, Scored> unpack() {
    Map<Bytes, Scored> unpacked = members;
    if (unpacked == null) {
      unpacked = HashMap.newHashMap(count);
      PackedReader reader = elements();
      for (int i = 0; i < count; i++) {
        Scored scored = read(reader);
        unpacked.put(scored.member(), scored);
      }
      members = unpacked;
    }
    return unpacked;
  }

  private List<Scored> ordered() {
    List<Scored> all = ordered;
    if (all == null) {
      all = new ArrayList<>(unpack().values());
      Collections.sort(all);
      ordered = all;
    }
    return all;
  }

  private static Scored read(PackedReader reader) {
    double score = reader.readDouble();
    if (Double.isNaN(score)) {
      throw new CorruptCollectionException("a score is not a number");
    }
    return new Scored(reader.readBytes(), score);
  }

  private static void skip(PackedReader reader, long elements) {
    for (long i = 0; i < elements; i++) {
      long _ = reader.readLong();
      int _ = reader.skipBytes();
    }
  }

  private PackedReader elements() {
    return new PackedReader(
        packed.bytes(), packed.offset() + HEAD_BYTES, packed.offset() + packed.length());
  }
}
