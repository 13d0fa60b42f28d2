package io.keyvalueserve.gates.heap;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** What tenants make a member keep is bounded for each of them, and for all together. */
class HeapLedgerTest {
  private static final UUID SELF = new UUID(0, 1);
  private static final UUID OTHER = new UUID(0, 2);

  private final HeapLedger ledger = new HeapLedger(new HeapLimits(100, 240));
  private final HeapAccount acme = ledger.account("acme");

  private void settle(Map<String, Long> here) {
    ledger.settle(here, List.of(SELF, OTHER), 2);
  }

  @Test
  void aTenantReservesUpToItsBound() {
    assertThat(acme.reserve(60)).isTrue();
    assertThat(acme.hold(40)).isTrue();
    assertThat(acme.reserve(1)).isFalse();
    assertThat(acme.hold(1)).isFalse();
    assertThat(acme.used()).isEqualTo(100);
    assertThat(acme.refusal()).contains("up to 100 bytes of a tenant", "uses 100");
    acme.release(40);
    assertThat(acme.reserve(40)).isTrue();
  }

  @Test
  void whatIsKeptHereCountsToTheHeapThatAllUse() {
    MemberHeap whole = new MemberHeap(120); // a tenant alone gets half
    assertThat(acme.hold(10)).isTrue();
    acme.lease(whole.lease(1, HeapUse.KEPT));
    assertThat(acme.reserve(40)).isTrue();
    assertThat(whole.used(HeapUse.KEPT)).isEqualTo(50);
    assertThat(acme.reserve(20)).isFalse();
    assertThat(acme.used()).isEqualTo(50);
    assertThat(acme.refusal()).contains("up to 120 bytes of a member's Java heap together");
    settle(Map.of());
    settle(Map.of("acme", 70L));
    assertThat(whole.used(HeapUse.KEPT)).as("measured, and held").isEqualTo(80);
    acme.lease(whole.lease(2, HeapUse.KEPT));
    assertThat(whole.lease(1, HeapUse.KEPT).used()).isZero();
    acme.release(10);
    settle(Map.of());
    assertThat(whole.used(HeapUse.KEPT)).isZero();
  }

  @Test
  void aMeasurementReplacesReservationsThatAreOldEnough() {
    assertThat(acme.reserve(50)).isTrue();
    settle(Map.of());
    assertThat(acme.used())
        .as("it may not have been carried out when that was measured")
        .isEqualTo(50);
    assertThat(acme.reserve(20)).isTrue();
    settle(Map.of("acme", 30L));
    assertThat(acme.used()).isEqualTo(50);
    settle(Map.of("acme", 35L));
    assertThat(acme.used()).isEqualTo(35);
    assertThat(acme.measuredHere()).isEqualTo(35);
    assertThat(ledger.used()).isEqualTo(35);
    assertThat(ledger.isAnyReserved()).isFalse();
  }

  @Test
  void reservationsOutliveAsManyMeasurementsAsTheyAreToldTo() {
    for (int generations = 2; generations < 6; generations++) {
      assertThat(acme.reserve(10)).isTrue();
      for (int i = 1; i < generations; i++) {
        ledger.settle(Map.of(), List.of(SELF), generations);
        assertThat(acme.used()).as(generations + " " + i).isEqualTo(10);
      }
      ledger.settle(Map.of(), List.of(SELF), generations);
      assertThat(acme.used()).isZero();
      assertThat(ledger.used()).isZero();
    }
  }

  @Test
  void whatIsHeldStaysUntilItIsReleased() {
    assertThat(acme.hold(10)).isTrue();
    for (int i = 0; i < 5; i++) {
      settle(Map.of());
    }
    assertThat(acme.used()).isEqualTo(10);
    acme.release(10);
    assertThat(acme.used()).isZero();
    assertThat(ledger.isAnyReserved()).isFalse();
  }

  @Test
  void theMemberThatKeepsMostCounts() {
    ledger.hear(new KeptReport(OTHER, Map.of("acme", 95L)));
    settle(Map.of("acme", 10L));
    assertThat(acme.reserve(6)).isFalse();
    assertThat(acme.reserve(5)).isTrue();
    assertThat(acme.measuredHere()).isEqualTo(10);
    ledger.settle(Map.of("acme", 10L), List.of(SELF), 2);
    assertThat(acme.used()).as("the other is gone").isEqualTo(15);
  }

  @Test
  void allTenantsTogetherAreBounded() {
    for (int round = 0; round < 100; round++) {
      for (int tenant = 0; tenant < 50; tenant++) {
        boolean _ = ledger.account("tenant" + tenant).hold(5);
      }
      settle(Map.of());
    }
    assertThat(ledger.used()).isBetween(180L, 240L);
  }

  @Test
  void tenantsAboveTheirShareLeaveRoomForOthers() {
    HeapAccount globex = ledger.account("globex");
    settle(Map.of("acme", 95L, "globex", 85L));
    assertThat(acme.reserve(5)).as("it has its share of three quarters").isFalse();
    assertThat(globex.reserve(5)).as("it has not").isTrue();
    HeapAccount late = ledger.account("late");
    assertThat(late.reserve(45)).as("it has nothing yet").isTrue();
  }

  @Test
  void sharesGoByWeight() {
    acme.setWeight(3);
    HeapAccount globex = ledger.account("globex");
    settle(Map.of("acme", 95L, "globex", 89L));
    assertThat(acme.reserve(5)).isTrue();
    assertThat(globex.reserve(1)).isFalse();
  }

  @Test
  void whatIsKeptIsBilledForAsLongAsItIs() {
    long second = 1_000_000_000L;
    for (int period = 0; period < 30; period++) {
      long now = period * 30L * second;
      ledger.bill(Map.of("acme", 100_000L), now);
      ledger.bill(Map.of("globex", 7L), now + 229 * second / 10);
    }
    assertThat(ledger.takeByteSeconds("acme", 900 * second)).isEqualTo(30L * 2_290_000);
    assertThat(ledger.takeByteSeconds("acme", 999 * second)).as("once").isZero();
    assertThat(ledger.takeByteSeconds("nobody", 999 * second)).isZero();
  }

  @Test
  void theUsualBoundsArePartsOfTheHeap() {
    assertThat(HeapLimits.ofHeap(256 << 20)).isEqualTo(new HeapLimits(32 << 20, (256 << 20) / 3));
  }
}
