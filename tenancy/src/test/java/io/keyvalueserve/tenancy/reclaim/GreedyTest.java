package io.keyvalueserve.tenancy.reclaim;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

/** Goal: who makes memory short is held, and nobody else if there is somebody to be held. */
class GreedyTest {
  private static final long NOW = 10_000_000;
  private static final ReclaimConfig CONFIG =
      new ReclaimConfig(1000, 90, 80, Duration.ofMinutes(10), 20, 10);

  private static TenantUsage tenant(int number, long held, double rate, long reserved, long quota) {
    return new TenantUsage(number, held, NOW, rate, rate, 1, reserved, quota, ReclaimAction.SPILL);
  }

  private static Set<Integer> greedy(TenantUsage... tenants) {
    List<TenantUsage> all = List.of(tenants);
    long used = all.stream().mapToLong(TenantUsage::heldBytes).sum();
    return Greedy.of(CONFIG, all, ReclaimPlanner.plan(CONFIG, used, all, NOW));
  }

  /** It gives up what it has, as it is less active, but it is the other one that fills memory. */
  @Test
  void whoIsLessActiveAndHasLittleIsNotHeldBesideAFlood() {
    TenantUsage victim = tenant(1, 22, 2_000, 0, Long.MAX_VALUE);
    TenantUsage flood = tenant(2, 940, 100_000, 0, Long.MAX_VALUE);
    ReclaimPlan plan = ReclaimPlanner.plan(CONFIG, 962, List.of(victim, flood), NOW);
    assertThat(plan.takes()).extracting(ReclaimPlan.Take::tenant).containsExactly(1, 2);
    assertThat(greedy(victim, flood)).containsExactly(2);
  }

  /** What the victim gives up is enough this time. */
  @Test
  void whoFillsMemoryIsHeldThoughOnlyAnotherGives() {
    TenantUsage victim = tenant(1, 150, 2_000, 0, Long.MAX_VALUE);
    TenantUsage flood = tenant(2, 760, 100_000, 0, Long.MAX_VALUE);
    ReclaimPlan plan = ReclaimPlanner.plan(CONFIG, 910, List.of(victim, flood), NOW);
    assertThat(plan.takes()).extracting(ReclaimPlan.Take::tenant).containsExactly(1);
    assertThat(greedy(victim, flood)).containsExactly(2);
  }

  @Test
  void whoIsLessActiveAndFloodsIsHeld() {
    assertThat(
            greedy(
                tenant(1, 200, 100_000, 0, Long.MAX_VALUE),
                tenant(2, 750, 2_000, 0, Long.MAX_VALUE)))
        .containsExactly(2);
  }

  @Test
  void whoHasNoMoreThanItHasReservedIsNotHeld() {
    assertThat(
            greedy(
                tenant(1, 500, 2_000, 500, Long.MAX_VALUE),
                tenant(2, 450, 100_000, 0, Long.MAX_VALUE)))
        .containsExactly(2);
  }

  @Test
  void whoIsOverItsQuotaIsHeldHoweverLittleThatIs() {
    assertThat(greedy(tenant(1, 60, 9, 0, 50), tenant(2, 300, 9, 0, Long.MAX_VALUE)))
        .containsExactly(1);
  }

  /** What others have is no matter as long as there is enough. */
  @Test
  void onlyWhoIsOverItsQuotaIsHeldWhereMemoryIsNotShort() {
    assertThat(greedy(tenant(1, 60, 9, 0, 50), tenant(2, 600, 9, 0, Long.MAX_VALUE)))
        .containsExactly(1);
  }

  /** Else nothing would keep memory from filling up. */
  @Property
  void somebodyIsHeldWhereSomebodyGives(
      @ForAll @Size(min = 1, max = 5) List<@IntRange(max = 600) Integer> held,
      @ForAll @IntRange(max = 1000) int rate) {
    TenantUsage[] tenants = new TenantUsage[held.size()];
    Arrays.setAll(
        tenants, i -> tenant(i + 1, held.get(i), i == 0 ? rate : 1000, 0, Long.MAX_VALUE));
    List<TenantUsage> all = List.of(tenants);
    long used = all.stream().mapToLong(TenantUsage::heldBytes).sum();
    ReclaimPlan plan = ReclaimPlanner.plan(CONFIG, used, all, NOW);
    Set<Integer> giving =
        plan.takes().stream().map(ReclaimPlan.Take::tenant).collect(Collectors.toSet());
    Set<Integer> greedy = Greedy.of(CONFIG, all, plan);
    assertThat(greedy.isEmpty()).isEqualTo(giving.isEmpty());
  }
}
