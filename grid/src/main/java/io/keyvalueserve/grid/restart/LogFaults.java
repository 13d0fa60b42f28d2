package io.keyvalueserve.grid.restart;

import io.keyvalueserve.journal.DamagedRecord;
import io.keyvalueserve.journal.DamagedRecords;
import io.keyvalueserve.journal.LogCheck;
import io.keyvalueserve.maps.CopiedEntries;
import io.keyvalueserve.maps.CopiedKey;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;

/**
 * Knows what a member's log may lack. When a partition is loaded, it names the keys whose last
 * records are damaged, if these keys can still be read; else any key may lack its record.
 * Thread-safe.
 */
final class LogFaults {
  /** A log that has all that it should. */
  static final LogFaults NONE = new LogFaults(false, Map.of(), 0);

  private final boolean unsure;
  private final long places;
  private final Map<Integer, List<DamagedRecord>> damaged;
  private final Map<Integer, Set<CopiedKey>> unreadable = new ConcurrentHashMap<>();
  private final Map<Integer, Set<CopiedKey>> loaded = new ConcurrentHashMap<>();

  private LogFaults(boolean unsure, Map<Integer, List<DamagedRecord>> damaged, long places) {
    this.unsure = unsure;
    this.places = places;
    this.damaged = damaged;
  }

  /**
   * Finds the faults of a log that was opened.
   *
   * @param gone whether it was not there
   * @param suspect how many places were damaged, now or at an earlier start
   */
  static LogFaults of(boolean gone, DamagedRecords records, long suspect) {
    boolean earlier = suspect > 0 && records.records().isEmpty() && records.unknown() == 0;
    long places = (long) records.unknown() + (gone || earlier ? 1 : 0);
    Map<Integer, List<DamagedRecord>> damaged =
        records.records().stream().collect(Collectors.groupingBy(DamagedRecord::partition));
    return new LogFaults(places > 0 || !damaged.isEmpty(), damaged, places);
  }

  /**
   * Returns these faults and those that were found when the rest of the log was read. Keys of
   * records that cannot be read are known then when their partition is loaded.
   */
  LogFaults and(LogCheck rest) {
    return new LogFaults(unsure || rest.mayMissRecords(), damaged, places + (long) rest.unknown());
  }

  /** Returns whether the log may lack anything. */
  boolean isUnsure() {
    return unsure;
  }

  /** Returns the number of places where it is not known what was lost; 0 if all keys are known. */
  long places() {
    return places;
  }

  /**
   * A record cannot be read, and its key is about to be given up: the log is still not to be sure
   * of it when it is asked.
   */
  void addUnreadable(int partition, CopiedKey key) {
    if (unsure) {
      boolean _ =
          unreadable.computeIfAbsent(partition, id -> ConcurrentHashMap.newKeySet()).add(key);
    }
  }

  /**
   * Finds the keys that are not sure before their records get other positions. To be called when
   * all is loaded, before the log is compacted.
   */
  void settle(CopiedEntries copied) {
    damaged.keySet().forEach(partition -> load(partition, copied));
  }

  /** Loads a partition; returns the keys of which an older record or none is here. Blocks. */
  Set<CopiedKey> load(int partition, CopiedEntries copied) {
    return loaded.computeIfAbsent(
        partition,
        id -> {
          Set<CopiedKey> keys = new HashSet<>();
          copied.load(id, keys::add);
          keys.addAll(unreadable.getOrDefault(id, Set.of())); // read last: none may be missed
          for (DamagedRecord each : damaged.getOrDefault(id, List.of())) {
            CopiedKey key = new CopiedKey(each.map(), each.key(), each.keyForm());
            if (copied.position(id, key) < each.position()) {
              keys.add(key);
            }
          }
          return Set.copyOf(keys);
        });
  }
}
