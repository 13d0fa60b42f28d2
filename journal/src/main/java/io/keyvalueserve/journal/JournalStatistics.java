package io.keyvalueserve.journal;

import java.util.Collection;

/**
 * A log's figures.
 *
 * @param chunks how many chunks there are
 * @param fileBytes what sealed chunks take on the disk
 * @param liveBytes what of that would have to be kept, an estimate
 * @param tombstoneBytes what of that are removes, clears and drops
 * @param blobBytes what blobs take that are in use
 * @param syncs how often the log was made certain
 * @param appendedBytes what was appended since the log was opened, by writers and by compaction
 */
public record JournalStatistics(
    int chunks,
    long fileBytes,
    long liveBytes,
    long tombstoneBytes,
    long blobBytes,
    long syncs,
    long appendedBytes) {
  /** Returns the bytes of sealed chunks for each byte of them that has to be kept. */
  public double spaceAmplification() {
    return (double) fileBytes / Math.max(1, liveBytes);
  }

  static JournalStatistics of(
      Collection<Chunk> chunks, long blobBytes, long syncs, long appendedBytes) {
    long files = 0;
    long live = 0;
    long tombstones = 0;
    for (Chunk chunk : chunks) {
      if (chunk.isSealed()) {
        files += chunk.fileBytes();
        live += chunk.liveBytes();
        tombstones += chunk.tombstoneBytes();
      }
    }
    return new JournalStatistics(
        chunks.size(), files, live, tombstones, blobBytes, syncs, appendedBytes);
  }
}
