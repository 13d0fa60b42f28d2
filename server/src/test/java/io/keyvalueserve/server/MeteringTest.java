package io.keyvalueserve.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyvalueserve.grid.hd.HeldBytes;
import io.keyvalueserve.tenancy.Identity;
import io.keyvalueserve.tenancy.MapName;
import io.keyvalueserve.tenancy.QualifiedName;
import io.keyvalueserve.tenancy.Quota;
import io.keyvalueserve.tenancy.Session;
import io.keyvalueserve.tenancy.SessionRegistry;
import io.keyvalueserve.tenancy.Tenant;
import io.keyvalueserve.tenancy.TenantName;
import io.keyvalueserve.tenancy.TenantState;
import io.keyvalueserve.tenancy.metering.Measure;
import io.keyvalueserve.tenancy.metering.SharingLevel;
import io.keyvalueserve.tenancy.metering.UsageBook;
import io.keyvalueserve.tenancy.metering.UsageEvent;
import io.keyvalueserve.tenancy.metering.UsageMeter;
import io.keyvalueserve.tenancy.reservation.Reservation;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** Goal: what was counted reaches the ledger, of the right minute, and nothing of it is lost. */
class MeteringTest {
  private static final TenantName ACME = new TenantName("acme");
  private static final QualifiedName STOCK = new QualifiedName(ACME, new MapName("stock"));

  private final UsageBook book = new UsageBook(UUID.randomUUID(), 1);
  private final SessionRegistry sessions = new SessionRegistry(identity -> true);
  private final Map<String, HeldBytes> maps = new HashMap<>();
  private final Map<String, Long> logged = new HashMap<>();
  private final List<Reservation> reservations = new ArrayList<>();
  private final List<UsageEvent> taken = new ArrayList<>();
  private boolean reachable = true;
  private long nowMillis = 1_800_000_000_000L;

  private final UsageMeter meter = book.meter(ACME, 1, STOCK, SharingLevel.SHARED);
  private final Metering metering = metering(Duration.ofSeconds(60));

  private Metering metering(Duration interval) {
    UsageLevels levels =
        new UsageLevels(
            book,
            () -> List.of(tenant()),
            () -> maps,
            () -> logged,
            () -> reservations,
            sessions,
            () -> nowMillis * 1_000_000);
    return new Metering(
        book,
        levels,
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

  private static Tenant tenant() {
    return new Tenant(ACME, 1, TenantState.ACTIVE, Instant.EPOCH, List.of(), Quota.USUAL, 1);
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

  @Test
  void whatIsHeldIsChargedForAsLongAsItIs() {
    maps.put("acme/stock", new HeldBytes(1_000, 50));
    maps.put("globex/of-nobody-known", new HeldBytes(7, 7));
    maps.put("__kvs.tenants", new HeldBytes(7, 7));
    passSeconds(30);
    maps.put("acme/stock", new HeldBytes(3_000, 0));
    passSeconds(10);
    maps.clear();
    passSeconds(80);
    assertThat(sum(Measure.RESIDENT_BYTES)).isEqualTo(30 * 1_000 + 10 * 3_000);
    assertThat(sum(Measure.SPILLED_BYTES)).isEqualTo(30 * 50);
    assertThat(taken).allSatisfy(event -> assertThat(event.identity().map()).isEqualTo(STOCK));
  }

  @Test
  void whatCountsForItsWriterIsChargedToTheWriter() {
    maps.put("globex/theirs", new HeldBytes(1_000, 50, Map.of(1, new HeldBytes(300, 20))));
    passSeconds(30);
    maps.put("globex/theirs", new HeldBytes(1_000, 50));
    maps.put("acme/stock", new HeldBytes(1_000, 50, Map.of(7, new HeldBytes(300, 20))));
    passSeconds(10);
    maps.clear();
    passSeconds(80);
    assertThat(sum(Measure.RESIDENT_BYTES)).isEqualTo(30 * 300 + 10 * 700);
    assertThat(sum(Measure.SPILLED_BYTES)).isEqualTo(30 * 20 + 10 * 30);
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
