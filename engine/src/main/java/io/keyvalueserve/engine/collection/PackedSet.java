package io.keyvalueserve.engine.collection;

import java.util.LinkedHashSet;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * A packed set.
 *
 * <pre>
 *   layout 1 (1 byte), count (4 bytes), then for each member:
 *     length (LEB128), member
 * </pre>
 *
 * <p>Few look-ups and the first change work on the bytes as they are; what does more is unpacked.
 */
final class PackedSet implements SetView, StoredCollection {
  private static final int PLAIN = 1;
  private static final int HEAD_BYTES = 1 + Integer.BYTES;

  /** With more look-ups than this on one view it is unpacked. */
  private static final int FEW_LOOKUPS = 8;

  private final boolean exists;
  private CollectionValue packed;
  private int count;
  private int lookups;
  private boolean changed;
  private @Nullable Set<Bytes> unpacked;

  /** Where {@link #find} has found a member. */
  private int foundAt;

  private int foundEnd;

  PackedSet(@Nullable CollectionValue value) {
    this.exists = value != null;
    if (value == null) {
      unpacked = new LinkedHashSet<>();
      packed = new CollectionValue(CollectionType.SET, new byte[0], 0, 0);
      return;
    }
    packed = value;
    PackedReader reader = new PackedReader(value);
    if (reader.readByte() != PLAIN) {
      throw new CorruptCollectionException("no such layout of a set");
    }
    count = reader.count(1);
  }

  @Override
  public boolean exists() {
    return exists;
  }

  @Override
  public long size() {
    return unpacked == null ? count : unpacked.size();
  }

  @Override
  public boolean contains(Bytes member) {
    if (unpacked == null && ++lookups > FEW_LOOKUPS) {
      unpacked = unpack();
    }
    return unpacked == null ? find(member) : unpacked.contains(member);
  }

  @Override
  public boolean add(Bytes member) {
    Set<Bytes> members = toChange();
    if (members != null) {
      boolean added = members.add(member);
      changed |= added;
      return added;
    }
    if (find(member)) {
      return false;
    }
    foundAt = packed.offset() + packed.length();
    foundEnd = foundAt;
    splice(count + 1, member);
    return true;
  }

  @Override
  public boolean remove(Bytes member) {
    Set<Bytes> members = toChange();
    if (members != null) {
      boolean removed = members.remove(member);
      changed |= removed;
      return removed;
    }
    if (!find(member)) {
      return false;
    }
    splice(count - 1, null);
    return true;
  }

  /** The members, if they are unpacked, as they are if this is not the first change. */
  private @Nullable Set<Bytes> toChange() {
    if (unpacked == null && (changed || ++lookups > FEW_LOOKUPS)) {
      unpacked = unpack();
    }
    return unpacked;
  }

  @Override
  public long scan(long cursor, int hint, Predicate<Bytes> visitor) {
    forEach(
        member -> {
          boolean _ = visitor.test(member);
          return true;
        });
    return 0;
  }

  @Override
  public void forEach(Predicate<Bytes> visitor) {
    if (unpacked != null) {
      for (Bytes member : unpacked) {
        if (!visitor.test(member)) {
          return;
        }
      }
      return;
    }
    PackedReader reader = elements();
    for (int i = 0; i < count; i++) {
      if (!visitor.test(reader.readBytes())) {
        return;
      }
    }
    reader.end();
  }

  @Override
  public boolean isChanged() {
    return changed;
  }

  @Override
  public CollectionValue pack() {
    if (unpacked == null) {
      return packed;
    }
    long length = HEAD_BYTES;
    for (Bytes member : unpacked) {
      length += PackedWriter.size(member.length());
    }
    PackedWriter writer = new PackedWriter(length).writeByte(PLAIN).writeInt(unpacked.size());
    unpacked.forEach(writer::writeBytes);
    return writer.finish(CollectionType.SET);
  }

  private boolean find(Bytes member) {
    PackedReader reader = elements();
    for (int i = 0; i < count; i++) {
      foundAt = reader.at();
      int length = reader.skipBytes();
      foundEnd = reader.at();
      if (member.matches(packed.bytes(), foundEnd - length, length)) {
        return true;
      }
    }
    reader.end();
    return false;
  }

  /** Puts a member where {@link #find} has found one, or takes that away. */
  private void splice(int newCount, @Nullable Bytes member) {
    byte[] from = packed.bytes();
    int start = packed.offset() + HEAD_BYTES;
    int end = packed.offset() + packed.length();
    long length = (long) packed.length() - (foundEnd - foundAt);
    length += member == null ? 0 : PackedWriter.size(member.length());
    PackedWriter writer = new PackedWriter(length).writeByte(PLAIN).writeInt(newCount);
    writer.copy(from, start, foundAt - start);
    if (member != null) {
      writer.writeBytes(member);
    }
    packed = writer.copy(from, foundEnd, end - foundEnd).finish(CollectionType.SET);
    count = newCount;
    changed = true;
  }

  private PackedReader elements() {
    return new PackedReader(
        packed.bytes(), packed.offset() + HEAD_BYTES, packed.offset() + packed.length());
  }

  private Set<Bytes> unpack() {
    Set<Bytes> members = LinkedHashSet.newLinkedHashSet(count);
    PackedReader reader = elements();
    for (int i = 0; i < count; i++) {
      boolean _ = members.add(reader.readBytes());
    }
    reader.end();
    return members;
  }
}
