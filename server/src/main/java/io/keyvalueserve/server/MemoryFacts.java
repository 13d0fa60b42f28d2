package io.keyvalueserve.server;

import io.keyvalueserve.memory.SlabReport;
import io.keyvalueserve.memory.TierReport;
import java.util.List;

/** The facts about the memory that holds this member's entries. Thread-safe. */
public interface MemoryFacts {

  /** The tiers with their pools; the figures of each pool are of one moment. */
  List<TierReport> tiers();

  /** Returns the use of the pages that are not free. */
  SlabReport blocks();

  /** Returns how often no tier had room for a block since the member started. */
  long refusals();

  /** The bytes of values that are being sent to clients, or received from them, where they are. */
  long pinnedBytes();

  /** Returns the usage of each map on this member, in no order. */
  List<MapUsage> maps();

  /**
   * Gives empty pages back to the operating system. Blocks.
   *
   * @return the bytes given back
   */
  long returnToOs();

  /**
   * The usage of one map on this member.
   *
   * @param tenant whose it is; empty for a map of the service itself
   * @param map its name, as the tenant knows it
   * @param entries those this member owns
   * @param backupEntries copies of those that other members own
   * @param bytes what both use: records, their index, and secondary indexes
   */
  record MapUsage(String tenant, String map, long entries, long backupEntries, long bytes) {
    /** The sum, under the first one's tenant and a new name. */
    MapUsage plus(MapUsage other, String name) {
      return new MapUsage(
          tenant,
          name,
          entries + other.entries,
          backupEntries + other.backupEntries,
          bytes + other.bytes);
    }
  }
}
