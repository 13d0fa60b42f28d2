package io.keyvalueserve.grid.ledger;

import io.keyvalueserve.billing.ledger.BrokenLedgerException;
import io.keyvalueserve.billing.ledger.LedgerEntry;
import io.keyvalueserve.billing.ledger.TenantLedger;
import io.keyvalueserve.billing.metering.Measure;
import io.keyvalueserve.billing.metering.SharingLevel;
import io.keyvalueserve.billing.metering.UsageEvent;
import io.keyvalueserve.billing.metering.UsageIdentity;
import io.keyvalueserve.billing.metering.UsageQuantities;
import io.keyvalueserve.tenancy.MapName;
import io.keyvalueserve.tenancy.QualifiedName;
import io.keyvalueserve.tenancy.TenantName;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

/** What tenants used in tests. */
public final class LedgerUse {
  public static final TenantName ACME = new TenantName("acme");
  public static final TenantName GLOBEX = new TenantName("globex");
  public static final int ACMES = 7;
  public static final int GLOBEXES = 8;

  private LedgerUse() {}

  /** What one life of a member flushed: some maps of two tenants. */
  public static List<UsageEvent> flush(int member, long incarnation, long interval, int maps) {
    List<UsageEvent> events = new ArrayList<>();
    for (int map = 0; map < maps; map++) {
      events.add(event(member, incarnation, interval, ACME, ACMES, "m" + map));
      events.add(event(member, incarnation, interval, GLOBEX, GLOBEXES, "m" + map));
    }
    return events;
  }

  static UsageEvent event(
      int member, long incarnation, long interval, TenantName tenant, int number, String map) {
    return new UsageEvent(
        new UsageIdentity(
            new UUID(1, member),
            incarnation,
            interval,
            tenant,
            number,
            new QualifiedName(tenant, new MapName(map)),
            SharingLevel.SHARED,
            29_000_000 + interval),
        UsageQuantities.of(Map.of(Measure.READS, 1 + interval)));
  }

  /** Those of one tenant. */
  static List<UsageEvent> of(TenantName tenant, List<UsageEvent> events) {
    return events.stream().filter(event -> event.identity().tenant().equals(tenant)).toList();
  }

  /** The events of a ledger whose bytes are read and checked from the first to the last. */
  public static List<UsageEvent> checked(GridLedger ledger, TenantName tenant, int number)
      throws BrokenLedgerException {
    return TenantLedger.open(tenant, number, ledger.entries(number, 0)).entries().stream()
        .map(LedgerEntry::usage)
        .flatMap(Optional::stream)
        .toList();
  }
}
