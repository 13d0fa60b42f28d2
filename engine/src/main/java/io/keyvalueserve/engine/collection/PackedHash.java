package io.keyvalueserve.engine.collection;

import io.keyvalueserve.engine.Expiry;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A packed hash.
 *
 * <pre>
 *   layout 1 (1 byte), count (4 bytes), then for each field:
 *     length (LEB128), name, length (LEB128), value
 *   layout 2: the same, and behind each value when the field expires (8 bytes, 0 for never)
 * </pre>
 *
 * <p>Few look-ups and the first change work on the bytes as they are; what does more is unpacked.
 */
final class PackedHash implements HashView, StoredCollection {
  private static final int PLAIN = 1;
  private static final int EXPIRING = 2;
  private static final int HEAD_BYTES = 1 + Integer.BYTES;

  /** With more look-ups than this on one view it is unpacked. */
  private static final int FEW_LOOKUPS = 8;

  private final boolean exists;
  private final long nowMillis;
  private CollectionValue packed;
  private boolean expiring;
  private int count;
  private int lookups;
  private boolean changed;
  private @Nullable Map<Bytes, Field> unpacked;

  /** Where {@link #find} has found a field. */
  private int foundAt;

  private int foundEnd;

  PackedHash(@Nullable CollectionValue value, long nowMillis) {
    this.exists = value != null;
    this.nowMillis = nowMillis;
    if (value == null) {
      unpacked = new LinkedHashMap<>();
      packed = new CollectionValue(CollectionType.HASH, new byte[0], 0, 0);
      return;
    }
    packed = value;
    PackedReader reader = new PackedReader(value);
    int layout = reader.readByte();
    if (layout != PLAIN && layout != EXPIRING) {
      throw new CorruptCollectionException("no such layout of a hash");
    }
    expiring = layout == EXPIRING;
    count = reader.count(expiring ? 2 + Long.BYTES : 2);
    if (expiring) {
      unpacked = unpack(); // leaves out what has expired
      changed = unpacked.size() < count;
    }
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
  public @Nullable Field get(Bytes name) {
    if (unpacked == null && ++lookups > FEW_LOOKUPS) {
      unpacked = unpack();
    }
    return unpacked == null ? find(name) : unpacked.get(name);
  }

  @Override
  public boolean put(Bytes name, Bytes value, long expireAtMillis) {
    if (unpacked == null && (changed || expireAtMillis != Expiry.NONE)) {
      unpacked = unpack();
    }
    changed = true;
    if (unpacked != null) {
      return unpacked.put(name, new Field(name, value, expireAtMillis)) == null;
    }
    boolean isNew = find(name) == null;
    if (isNew) {
      foundAt = packed.offset() + packed.length();
      foundEnd = foundAt;
    }
    splice(isNew ? count + 1 : count, name, value);
    return isNew;
  }

  @Override
  public boolean remove(Bytes name) {
    if (unpacked == null && (changed || ++lookups > FEW_LOOKUPS)) {
      unpacked = unpack();
    }
    if (unpacked != null) {
      boolean removed = unpacked.remove(name) != null;
      changed |= removed;
      return removed;
    }
    if (find(name) == null) {
      return false;
    }
    changed = true;
    splice(count - 1, null, null);
    return true;
  }

  @Override
  public long scan(long cursor, int hint, Visitor visitor) {
    forEach(
        field -> {
          boolean _ = visitor.visit(field);
          return true;
        });
    return 0;
  }

  @Override
  public void forEach(Visitor visitor) {
    if (unpacked != null) {
      for (Field field : unpacked.values()) {
        if (!visitor.visit(field)) {
          return;
        }
      }
      return;
    }
    PackedReader reader = elements();
    for (int i = 0; i < count; i++) {
      if (!visitor.visit(new Field(reader.readBytes(), reader.readBytes(), Expiry.NONE))) {
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
    boolean expires = false;
    for (Field field : unpacked.values()) {
      length += PackedWriter.size(field.name().length());
      length += PackedWriter.size(field.value().length());
      expires |= field.expireAtMillis() != Expiry.NONE;
    }
    if (expires) {
      length += (long) Long.BYTES * unpacked.size();
    }
    PackedWriter writer =
        new PackedWriter(length).writeByte(expires ? EXPIRING : PLAIN).writeInt(unpacked.size());
    for (Field field : unpacked.values()) {
      writer.writeBytes(field.name()).writeBytes(field.value());
      if (expires) {
        writer.writeLong(field.expireAtMillis());
      }
    }
    return writer.finish(CollectionType.HASH);
  }

  /** Finds a field in the bytes, which have no expiring ones. */
  private @Nullable Field find(Bytes name) {
    PackedReader reader = elements();
    for (int i = 0; i < count; i++) {
      foundAt = reader.at();
      int length = reader.skipBytes();
      boolean found = name.matches(packed.bytes(), reader.at() - length, length);
      int valueLength = reader.skipBytes();
      if (found) {
        foundEnd = reader.at();
        Bytes value = new Bytes(packed.bytes(), foundEnd - valueLength, valueLength);
        return new Field(name, value, Expiry.NONE);
      }
    }
    reader.end();
    return null;
  }

  /** Puts a field where {@link #find} has found it, or takes that away. */
  private void splice(int newCount, @Nullable Bytes name, @Nullable Bytes value) {
    byte[] from = packed.bytes();
    int start = packed.offset() + HEAD_BYTES;
    int end = packed.offset() + packed.length();
    long length = (long) packed.length() - (foundEnd - foundAt);
    if (name != null && value != null) {
      length += (long) PackedWriter.size(name.length()) + PackedWriter.size(value.length());
    }
    PackedWriter writer = new PackedWriter(length).writeByte(PLAIN).writeInt(newCount);
    writer.copy(from, start, foundAt - start);
    if (name != null && value != null) {
      writer.writeBytes(name).writeBytes(value);
    }
    writer.copy(from, foundEnd, end - foundEnd);
    packed = writer.finish(CollectionType.HASH);
    count = newCount;
  }

  private PackedReader elements() {
    return new PackedReader(
        packed.bytes(), packed.offset() + HEAD_BYTES, packed.offset() + packed.length());
  }

  private Map<Bytes, Field> unpack() {
    Map<Bytes, Field> fields = LinkedHashMap.newLinkedHashMap(count);
    PackedReader reader = elements();
    for (int i = 0; i < count; i++) {
      Bytes name = reader.readBytes();
      Bytes value = reader.readBytes();
      long expireAt = expiring ? reader.readLong() : Expiry.NONE;
      if (expireAt < 0) {
        throw new CorruptCollectionException("a field expires before 1970");
      }
      if (!Expiry.hasPassed(expireAt, nowMillis)) {
        fields.put(name, new Field(name, value, expireAt));
      }
    }
    reader.end();
    return fields;
  }
}
