package io.keyvalueserve.grid.snapshot;

import io.keyvalueserve.snapshots.ArchiveSession;
import io.keyvalueserve.snapshots.ArchiveSessions;
import io.keyvalueserve.snapshots.Change;
import io.keyvalueserve.snapshots.ChangeArchive;
import io.keyvalueserve.snapshots.Manifest;
import io.keyvalueserve.snapshots.Repository;
import io.keyvalueserve.snapshots.SegmentInfo;
import io.keyvalueserve.snapshots.SnapshotFolder;
import io.keyvalueserve.snapshots.TenantKey;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The newest snapshot from before an instant, and the archived changes from then until the instant.
 * Serves for one restore, and blocks.
 */
final class ArchivedChanges {
  /** A change of a transaction is archived at most so long after the changes around it. */
  private static final long MOST_LATE_MILLIS = 30_000;

  private final ChangeArchive archive;
  private final long atMillis;
  private final Manifest base;
  private final List<ArchiveSession> sessions = new ArrayList<>();

  /**
   * Finds them.
   *
   * @throws SnapshotFailure if the instant cannot be restored: the message names the nearest that
   *     can be
   */
  ArchivedChanges(Repository repository, TenantKey key, long atMillis) {
    long now = System.currentTimeMillis();
    if (atMillis > now) {
      throw SnapshotFailure.lasting(
          "at: " + text(atMillis) + " is in the future; it is " + text(now) + " now");
    }
    this.archive = new ChangeArchive(repository, key);
    this.atMillis = atMillis;
    SnapshotFolder folder = new SnapshotFolder(repository);
    Manifest.@Nullable Header before = null;
    Manifest.@Nullable Header after = null;
    for (Manifest.Header header : folder.list(key.id())) {
      if (header.damage() != null) {
        continue;
      }
      if (header.cutMillis() <= atMillis
          && (before == null || header.cutMillis() > before.cutMillis())) {
        before = header;
      }
      if (header.cutMillis() > atMillis
          && (after == null || header.cutMillis() < after.cutMillis())) {
        after = header;
      }
    }
    if (before == null) {
      throw SnapshotFailure.lasting(
          "at: there is no snapshot from before " + text(atMillis) + later(after));
    }
    this.base = folder.read(key.id(), before.id(), key);
    if (base.cutMillis() < atMillis) {
      findSessions(new ArchiveSessions(repository, key).list(), after);
    }
  }

  private static String later(Manifest.@Nullable Header after) {
    return after == null
        ? ""
        : "; the next instant that can be restored is " + text(after.cutMillis());
  }

  private static String text(long millis) {
    return Instant.ofEpochMilli(millis).toString();
  }

  private void findSessions(List<ArchiveSession> all, Manifest.@Nullable Header after) {
    int owned = 0;
    long covered = Long.MAX_VALUE;
    for (ArchiveSession session : all) {
      if (session.tableStamp() == base.tableStamp()
          && session.startedMillis() <= base.cutMillis()
          && session.coveredMillis() >= base.cutMillis()) {
        sessions.add(session);
        owned += session.owned();
        covered = Math.min(covered, session.coveredMillis());
      }
    }
    if (owned != base.partitions()) {
      covered = base.cutMillis();
    }
    if (covered < atMillis) {
      throw SnapshotFailure.lasting(
          "at: the changes until "
              + text(atMillis)
              + " are not archived: the last instant before that can be restored is "
              + text(covered)
              + later(after));
    }
  }

  /** Returns the snapshot. */
  Manifest base() {
    return base;
  }

  /**
   * Shows the changes, of each key in their order.
   *
   * @throws SnapshotFailure if a segment is missing
   */
  void forEach(Consumer<Change> visitor) {
    if (sessions.isEmpty()) {
      return;
    }
    Map<UUID, SegmentInfo> last = new HashMap<>();
    for (SegmentInfo segment : archive.list(0, Long.MAX_VALUE)) {
      if (sessions.stream().noneMatch(session -> session.id().equals(segment.member()))) {
        continue;
      }
      SegmentInfo before = last.put(segment.member(), segment);
      if (before != null && before.number() + 1 != segment.number() && isNeededAfter(before)) {
        throw missing(before.number() + 1, segment.member(), before.firstStamp());
      }
      if (segment.lastStamp() > base.cutMillis() && segment.firstStamp() <= atMillis) {
        for (Change change : archive.read(segment)) {
          if (change.stampMillis() > base.cutMillis() && change.stampMillis() <= atMillis) {
            visitor.accept(change);
          }
        }
      }
    }
    for (ArchiveSession session : sessions) {
      SegmentInfo end = last.get(session.id());
      long found = end == null ? 0 : end.number() + 1;
      if (session.lastStamp() > base.cutMillis()
          && found < session.segments()
          && (end == null || isNeededAfter(end))) {
        throw missing(found, session.id(), end == null ? 0 : end.firstStamp());
      }
    }
  }

  /** Returns whether segments behind one may have changes from before the instant. */
  private boolean isNeededAfter(SegmentInfo segment) {
    return segment.firstStamp() - MOST_LATE_MILLIS < atMillis;
  }

  private SnapshotFailure missing(long number, UUID session, long firstStamp) {
    return SnapshotFailure.lasting(
        "segment "
            + number
            + " of session "
            + session
            + " is missing in the archive: restore to "
            + text(Math.max(base.cutMillis(), firstStamp - MOST_LATE_MILLIS))
            + " or before");
  }
}
