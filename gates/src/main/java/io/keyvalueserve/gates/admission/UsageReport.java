package io.keyvalueserve.gates.admission;

import java.util.List;
import java.util.UUID;

/**
 * The report of one member about the usage of tenants on it.
 *
 * @param member who tells
 * @param parts of each tenant that has a limit on what it keeps, or holds locks
 */
public record UsageReport(UUID member, List<Part> parts) {
  public UsageReport {
    parts = List.copyOf(parts);
  }

  /**
   * The usage of one tenant.
   *
   * @param tenant its name
   * @param bytes of its entries, with those of backups
   * @param entries with backups
   * @param connections open ones
   * @param locks held on keys whose partitions the member owns
   * @param maps hashes of the names of its maps
   */
  public record Part(
      String tenant, long bytes, long entries, int connections, int locks, List<Long> maps) {
    public Part {
      maps = List.copyOf(maps);
    }
  }

  /** Returns whether the report has no parts. */
  public boolean isEmpty() {
    return parts.isEmpty();
  }
}
