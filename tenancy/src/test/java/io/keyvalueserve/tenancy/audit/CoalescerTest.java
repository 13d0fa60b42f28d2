package io.keyvalueserve.tenancy.audit;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyvalueserve.tenancy.TenantName;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CoalescerTest {
  private static final Duration SECOND = Duration.ofSeconds(1);
  private static final Instant T0 = HandClock.START;
  private static final TenantName ACME = new TenantName("acme");

  private final Coalescer coalescer = new Coalescer(SECOND, 4);

  @Test
  void makesOneEventOfAWindow() {
    coalescer.add(refused("a", "x"), T0, 1);
    coalescer.add(refused("a", "x"), T0.plusMillis(999), 1);
    assertThat(coalescer.due(T0.plusMillis(999))).isEmpty();
    coalescer.add(refused("a", "x"), T0.plusMillis(1_000), 1);
    assertThat(coalescer.due(T0.plusMillis(1_000)))
        .containsExactly(new Coalescer.Counted(refused("a", "x"), T0, 2));
    assertThat(coalescer.all())
        .containsExactly(new Coalescer.Counted(refused("a", "x"), T0.plusMillis(1_000), 1));
    assertThat(coalescer.isEmpty()).isTrue();
  }

  @Test
  void mergesWhatIsTooMuchByActorAndThenByKind() {
    for (int i = 0; i < 5; i++) {
      coalescer.add(refused("a", "x" + i), T0, 1);
    }
    for (int i = 0; i < 8; i++) {
      coalescer.add(refused("b" + i, "y"), T0, 1);
    }
    coalescer.add(refused("a", "x0"), T0, 1);
    List<Coalescer.Counted> all = coalescer.all();
    assertThat(all).hasSize(9).element(0).extracting(Coalescer.Counted::count).isEqualTo(2L);
    assertThat(all.get(1).occurrence()).isEqualTo(refused("a", "x4").ofVariousObjects());
    assertThat(all.get(1).occurrence().object()).isEmpty();
    assertThat(all.get(1).count()).isEqualTo(4);
    assertThat(all.get(3).occurrence()).isEqualTo(refused("b1", "y"));
    assertThat(all.get(4).occurrence()).isEqualTo(refused("b2", "y").ofVariousObjects());
    assertThat(all.get(8).occurrence().actor()).isEqualTo(Actor.Other.MANY);
    assertThat(all.get(8).count()).isEqualTo(2);
  }

  @Test
  void endsAWindowThatLiesInTheFutureBecauseTheClockWasSetBack() {
    coalescer.add(refused("a", "x"), T0, 1);
    assertThat(coalescer.due(T0.minusSeconds(3_600))).hasSize(1);
  }

  /** Calls at random, few objects or very many: counts sum up and the table stays small. */
  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6})
  void losesNoCallAndNeverGrows(long seed) {
    Random random = new Random(seed);
    int most = 1 + random.nextInt(20);
    int actors = random.nextBoolean() ? 3 : 10_000;
    int objects = random.nextBoolean() ? 3 : 10_000;
    Coalescer tested = new Coalescer(Duration.ofMillis(random.nextInt(50)), most);
    Instant now = T0;
    List<Coalescer.Counted> out = new ArrayList<>();
    int calls = 20_000;
    for (int i = 0; i < calls; i++) {
      now =
          now.plusMillis(random.nextInt(100) == 0 ? random.nextInt(-100, 100) : random.nextInt(2));
      tested.add(refused("a" + random.nextInt(actors), "x" + random.nextInt(objects)), now, 1);
      assertThat(tested.size()).isLessThanOrEqualTo(2 * most + 1);
      if (random.nextInt(50) == 0) {
        out.addAll(tested.due(now));
      }
      if (random.nextInt(1_000) == 0) {
        out.addAll(tested.all());
      }
    }
    out.addAll(tested.all());
    assertThat(out.stream().mapToLong(Coalescer.Counted::count).sum()).isEqualTo(calls);
    assertThat(tested.isEmpty()).isTrue();
  }

  private static Occurrence refused(String address, String object) {
    return Occurrence.requestRefused(new Actor.Client(address), ACME, object, "GET");
  }

  @Test
  void oneActorsNoiseBlursNothingOfAnother() {
    Coalescer coalescer = new Coalescer(Duration.ofSeconds(1), 256);
    Actor noisy = new Actor.TenantKey(new TenantName("evil"), "noise");
    Actor quiet = new Actor.TenantKey(new TenantName("evil"), "quiet");
    for (int i = 0; i < 1_000; i++) {
      coalescer.add(Occurrence.requestRefused(noisy, null, "x/" + i, "no"), HandClock.START, 1);
    }
    Occurrence hidden =
        Occurrence.requestRefused(quiet, new TenantName("acme"), "acme/orders", "no grant");
    coalescer.add(hidden, HandClock.START, 1);
    assertThat(coalescer.size()).isLessThan(40);
    assertThat(coalescer.all()).extracting(Coalescer.Counted::occurrence).contains(hidden);
  }
}
