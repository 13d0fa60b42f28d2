package io.keyvalueserve.snapshots;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The form of a segment of changes: deflated, then sealed under its name.
 *
 * <pre>
 *   "KVSL" | 1 | count of maps | their names | count of changes | changes
 *   change  stamp, sequence (differences) | partition | map (index) | kind | entry or key
 * </pre>
 */
final class ChangeSegment {
  private static final int LARGEST = 255 << 20;
  private static final int MAGIC = 0x4b56534c; // "KVSL"
  private static final int VERSION = 1;
  private static final int SMALLEST_CHANGE = 5;

  private ChangeSegment() {}

  static byte[] encode(List<Change> changes) {
    Map<String, Integer> maps = new LinkedHashMap<>();
    long size = 64;
    for (Change change : changes) {
      if (maps.putIfAbsent(change.map(), maps.size()) == null) {
        size += 3L * change.map().length() + 5;
      }
      byte[] key = change.key();
      SnapshotEntry entry = change.entry();
      size += 31 + (entry != null ? entry.encodedBytes() : key != null ? key.length + 5L : 0);
    }
    if (size > LARGEST) {
      throw new SnapshotException(
          SnapshotException.Kind.TOO_LARGE,
          "a segment of " + size + " bytes is larger than 255 MiB: append fewer changes at a time");
    }
    ByteWriter bytes = new ByteWriter((int) size);
    bytes.writeInt(MAGIC);
    bytes.writeByte(VERSION);
    bytes.writeUnsigned(maps.size());
    for (String map : maps.keySet()) {
      bytes.writeBytes(map.getBytes(StandardCharsets.UTF_8));
    }
    bytes.writeUnsigned(changes.size());
    long stamp = 0;
    long sequence = 0;
    for (Change change : changes) {
      bytes.writeLong(change.stampMillis() - stamp);
      bytes.writeLong(change.sequence() - sequence);
      stamp = change.stampMillis();
      sequence = change.sequence();
      bytes.writeUnsigned(change.partition());
      bytes.writeUnsigned(maps.getOrDefault(change.map(), 0));
      bytes.writeByte(change.kind().code());
      byte[] removed = change.removed();
      SnapshotEntry entry = change.entry();
      if (entry != null) {
        entry.writeTo(bytes);
      } else if (removed != null) {
        bytes.writeBytes(removed);
      }
    }
    return Deflated.pack(bytes.toBytes());
  }

  static List<Change> decode(String subject, byte[] packed) {
    byte[] raw = Deflated.unpack(subject, packed, LARGEST);
    ByteReader bytes = new ByteReader(subject, raw, 0, raw.length);
    if (bytes.readInt() != MAGIC) {
      throw bytes.damaged("is no segment of changes");
    }
    if (bytes.readByte() != VERSION) {
      throw new SnapshotException(
          SnapshotException.Kind.OTHER_FORMAT,
          subject + " has a version that is not known here: use a newer version");
    }
    int mapCount = bytes.readCount(bytes.remaining());
    List<String> maps = new ArrayList<>();
    for (int i = 0; i < mapCount; i++) {
      maps.add(new String(bytes.readBytes(), StandardCharsets.UTF_8));
    }
    int count = bytes.readCount(bytes.remaining() / SMALLEST_CHANGE);
    List<Change> changes = new ArrayList<>(count);
    long stamp = 0;
    long sequence = 0;
    for (int i = 0; i < count; i++) {
      stamp += bytes.readLong();
      sequence += bytes.readLong();
      int partition = bytes.readCount(Integer.MAX_VALUE);
      int map = bytes.readCount(Integer.MAX_VALUE);
      Change.Kind kind = Change.Kind.ofCode(bytes.readByte());
      if (stamp < 0 || map >= mapCount || kind == null) {
        throw bytes.damaged("has a change that cannot be");
      }
      changes.add(
          switch (kind) {
            case PUT ->
                Change.put(
                    stamp, sequence, partition, maps.get(map), SnapshotEntry.readFrom(bytes));
            case REMOVE ->
                Change.remove(stamp, sequence, partition, maps.get(map), bytes.readBytes());
            case CLEAR -> Change.clear(stamp, sequence, partition, maps.get(map));
          });
    }
    bytes.expectEnd();
    return changes;
  }
}
