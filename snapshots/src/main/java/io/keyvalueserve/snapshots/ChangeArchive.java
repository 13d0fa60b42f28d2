package io.keyvalueserve.snapshots;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;

/**
 * The changes of one tenant after its snapshots, for recovery to a point in time. Each member
 * writes segments of its own, with numbers that it counts itself. Thread-safe.
 *
 * <p>A restore applies a member's changes in the order of segment numbers, then of positions within
 * a segment. A number that is left out, or a segment that does not follow the previous one, is a
 * gap.
 */
public final class ChangeArchive {
  private final Repository repository;
  private final TenantKey key;

  /** Creates the archive of a key's changes. It owns neither the repository nor the key. */
  public ChangeArchive(Repository repository, TenantKey key) {
    this.repository = repository;
    this.key = key;
  }

  /**
   * Writes a segment. When the method returns, it is durable.
   *
   * @param number the position among the member's segments, 0 or more
   * @param follows whether no change lies between the previous segment and this one
   * @param changes at least one, in the order in which they were made
   */
  public SegmentInfo append(UUID member, long number, boolean follows, List<Change> changes) {
    if (changes.isEmpty() || changes.size() > 999_999_999 || number < 0) {
      throw SnapshotException.invalid(
          "changes", "are none or too many, or the number is below 0: give at least one change");
    }
    long first = Long.MAX_VALUE;
    long last = 0;
    for (Change change : changes) {
      first = Math.min(first, change.stampMillis());
      last = Math.max(last, change.stampMillis());
    }
    SegmentInfo info =
        new SegmentInfo(key.id(), member, number, first, last, changes.size(), follows, 0);
    String name = info.objectName();
    byte[] sealed = Sealed.seal(key, name, ChangeSegment.encode(changes));
    repository.write(name, sealed);
    return new SegmentInfo(
        key.id(), member, number, first, last, changes.size(), follows, sealed.length);
  }

  /**
   * Returns the segments that may have changes from one instant to another, both included, by
   * member and number.
   */
  public List<SegmentInfo> list(long fromMillis, long toMillis) {
    List<SegmentInfo> segments = new ArrayList<>();
    for (SegmentInfo segment : all()) {
      if (segment.lastStamp() >= fromMillis && segment.firstStamp() <= toMillis) {
        segments.add(segment);
      }
    }
    return segments;
  }

  private List<SegmentInfo> all() {
    List<SegmentInfo> segments = new ArrayList<>();
    for (Repository.Item item : repository.list(key.id() + "/changes/")) {
      SegmentInfo segment = SegmentInfo.ofName(item.name(), item.bytes());
      if (segment != null) {
        segments.add(segment);
      }
    }
    segments.sort(
        Comparator.comparing((SegmentInfo segment) -> segment.member().toString())
            .thenComparingLong(SegmentInfo::number)
            .thenComparingLong(SegmentInfo::firstStamp));
    return segments;
  }

  /**
   * Reads a segment.
   *
   * @throws SnapshotException of kind {@code MISSING}, {@code DAMAGED}, {@code OTHER_KEY} or {@code
   *     OTHER_FORMAT} if it is not what was written
   */
  public List<Change> read(SegmentInfo segment) {
    String name = segment.objectName();
    List<Change> changes =
        ChangeSegment.decode(name, Sealed.open(key, name, repository.read(name)));
    if (changes.size() != segment.count()) {
      throw SnapshotException.damaged(
          name + " has another number of changes than it says: use another snapshot");
    }
    return changes;
  }

  /**
   * Deletes the first segments of each member, as long as all of their changes were made before an
   * instant; returns how many. What is left has no gap.
   */
  public int deleteBefore(long millis) {
    int deleted = 0;
    Set<UUID> kept = new HashSet<>();
    for (SegmentInfo segment : all()) {
      if (segment.lastStamp() >= millis) {
        boolean _ = kept.add(segment.member());
      } else if (!kept.contains(segment.member())) {
        repository.delete(segment.objectName());
        deleted++;
      }
    }
    return deleted;
  }
}
