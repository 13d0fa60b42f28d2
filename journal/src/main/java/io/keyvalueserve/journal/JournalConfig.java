package io.keyvalueserve.journal;

import java.time.Duration;

/**
 * The configuration of a journal.
 *
 * @param cluster the cluster's id, 1 to 100 visible ASCII characters: a log of another is refused
 * @param member the member's id, likewise
 * @param payloadFormat what the caller calls the format of its payloads: a log of another is
 *     refused
 * @param streams how many chunks are written at a time; partition {@code p} appends to stream
 *     {@code p % streams}
 * @param blocks blocks of memory in front of each stream, a power of two
 * @param blockBytes a block's size, a power of two from 8192 on; a payload of more than a quarter
 *     of it becomes a blob
 * @param chunkBytes a chunk's size, a multiple of the block's, less than 4 GiB
 * @param syncInterval how long what nobody waits for may be uncertain
 * @param mostUncertainBytes how much may be written and not synced before a sync is begun
 * @param readers threads that read at recovery; 0 to do all of it on the caller's thread
 * @param loaders threads that check what was read at recovery, and give the records to the sink;
 *     each takes the partitions {@code p % loaders}
 */
public record JournalConfig(
    String cluster,
    String member,
    int payloadFormat,
    int streams,
    int blocks,
    int blockBytes,
    long chunkBytes,
    Duration syncInterval,
    long mostUncertainBytes,
    int readers,
    int loaders) {
  private static final int MOST_ID_CHARACTERS = 100;
  private static final int LEAST_BLOCK_BYTES = 8192;
  private static final long MOST_CHUNK_BYTES = 0xFFFF_F000L;
  private static final int INLINE_SHARE = 4;

  /** Checks that the figures fit together. */
  public JournalConfig {
    require(isId(cluster), "the cluster's id must be 1 to 100 visible ASCII characters", cluster);
    require(isId(member), "the member's id must be 1 to 100 visible ASCII characters", member);
    require(streams >= 1, "streams must be at least 1", streams);
    require(blocks >= 2 && Integer.bitCount(blocks) == 1, "blocks must be a power of two", blocks);
    require(
        blockBytes >= LEAST_BLOCK_BYTES && Integer.bitCount(blockBytes) == 1,
        "blockBytes must be a power of two, at least 8192",
        blockBytes);
    require(
        chunkBytes >= blockBytes && chunkBytes % blockBytes == 0 && chunkBytes <= MOST_CHUNK_BYTES,
        "chunkBytes must be a multiple of blockBytes below 4 GiB",
        chunkBytes);
    require(syncInterval.isPositive(), "syncInterval must be positive", syncInterval);
    require(readers >= 0, "readers must not be negative", readers);
    require(loaders >= 1, "loaders must be at least 1", loaders);
  }

  /** Chunks of 64 MiB, blocks of 1 MiB, a second of uncertainty, two readers and one loader. */
  public static JournalConfig of(String cluster, String member, int payloadFormat, int streams) {
    return new JournalConfig(
        cluster,
        member,
        payloadFormat,
        streams,
        8,
        1 << 20,
        64L << 20,
        Duration.ofSeconds(1),
        64L << 20,
        2,
        1);
  }

  /** Returns this configuration with other threads for recovery. */
  public JournalConfig withThreads(int readers, int loaders) {
    return new JournalConfig(
        cluster,
        member,
        payloadFormat,
        streams,
        blocks,
        blockBytes,
        chunkBytes,
        syncInterval,
        mostUncertainBytes,
        readers,
        loaders);
  }

  /** Returns this configuration with other sizes. */
  public JournalConfig withSizes(int blocks, int blockBytes, long chunkBytes) {
    return new JournalConfig(
        cluster,
        member,
        payloadFormat,
        streams,
        blocks,
        blockBytes,
        chunkBytes,
        syncInterval,
        mostUncertainBytes,
        readers,
        loaders);
  }

  /** The longest payload that is not a blob, in bytes. */
  public int mostInlineBytes() {
    return blockBytes / INLINE_SHARE;
  }

  private static boolean isId(String id) {
    return !id.isEmpty()
        && id.length() <= MOST_ID_CHARACTERS
        && id.chars().allMatch(c -> c > ' ' && c < 127);
  }

  private static void require(boolean condition, String rule, Object value) {
    if (!condition) {
      throw new IllegalArgumentException(rule + ": " + value);
    }
  }
}
