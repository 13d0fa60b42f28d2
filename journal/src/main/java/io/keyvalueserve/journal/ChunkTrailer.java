package io.keyvalueserve.journal;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Optional;

/**
 * The last 4096 bytes of a sealed chunk. It is written when all the chunk's frames are certain: so
 * in a chunk with a trailer whatever is not valid is damage, and nothing a torn tail.
 *
 * <pre>
 *   header | frames ... | partitions | index                    | (to 4096) | trailer
 *                       ^ end        | entries | its directory  |           ^ size of the file - 4096
 *
 *   0       8       16    24                28            32          36       40
 *   +-------+-------+-----+-----------------+-------------+-----------+--------+- - - - - - - - - - -
 *   | magic | chunk | end | partition bytes | index bytes | CRC32C of | frames | 8 record bytes
 *   |       |       |     |                 | -1 if none  | both      |        | 8 tombstone bytes
 *   +-------+-------+-----+-----------------+-------------+-----------+--------+- - - - - - - - - - -
 *                                                    508: CRC32C of what is before
 * </pre>
 *
 * @param chunk the chunk's number
 * @param end where its frames end
 * @param partitionBytes how long the set of partitions is that it has records of, a bit for each
 * @param indexBytes how long the index is, with its directory, or -1 if it has none
 * @param areaCrc the checksum of both
 * @param frames how many frames it has, fillers not counted
 * @param recordBytes what its records take
 * @param tombstoneBytes what removes, clears and drops take
 * @param directory how large the index's directory is; none if entries are as they were appended
 */
record ChunkTrailer(
    long chunk,
    long end,
    int partitionBytes,
    int indexBytes,
    int areaCrc,
    int frames,
    long recordBytes,
    long tombstoneBytes,
    IndexDirectory.Size directory) {
  static final int BYTES = 4096;

  private static final long MAGIC = 0x314C49415453564BL; // "KVSTAIL1"
  private static final int CRC = 508;

  boolean hasIndex() {
    return indexBytes >= 0;
  }

  int areaBytes() {
    return partitionBytes + Math.max(0, indexBytes);
  }

  /**
   * Returns whether entries are sorted by partition, and a directory says where those of each
   * partition begin.
   */
  boolean hasDirectory() {
    return hasIndex() && directory.runs() > 0;
  }

  /** Returns the offset in the file at which the index begins. */
  long indexBegin() {
    return end + partitionBytes;
  }

  /** Returns the offset in the file at which the directory begins. It ends where the index does. */
  long directoryBegin() {
    return end + areaBytes() - directory.bytes();
  }

  /** Returns the length of a file with this trailer. */
  long fileBytes() {
    return end + ((areaBytes() + BYTES - 1) & -BYTES) + BYTES;
  }

  void write(ByteBuffer buffer) {
    ByteBuffer to = buffer.duplicate().order(ByteOrder.LITTLE_ENDIAN).position(0);
    to.putLong(MAGIC).putLong(chunk).putLong(end).putInt(partitionBytes).putInt(indexBytes);
    to.putInt(areaCrc).putInt(frames).putLong(recordBytes).putLong(tombstoneBytes);
    to.putInt(directory.runs()).putInt(directory.counts()).putInt(directory.nameBytes());
    to.putInt(directory.crc());
    to.putInt(CRC, crc(to));
  }

  /**
   * The trailer at the beginning of a buffer, if it is that of this chunk in a file of this size.
   */
  static Optional<ChunkTrailer> read(ByteBuffer buffer, long chunk, long fileBytes) {
    ByteBuffer from = buffer.duplicate().order(ByteOrder.LITTLE_ENDIAN).position(0);
    if (from.capacity() < BYTES || from.getLong() != MAGIC || from.getInt(CRC) != crc(from)) {
      return Optional.empty();
    }
    ChunkTrailer trailer =
        new ChunkTrailer(
            from.getLong(),
            from.getLong(),
            from.getInt(),
            from.getInt(),
            from.getInt(),
            from.getInt(),
            from.getLong(),
            from.getLong(),
            new IndexDirectory.Size(from.getInt(), from.getInt(), from.getInt(), from.getInt()));
    return trailer.chunk == chunk
            && trailer.fileBytes() == fileBytes
            && trailer.directory.isWithin(trailer.indexBytes)
        ? Optional.of(trailer)
        : Optional.empty();
  }

  /** Returns whether something that was meant to be a trailer is there, valid or not. */
  static boolean isAttempted(ByteBuffer buffer) {
    return buffer.duplicate().order(ByteOrder.LITTLE_ENDIAN).getLong(0) == MAGIC;
  }

  private static int crc(ByteBuffer buffer) {
    byte[] bytes = new byte[CRC];
    buffer.get(0, bytes);
    return FrameCrc.of(bytes);
  }
}
