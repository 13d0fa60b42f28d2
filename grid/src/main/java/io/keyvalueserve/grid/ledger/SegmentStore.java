package io.keyvalueserve.grid.ledger;

import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Stores the segments of ledgers. Blocks; thread-safe. */
interface SegmentStore {
  /** Returns the stored bytes of a segment; null if nothing is stored. */
  byte @Nullable [] get(int tenantNumber, int segment);

  /**
   * Stores a segment if nobody else has done so meanwhile. When it returns true, the segment has
   * its backups, and is on the disks of the members that have one.
   *
   * @param expected what was read; null for nothing
   * @return whether that was there still
   */
  boolean replace(int tenantNumber, int segment, byte @Nullable [] expected, byte[] next);

  /** A segment that is there, or 0: the last one is this or one soon after it. */
  int lastSegment(int tenantNumber);

  /** The numbers of the tenants that have a ledger. Looks at all segments there are. */
  Set<Integer> tenantNumbers();

  /** Notes that a segment is there. */
  void noteLastSegment(int tenantNumber, int segment);
}
