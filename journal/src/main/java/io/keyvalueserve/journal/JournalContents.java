package io.keyvalueserve.journal;

import java.util.List;

/**
 * The contents of a log, as an inspection found them.
 *
 * @param cluster whose it is
 * @param member whose it is
 * @param payloadFormat what the member calls the format of its payloads
 * @param chunks all chunks, oldest first
 * @param maps all maps that have records, by name
 * @param blobs how many payloads in files of their own are in use
 * @param quarantined how many files were set aside, now or before
 * @param statistics the sums
 * @param report what was read, and everything that was not as it was written
 */
public record JournalContents(
    String cluster,
    String member,
    int payloadFormat,
    List<ChunkFigures> chunks,
    List<MapFigures> maps,
    int blobs,
    int quarantined,
    JournalStatistics statistics,
    RecoveryReport report) {
  /**
   * A chunk.
   *
   * @param id its number
   * @param stream the stream that wrote it
   * @param file where it is
   * @param isSealed whether it has its end; else it was being written when the member ended
   * @param fileBytes what it takes, up to where its frames end if it is not sealed
   * @param liveBytes what of that would have to be kept
   * @param tombstoneBytes what of that are removes, clears and drops
   * @param frames how many records, removes, clears and drops it has
   * @param records how many of its records are alive
   * @param isDamaged whether it will be set aside
   */
  public record ChunkFigures(
      long id,
      int stream,
      String file,
      boolean isSealed,
      long fileBytes,
      long liveBytes,
      long tombstoneBytes,
      int frames,
      long records,
      boolean isDamaged) {
    /** Returns the bytes of the chunk that are not needed. */
    public long deadBytes() {
      return Math.max(0, fileBytes - liveBytes);
    }
  }

  /**
   * A map.
   *
   * @param name its name
   * @param records how many it has
   * @param payloadBytes how many bytes these have
   */
  public record MapFigures(String name, long records, long payloadBytes) {
    MapFigures plus(MapFigures other) {
      return new MapFigures(name, records + other.records, payloadBytes + other.payloadBytes);
    }
  }
}
