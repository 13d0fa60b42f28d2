package io.keyvalueserve.gates.reclaim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

class VictimSampleTest {
  private record Offer(long record, float score) {}

  @Property
  void keepsThoseWorthLeastInOrder(
      @ForAll @IntRange(min = 1, max = 20) int capacity,
      @ForAll @IntRange(min = 0, max = 100) int offers,
      @ForAll Random random) {
    VictimSample sample = new VictimSample(capacity);
    for (int round = 0; round < 2; round++) {
      List<Offer> all = new ArrayList<>();
      for (int i = 0; i < offers; i++) {
        Offer offer = new Offer(i, random.nextInt(30));
        all.add(offer);
        sample.offer(offer.record, offer.score);
      }
      List<Float> least =
          all.stream()
              .sorted(Comparator.comparingDouble(Offer::score))
              .limit(capacity)
              .map(Offer::score)
              .toList();
      List<Float> kept = new ArrayList<>();
      for (int i = 0; i < sample.size(); i++) {
        kept.add(all.get((int) sample.record(i)).score);
      }
      assertThat(kept).isEqualTo(least);
      sample.clear();
    }
  }

  @Test
  void whatIsNotThereCannotBeHad() {
    VictimSample sample = new VictimSample(2);
    sample.offer(1, 1);
    assertThatThrownBy(() -> sample.record(1)).hasMessage("index=1 size=1");
    assertThatThrownBy(() -> new VictimSample(0)).hasMessage("capacity is 1 or more: 0");
  }

  @Test
  void scoresGrowWithUsesAndFallWithIdleness() {
    for (int count = 0; count < RecordScore.MOST_COUNT; count++) {
      assertThat(RecordScore.of(count + 1, 9)).isGreaterThan(RecordScore.of(count, 9));
      assertThat(RecordScore.of(count, 10)).isLessThan(RecordScore.of(count, 9));
    }
    assertThat(RecordScore.of(255, Integer.MAX_VALUE)).isPositive();
    assertThat(RecordScore.of(3, -5)).as("a clock that went back").isEqualTo(RecordScore.of(3, 0));
  }

  /** The counter of records in memory stands for as many uses as the score takes it for. */
  @Test
  void aCountStandsForTheUsesThatMadeIt() {
    Random random = new Random(4);
    double uses = 0;
    int rounds = 4_000;
    for (int i = 0; i < rounds; i++) {
      for (int count = 0; count < 5; uses++) {
        if (count == 0 || random.nextDouble() * count * 10 < 1) {
          count++;
        }
      }
    }
    assertThat(uses / rounds / RecordScore.of(5, 0)).isBetween(0.95, 1.05);
  }
}
