package io.keyvalueserve.server;

import io.keyvalueserve.billing.metering.Measure;
import io.keyvalueserve.billing.metering.SharingLevel;
import io.keyvalueserve.billing.metering.UsageEvent;
import io.keyvalueserve.billing.metering.UsageIdentity;
import io.keyvalueserve.billing.metering.UsageQuantities;
import io.keyvalueserve.tenancy.MapName;
import io.keyvalueserve.tenancy.QualifiedName;
import io.keyvalueserve.tenancy.TenantName;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/** What a tenant of a test used, as a member would tell it. */
public final class TestUse {
  private static final long GIGABYTE = 1_000_000_000;

  private final UUID member = UUID.randomUUID();
  private final TenantName tenant;
  private final int number;
  private long interval;

  public TestUse(String tenant, int number) {
    this.tenant = new TenantName(tenant);
    this.number = number;
  }

  /** The tenant's number. */
  public int tenantNumber() {
    return number;
  }

  /** One event of one map. */
  public UsageEvent of(String map, String at, Map<Measure, Long> quantities) {
    return new UsageEvent(
        new UsageIdentity(
            member,
            0,
            interval++,
            tenant,
            number,
            new QualifiedName(tenant, new MapName(map)),
            SharingLevel.SHARED,
            Instant.parse(at).getEpochSecond() / 60),
        UsageQuantities.of(quantities));
  }

  /** A gigabyte in memory for some minutes. */
  public List<UsageEvent> gigabyte(String map, String from, int minutes) {
    List<UsageEvent> events = new ArrayList<>();
    for (int i = 0; i < minutes; i++) {
      events.add(
          of(
              map,
              Instant.parse(from).plusSeconds(60L * i).toString(),
              Map.of(Measure.RESIDENT_BYTES, 60 * GIGABYTE)));
    }
    return events;
  }
}
