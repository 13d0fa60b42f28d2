package io.keyvalueserve.grid.ledger;

import static io.keyvalueserve.grid.ledger.LedgerUse.ACME;
import static io.keyvalueserve.grid.ledger.LedgerUse.ACMES;
import static io.keyvalueserve.grid.ledger.LedgerUse.GLOBEX;
import static io.keyvalueserve.grid.ledger.LedgerUse.GLOBEXES;
import static io.keyvalueserve.grid.ledger.LedgerUse.checked;
import static io.keyvalueserve.grid.ledger.LedgerUse.event;
import static io.keyvalueserve.grid.ledger.LedgerUse.flush;
import static org.assertj.core.api.Assertions.assertThat;

import io.keyvalueserve.billing.ledger.Invoice;
import io.keyvalueserve.billing.ledger.Invoices;
import io.keyvalueserve.billing.ledger.Posting;
import io.keyvalueserve.billing.ledger.TenantLedger;
import io.keyvalueserve.billing.metering.Measure;
import io.keyvalueserve.billing.metering.UsageEvent;
import io.keyvalueserve.billing.pricing.RateCard;
import io.keyvalueserve.billing.pricing.RateCards;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.YearMonth;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** Ledgers of two sides of a split, of which one joins the other. */
final class LedgerMergeTest {
  private static final InstantSource CLOCK =
      InstantSource.fixed(Instant.parse("2026-03-01T00:00:00Z"));
  private static final YearMonth MONTH = YearMonth.of(2025, 2);

  private final MemorySegments here = new MemorySegments();
  private final MemorySegments there = new MemorySegments();
  private final GridLedger goesOn = new GridLedger(here, CLOCK);
  private final GridLedger givesWay = new GridLedger(there, CLOCK);
  private final List<UsageEvent> all = new ArrayList<>();

  private void post(GridLedger ledger, List<UsageEvent> events) {
    assertThat(ledger.post(events).left()).isEmpty();
    all.addAll(events);
  }

  /** Members 1 and 2 lose each other after the first interval of each. */
  private void split() {
    post(goesOn, flush(1, 0, 0, 2));
    post(goesOn, flush(2, 0, 0, 2));
    there.stored.putAll(here.stored);
  }

  private static List<MergedUsage> merge(LedgerMerge merge, MemorySegments from) {
    merge.take(List.copyOf(from.stored.values()));
    List<MergedUsage> heard = new ArrayList<>();
    merge.run(heard::add);
    return heard;
  }

  private void assertHasAllOnce() throws Exception {
    assertThat(checked(goesOn, ACME, ACMES))
        .containsExactlyInAnyOrderElementsOf(LedgerUse.of(ACME, all));
    assertThat(checked(goesOn, GLOBEX, GLOBEXES))
        .containsExactlyInAnyOrderElementsOf(LedgerUse.of(GLOBEX, all));
  }

  @Test
  void whatEitherSideHasUsedIsInTheLedgerOnce() throws Exception {
    split();
    post(goesOn, flush(1, 0, 1, 2));
    for (int interval = 1; interval < 250; interval++) {
      post(givesWay, flush(2, 0, interval, 1));
    }
    UsageEvent late = event(2, 0, 250, ACME, ACMES, "m0");
    post(goesOn, List.of(late)); // after the merge, before the earlier intervals are merged

    List<MergedUsage> heard = merge(new LedgerMerge(goesOn), there);
    assertThat(heard).hasSize(2).allMatch(usage -> usage.lost().isEmpty());
    assertThat(heard.getFirst().taken()).hasSize(249);
    assertThat(MergedUsage.totals(heard.getFirst().taken())).isEqualTo("reads=31374");
    assertHasAllOnce();
    assertThat(merge(new LedgerMerge(goesOn), there)).as("told again").isEmpty();
    assertHasAllOnce();
    assertThat(goesOn.post(List.of(late)).known()).isEqualTo(1);
  }

  @Test
  void aLedgerThatOnlyOneSideHasIsMade() throws Exception {
    post(givesWay, flush(2, 0, 0, 2));
    assertThat(merge(new LedgerMerge(goesOn), there)).hasSize(2);
    assertHasAllOnce();
  }

  @Test
  void aCorrectionThatTheOtherSideMadeIsTold() throws Exception {
    split();
    post(goesOn, flush(1, 0, 1, 1));
    Posting.Correction both = correction(1);
    Posting.Correction theirs = correction(2);
    var _ = givesWay.correct(ACME, ACMES, both);
    var _ = goesOn.correct(ACME, ACMES, both);
    var _ = givesWay.correct(ACME, ACMES, theirs);
    assertThat(merge(new LedgerMerge(goesOn), there))
        .singleElement()
        .satisfies(usage -> assertThat(usage.corrections()).containsExactly(theirs));
    assertHasAllOnce();
  }

  private static Posting.Correction correction(int id) {
    return new Posting.Correction(new UUID(9, id), 0, Map.of(Measure.READS, 1L), "a test");
  }

  @Test
  void whatCannotBeMergedIsTold() {
    split();
    post(givesWay, flush(2, 0, 1, 1));
    SegmentStore unreachable =
        new FaultySegments(here) {
          @Override
          void before(Step step) {
            throw new IllegalStateException("no answer");
          }

          @Override
          void after(Step step) {}
        };
    LedgerMerge merge = new LedgerMerge(new GridLedger(unreachable, CLOCK), Duration.ZERO);
    assertThat(merge(merge, there))
        .hasSize(2)
        .allSatisfy(
            usage ->
                assertThat(usage.lost())
                    .contains(flush(2, 0, 1, 1).get(usage.owner().number() - 7)));
  }

  /** A member of the side that gave way has read its own side's ledger before. */
  @Test
  void whatWasReadOnTheOtherSideIsForgotten() throws Exception {
    split();
    post(goesOn, flush(1, 0, 1, 1));
    GridLedger same = new GridLedger(there, CLOCK);
    assertThat(same.post(flush(2, 0, 1, 1)).left()).isEmpty();
    assertThat(same.read(ACME, ACMES, TenantLedger::head)).isNotEqualTo(goesOn.head(ACME, ACMES));
    there.stored.clear();
    there.stored.putAll(here.stored);
    new LedgerMerge(same).run(usage -> {});
    assertThat(same.read(ACME, ACMES, TenantLedger::head)).isEqualTo(goesOn.head(ACME, ACMES));
  }

  @Test
  void invoicesOfTwoSidesHaveDifferentIds() throws Exception {
    split();
    post(goesOn, flush(1, 0, 1, 1));
    post(givesWay, flush(2, 0, 1, 1));
    Invoice one = invoice(goesOn);
    Invoice other = invoice(givesWay);
    assertThat(one.head().entries()).isEqualTo(other.head().entries());
    assertThat(one.id()).isNotEqualTo(other.id());
  }

  private static Invoice invoice(GridLedger ledger) throws Exception {
    return ledger.read(
        ACME, ACMES, read -> Invoices.compute(read, MONTH, RateCards.of(RateCard.paper())));
  }
}
