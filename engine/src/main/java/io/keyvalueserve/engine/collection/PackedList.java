package io.keyvalueserve.engine.collection;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * A packed list.
 *
 * <pre>
 *   layout 1 (1 byte), count (4 bytes), then for each element: length (LEB128), bytes
 * </pre>
 *
 * <p>All that is done works on the bytes as they are; each change copies them once.
 */
final class PackedList implements ListView, StoredCollection {
  private static final int PLAIN = 1;
  private static final int HEAD_BYTES = 1 + Integer.BYTES;

  private final boolean exists;
  private CollectionValue packed;
  private int count;
  private boolean changed;

  PackedList(@Nullable CollectionValue value) {
    this.exists = value != null;
    if (value == null) {
      packed =
          new PackedWriter(HEAD_BYTES).writeByte(PLAIN).writeInt(0).finish(CollectionType.LIST);
      return;
    }
    packed = value;
    PackedReader reader = new PackedReader(value);
    if (reader.readByte() != PLAIN) {
      throw new CorruptCollectionException("no such layout of a list");
    }
    count = reader.count(1);
  }

  @Override
  public boolean exists() {
    return exists;
  }

  @Override
  public long size() {
    return count;
  }

  @Override
  public void visit(long from, long wanted, Predicate<Bytes> visitor) {
    long most = Math.min(wanted, count - from);
    PackedReader reader = elements();
    skip(reader, from);
    for (long i = 0; i < most; i++) {
      if (!visitor.test(reader.readBytes())) {
        return;
      }
    }
  }

  @Override
  public void visitBackwards(Predicate<Bytes> visitor) {
    for (Bytes element : range(0, count).reversed()) {
      if (!visitor.test(element)) {
        return;
      }
    }
  }

  @Override
  public void remove(List<Long> indexes) {
    List<Bytes> kept = new ArrayList<>(count);
    Iterator<Long> removed = indexes.iterator();
    long next = removed.hasNext() ? removed.next() : -1;
    PackedReader reader = elements();
    for (int i = 0; i < count; i++) {
      Bytes element = reader.readBytes();
      if (i == next) {
        next = removed.hasNext() ? removed.next() : -1;
      } else {
        kept.add(element);
      }
    }
    splice(0, count, kept);
  }

  @Override
  public void splice(long from, long removed, List<Bytes> inserted) {
    int end = packed.offset() + packed.length();
    int start = packed.offset() + HEAD_BYTES;
    PackedReader reader = elements();
    int cut = from == count ? end : skip(reader, from);
    int rest = from + removed == count ? end : skip(reader, removed);
    long length = (long) packed.length() - (rest - cut);
    for (Bytes element : inserted) {
      length += PackedWriter.size(element.length());
    }
    int newCount = Math.toIntExact(count - removed + inserted.size());
    PackedWriter writer = new PackedWriter(length).writeByte(PLAIN).writeInt(newCount);
    writer.copy(packed.bytes(), start, cut - start);
    inserted.forEach(writer::writeBytes);
    writer.copy(packed.bytes(), rest, end - rest);
    packed = writer.finish(CollectionType.LIST);
    count = newCount;
    changed = true;
  }

  @Override
  public boolean isChanged() {
    return changed;
  }

  @Override
  public CollectionValue pack() {
    return packed;
  }

  /** Passes over elements; returns where the next one begins. */
  private static int skip(PackedReader reader, long elements) {
    for (long i = 0; i < elements; i++) {
      int _ = reader.skipBytes();
    }
    return reader.at();
  }

  private PackedReader elements() {
    return new PackedReader(
        packed.bytes(), packed.offset() + HEAD_BYTES, packed.offset() + packed.length());
  }
}
