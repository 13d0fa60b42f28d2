package io.keyvalueserve.grid.ledger;

import static io.keyvalueserve.grid.ledger.LedgerUse.ACME;
import static io.keyvalueserve.grid.ledger.LedgerUse.ACMES;
import static io.keyvalueserve.grid.ledger.LedgerUse.flush;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.keyvalueserve.billing.ledger.BrokenLedgerException;
import io.keyvalueserve.billing.ledger.LedgerCodec;
import io.keyvalueserve.billing.ledger.LedgerEntry;
import io.keyvalueserve.billing.ledger.MalformedEntryException;
import io.keyvalueserve.billing.ledger.Posting;
import io.keyvalueserve.billing.ledger.TenantLedger;
import io.keyvalueserve.billing.metering.Measure;
import io.keyvalueserve.billing.metering.UsageEvent;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Ledgers in segments beside ones in memory, with steps that fail before or after they are done.
 */
final class GridLedgerModelTest {
  private static final Instant NOW = Instant.parse("2026-03-01T00:00:00Z");
  private static final InstantSource CLOCK = InstantSource.fixed(NOW);

  private final MemorySegments segments = new MemorySegments();
  private final GridLedger ledger = new GridLedger(segments, CLOCK);
  private final TenantLedger model = new TenantLedger(ACME, ACMES);

  private static Posting.Correction correction(UUID id, long entry, long reads) {
    return new Posting.Correction(id, entry, Map.of(Measure.READS, reads), "counted twice");
  }

  /** Steps of which one in eight fails, in the way of a network: done or not, nobody knows. */
  private SegmentStore unreliable(Random random) {
    return new FaultySegments(segments) {
      @Override
      void before(Step step) {
        fail();
      }

      @Override
      void after(Step step) {
        fail();
      }

      private void fail() {
        if (random.nextInt(16) == 0) {
          throw new IllegalStateException("no answer");
        }
      }
    };
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
  void isWhatItWouldBeInMemory(long seed) throws Exception {
    Random random = new Random(seed);
    GridLedger unreliable = new GridLedger(unreliable(random), CLOCK);
    List<List<UsageEvent>> waiting = List.of(new ArrayList<>(), new ArrayList<>());
    long[] intervals = new long[2];
    for (int step = 0; step < 300; step++) {
      int member = random.nextInt(2);
      if (random.nextInt(10) == 0 && !model.entries().isEmpty()) {
        correct(unreliable, random);
        continue;
      }
      List<UsageEvent> told = new ArrayList<>(waiting.get(member));
      told.addAll(LedgerUse.of(ACME, flush(member, 0, intervals[member]++, 1 + random.nextInt(3))));
      List<UsageEvent> left = unreliable.post(told).left();
      waiting.get(member).clear();
      waiting.get(member).addAll(left);
      follow();
    }
    waiting.forEach(left -> assertThat(ledger.post(left).left()).isEmpty());
    follow();
    assertThat(ledger.head(ACME, ACMES)).isEqualTo(model.head());
    for (int member = 0; member < 2; member++) {
      for (long interval = 0; interval < intervals[member]; interval++) {
        UsageEvent told = flush(member, 0, interval, 1).getFirst();
        assertThat(model.post(told, NOW)).isInstanceOf(TenantLedger.Result.Known.class);
      }
    }
    assertThat(segments.last.getOrDefault(ACMES, 0)).isGreaterThan(1);
  }

  private void correct(GridLedger unreliable, Random random) throws BrokenLedgerException {
    Posting.Correction correction =
        correction(
            new UUID(9, random.nextInt(20)),
            random.nextInt(model.entries().size() + 1),
            random.nextInt(5) - 3 | 1);
    TenantLedger.Result answer;
    try {
      answer = unreliable.correct(ACME, ACMES, correction);
    } catch (IllegalStateException e) {
      answer = ledger.correct(ACME, ACMES, correction);
    }
    if (answer instanceof TenantLedger.Result.Refused) {
      assertThat(model.correct(correction, NOW)).isEqualTo(answer);
    }
    follow();
    assertThat(model.correct(correction, NOW)).isNotInstanceOf(TenantLedger.Result.Appended.class);
  }

  /** Posts to the model what was appended, and checks that it is the same there. */
  private void follow() {
    List<byte[]> stored = ledger.entries(ACMES, model.entries().size());
    for (byte[] bytes : stored) {
      LedgerEntry entry = decoded(bytes);
      TenantLedger.Result result =
          switch (entry.posting()) {
            case Posting.Usage usage -> model.post(usage.event(), entry.recordedAt());
            case Posting.Correction correction -> model.correct(correction, entry.recordedAt());
          };
      assertThat(result).isEqualTo(new TenantLedger.Result.Appended(entry));
    }
  }

  private static LedgerEntry decoded(byte[] bytes) {
    try {
      return LedgerCodec.decode(bytes);
    } catch (MalformedEntryException e) {
      throw new AssertionError(e);
    }
  }

  /** A write that comes when others have gone on does nothing. */
  @Test
  void aWriteThatComesTooLateDoesNothing() throws Exception {
    List<Runnable> late = new ArrayList<>();
    SegmentStore slow =
        new FaultySegments(segments) {
          @Override
          public boolean replace(int tenant, int segment, byte @Nullable [] expected, byte[] next) {
            late.add(() -> segments.replace(tenant, segment, expected, next));
            throw new IllegalStateException("no answer");
          }
        };
    List<UsageEvent> first = LedgerUse.of(ACME, flush(1, 0, 0, 2));
    assertThat(new GridLedger(slow, CLOCK).post(first).left()).isEqualTo(first);
    assertThat(ledger.post(first).taken()).isEqualTo(2);
    assertThat(ledger.post(LedgerUse.of(ACME, flush(1, 0, 1, 2))).taken()).isEqualTo(2);
    byte[] before = segments.get(ACMES, 0);
    late.forEach(Runnable::run);
    assertThat(segments.get(ACMES, 0)).isEqualTo(before);
    assertThat(late).hasSize(1);
  }

  /** An event that is told with itself, and an older one after a newer one. */
  @Test
  void takesAnEventOnceThatIsToldWithItself() throws Exception {
    List<UsageEvent> events = new ArrayList<>(LedgerUse.of(ACME, flush(1, 0, 1, 1)));
    events.addAll(LedgerUse.of(ACME, flush(1, 0, 0, 1)));
    events.addAll(List.copyOf(events));
    assertThat(ledger.post(events)).isEqualTo(new Posted(2, 2, List.of()));
    assertThat(LedgerUse.checked(ledger, ACME, ACMES)).hasSize(2);
  }

  @Test
  void readsOnlyWhatIsNewAndSeesWhatWasChanged() throws Exception {
    for (int i = 0; i < 200; i++) {
      assertThat(ledger.post(LedgerUse.of(ACME, flush(1, 0, i, 3))).isComplete()).isTrue();
    }
    assertThat(ledger.<Integer>read(ACME, ACMES, read -> read.entries().size())).isEqualTo(600);
    assertThat(ledger.post(LedgerUse.of(ACME, flush(1, 0, 200, 3))).taken()).isEqualTo(3);
    assertThat(ledger.read(ACME, ACMES, TenantLedger::head)).isEqualTo(ledger.head(ACME, ACMES));
    for (long from : new long[] {0, 1, 150, 602, 603, 700}) {
      assertThat(ledger.entries(ACMES, from)).hasSize((int) Math.max(0, 603 - from));
    }

    byte[] first = Objects.requireNonNull(segments.get(ACMES, 0));
    first[first.length - 1] ^= 1;
    assertThat(ledger.entries(ACMES, 0)).hasSize(603);
    assertThatThrownBy(() -> new GridLedger(segments, CLOCK).read(ACME, ACMES, TenantLedger::head))
        .isInstanceOf(BrokenLedgerException.class)
        .hasMessageContaining("is damaged");
    segments.stored.remove(MemorySegments.key(ACMES, 1));
    first[first.length - 1] ^= 1;
    assertThatThrownBy(() -> new GridLedger(segments, CLOCK).read(ACME, ACMES, TenantLedger::head))
        .isInstanceOf(BrokenLedgerException.class)
        .hasMessageContaining("is missing");
  }

  @Test
  void appendsNothingToWhatIsDamagedOrLostOrAnothers() {
    List<UsageEvent> events = LedgerUse.of(ACME, flush(1, 0, 0, 2));
    assertThat(ledger.post(events).isComplete()).isTrue();
    UsageEvent anothers = LedgerUse.event(1, 0, 1, LedgerUse.GLOBEX, ACMES, "m");
    assertThat(ledger.post(List.of(anothers)).left()).containsExactly(anothers);
    List<UsageEvent> next = LedgerUse.of(ACME, flush(1, 0, 1, 2));
    byte[] stored = Objects.requireNonNull(segments.get(ACMES, 0));
    stored[stored.length - 1] ^= 1;
    assertThat(ledger.post(next).left()).isEqualTo(next);
    segments.stored.clear();
    segments.last.put(ACMES, 3);
    assertThat(ledger.post(next).left()).isEqualTo(next);
    assertThat(segments.stored).isEmpty();
  }
}
