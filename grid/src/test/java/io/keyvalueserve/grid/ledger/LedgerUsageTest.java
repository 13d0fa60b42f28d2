package io.keyvalueserve.grid.ledger;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.keyvalueserve.billing.ledger.Posting;
import io.keyvalueserve.billing.metering.Measure;
import io.keyvalueserve.billing.metering.UsageEvent;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Usage since some time, for plots: it is complete, and segments that are too old are not read. */
final class LedgerUsageTest {
  private static final Instant BEGIN = Instant.parse("2030-01-01T00:00:00Z");
  private static final int FLUSHES = 1_200;

  private static final int AT_ONCE = 10;

  private final MemorySegments segments = new MemorySegments();
  private final Set<Integer> read = new HashSet<>();
  private Instant now = BEGIN;
  private final SegmentStore noting =
      new FaultySegments(segments) {
        @Override
        public byte @Nullable [] get(int tenantNumber, int segment) {
          read.add(segment);
          return super.get(tenantNumber, segment);
        }
      };
  private final GridLedger ledger = new GridLedger(noting, () -> now);

  private List<UsageEvent> since(Instant time) {
    List<UsageEvent> events = new ArrayList<>();
    read.clear();
    ledger.usageSince(LedgerUse.ACMES, time, events::add);
    return events;
  }

  @Test
  void hasAllSinceATimeAndReadsNoOldSegments() throws Exception {
    assertThat(since(BEGIN)).isEmpty();
    List<UsageEvent> all = new ArrayList<>();
    for (int i = 0; i < FLUSHES; i += AT_ONCE) {
      now = BEGIN.plus(Duration.ofMinutes(i + AT_ONCE));
      List<UsageEvent> flush = new ArrayList<>();
      for (int interval = i; interval < i + AT_ONCE; interval++) {
        flush.add(LedgerUse.event(1, 0, interval, LedgerUse.ACME, LedgerUse.ACMES, "m"));
      }
      all.addAll(flush);
      assertThat(ledger.post(flush).left()).isEmpty();
    }
    int count = segments.stored.size();
    assertThat(count).as("segments").isGreaterThan(3);
    assertThat(
            ledger.correct(
                LedgerUse.ACME,
                LedgerUse.ACMES,
                new Posting.Correction(
                    UUID.randomUUID(), FLUSHES - 1, Map.of(Measure.READS, -1L), "too many")))
        .isNotNull();

    assertThat(since(BEGIN)).containsExactlyInAnyOrderElementsOf(all);
    List<UsageEvent> late = since(now.minus(Duration.ofMinutes(10)));
    assertThat(late)
        .containsAll(all.subList(FLUSHES - AT_ONCE, FLUSHES))
        .hasSizeLessThan(FLUSHES / 2);
    assertThat(read).doesNotContain(0);
  }

  @Test
  void aDamagedEntryIsNoUsage() {
    assertThat(
            ledger
                .post(List.of(LedgerUse.event(1, 0, 0, LedgerUse.ACME, LedgerUse.ACMES, "m")))
                .left())
        .isEmpty();
    String key = MemorySegments.key(LedgerUse.ACMES, 0);
    byte[] bytes = Objects.requireNonNull(segments.stored.get(key));
    bytes[bytes.length - 40] ^= 1;
    assertThatThrownBy(() -> since(BEGIN))
        .isInstanceOf(LedgerException.class)
        .hasMessageContaining("entry 0 is damaged");
  }
}
