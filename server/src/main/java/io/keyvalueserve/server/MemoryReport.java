package io.keyvalueserve.server;

import io.keyvalueserve.grid.MemberInfo;
import io.keyvalueserve.memory.SlabReport;
import io.keyvalueserve.memory.TierReport;
import io.keyvalueserve.server.MemoryFacts.MapUsage;
import java.util.Comparator;
import java.util.List;
import java.util.TreeMap;

/**
 * The memory of one member at about one moment.
 *
 * @param member whose it is
 * @param refusals how often no tier had room for a block since the member started
 * @param pinnedBytes of values that are being sent to clients, or received from them
 * @param maps what each map keeps there, the largest first
 */
public record MemoryReport(
    MemberInfo member,
    List<TierReport> tiers,
    SlabReport blocks,
    long refusals,
    long pinnedBytes,
    List<MapUsage> maps) {
  private static final Comparator<MapUsage> LARGEST_FIRST =
      Comparator.comparingLong(MapUsage::bytes)
          .reversed()
          .thenComparing(MapUsage::tenant)
          .thenComparing(MapUsage::map);

  /** Sorts the maps. */
  public MemoryReport {
    tiers = List.copyOf(tiers);
    maps = maps.stream().sorted(LARGEST_FIRST).toList();
  }

  static MemoryReport of(MemberInfo member, MemoryFacts facts) {
    return new MemoryReport(
        member, facts.tiers(), facts.blocks(), facts.refusals(), facts.pinnedBytes(), facts.maps());
  }

  /** The bytes that all pools may hold. */
  public long capacityBytes() {
    return tiers.stream().mapToLong(TierReport::capacityBytes).sum();
  }

  /** The bytes of all pages that are taken from the pools. */
  public long usedBytes() {
    return tiers.stream().mapToLong(TierReport::usedBytes).sum();
  }

  /** The bytes of all pages that cost the machine memory now. */
  public long residentBytes() {
    return tiers.stream().mapToLong(TierReport::residentBytes).sum();
  }

  /** Returns the usage of each tenant, all its maps together, the largest first. */
  public List<MapUsage> tenants() {
    TreeMap<String, MapUsage> sums = new TreeMap<>();
    MapUsage none = new MapUsage("", "", 0, 0, 0);
    for (MapUsage map : maps) {
      if (!map.tenant().isEmpty()) {
        sums.merge(map.tenant(), map.plus(none, ""), (sum, one) -> sum.plus(one, ""));
      }
    }
    return sums.values().stream().sorted(LARGEST_FIRST).toList();
  }

  /**
   * The largest maps, and the rest of them as one.
   *
   * @param most how many to name
   * @param rest the tenant and the map of the rest: what no tenant or map can be called
   */
  public List<MapUsage> largestMaps(int most, String rest) {
    if (maps.size() <= most) {
      return maps;
    }
    MapUsage others =
        maps.stream()
            .skip(most)
            .reduce(new MapUsage(rest, rest, 0, 0, 0), (sum, one) -> sum.plus(one, rest));
    return java.util.stream.Stream.concat(
            maps.stream().limit(most), java.util.stream.Stream.of(others))
        .toList();
  }
}
