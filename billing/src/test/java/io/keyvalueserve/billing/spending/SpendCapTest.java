package io.keyvalueserve.billing.spending;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import io.keyvalueserve.billing.pricing.BillingPeriod;
import java.math.BigDecimal;
import java.time.YearMonth;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Currency;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;

class SpendCapTest {
  private static final Currency EURO = Currency.getInstance("EUR");
  private static final BillingPeriod MARCH =
      new BillingPeriod(YearMonth.of(2026, 3), ZoneId.of("Europe/Berlin"));
  private static final long START = MARCH.start().toEpochMilli();
  private static final long END = MARCH.end().toEpochMilli();
  private static final long UNIT = 1_000_000_000;

  private static SpendTotal total(long total, long own, int members) {
    return new SpendTotal(MARCH, total, own, members);
  }

  private static SpendCap cap(SpendLimit limit) {
    return new SpendCap(limit, total(0, 0, 1), 0);
  }

  private static SpendLimit refusing(String cap) {
    return SpendLimit.refusing(new BigDecimal(cap), EURO);
  }

  private static SpendLimit throttling(String cap, int burstPercent) {
    return new SpendLimit(
        new BigDecimal(cap), EURO, SpendAction.THROTTLE, burstPercent, List.of(50, 100));
  }

  // ---- refusing

  @Test
  void theCapMayBeSpentToTheLastAndNothingBeyond() {
    SpendCap cap = cap(refusing("10.000000001"));
    assertThat(cap.take(10 * UNIT, START)).isZero();
    assertThat(cap.take(2, START)).isEqualTo(SpendCap.REFUSED);
    assertThat(cap.take(1, END - 1)).isZero();
    assertThat(cap.take(1, END - 1)).isEqualTo(SpendCap.REFUSED);
    assertThat(cap.take(0, END - 1)).as("nothing is always admitted").isZero();
    assertThat(cap.knownNanos(END - 1)).isEqualTo(10 * UNIT + 1);
  }

  @Test
  void aNewPeriodBeginsAtLocalMidnight() {
    SpendCap cap = cap(refusing("1"));
    cap.charge(5 * UNIT, START);
    assertThat(cap.take(1, END - 1)).isEqualTo(SpendCap.REFUSED);
    assertThat(cap.take(UNIT, END)).isZero();
    assertThat(cap.report(END)).isEqualTo(new SpendReport(MARCH.next(), UNIT));
    assertThat(cap.take(1, START)).as("periods never go back").isEqualTo(SpendCap.REFUSED);
  }

  // ---- throttling

  @Test
  void afterTheBurstMoneyComesInEvenly() {
    SpendCap cap = cap(throttling("100", 20));
    assertThat(cap.take(20 * UNIT, START)).isZero();
    long wait = cap.take(8 * UNIT, START);
    assertThat(wait).as("a tenth of the rest").isEqualTo((END - START) / 10);
    assertThat(cap.take(8 * UNIT, START + wait - 1)).isEqualTo(1);
    assertThat(cap.take(8 * UNIT, START + wait)).isZero();
    assertThat(cap.take(72 * UNIT, END - 1)).isEqualTo(1);
    assertThat(cap.take(72 * UNIT, END)).as("of the next period, whose burst is 20").isPositive();
  }

  @Test
  void whatIsMoreThanIsLeftWaitsForTheNextPeriodAndMoreThanTheCapForEver() {
    SpendCap cap = cap(throttling("100", 50));
    cap.charge(99 * UNIT, START);
    assertThat(cap.take(2 * UNIT, START)).isEqualTo(END - START);
    assertThat(cap.take(101 * UNIT, START)).isEqualTo(SpendCap.REFUSED);
  }

  /** Who comes again when told is admitted then, and not a millisecond before. */
  @Property(tries = 500)
  void theWaitIsExact(@ForAll Random random) {
    long capNanos = 100 + random.nextLong(1L << (1 + random.nextInt(62)));
    capNanos = Math.min(capNanos, 9_000_000_000L * UNIT);
    SpendCap cap =
        cap(throttling(NanoMoney.amount(capNanos).toPlainString(), 1 + random.nextInt(99)));
    long now = START + random.nextLong(END - START);
    cap.charge(random.nextLong(capNanos), now);
    long left = capNanos - cap.knownNanos(now);
    long amount = 1 + random.nextLong(left);
    long wait = cap.take(amount, now);
    if (wait > 0 && now + wait < END) {
      assertThat(cap.take(amount, now + wait - 1)).isEqualTo(1);
      assertThat(cap.take(amount, now + wait)).isZero();
    }
    assertThat(cap.knownNanos(now)).isLessThanOrEqualTo(capNanos);
  }

  // ---- overflow

  @Test
  void whatDoesNotFitStaysAtTheTopAndRefuses() {
    SpendCap cap = cap(refusing("9000000000"));
    cap.charge(Long.MAX_VALUE, START);
    cap.charge(Long.MAX_VALUE, START);
    assertThat(cap.knownNanos(START)).isEqualTo(Long.MAX_VALUE);
    assertThat(cap.take(1, START)).isEqualTo(SpendCap.REFUSED);
    SpendCap shared = new SpendCap(refusing("9000000000"), total(0, 0, 10_000), 0);
    assertThat(shared.take(Long.MAX_VALUE / 5_000, START)).isEqualTo(SpendCap.REFUSED);
    assertThat(shared.take(Long.MAX_VALUE, START)).isEqualTo(SpendCap.REFUSED);
  }

  // ---- several members

  @Test
  void othersAreTakenToSpendAsThisMemberDoes() {
    SpendCap cap = new SpendCap(refusing("100"), total(10 * UNIT, 0, 3), 0);
    assertThat(cap.take(31 * UNIT, START)).isEqualTo(SpendCap.REFUSED);
    assertThat(cap.take(30 * UNIT, START)).isZero();
    assertThat(cap.take(1, START)).isEqualTo(SpendCap.REFUSED);
    assertThat(cap.hear(total(40 * UNIT, 30 * UNIT, 3), START)).isTrue();
    assertThat(cap.take(20 * UNIT, START)).isZero();
    assertThat(cap.knownNanos(START)).isEqualTo(60 * UNIT);
  }

  @Test
  void totalsOfAnotherPeriodAreNotTaken() {
    SpendCap cap = cap(refusing("100"));
    assertThat(cap.hear(new SpendTotal(MARCH.next(), 100 * UNIT, 0, 1), START)).isFalse();
    assertThat(cap.hear(total(100 * UNIT, 0, 1), END)).isFalse();
    assertThat(cap.take(UNIT, END)).isZero();
  }

  /**
   * Goal: members that hear the same totals never pass the cap together. Method: rounds in which
   * each spends what it may, in amounts by chance; then all report and all hear.
   */
  @Property(tries = 200)
  void membersThatHearTheSameNeverPassTheCap(@ForAll Random random) {
    int members = 1 + random.nextInt(8);
    List<SpendCap> caps = new ArrayList<>();
    for (int i = 0; i < members; i++) {
      caps.add(new SpendCap(refusing("100"), total(0, 0, members), 0));
    }
    long all = 0;
    for (int round = 0; round < 30; round++) {
      for (int i = random.nextInt(200); i > 0; i--) {
        long amount = random.nextLong(2 * UNIT);
        all += caps.get(random.nextInt(members)).take(amount, START) == 0 ? amount : 0;
      }
      long sum = 0;
      for (SpendCap cap : caps) {
        sum += cap.report(START).spentNanos();
      }
      assertThat(sum).isEqualTo(all).isLessThanOrEqualTo(100 * UNIT);
      for (SpendCap cap : caps) {
        cap.hear(total(sum, cap.report(START).spentNanos(), members), START);
      }
    }
  }

  /**
   * Goal: where totals are heard late, the cap is passed by no more than what was spent between the
   * oldest and the newest total by which members' last requests were admitted. Method: in each
   * round all spend by chance and report, and hear the total of that round or of one of the two
   * before.
   */
  @Property(tries = 300)
  void lateTotalsPassTheCapByNoMoreThanWasSpentBetweenThem(@ForAll Random random) {
    int members = 2 + random.nextInt(6);
    List<SpendCap> caps = new ArrayList<>();
    for (int i = 0; i < members; i++) {
      caps.add(new SpendCap(refusing("100"), total(0, 0, members), 0));
    }
    List<Long> totals = new ArrayList<>(List.of(0L));
    List<long[]> owns = new ArrayList<>(List.of(new long[members]));
    int[] heard = new int[members];
    int[] spentBy = new int[members];
    long all = 0;
    for (int round = 1; round < 25; round++) {
      for (int i = random.nextInt(100); i > 0; i--) {
        long amount = 1 + random.nextLong(5 * UNIT);
        int member = random.nextBoolean() ? round % members : random.nextInt(members);
        if (caps.get(member).take(amount, START) == 0) {
          all += amount;
          spentBy[member] = heard[member];
        }
        long oldest = totals.get(Arrays.stream(spentBy).min().orElseThrow());
        long newest = totals.get(Arrays.stream(spentBy).max().orElseThrow());
        assertThat(all).isLessThanOrEqualTo(100 * UNIT + newest - oldest);
      }
      owns.add(caps.stream().mapToLong(cap -> cap.report(START).spentNanos()).toArray());
      totals.add(all);
      for (int i = 0; i < members; i++) {
        int from = Math.max(heard[i], round - 2);
        heard[i] = from + random.nextInt(round + 1 - from);
        caps.get(i).hear(total(totals.get(heard[i]), owns.get(heard[i])[i], members), START);
      }
    }
  }

  // ---- warnings

  @Test
  void eachThresholdWarnsOnceInAPeriod() {
    SpendCap cap = cap(refusing("10"));
    cap.charge(5 * UNIT - 1, START);
    assertThat(cap.warnings(START)).isEmpty();
    cap.charge(1, START);
    assertThat(cap.warnings(START))
        .containsExactly(
            new SpendWarning(MARCH, 50, new BigDecimal("5.000000000"), new BigDecimal("10")));
    cap.charge(5 * UNIT, START);
    assertThat(cap.warnings(START)).extracting(SpendWarning::percent).containsExactly(80, 100);
    assertThat(cap.warnings(START)).isEmpty();
    cap.charge(9 * UNIT, END);
    assertThat(cap.warnings(END)).extracting(SpendWarning::percent).containsExactly(50, 80);
  }

  @Test
  void warningsOfAPeriodThatHasEndedAreStillGiven() {
    SpendCap cap = cap(refusing("10"));
    cap.charge(6 * UNIT, END - 1);
    cap.charge(8 * UNIT, END);
    assertThat(cap.warnings(END))
        .extracting(SpendWarning::period, SpendWarning::percent)
        .containsExactly(tuple(MARCH, 50), tuple(MARCH.next(), 50), tuple(MARCH.next(), 80));
    assertThat(cap.warnings(END)).isEmpty();
  }

  @Test
  void warningsThatWereGivenBeforeAStartAreNotGivenAgain() {
    SpendCap cap = new SpendCap(refusing("10"), total(9 * UNIT, 0, 1), 50);
    assertThat(cap.warnings(START)).extracting(SpendWarning::percent).containsExactly(80);
  }

  /** Many spend and ask, over the end of a period: all is counted once, and warned of once. */
  @Test
  void manyThreadsSpendToTheCapAndWarnOnce() throws Exception {
    SpendCap cap = cap(refusing("0.000100000"));
    AtomicLong spent = new AtomicLong();
    List<SpendWarning> warnings = Collections.synchronizedList(new ArrayList<>());
    Thread[] threads = new Thread[4];
    for (int i = 0; i < threads.length; i++) {
      Random random = new Random(i);
      threads[i] =
          Thread.ofPlatform()
              .start(
                  () -> {
                    for (int n = 0; n < 60_000; n++) {
                      long now = n < 30_000 ? START : END;
                      long amount = random.nextInt(10);
                      spent.addAndGet(cap.take(amount, now) == 0 ? amount : 0);
                      if (n % 1_000 == 0) {
                        warnings.addAll(cap.warnings(now));
                      }
                    }
                  });
    }
    for (Thread thread : threads) {
      thread.join();
    }
    while (cap.take(1, END) == 0) {
      spent.incrementAndGet();
    }
    warnings.addAll(cap.warnings(END));
    assertThat(cap.knownNanos(END)).isEqualTo(100_000);
    assertThat(spent.get()).as("both periods").isBetween(100_000L, 200_000L);
    assertThat(warnings)
        .extracting(each -> each.period() + " " + each.percent())
        .doesNotHaveDuplicates()
        .contains(MARCH.next() + " 50", MARCH.next() + " 80", MARCH.next() + " 100");
  }

  // ---- what is handed in

  @Test
  void wrongLimitsAreNamedWithTheirRemedy() {
    assertThatThrownBy(() -> refusing("0"))
        .hasMessageContaining("cap")
        .hasMessageContaining("more");
    assertThatThrownBy(() -> refusing("9000000000.1")).hasMessageContaining("9000000000");
    assertThatThrownBy(() -> refusing("0.0000000001")).hasMessageContaining("9 decimals");
    assertThatThrownBy(() -> throttling("1", 0)).hasMessageContaining("burstPercent");
    assertThatThrownBy(
            () -> new SpendLimit(BigDecimal.ONE, EURO, SpendAction.REFUSE, 50, List.of()))
        .hasMessageContaining("100 where requests are refused");
    assertThatThrownBy(
            () -> new SpendLimit(BigDecimal.ONE, EURO, SpendAction.REFUSE, 100, List.of(101)))
        .hasMessageContaining("warnPercents");
    assertThatThrownBy(() -> total(-1, 0, 1)).hasMessageContaining("totalNanos");
    assertThatThrownBy(() -> total(1, -1, 1)).hasMessageContaining("ownNanos");
    assertThatThrownBy(() -> total(1, 1, 0)).hasMessageContaining("members");
  }
}
