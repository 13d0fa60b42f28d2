package io.keyvalueserve.gates.reclaim;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyvalueserve.gates.reclaim.ReclaimPlan.Take;
import io.keyvalueserve.gates.reclaim.ReclaimReason.InactiveFor;
import io.keyvalueserve.gates.reclaim.ReclaimReason.Kind;
import io.keyvalueserve.gates.reclaim.ReclaimReason.LessActive;
import io.keyvalueserve.gates.reclaim.ReclaimReason.OverFairShare;
import io.keyvalueserve.gates.reclaim.ReclaimReason.OverQuota;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;

/** Goal: who gives up memory is who should. Method: examples, and the rules on random tenants. */
class ReclaimPlannerTest {
  private static final long NOW = 10_000_000;
  private static final long NO_QUOTA = Long.MAX_VALUE;

  private static ReclaimConfig config(int lessActivePercent, long floorBytes) {
    return new ReclaimConfig(1000, 90, 80, Duration.ofMinutes(10), lessActivePercent, floorBytes);
  }

  private static TenantMemory tenant(int number, long heldBytes, int idleMinutes, double rate) {
    return tenant(number, heldBytes, idleMinutes, rate, rate);
  }

  private static TenantMemory tenant(
      int number, long heldBytes, int idleMinutes, double rate, double counted) {
    return new TenantMemory(
        number,
        heldBytes,
        NOW - Duration.ofMinutes(idleMinutes).toMillis(),
        rate,
        counted,
        1,
        0,
        NO_QUOTA,
        ReclaimAction.SPILL);
  }

  private static ReclaimPlan plan(ReclaimConfig config, TenantMemory... tenants) {
    long used = 0;
    for (TenantMemory each : tenants) {
      used += each.heldBytes();
    }
    return ReclaimPlanner.plan(config, used, List.of(tenants), NOW);
  }

  @Test
  void nothingIsTakenBelowTheHighWatermark() {
    ReclaimPlan plan = plan(config(20, 0), tenant(1, 450, 0, 9), tenant(2, 450, 60, 0));
    assertThat(plan).isEqualTo(new ReclaimPlan(0, List.of()));
  }

  @Test
  void theLongestInactiveGivesFirstDownToTheFloor() {
    ReclaimPlan plan =
        plan(
            config(0, 10),
            tenant(1, 300, 20, 0),
            tenant(2, 100, 40, 0),
            tenant(3, 550, 0, 1),
            tenant(4, 50, 30, 0));
    assertThat(plan.takes())
        .containsExactly(
            new Take(2, 90, new InactiveFor(2_400_000), ReclaimAction.SPILL),
            new Take(4, 40, new InactiveFor(1_800_000), ReclaimAction.SPILL),
            new Take(1, 70, new InactiveFor(1_200_000), ReclaimAction.SPILL));
  }

  @Test
  void thoseThatAskForMuchLessGiveBeforeActiveOnes() {
    ReclaimPlan plan =
        plan(config(20, 10), tenant(1, 700, 0, 100), tenant(2, 200, 0, 19), tenant(3, 60, 0, 1));
    assertThat(plan.takes())
        .containsExactly(
            new Take(2, 150, new LessActive(19, 20), ReclaimAction.SPILL),
            new Take(3, 10, new LessActive(1, 20), ReclaimAction.SPILL));
  }

  @Test
  void whoFloodsTheMemoryMakesNobodyLessActive() {
    ReclaimPlan plan =
        plan(
            config(20, 10),
            tenant(1, 700, 0, 100_000, 0),
            tenant(2, 250, 0, 2_000),
            tenant(3, 10, 0, 400));
    assertThat(plan.takes())
        .containsExactly(new Take(1, 160, new OverFairShare(160), ReclaimAction.SPILL));
  }

  @Test
  void activeTenantsGiveWhatIsOverTheirShare() {
    ReclaimPlan plan =
        plan(config(20, 0), tenant(1, 700, 0, 100), tenant(2, 200, 0, 90), tenant(3, 60, 0, 80));
    assertThat(plan.takes())
        .containsExactly(new Take(1, 160, new OverFairShare(160), ReclaimAction.SPILL));
  }

  @Test
  void whatIsOverAQuotaIsTakenThoughMemoryIsNotShort() {
    TenantMemory over = new TenantMemory(7, 300, NOW, 5, 5, 1, 0, 200, ReclaimAction.DELETE);
    assertThat(plan(config(20, 0), over, tenant(8, 100, 0, 5)).takes())
        .containsExactly(new Take(7, 100, new OverQuota(100), ReclaimAction.DELETE));
  }

  @Test
  void anInactiveTenantKeepsItsReservation() {
    TenantMemory reserved =
        new TenantMemory(1, 500, 0, 0, 0, 1, 450, NO_QUOTA, ReclaimAction.SPILL);
    assertThat(plan(config(0, 10), reserved, tenant(2, 500, 0, 5)).takes())
        .containsExactly(
            new Take(1, 50, new InactiveFor(NOW), ReclaimAction.SPILL),
            new Take(2, 150, new OverFairShare(150), ReclaimAction.SPILL));
  }

  @Test
  void whatNobodyMayGiveIsMissing() {
    ReclaimPlan plan =
        ReclaimPlanner.plan(
            config(0, 40), 990, List.of(tenant(1, 100, 99, 0), tenant(2, 60, 0, 1)), NOW);
    assertThat(plan.neededBytes()).isEqualTo(190);
    assertThat(plan.bytes()).isEqualTo(80);
    assertThat(plan.missingBytes()).isEqualTo(110);
  }

  // ---- random tenants

  private record Scene(ReclaimConfig config, long otherBytes, List<TenantMemory> tenants) {
    static Scene random(Random random) {
      long capacity = 1 + random.nextLong(1L << (1 + random.nextInt(48)));
      int high = 1 + random.nextInt(100);
      ReclaimConfig config =
          new ReclaimConfig(
              capacity,
              high,
              1 + random.nextInt(high),
              Duration.ofMillis(1 + random.nextInt(1_000)),
              random.nextInt(101),
              random.nextBoolean() ? 0 : random.nextLong(capacity / 10 + 1));
      List<TenantMemory> tenants = new ArrayList<>();
      int count = random.nextInt(12);
      for (int i = 1; i <= count; i++) {
        long held = random.nextInt(5) == 0 ? 0 : random.nextLong(capacity * 2 / count + 1);
        long quota = random.nextInt(4) == 0 ? random.nextLong(held + 1) : NO_QUOTA;
        double uses = random.nextInt(4) * random.nextDouble() * 100;
        tenants.add(
            new TenantMemory(
                i,
                held,
                NOW - random.nextInt(2_000),
                uses,
                random.nextBoolean() ? uses : random.nextDouble() * uses,
                random.nextBoolean() ? 1 : 1 + random.nextInt(1000),
                random.nextInt(3) == 0 ? random.nextLong(Math.min(quota, held + 1) + 1) : 0,
                quota,
                random.nextBoolean() ? ReclaimAction.SPILL : ReclaimAction.DELETE));
      }
      return new Scene(config, random.nextInt(3) == 0 ? random.nextLong(capacity) : 0, tenants);
    }

    ReclaimPlan plan() {
      return ReclaimPlanner.plan(config, usedBytes(), tenants, NOW);
    }

    long usedBytes() {
      return otherBytes + tenants.stream().mapToLong(TenantMemory::heldBytes).sum();
    }

    TenantMemory tenant(int number) {
      return tenants.get(number - 1);
    }

    boolean isIdle(TenantMemory tenant) {
      return NOW - tenant.lastActiveMillis() >= config.inactiveAfter().toMillis();
    }

    Kind kind(TenantMemory tenant) {
      if (isIdle(tenant)) {
        return Kind.INACTIVE;
      }
      double most =
          tenants.stream()
              .filter(each -> !isIdle(each))
              .mapToDouble(each -> each.countedPerSecond() / each.weight())
              .max()
              .orElse(0);
      return tenant.usesPerSecond() / tenant.weight() < most * config.lessActivePercent() / 100
          ? Kind.LESS_ACTIVE
          : Kind.OVER_FAIR_SHARE;
    }

    /** What a tenant keeps at least. */
    long kept(TenantMemory tenant) {
      long allowed = Math.min(tenant.heldBytes(), tenant.quotaBytes());
      long reserved = kind(tenant) == Kind.OVER_FAIR_SHARE ? 0 : tenant.reservedBytes();
      return Math.min(allowed, Math.max(config.floorBytes(), reserved));
    }

    long left(ReclaimPlan plan, TenantMemory tenant) {
      return tenant.heldBytes()
          - plan.takes().stream()
              .filter(take -> take.tenant() == tenant.tenant())
              .mapToLong(Take::bytes)
              .sum();
    }
  }

  @Property
  void aPlanFreesWhatIsNeededOrAllThatMayBeTaken(@ForAll Random random) {
    Scene scene = Scene.random(random);
    ReclaimPlan plan = scene.plan();
    long may = scene.tenants.stream().mapToLong(each -> each.heldBytes() - scene.kept(each)).sum();
    long overQuota =
        scene.tenants.stream()
            .mapToLong(each -> Math.max(0, each.heldBytes() - each.quotaBytes()))
            .sum();
    assertThat(plan.bytes()).isEqualTo(Math.max(overQuota, Math.min(plan.neededBytes(), may)));
    assertThat(plan.missingBytes()).isEqualTo(Math.max(0, plan.neededBytes() - may));
  }

  @Property
  void nobodyIsTakenBelowWhatItKeepsOrLeftOverItsQuota(@ForAll Random random) {
    Scene scene = Scene.random(random);
    ReclaimPlan plan = scene.plan();
    for (TenantMemory each : scene.tenants) {
      assertThat(scene.left(plan, each)).isBetween(scene.kept(each), each.quotaBytes());
    }
    assertThat(plan.takes()).allMatch(take -> take.bytes() > 0);
  }

  @Property
  void reasonsComeInTheirOrderAndEachTenantHasItsOwn(@ForAll Random random) {
    Scene scene = Scene.random(random);
    ReclaimPlan plan = scene.plan();
    Kind last = Kind.OVER_QUOTA;
    long idle = Long.MAX_VALUE;
    for (Take take : plan.takes()) {
      Kind kind = take.reason().kind();
      assertThat(kind).isGreaterThanOrEqualTo(last);
      last = kind;
      if (kind != Kind.OVER_QUOTA) {
        assertThat(kind).isEqualTo(scene.kind(scene.tenant(take.tenant())));
      }
      if (take.reason() instanceof InactiveFor inactive) {
        assertThat(inactive.millis()).isLessThanOrEqualTo(idle);
        idle = inactive.millis();
      }
      assertThat(take.action()).isEqualTo(scene.tenant(take.tenant()).action());
    }
  }

  /** Who comes later in the order loses nothing while an earlier one has something to give. */
  @Property
  void noOneLosesAnythingWhileOneBeforeItHasSomethingToGive(@ForAll Random random) {
    Scene scene = Scene.random(random);
    ReclaimPlan plan = scene.plan();
    for (Take take : plan.takes()) {
      TenantMemory loser = scene.tenant(take.tenant());
      for (TenantMemory other : scene.tenants) {
        boolean before =
            scene.kind(other).compareTo(scene.kind(loser)) < 0
                || (scene.isIdle(loser) && other.lastActiveMillis() < loser.lastActiveMillis());
        if (before && take.reason().kind() != Kind.OVER_QUOTA) {
          assertThat(scene.left(plan, other)).isLessThanOrEqualTo(scene.kept(other));
        }
      }
    }
  }

  /** A tenant that has no more than another for its weight, unreserved, gives only after it. */
  @Property
  void noActiveTenantBelowItsShareLosesWhileAnotherIsOver(@ForAll Random random) {
    Scene scene = Scene.random(random);
    ReclaimPlan plan = scene.plan();
    for (Take take : plan.takes()) {
      TenantMemory loser = scene.tenant(take.tenant());
      if (take.reason().kind() != Kind.OVER_FAIR_SHARE) {
        continue;
      }
      long level = scene.left(plan, loser) / loser.weight() + 1;
      for (TenantMemory other : scene.tenants) {
        long left = scene.left(plan, other);
        boolean guaranteed = left <= Math.max(scene.config.floorBytes(), other.reservedBytes());
        if (scene.kind(other) == Kind.OVER_FAIR_SHARE && !guaranteed) {
          assertThat(left).isLessThanOrEqualTo(level * other.weight());
        }
      }
    }
  }

  @Property
  void aPlanThatWasCarriedOutLeavesNothingToPlan(@ForAll Random random) {
    Scene scene = Scene.random(random);
    ReclaimPlan plan = scene.plan();
    List<TenantMemory> after = new ArrayList<>();
    for (TenantMemory each : scene.tenants) {
      after.add(
          new TenantMemory(
              each.tenant(),
              scene.left(plan, each),
              each.lastActiveMillis(),
              each.usesPerSecond(),
              each.countedPerSecond(),
              each.weight(),
              each.reservedBytes(),
              each.quotaBytes(),
              each.action()));
    }
    ReclaimPlan next =
        ReclaimPlanner.plan(scene.config, scene.usedBytes() - plan.bytes(), after, NOW);
    assertThat(next.takes()).isEmpty();
  }

  @Property
  void theOrderOfTenantsMakesNoDifference(@ForAll Random random) {
    Scene scene = Scene.random(random);
    List<TenantMemory> shuffled = new ArrayList<>(scene.tenants);
    Collections.shuffle(shuffled, random);
    assertThat(new Scene(scene.config, scene.otherBytes, shuffled).plan()).isEqualTo(scene.plan());
  }
}
