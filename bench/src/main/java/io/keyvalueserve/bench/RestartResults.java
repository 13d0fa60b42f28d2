package io.keyvalueserve.bench;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * All that was seen of restarts.
 *
 * @param fills how each server took each size of data
 * @param cells by shape, each shape's in the order of the servers
 * @param disk of each round of each size of data
 * @param memory of each round of each size of data
 */
record RestartResults(
    Map<RestartData, List<Fill>> fills,
    Map<RestartShape, List<RestartCell>> cells,
    List<DiskLimits> disk,
    List<MemoryLimits> memory) {
  RestartResults() {
    this(new LinkedHashMap<>(), new LinkedHashMap<>(), new ArrayList<>(), new ArrayList<>());
  }

  /** The cell of the same shape for the same server without data. */
  RestartCell empty(RestartCell cell) {
    return cells.getOrDefault(cell.shape(), List.of()).stream()
        .filter(other -> other.kind() == cell.kind().empty())
        .findFirst()
        .orElseThrow();
  }

  /** The medians of all rounds. */
  MemoryLimits memoryLimits() {
    return new MemoryLimits(
        Median.of(memory.stream().mapToDouble(MemoryLimits::touch).toArray()),
        Median.of(memory.stream().mapToDouble(MemoryLimits::touches).toArray()));
  }

  /** The medians of all rounds. */
  DiskLimits diskLimits() {
    return new DiskLimits(
        Median.of(disk.stream().mapToDouble(DiskLimits::directWrite).toArray()),
        Median.of(disk.stream().mapToDouble(DiskLimits::directRead).toArray()),
        Median.of(disk.stream().mapToDouble(DiskLimits::directReads).toArray()),
        Median.of(disk.stream().mapToDouble(DiskLimits::cachedWrite).toArray()),
        Median.of(disk.stream().mapToDouble(DiskLimits::coldRead).toArray()));
  }
}
