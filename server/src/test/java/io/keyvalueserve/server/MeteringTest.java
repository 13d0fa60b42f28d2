package io.keyvalueserve.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyvalueserve.billing.metering.Measure;
import io.keyvalueserve.billing.metering.SharingLevel;
import io.keyvalueserve.billing.metering.UsageBook;
import io.keyvalueserve.billing.metering.UsageEvent;
import io.keyvalueserve.billing.metering.UsageMeter;
import io.keyvalueserve.gates.reservation.Reservation;
import io.keyvalueserve.maps.HeldTime;
import io.keyvalueserve.maps.Writers;
import io.keyvalueserve.tenancy.Identity;
import io.keyvalueserve.tenancy.MapName;
import io.keyvalueserve.tenancy.QualifiedName;
import io.keyvalueserve.tenancy.Quota;
import io.keyvalueserve.tenancy.Session;
import io.keyvalueserve.tenancy.SessionRegistry;
import io.keyvalueserve.tenancy.Tenant;
import io.keyvalueserve.tenancy.TenantName;
import io.keyvalueserve.tenancy.TenantState;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** Goal: what was counted reaches the ledger, of the right minute, and nothing of it is lost. */
class MeteringTest {
  private static final TenantName ACME = new TenantName("acme");
  private static final QualifiedName STOCK = new QualifiedName(ACME, new MapName("stock"));

  private final UsageBook book = new UsageBook(UUID.randomUUID(), 1);
  private final SessionRegistry sessions = new SessionRegistry(identity -> true);
  private final List<HeldTime> maps = new ArrayList<>();
  private final Map<TenantName, Long> kept = new HashMap<>();
  private final Map<String, Long> logged = new HashMap<>();
  private final List<Reservation> reservations = new ArrayList<>();
  private final List<UsageEvent> taken = new ArrayList<>();
  private List<Tenant> tenants = List.of(tenant(1));
  private boolean reachable = true;
  private long nowMillis = 1_800_000_000_000L;

  private final UsageMeter meter = book.meter(ACME, 1, STOCK, SharingLevel.SHARED);
  private final Metering metering = metering(Duration.ofSeconds(60));

  private Metering metering(Duration interval) {
    UsageLevels levels =
        new UsageLevels(
            book,
            () -> tenants,
            () -> {
              List<HeldTime> held = List.copyOf(maps);
              maps.clear();
              return held;
            },
            name -> Objects.requireNonNullElse(kept.remove(name), 0L),
            () -> logged,
            () -> reservations,
            sessions,
            () -> nowMillis * 1_000_000);
    return new Metering(
        book,
        levels,
        () -> {},
        events -> {
          if (!reachable) {
            return events;
          }
          taken.addAll(events);
          return List.of();
        },
        () -> Instant.ofEpochMilli(nowMillis),
        interval);
  }

  private static Tenant tenant(int number) {
    return new Tenant(ACME, number, TenantState.ACTIVE, Instant.EPOCH, List.of(), Quota.USUAL, 1);
  }

  private void passSeconds(int seconds) {
    for (int i = 0; i < seconds; i++) {
      nowMillis += 1_000;
      metering.tick();
    }
  }

  private long sum(Measure measure) {
    return taken.stream().mapToLong(event -> event.quantities().of(measure)).sum();
  }

  @Test
  void whatWasCountedIsToldOfItsMinute() {
    meter.add(Measure.READS, 5);
    passSeconds(59);
    assertThat(taken).isEmpty();
    passSeconds(1);
    assertThat(taken).hasSize(1);
    assertThat(taken.getFirst().identity().minute()).isEqualTo(30_000_000);
    assertThat(sum(Measure.READS)).isEqualTo(5);
    meter.add(Measure.READS, 2);
    passSeconds(60);
    assertThat(taken.getLast().identity().minute()).isEqualTo(30_000_001);
    assertThat(sum(Measure.READS)).isEqualTo(7);
  }

  @Test
  void shorterIntervalsAreOfTheSameMinute() {
    Metering often = metering(Duration.ofSeconds(10));
    for (int i = 0; i < 12; i++) {
      meter.add(Measure.READS, 1);
      nowMillis += 10_000;
      often.tick();
    }
    assertThat(taken).hasSize(12);
    Set<Long> minutes = new HashSet<>();
    taken.forEach(event -> minutes.add(event.identity().minute()));
    assertThat(minutes).containsExactlyInAnyOrder(30_000_000L, 30_000_001L);
    assertThat(taken.stream().map(event -> event.identity().text()).distinct()).hasSize(12);
  }

  /** An hour forward, 100 writes, back, 100 more: case E8. */
  @Test
  void aClockThatIsSetBackHoldsNoUsageBack() {
    passSeconds(30);
    nowMillis += 3_600_000;
    passSeconds(1);
    meter.add(Measure.WRITES, 100);
    passSeconds(10);
    nowMillis -= 3_600_000;
    meter.add(Measure.WRITES, 100);
    passSeconds(60);
    assertThat(sum(Measure.WRITES)).isEqualTo(200);
    assertThat(taken).allSatisfy(each -> assertThat(minute(each)).isLessThan(now()));
    meter.add(Measure.WRITES, 7);
    passSeconds(60);
    assertThat(sum(Measure.WRITES)).isEqualTo(207);
  }

  @Test
  void usageBelongsToTheMinuteBeforeAClockWasSetForward() {
    meter.add(Measure.WRITES, 3);
    nowMillis += 3_600_000;
    passSeconds(1);
    assertThat(taken).singleElement().extracting(MeteringTest::minute).isEqualTo(30_000_000L);
  }

  private long now() {
    return nowMillis / 60_000;
  }

  private static long minute(UsageEvent event) {
    return event.identity().minute();
  }

  @Test
  void whatTheLedgerCannotTakeIsToldAgain() {
    reachable = false;
    meter.add(Measure.WRITES, 3);
    passSeconds(60);
    meter.add(Measure.WRITES, 4);
    passSeconds(60);
    assertThat(taken).isEmpty();
    reachable = true;
    passSeconds(60);
    assertThat(sum(Measure.WRITES)).isEqualTo(7);
    assertThat(taken).hasSize(2);
  }

  @Test
  void theEndTellsWhatIsLeft() {
    metering.start();
    meter.add(Measure.DELETES, 1);
    metering.close();
    assertThat(sum(Measure.DELETES)).isEqualTo(1);
  }

  private void held(String map, int writer, long residentByteMillis, long spilledByteMillis) {
    maps.add(new HeldTime(map, writer, residentByteMillis, spilledByteMillis));
  }

  @Test
  void whatMapsHeldIsChargedToTheOwnerOrTheWriter() {
    held("acme/stock", Writers.OWNER, 5_400, 700);
    held("acme/stock", 7, 1_000_000, 1_000_000);
    held("globex/of-nobody-known", Writers.OWNER, 7_000, 7_000);
    held("globex/of-nobody-known", 1, 2_000, 0);
    held("__kvs.tenants", Writers.OWNER, 7_000, 7_000);
    passSeconds(15);
    held("acme/stock", Writers.OWNER, 3_599, 700);
    passSeconds(105);
    assertThat(sum(Measure.RESIDENT_BYTES)).isEqualTo(8 + 2);
    assertThat(sum(Measure.SPILLED_BYTES)).isEqualTo(1);
    assertThat(taken)
        .extracting(event -> event.identity().map())
        .containsExactlyInAnyOrder(
            STOCK, new QualifiedName(new TenantName("globex"), new MapName("of-nobody-known")));
  }

  @Test
  void partsOfAByteSecondAddUp() {
    for (int i = 0; i < 100; i++) {
      held("acme/stock", Writers.OWNER, 10, 30);
      passSeconds(10);
    }
    metering.close();
    assertThat(sum(Measure.RESIDENT_BYTES)).isEqualTo(1);
    assertThat(sum(Measure.SPILLED_BYTES)).isEqualTo(3);
  }

  @Test
  void whatIsOnNoMapCountsToTheTenantAlone() {
    kept.put(ACME, 5_000L);
    held("acme/a\nb", Writers.OWNER, 8_000, 0); // not the name of a map
    passSeconds(60);
    assertThat(sum(Measure.RESIDENT_BYTES)).isEqualTo(5_008);
    assertThat(taken).singleElement().extracting(event -> event.identity().map()).isNull();
  }

  @Test
  void whatADeletedTenantHeldIsOnItsOwnBill() {
    passSeconds(1);
    tenants = List.of(tenant(2));
    held("acme/stock", Writers.OWNER, 9_000, 0);
    kept.put(ACME, 1_000L);
    passSeconds(10);
    held("acme/stock", Writers.OWNER, 4_000, 0);
    passSeconds(60);
    assertThat(taken)
        .extracting(event -> event.identity().tenantNumber())
        .containsExactlyInAnyOrder(1, 1, 2);
    assertThat(
            taken.stream()
                .filter(event -> event.identity().tenantNumber() == 2)
                .map(event -> event.quantities().of(Measure.RESIDENT_BYTES)))
        .containsExactly(4L);
  }

  @Test
  void whatIsLoggedIsChargedOnce() {
    logged.put("acme/stock", 1_000L);
    logged.put("globex/of-nobody-known", 7L);
    logged.put("__kvs.tenants", 7L);
    passSeconds(60);
    assertThat(sum(Measure.LOG_BYTES)).isEqualTo(1_000);
    logged.put("acme/stock", 1_500L);
    passSeconds(120);
    metering.close();
    assertThat(sum(Measure.LOG_BYTES)).isEqualTo(1_500);
    assertThat(taken).allSatisfy(event -> assertThat(event.identity().map()).isEqualTo(STOCK));
  }

  private static Reservation reservation(int tenantNumber, Reservation.Target target) {
    return new Reservation("1", ACME, tenantNumber, target, 1 << 20, Instant.EPOCH, "operator");
  }

  @Test
  void reservationsAreChargedBySecondsOfTheTenantThatHasThem() {
    reservations.add(reservation(1, new Reservation.OfMap(STOCK)));
    reservations.add(reservation(1, new Reservation.OfMember(UUID.randomUUID(), "a:1")));
    reservations.add(reservation(1, new Reservation.OfMember(UUID.randomUUID(), "b:1")));
    reservations.add(reservation(2, new Reservation.OfMember(UUID.randomUUID(), "c:1")));
    passSeconds(30);
    reservations.clear();
    passSeconds(90);
    assertThat(sum(Measure.MAP_RESERVATIONS)).isBetween(29L, 30L);
    assertThat(sum(Measure.MEMBER_RESERVATIONS)).isBetween(58L, 60L);
    assertThat(
            taken.stream()
                .filter(event -> event.quantities().of(Measure.MAP_RESERVATIONS) > 0)
                .map(event -> event.identity().map()))
        .containsOnly(STOCK);
  }

  @Test
  void connectionsAreChargedBySeconds() {
    Session session = new Connected();
    assertThat(sessions.register(session)).isEqualTo(SessionRegistry.Entry.ENTERED);
    passSeconds(45);
    sessions.unregister(session);
    passSeconds(75);
    assertThat(sum(Measure.CONNECTIONS)).isBetween(44L, 45L);
    assertThat(taken).hasSize(1);
    assertThat(taken.getFirst().identity().map()).isNull();
  }

  private static final class Connected implements Session {
    @Override
    public Identity identity() {
      return new Identity(ACME, 1, "key");
    }

    @Override
    public void end(String reason) {
      throw new IllegalStateException("nobody ends it");
    }
  }
}
