package io.keyvalueserve.journal;

import java.util.List;

/**
 * What a log holds, as an inspection found it.
 *
 * @param cluster whose it is
 * @param member whose it is
 * @param payloadFormat what the member calls the format of its payloads
 * @param chunks all chunks, oldest first
 * @param maps all maps that have records, by name
 * @param statistics the sums
 * @param report what was read, and everything that was not as it was written
 */
public record JournalContents(
    String cluster,
    String member,
    int payloadFormat,
    List<ChunkFigures> chunks,
    List<MapFigures> maps,
    JournalStatistics statistics,
    RecoveryReport report) {
  /**
   * A chunk.
   *
   * @param id its number
   * @param stream the stream that wrote it
   * @param file where it is
   * @param fileBytes what it takes
   * @param liveBytes what of that would have to be kept
   * @param tombstoneBytes what of that are removes, clears and drops
   * @param isDamaged whether it will be set aside
   */
  public record ChunkFigures(
      long id,
      int stream,
      String file,
      long fileBytes,
      long liveBytes,
      long tombstoneBytes,
      boolean isDamaged) {
    /** What nobody needs of it. */
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
