package io.keyvalueserve.billing.ledger;

import io.keyvalueserve.billing.metering.Measure;
import io.keyvalueserve.billing.metering.SharingLevel;
import io.keyvalueserve.billing.metering.UsageEvent;
import io.keyvalueserve.billing.metering.UsageIdentity;
import io.keyvalueserve.billing.metering.UsageQuantities;
import io.keyvalueserve.tenancy.MapName;
import io.keyvalueserve.tenancy.Persistence;
import io.keyvalueserve.tenancy.QualifiedName;
import io.keyvalueserve.tenancy.TenantName;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/** A ledger that a test fills, and what it was told. Every event has an identity of its own. */
final class Use {
  static final TenantName ACME = new TenantName("acme");
  static final Instant NOW = Instant.parse("2026-03-01T00:00:00.123456Z");

  final TenantLedger ledger = new TenantLedger(ACME, 7);
  final List<UsageEvent> told = new ArrayList<>();
  private long interval;

  static long minute(String instant) {
    return Instant.parse(instant).getEpochSecond() / 60;
  }

  /** How the maps of what is told next are kept. */
  Persistence persistence = Persistence.DEFAULT;

  UsageEvent event(long minute, SharingLevel sharing, Map<Measure, Long> quantities) {
    return new UsageEvent(
        new UsageIdentity(
            new UUID(1, interval % 3),
            0,
            interval++,
            ACME,
            7,
            new QualifiedName(ACME, new MapName("m" + interval % 2)),
            sharing,
            persistence,
            minute),
        UsageQuantities.of(quantities));
  }

  UsageEvent post(long minute, SharingLevel sharing, Map<Measure, Long> quantities) {
    UsageEvent event = event(minute, sharing, quantities);
    ledger.post(event, NOW);
    told.add(event);
    return event;
  }

  /** Holds a level for some minutes. */
  Use hold(String from, int minutes, Measure measure, long level) {
    return hold(from, minutes, SharingLevel.SHARED, measure, level);
  }

  Use hold(String from, int minutes, SharingLevel sharing, Measure measure, long level) {
    for (int i = 0; i < minutes; i++) {
      post(minute(from) + i, sharing, Map.of(measure, level * 60));
    }
    return this;
  }

  Use count(String at, Measure measure, long count) {
    post(minute(at), SharingLevel.SHARED, Map.of(measure, count));
    return this;
  }

  List<byte[]> stored() {
    List<byte[]> stored = new ArrayList<>();
    ledger.entries().forEach(entry -> stored.add(LedgerCodec.encode(entry)));
    return stored;
  }
}
