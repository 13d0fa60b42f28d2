package io.keyvalueserve.journal;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/**
 * The header of a chunk: its first 4096 bytes. The first 512 of them, one sector, are used.
 *
 * <pre>
 *   0       8         12               16      24    32       36      40      48        56
 *   +-------+---------+----------------+-------+-----+--------+-------+-------+---------+- - - - - -
 *   | magic | version | payload format | chunk | run | stream | block | chunk | created | cluster,
 *   |       |         |                | id    |     |        | bytes | bytes |         | member
 *   +-------+---------+----------------+-------+-----+--------+-------+-------+---------+- - - - - -
 *   cluster, member: a length in one byte and so many bytes of UTF-8     508: CRC32C of what is before
 * </pre>
 *
 * @param chunk its number, which its file's name repeats
 * @param run the first chunk number of the process that wrote it
 * @param stream which of that process's streams wrote it
 * @param blockBytes no frame crosses a multiple of this
 * @param chunkBytes where frames end at the latest
 * @param payloadFormat what the caller calls the format of its payloads
 * @param createdMillis when, in milliseconds since 1970
 * @param cluster whose log it is
 * @param member whose log it is
 */
record ChunkHeader(
    long chunk,
    long run,
    int stream,
    int blockBytes,
    long chunkBytes,
    int payloadFormat,
    long createdMillis,
    String cluster,
    String member) {
  static final int BYTES = 4096;
  static final int VERSION = 1;

  private static final long MAGIC = 0x314B4E484353564BL; // "KVSCHNK1"
  private static final int CRC = 508;

  /** Writes it at the beginning of a buffer, whose other bytes are 0. */
  void write(ByteBuffer buffer) {
    ByteBuffer to = buffer.duplicate().order(ByteOrder.LITTLE_ENDIAN).position(0);
    to.putLong(MAGIC).putInt(VERSION).putInt(payloadFormat).putLong(chunk).putLong(run);
    to.putInt(stream).putInt(blockBytes).putLong(chunkBytes).putLong(createdMillis);
    putText(to, cluster);
    putText(to, member);
    to.putInt(CRC, crc(to));
  }

  /** The header at the beginning of a buffer, or nothing if what is there is none. */
  static Optional<ChunkHeader> read(ByteBuffer buffer) {
    ByteBuffer from = buffer.duplicate().order(ByteOrder.LITTLE_ENDIAN).position(0);
    if (from.capacity() < BYTES || from.getLong() != MAGIC || from.getInt(CRC) != crc(from)) {
      return Optional.empty();
    }
    int version = from.getInt();
    if (version != VERSION) {
      throw new DirectoryRefusedException(
          DirectoryRefusedException.Reason.OTHER_FORMAT,
          "a chunk has a format that is not known here: format=%d known=%d; run the newer version"
              .formatted(version, VERSION),
          null);
    }
    int payloadFormat = from.getInt();
    long chunk = from.getLong();
    long run = from.getLong();
    int stream = from.getInt();
    int blockBytes = from.getInt();
    long chunkBytes = from.getLong();
    long created = from.getLong();
    return Optional.of(
        new ChunkHeader(
            chunk,
            run,
            stream,
            blockBytes,
            chunkBytes,
            payloadFormat,
            created,
            text(from),
            text(from)));
  }

  private static int crc(ByteBuffer buffer) {
    byte[] bytes = new byte[CRC];
    buffer.get(0, bytes);
    return FrameCrc.of(bytes);
  }

  private static void putText(ByteBuffer to, String text) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    to.put((byte) bytes.length).put(bytes);
  }

  private static String text(ByteBuffer from) {
    byte[] bytes = new byte[from.get() & 0xFF];
    from.get(bytes);
    return new String(bytes, StandardCharsets.UTF_8);
  }
}
