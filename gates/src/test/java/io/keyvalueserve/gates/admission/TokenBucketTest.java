package io.keyvalueserve.gates.admission;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.DoubleRange;
import net.jqwik.api.constraints.LongRange;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TokenBucketTest {
  private static final long SECOND = 1_000_000_000;
  private static final long HOUR = 3600 * SECOND;
  private static final long MOST_PER_SECOND = 1_000_000_000_000L;

  @Test
  void admitsTheBurstAndThenTheRate() {
    TokenBucket bucket = new TokenBucket(10, 5, 0);
    assertThat(takeAll(bucket, 0)).isEqualTo(5);
    assertThat(bucket.take(1, 0)).isBetween(SECOND / 10, SECOND / 10 + 1);
    assertThat(bucket.take(1, SECOND / 10 - 1)).isBetween(1L, 2L);
    assertThat(takeAll(bucket, SECOND / 5)).isEqualTo(2);
    assertThat(takeAll(bucket, HOUR)).as("saved up").isEqualTo(5);
  }

  @Test
  void limitsNothingUntilItIsTold() {
    TokenBucket bucket = new TokenBucket();
    assertThat(bucket.take(TokenBucket.MOST_AMOUNT, 0)).isZero();
    bucket.charge(TokenBucket.MOST_AMOUNT, 0);
    bucket.setRate(10, 10, 0);
    assertThat(bucket.available(0)).as("begins empty").isZero();
    bucket.setUnlimited();
    assertThat(bucket.isLimited()).isFalse();
    assertThat(bucket.take(TokenBucket.MOST_AMOUNT, 0)).isZero();
  }

  @Test
  void admitsMoreThanTheBurstWhenFullAndThenWaitsForIt() {
    TokenBucket bucket = new TokenBucket(10, 5, 0);
    assertThat(bucket.take(25, 0)).isZero();
    assertThat(bucket.available(0)).isEqualTo(-20);
    assertThat(bucket.take(1, 2 * SECOND)).isPositive();
    assertThat(bucket.take(1, 2 * SECOND + SECOND / 10)).isZero();
    assertThat(bucket.take(25, 2 * SECOND + SECOND / 2)).isPositive();
    assertThat(bucket.take(25, 3 * SECOND)).isZero();
  }

  @Test
  void chargesWithoutAskingAndRefusesUntilTheDebtIsPaid() {
    TokenBucket bucket = new TokenBucket(10, 5, 0);
    bucket.charge(35, 0);
    bucket.charge(0, 0);
    assertThat(bucket.available(0)).isEqualTo(-30);
    assertThat(bucket.take(1, 3 * SECOND)).isPositive();
    assertThat(bucket.take(0, 3 * SECOND)).isZero();
    assertThat(bucket.take(1, 3 * SECOND + SECOND / 10)).isZero();
  }

  @Test
  void aChangedRateGivesNothingAndForgivesNothing() {
    TokenBucket bucket = new TokenBucket(10, 5, 0);
    bucket.setRate(1000, 60_000, HOUR);
    assertThat(bucket.available(HOUR)).as("what was saved, and no more").isEqualTo(5);
    bucket.setRate(1000, 2, HOUR);
    assertThat(bucket.available(HOUR)).isEqualTo(2);
    bucket.setRate(1000, 100, HOUR);
    assertThat(bucket.available(HOUR)).isEqualTo(2);
    bucket.charge(1002, HOUR);
    bucket.setRate(1, 60, HOUR);
    assertThat(bucket.available(HOUR)).as("debt in tokens").isEqualTo(-1000);
    assertThat(bucket.available(HOUR + 60 * SECOND)).isEqualTo(-940);
  }

  @Test
  void losesNoFractionsHoweverOftenTheRateChanges() {
    TokenBucket bucket = new TokenBucket(3, 100, 0);
    takeAll(bucket, 0);
    for (long millis = 0; millis < 10_000; millis += 10) {
      bucket.setRate(millis % 20 == 0 ? 2 : 4, 100, millis * SECOND / 1000);
    }
    assertThat(bucket.available(10 * SECOND)).isBetween(29L, 30L);
  }

  @Test
  void aNewLineEachHourChangesNothing() {
    TokenBucket bucket = new TokenBucket(0.7, 42, 0);
    takeAll(bucket, 0);
    long taken = 0;
    for (long now = 0; now <= 1000 * HOUR; now += SECOND * 59) {
      taken += takeAll(bucket, now);
    }
    assertThat(taken).isBetween(1000 * 3600 * 7 / 10 - 42L, 1000 * 3600 * 7 / 10 + 0L);
  }

  @ParameterizedTest
  @ValueSource(longs = {0, Long.MAX_VALUE - 1000, Long.MIN_VALUE, -1, 1L << 62})
  void overflowsNowhere(long begin) {
    TokenBucket fast = new TokenBucket(MOST_PER_SECOND, 60 * MOST_PER_SECOND, begin);
    long year = 365 * 24 * HOUR;
    for (long now = begin, i = 0; i < 200; i++, now += year) {
      assertThat(fast.available(now)).as("year %s", i).isEqualTo(60 * MOST_PER_SECOND);
      assertThat(takeAll(fast, TokenBucket.MOST_AMOUNT, now)).isEqualTo(54);
      assertThat(fast.take(TokenBucket.MOST_AMOUNT, now)).isBetween(1L, 2 * SECOND);
    }
    TokenBucket slow = new TokenBucket(1, 60, begin);
    for (int i = 0; i < 1 << 21; i++) {
      slow.charge(TokenBucket.MOST_AMOUNT, begin);
    }
    assertThat(slow.available(begin)).as("debt ends somewhere").isEqualTo(-(1L << 60));
    assertThat(slow.take(1, begin)).isEqualTo(Long.MAX_VALUE);
    assertThat(slow.take(1, begin + year)).isEqualTo(Long.MAX_VALUE);
    slow.setRate(0, 0, begin + year);
    assertThat(slow.take(1, begin + 2 * year)).isEqualTo(Long.MAX_VALUE);
    slow.setRate(MOST_PER_SECOND, 0, begin + 2 * year);
    assertThat(slow.take(1, begin + 3 * year)).as("paid in 13 days").isZero();
  }

  @Property(tries = 2000)
  void admitsAfterTheTimeItNamesAndNotMuchSooner(
      @ForAll @DoubleRange(min = 0, max = 12) double magnitude,
      @ForAll @DoubleRange(min = 0, max = 60) double burstSeconds,
      @ForAll @LongRange(min = 0, max = TokenBucket.MOST_AMOUNT) long debt,
      @ForAll @LongRange(min = 1, max = TokenBucket.MOST_AMOUNT) long amount,
      @ForAll @LongRange(min = 0, max = 2 * HOUR) long age,
      @ForAll long begin) {
    double perSecond = Math.pow(10, magnitude);
    TokenBucket bucket = new TokenBucket(perSecond, (long) (perSecond * burstSeconds), begin);
    bucket.charge(debt, begin);
    long now = begin + age;
    long wait = bucket.take(amount, now);
    if (wait == 0 || wait >= 1L << 61) {
      return;
    }
    long slack = 2 + (long) (wait * 0x1p-48) + (long) Math.ceil(1e9 / perSecond * 0x1p-20);
    if (wait > slack) {
      assertThat(bucket.take(amount, now + wait - slack)).isPositive();
    }
    assertThat(bucket.take(amount, now + wait)).isZero();
  }

  /** Random takes, charges, changes and times against exact sums of what was supplied. */
  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
  void behavesAsItsModel(long seed) {
    Random random = new Random(seed);
    long now = random.nextLong();
    double perSecond = 1 + random.nextInt(1000);
    long burst = random.nextInt(500);
    TokenBucket bucket = new TokenBucket(perSecond, burst, now);
    double tokens = burst;
    for (int step = 0; step < 20_000; step++) {
      long nanos = random.nextInt(5) == 0 ? random.nextLong(SECOND) : random.nextLong(SECOND / 100);
      now += nanos;
      tokens = Math.min((double) burst, tokens + nanos * perSecond / 1e9);
      long amount = random.nextInt(random.nextInt(10) == 0 ? 1000 : 10);
      switch (random.nextInt(10)) {
        case 0 -> {
          perSecond = random.nextInt(1000) / (double) (1 + random.nextInt(10));
          burst = random.nextInt(500);
          bucket.setRate(perSecond, burst, now);
          tokens = Math.min(tokens, (double) burst);
        }
        case 1 -> {
          bucket.charge(amount, now);
          tokens -= amount;
        }
        default -> {
          boolean admitted = bucket.take(amount, now) == 0;
          double missing = Math.min(amount, burst) - tokens;
          if (missing > 1) { // a whole token: fractions are not there to be taken
            assertThat(admitted).as("step %s", step).isFalse();
          } else if (missing <= -1) {
            assertThat(admitted).as("step %s", step).isTrue();
          }
          tokens -= admitted ? amount : 0;
        }
      }
      assertThat((double) bucket.available(now)).isBetween(tokens - 1.01, tokens + 1.01);
      // A full bucket forgets a fraction that the model keeps, and the other way round.
      tokens += Math.clamp(bucket.available(now) - tokens, -0.01, 0.01);
    }
  }

  /**
   * Goal: threads together never take more than rate and burst supply, while another one changes
   * the rate. Method: a hand-turned clock; what is supplied is summed where the rate is changed.
   */
  @ParameterizedTest
  @ValueSource(ints = {2, 4})
  void manyThreadsNeverTakeMoreThanIsSupplied(int threads) throws Exception {
    long burst = 100;
    AtomicLong clock = new AtomicLong(-SECOND);
    TokenBucket bucket = new TokenBucket(1_000_000, burst, clock.get());
    AtomicLong taken = new AtomicLong();
    double supplied = 0;
    int steps = 2000;
    AtomicLong done = new AtomicLong();
    try (var executor = Executors.newFixedThreadPool(threads)) {
      Callable<Void> taker =
          () -> {
            Random random = new Random();
            while (done.get() == 0) {
              long amount = 1L + random.nextInt(3);
              if (bucket.take(amount, clock.get()) == 0) {
                taken.addAndGet(amount);
              }
            }
            return null;
          };
      var futures = IntStream.range(0, threads).mapToObj(i -> executor.submit(taker)).toList();
      double perSecond = 1_000_000;
      for (int i = 0; i < steps; i++) {
        clock.addAndGet(100_000); // 100 tokens or 50
        supplied += perSecond / 10_000;
        while (taken.get() < supplied - 10) {
          Thread.onSpinWait();
        }
        if (i % 3 == 0) {
          perSecond = i % 2 == 0 ? 500_000 : 1_000_000;
          bucket.setRate(perSecond, burst, clock.get());
        }
      }
      done.set(1);
      for (Future<Void> future : futures) {
        future.get();
      }
    }
    assertThat((double) taken.get()).isBetween(supplied - 10, supplied + burst);
  }

  private static long takeAll(TokenBucket bucket, long now) {
    return takeAll(bucket, 1, now);
  }

  private static long takeAll(TokenBucket bucket, long amount, long now) {
    long times = 0;
    while (bucket.available(now) >= amount && bucket.take(amount, now) == 0) {
      times++;
    }
    return times;
  }
}
