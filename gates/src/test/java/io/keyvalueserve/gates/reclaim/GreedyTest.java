package io.keyvalueserve.gates.reclaim;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
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

  private static TenantMemory tenant(
      int number, long held, double rate, long reserved, long quota) {
    return new TenantMemory(number, held, NOW, rate, rate, 1, reserved, quota, ReclaimAction.SPILL);
  }

  private static TenantMemory tenant(int number, long held, int weight) {
    return new TenantMemory(
        number, held, NOW, 100, 100, weight, 0, Long.MAX_VALUE, ReclaimAction.SPILL);
  }

  /** Where nobody has grown. */
  private static Set<Integer> greedy(TenantMemory... tenants) {
    return greedy(Map.of(), tenants);
  }

  private static Set<Integer> greedy(Map<Integer, Integer> grown, TenantMemory... tenants) {
    List<TenantMemory> all = List.of(tenants);
    long used = all.stream().mapToLong(TenantMemory::heldBytes).sum();
    return Greedy.of(
        all, ReclaimPlanner.plan(CONFIG, used, all, NOW), number -> grown.getOrDefault(number, 0));
  }

  /** It gives up what it has, as it is less active, but it is the other one that fills memory. */
  @Test
  void whoIsLessActiveAndHasLittleIsNotHeldBesideAFlood() {
    TenantMemory victim = tenant(1, 22, 2_000, 0, Long.MAX_VALUE);
    TenantMemory flood = tenant(2, 940, 100_000, 0, Long.MAX_VALUE);
    ReclaimPlan plan = ReclaimPlanner.plan(CONFIG, 962, List.of(victim, flood), NOW);
    assertThat(plan.takes()).extracting(ReclaimPlan.Take::tenant).containsExactly(1, 2);
    assertThat(greedy(victim, flood)).containsExactly(2);
  }

  /** What the victim gives up is enough this time. */
  @Test
  void whoFillsMemoryIsHeldThoughOnlyAnotherGives() {
    TenantMemory victim = tenant(1, 150, 2_000, 0, Long.MAX_VALUE);
    TenantMemory flood = tenant(2, 760, 100_000, 0, Long.MAX_VALUE);
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

  /** What many do not use of their parts is everybody's. */
  @Test
  void whoIsWithinItsShareIsNotHeldHoweverManyOthersThereAre() {
    TenantMemory[] tenants = new TenantMemory[62];
    Arrays.setAll(tenants, i -> tenant(i + 1, 1, 1));
    tenants[60] = tenant(61, 20, 1);
    tenants[61] = tenant(62, 910, 1);
    assertThat(greedy(Map.of(61, 1, 62, 100), tenants)).containsExactly(62);
    assertThat(greedy(tenants)).containsExactly(62);
  }

  @Test
  void theWeightOfWhoHoldsLittleTakesNothingFromOthers() {
    assertThat(greedy(tenant(1, 1, 1000), tenant(2, 20, 1), tenant(3, 939, 1))).containsExactly(3);
  }

  /**
   * The first is let have more than its share, as it uses so much more: it is the other's growth.
   */
  @Test
  void whoGivesAndGrowsIsHeldBesideWhoIsOverItsShareAndDoesNot() {
    TenantMemory busy = tenant(1, 600, 100_000, 0, Long.MAX_VALUE);
    TenantMemory growing = tenant(2, 350, 2_000, 0, Long.MAX_VALUE);
    assertThat(greedy(Map.of(1, 2, 2, 98), busy, growing)).containsExactly(2);
    assertThat(greedy(Map.of(1, 98, 2, 2), busy, growing)).containsExactly(1);
    assertThat(greedy(Map.of(1, 50, 2, 50), busy, growing)).containsExactly(1);
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
      @ForAll @Size(5) List<@IntRange(max = 100) Integer> grown,
      @ForAll @IntRange(max = 1000) int rate) {
    TenantMemory[] tenants = new TenantMemory[held.size()];
    Arrays.setAll(
        tenants, i -> tenant(i + 1, held.get(i), i == 0 ? rate : 1000, 0, Long.MAX_VALUE));
    List<TenantMemory> all = List.of(tenants);
    long used = all.stream().mapToLong(TenantMemory::heldBytes).sum();
    ReclaimPlan plan = ReclaimPlanner.plan(CONFIG, used, all, NOW);
    Set<Integer> giving =
        plan.takes().stream().map(ReclaimPlan.Take::tenant).collect(Collectors.toSet());
    Set<Integer> greedy = Greedy.of(all, plan, number -> grown.get(number - 1));
    assertThat(greedy.isEmpty()).isEqualTo(giving.isEmpty());
  }

  /** Whoever holds no more than a part of equals is within its share, and gives nothing. */
  @Property
  void nobodyIsHeldWhoHasNoMoreThanAnEqualPart(
      @ForAll @Size(min = 2, max = 9) List<@IntRange(max = 600) Integer> held,
      @ForAll @Size(9) List<@IntRange(max = 100) Integer> grown) {
    TenantMemory[] tenants = new TenantMemory[held.size()];
    Arrays.setAll(tenants, i -> tenant(i + 1, held.get(i), 1));
    long equal = 800 / held.size();
    Map<Integer, Integer> growth = new HashMap<>();
    for (int i = 0; i < tenants.length; i++) {
      growth.put(i + 1, grown.get(i));
    }
    assertThat(greedy(growth, tenants)).allMatch(number -> held.get(number - 1) > equal);
  }
}
