package io.keyvalueserve.snapshots;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.UUID;

/**
 * A time without a gap in which one member archived the changes of a tenant in its partitions. It
 * ends when partitions get other owners, or when the member could not keep up.
 *
 * @param id stands in the names of its segments
 * @param member the address of the member
 * @param tableStamp the stamp of the table of partitions during the session
 * @param owned the number of partitions that the member owned
 * @param startedMillis from when on all changes are archived, in milliseconds since 1970
 * @param coveredMillis until when all changes are archived
 * @param segments the number of segments that were written
 * @param lastStamp the greatest stamp of a change in them; 0 if there are none
 */
public record ArchiveSession(
    UUID id,
    String member,
    long tableStamp,
    int owned,
    long startedMillis,
    long coveredMillis,
    long segments,
    long lastStamp) {
  private static final String MAGIC = "kvs-archive-session 1";
  private static final int LINES = 9;

  /** Returns the session as it is when changes are archived until a later time. */
  public ArchiveSession covered(long millis) {
    return new ArchiveSession(
        id, member, tableStamp, owned, startedMillis, millis, segments, lastStamp);
  }

  /** Returns the session as it is when one more segment is written. */
  public ArchiveSession with(SegmentInfo segment) {
    return new ArchiveSession(
        id,
        member,
        tableStamp,
        owned,
        startedMillis,
        coveredMillis,
        segment.number() + 1,
        Math.max(lastStamp, segment.lastStamp()));
  }

  byte[] encode() {
    return String.join(
            "\n",
            List.of(
                MAGIC,
                id.toString(),
                member,
                Long.toString(tableStamp),
                Integer.toString(owned),
                Long.toString(startedMillis),
                Long.toString(coveredMillis),
                Long.toString(segments),
                Long.toString(lastStamp)))
        .getBytes(StandardCharsets.UTF_8);
  }

  /**
   * Reads a session.
   *
   * @param name of its object
   * @throws SnapshotException of kind {@code DAMAGED} or {@code OTHER_FORMAT}
   */
  static ArchiveSession decode(String name, byte[] bytes) {
    String[] lines = new String(bytes, StandardCharsets.UTF_8).split("\n", -1);
    if (!lines[0].equals(MAGIC)) {
      throw new SnapshotException(
          SnapshotException.Kind.OTHER_FORMAT,
          name + " has a form that this version does not know: use a newer version");
    }
    try {
      if (lines.length == LINES) {
        return new ArchiveSession(
            UUID.fromString(lines[1]),
            lines[2],
            Long.parseLong(lines[3]),
            Integer.parseInt(lines[4]),
            Long.parseLong(lines[5]),
            Long.parseLong(lines[6]),
            Long.parseLong(lines[7]),
            Long.parseLong(lines[8]));
      }
    } catch (IllegalArgumentException e) {
      // told below
    }
    throw SnapshotException.damaged(name + " is damaged: restore to another time");
  }
}
