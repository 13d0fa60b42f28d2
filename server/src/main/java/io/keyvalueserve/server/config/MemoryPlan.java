package io.keyvalueserve.server.config;

import io.keyvalueserve.memory.HeapConfig;
import java.util.List;

/**
 * The memory that holds the entries.
 *
 * @param heap the tiers with their pools
 * @param origin why it is as it is, in words for a log
 * @param warnings what may go wrong later, and what to do about it
 */
public record MemoryPlan(HeapConfig heap, String origin, List<String> warnings) {
  /** Keeps a copy of the list. */
  public MemoryPlan {
    warnings = List.copyOf(warnings);
  }
}
