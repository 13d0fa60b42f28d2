package io.keyvalueserve.snapshots;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.zip.CRC32C;

/**
 * The form of a chunk. The raw form is canonical: the same entries give the same bytes in whatever
 * order they come. The encoded form is the raw form, deflated.
 *
 * <pre>
 *   raw    "KVSC" | 1 | count | entries, sorted | CRC32C of all before it (4)
 *   entry  key length | key | value length | value | ttl | max idle | expires at
 * </pre>
 *
 * Lengths and counts are varints; the other numbers are zig-zag varints.
 */
public final class ChunkCodec {
  /** The most bytes of a chunk's raw form; about 1 MiB is best. */
  public static final int LARGEST = 255 << 20;

  private static final int MAGIC = 0x4b565343; // "KVSC"
  private static final int VERSION = 1;
  private static final int SMALLEST_ENTRY = 6;
  private static final int CRC_BYTES = 4;

  private ChunkCodec() {}

  /**
   * Encodes entries.
   *
   * @throws SnapshotException of kind {@code TOO_LARGE} if the raw form is over {@link #LARGEST}
   */
  public static byte[] encode(List<SnapshotEntry> entries) {
    return Deflated.pack(raw(entries));
  }

  /**
   * Decodes entries, in their canonical order.
   *
   * @throws SnapshotException of kind {@code DAMAGED} or {@code OTHER_FORMAT}
   */
  public static List<SnapshotEntry> decode(byte[] encoded) {
    return entries("the chunk", Deflated.unpack("the chunk", encoded, LARGEST));
  }

  static byte[] raw(List<SnapshotEntry> entries) {
    SnapshotEntry[] sorted = entries.toArray(new SnapshotEntry[0]);
    Arrays.sort(sorted);
    long size = 4L + 1 + ByteWriter.lengthOfUnsigned(sorted.length) + CRC_BYTES;
    for (SnapshotEntry entry : sorted) {
      size += entry.encodedBytes();
    }
    if (size > LARGEST) {
      throw new SnapshotException(
          SnapshotException.Kind.TOO_LARGE,
          "a chunk of " + size + " bytes is larger than 255 MiB: put fewer entries into it");
    }
    ByteWriter bytes = new ByteWriter((int) size + 10); // a number asks for room for 10
    bytes.writeInt(MAGIC);
    bytes.writeByte(VERSION);
    bytes.writeUnsigned(sorted.length);
    for (SnapshotEntry entry : sorted) {
      entry.writeTo(bytes);
    }
    bytes.writeInt(crc(bytes.array(), bytes.size()));
    return bytes.toBytes();
  }

  static List<SnapshotEntry> entries(String subject, byte[] raw) {
    int end = raw.length - CRC_BYTES;
    ByteReader bytes = new ByteReader(subject, raw, 0, Math.max(end, 0));
    if (bytes.readInt() != MAGIC) {
      throw bytes.damaged("is no chunk");
    }
    if (bytes.readByte() != VERSION) {
      throw new SnapshotException(
          SnapshotException.Kind.OTHER_FORMAT,
          subject + " has a version that is not known here: use a newer version");
    }
    if (new ByteReader(subject, raw, end, raw.length).readInt() != crc(raw, end)) {
      throw bytes.damaged("has another checksum");
    }
    int count = bytes.readCount(bytes.remaining() / SMALLEST_ENTRY);
    List<SnapshotEntry> entries = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      SnapshotEntry entry = SnapshotEntry.readFrom(bytes);
      if (i > 0 && entries.get(i - 1).compareTo(entry) > 0) {
        throw bytes.damaged("is not sorted");
      }
      entries.add(entry);
    }
    bytes.expectEnd();
    return entries;
  }

  private static int crc(byte[] bytes, int length) {
    CRC32C crc = new CRC32C();
    crc.update(bytes, 0, length);
    return (int) crc.getValue();
  }
}
