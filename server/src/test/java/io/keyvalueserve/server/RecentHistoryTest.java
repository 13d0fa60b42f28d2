package io.keyvalueserve.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.keyvalueserve.billing.metering.Measure;
import io.keyvalueserve.billing.metering.SharingLevel;
import io.keyvalueserve.billing.metering.UsageBook;
import io.keyvalueserve.billing.metering.UsageMeter;
import io.keyvalueserve.tenancy.MapName;
import io.keyvalueserve.tenancy.QualifiedName;
import io.keyvalueserve.tenancy.TenantName;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The steps of the last hour: their figures, what is forgotten, and what idle tenants cost. */
class RecentHistoryTest {
  private static final TenantName ACME = new TenantName("acme");
  private static final QualifiedName STOCK = new QualifiedName(ACME, new MapName("stock"));
  private static final int FIRST = 180_000_000;

  private final UsageBook book = new UsageBook(UUID.randomUUID(), 1);
  private final UsageMeter meter = book.meter(ACME, 7, STOCK, SharingLevel.SHARED);
  private final UsageMeter ofNoMap = book.meter(ACME, 7, null, SharingLevel.SHARED);
  private long held;
  private int holders = 1;
  private long nowMillis = FIRST * 10_000L;
  private final RecentHistory history =
      new RecentHistory(
          book,
          visitor -> {
            for (int i = 0; i < holders; i++) {
              visitor.visit(7 + i, held, held / 100, 0);
            }
          },
          () -> Instant.ofEpochMilli(nowMillis),
          () -> nowMillis * 1_000_000);

  @AfterEach
  void close() {
    history.close();
  }

  private void pass(int seconds) {
    for (int i = 0; i < seconds; i++) {
      nowMillis += 1_000;
      history.look();
    }
  }

  private List<HistoryRing.Run> runs(int tenant) {
    List<HistoryRing.Run> runs = new ArrayList<>();
    history.forEach(tenant, 0, Integer.MAX_VALUE, runs::add);
    return runs;
  }

  private static float figure(HistoryRing.Run run, HistoryFigure figure) {
    return run.figures()[figure.index()];
  }

  @Test
  void aStepHasTheRatesOfItsTime() {
    meter.request(Measure.READS, 40, 1_000, 2_000);
    meter.add(Measure.DELETES, 10);
    ofNoMap.add(Measure.THROTTLED, 5);
    pass(9);
    assertThat(runs(7)).as("before the step is over").isEmpty();
    held = 500;
    pass(1);
    assertThat(runs(7)).hasSize(1);
    HistoryRing.Run run = runs(7).getFirst();
    assertThat(run.first()).isEqualTo(FIRST);
    assertThat(run.steps()).isEqualTo(1);
    assertThat(figure(run, HistoryFigure.OPERATIONS)).isCloseTo(5, within(0.01f));
    assertThat(figure(run, HistoryFigure.READS)).isCloseTo(4, within(0.01f));
    assertThat(figure(run, HistoryFigure.WRITES)).isCloseTo(1, within(0.01f));
    assertThat(figure(run, HistoryFigure.BYTES_OUT)).isCloseTo(200, within(0.1f));
    assertThat(figure(run, HistoryFigure.THROTTLED)).isCloseTo(0.5f, within(0.01f));
    assertThat(figure(run, HistoryFigure.MEMORY)).isEqualTo(500);
    assertThat(figure(run, HistoryFigure.ENTRIES)).isEqualTo(5);
    assertThat(history.rateOf(STOCK).reads()).isCloseTo(4, within(0.01));
    assertThat(history.rateOf(STOCK).writes()).isCloseTo(1, within(0.01));

    pass(10);
    assertThat(history.rateOf(STOCK)).isEqualTo(RecentHistory.MapRate.NONE);
    assertThat(figure(runs(7).getLast(), HistoryFigure.READS)).isZero();
    assertThat(figure(runs(7).getLast(), HistoryFigure.MEMORY)).isEqualTo(500);
  }

  @Test
  void aBusyTenantHasAnHourAndAfterThatNothing() {
    for (int i = 0; i < RecentHistory.STEPS + 40; i++) {
      meter.add(Measure.READS, 1 + i);
      pass(10);
    }
    assertThat(runs(7)).hasSize(RecentHistory.STEPS);
    assertThat(runs(7).getFirst().first()).isEqualTo(FIRST + 40);
    assertThat(figure(runs(7).getLast(), HistoryFigure.READS)).isCloseTo(40, within(0.1f));
    pass(10 * RecentHistory.STEPS);
    assertThat(runs(7)).isEmpty();
    assertThat(history.size()).isZero();
  }

  @Test
  void idleTenantsCostNothingAndThoseThatOnlyHoldEntriesLittle() {
    holders = 10_000;
    pass(100);
    assertThat(history.size()).isZero();
    held = 1_000;
    pass(600);
    assertThat(history.size()).isEqualTo(10_000);
    for (int tenant = 7; tenant < 7 + holders; tenant++) {
      assertThat(runs(tenant)).hasSize(1);
    }
    assertThat(runs(7).getFirst().steps()).isEqualTo(60);
  }

  @Test
  void aStallIsSpreadOverItsStepsAndAClockThatGoesBackAddsNoStepTwice() {
    meter.add(Measure.READS, 300);
    nowMillis += 30_000;
    history.look();
    assertThat(runs(7)).hasSize(1);
    assertThat(runs(7).getFirst().steps()).isEqualTo(3);
    assertThat(figure(runs(7).getFirst(), HistoryFigure.READS)).isCloseTo(10, within(0.01f));

    nowMillis -= 20_000;
    history.look();
    meter.add(Measure.READS, 1);
    pass(20);
    meter.add(Measure.READS, 50);
    pass(10);
    assertThat(runs(7)).extracting(HistoryRing.Run::first).containsExactly(FIRST, FIRST + 3);
    assertThat(figure(runs(7).getLast(), HistoryFigure.READS)).isCloseTo(5, within(0.01f));
  }
}
