package io.keyvalueserve.gates.reclaim;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Goal: active tenants keep 98 % and more of the hits that they have alone, beside tenants a tenth
 * as active, on the same memory. Method: a simulation of requests by Zipf's law, from seeds; all
 * figures come from {@link ReclaimSimulation}.
 */
class HitRatioTest {
  private static final int REQUESTS = 400_000;
  private static final Workload EQUAL = new Workload(2, 2, 50_000, 0.99, 10_000, 1000);
  private static final Workload MANY_QUIET = new Workload(2, 8, 50_000, 0.99, 40_000, 1000);
  private static final Workload FLAT = new Workload(2, 8, 50_000, 0.7, 40_000, 1000);

  private static final int MEMORY = 10_000;
  private static final int TIMES_AS_OFTEN = 20;
  private static final int VICTIM_PER_SECOND = 1_000;
  private static final int FLOODED = 60_000 * TIMES_AS_OFTEN;

  private static double kept(Workload workload, long seed) {
    double alone =
        workload.alone().activeHitRatio(TenantCache.of(workload.alone(), seed), REQUESTS, seed);
    return workload.activeHitRatio(TenantCache.of(workload, seed), REQUESTS, seed) / alone;
  }

  /** Exact peers search long, and what they lose is seen soon. */
  private static double kept(Peers peer, Workload workload, long seed) {
    Workload alone = workload.alone();
    int requests = REQUESTS / 2;
    return workload.activeHitRatio(peer.cache(workload, seed), requests, seed)
        / alone.activeHitRatio(peer.cache(alone, seed), requests, seed);
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void activeTenantsKeepTheirHits(long seed) {
    assertThat(kept(EQUAL, seed)).isGreaterThan(0.985);
    assertThat(kept(MANY_QUIET, seed)).isGreaterThan(0.985);
    assertThat(kept(FLAT, seed)).isGreaterThan(0.985);
  }

  /** Else the test above would say nothing. */
  @Test
  void withoutTenantsTheyDoNot() {
    for (Peers peer : Peers.values()) {
      assertThat(kept(peer, MANY_QUIET, 1)).as(peer.name()).isLessThan(0.97);
      assertThat(kept(peer, FLAT, 1)).as(peer.name()).isLessThan(0.95);
    }
  }

  /** Fair shares by themselves leave the quiet ones what they have. */
  @Test
  void norWouldTheyByFairSharesAlone() {
    ReclaimConfig config =
        new ReclaimConfig(
            (long) MANY_QUIET.cachedRecords() * TenantCache.RECORD_BYTES,
            95,
            93,
            Duration.ofMinutes(10),
            0,
            0);
    Workload alone = MANY_QUIET.alone();
    double before = alone.activeHitRatio(new TenantCache(alone, config, 64, 8, 1), REQUESTS, 1);
    double beside =
        MANY_QUIET.activeHitRatio(new TenantCache(MANY_QUIET, config, 64, 8, 1), REQUESTS, 1);
    assertThat(beside / before).isLessThan(0.97);
  }

  /** Eight tenants fill the memory and fall silent; then two come and have it to themselves. */
  @Test
  void tenantsThatFellSilentGiveUpTheirMemory() {
    TenantCache cache = TenantCache.of(MANY_QUIET, 1);
    for (int key = 0; key < MANY_QUIET.cachedRecords(); key++) {
      int tenant = 2 + key % 8;
      cache.access(tenant, tenant * MANY_QUIET.keys() + key, 0);
    }
    Workload later = new Workload(2, 0, MANY_QUIET.keys(), 0.99, MANY_QUIET.cachedRecords(), 1000);
    double beside = later.activeHitRatio(cache, REQUESTS, 1);
    double alone = later.activeHitRatio(TenantCache.of(later, 1), REQUESTS, 1);
    assertThat(beside / alone).isGreaterThan(0.985);
    assertThat(cache.held(2)).isLessThan(MANY_QUIET.cachedRecords() / 1000);
  }

  /**
   * Beside a tenant that writes new keys twenty times as often as it asks, or does so and also asks
   * for one key all the time, a tenant keeps what fits into its share.
   */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aFloodTakesNothingFromWhoUsesWhatItHas(boolean asksForOneKey) {
    int fits = MEMORY / 2 - MEMORY / 10;
    Workload both = new Workload(1, 1, FLOODED, 0.99, MEMORY, VICTIM_PER_SECOND);
    TenantCache cache = TenantCache.of(both, 1);
    SplittableRandom random = new SplittableRandom(1);
    int hits = 0;
    for (int i = 0; i < FLOODED / TIMES_AS_OFTEN; i++) {
      int now = i / VICTIM_PER_SECOND;
      hits += cache.access(0, random.nextInt(fits), now) && i >= 10 * fits ? 1 : 0;
      for (int j = 0; j < TIMES_AS_OFTEN; j++) {
        cache.access(1, FLOODED + (asksForOneKey && j % 2 == 0 ? 0 : i * TIMES_AS_OFTEN + j), now);
      }
    }
    assertThat(cache.held(1)).isGreaterThan(MEMORY / 3);
    assertThat((double) hits / (FLOODED / TIMES_AS_OFTEN - 10 * fits)).isGreaterThan(0.999);
  }
}
