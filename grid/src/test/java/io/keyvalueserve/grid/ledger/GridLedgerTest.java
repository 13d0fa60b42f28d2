package io.keyvalueserve.grid.ledger;

import static io.keyvalueserve.grid.ledger.LedgerUse.ACME;
import static io.keyvalueserve.grid.ledger.LedgerUse.ACMES;
import static io.keyvalueserve.grid.ledger.LedgerUse.GLOBEX;
import static io.keyvalueserve.grid.ledger.LedgerUse.GLOBEXES;
import static io.keyvalueserve.grid.ledger.LedgerUse.checked;
import static io.keyvalueserve.grid.ledger.LedgerUse.flush;
import static org.assertj.core.api.Assertions.assertThat;

import com.hazelcast.config.MapConfig;
import com.hazelcast.core.HazelcastInstance;
import io.keyvalueserve.billing.metering.UsageEvent;
import io.keyvalueserve.grid.space.TestGrid;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntPredicate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Ledgers in a cluster of members that append at the same time, come, leave and die. */
final class GridLedgerTest {
  private static final int PARTITIONS = 31;

  private static TestGrid grid(int members) {
    return new TestGrid(members, PARTITIONS, GridLedger::configure);
  }

  /** Tells flushes one after the other, what was left before what is new, until all are told. */
  private static List<UsageEvent> tell(
      GridLedger ledger, int member, int flushes, int maps, int times) {
    return tell(ledger, member, interval -> interval < flushes, maps, times);
  }

  /** As the other one, until a condition, which is asked the number of the flush, holds no more. */
  private static List<UsageEvent> tell(
      GridLedger ledger, int member, IntPredicate goesOn, int maps, int times) {
    List<UsageEvent> all = new ArrayList<>();
    List<UsageEvent> waiting = List.of();
    for (int interval = 0; goesOn.test(interval); interval++) {
      List<UsageEvent> events = flush(member, 0, interval, maps);
      all.addAll(events);
      List<UsageEvent> told = new ArrayList<>(waiting);
      told.addAll(events);
      for (int i = 0; i < times; i++) {
        waiting = ledger.post(told).left();
      }
    }
    for (int attempt = 0; !waiting.isEmpty() && attempt < 100; attempt++) {
      waiting = ledger.post(waiting).left();
    }
    assertThat(waiting).isEmpty();
    return all;
  }

  private static void assertIsInLedgers(GridLedger ledger, List<UsageEvent> all) throws Exception {
    assertThat(checked(ledger, ACME, ACMES))
        .containsExactlyInAnyOrderElementsOf(LedgerUse.of(ACME, all));
    assertThat(checked(ledger, GLOBEX, GLOBEXES))
        .containsExactlyInAnyOrderElementsOf(LedgerUse.of(GLOBEX, all));
  }

  /** Whose ledgers there are does not follow from which tenants there are. */
  @Test
  void knowsWhoseLedgersThereAre() {
    try (TestGrid grid = grid(2)) {
      GridLedger ledger = new GridLedger(grid.member(0));
      assertThat(ledger.owners()).isEmpty();
      assertThat(ledger.owner(ACMES)).isEmpty();
      assertThat(ledger.post(flush(1, 0, 0, 3)).isComplete()).isTrue();
      GridLedger other = new GridLedger(grid.member(1));
      assertThat(other.owners())
          .containsExactlyInAnyOrder(
              new LedgerOwner(ACME, ACMES), new LedgerOwner(GLOBEX, GLOBEXES));
      assertThat(other.owner(ACMES)).contains(new LedgerOwner(ACME, ACMES));
      assertThat(other.owner(9_999)).isEmpty();
    }
  }

  /** Enough for many segments; everything is told twice. */
  @Test
  void membersAppendAtTheSameTime() throws Exception {
    try (TestGrid grid = grid(3);
        ExecutorService threads = Executors.newFixedThreadPool(3)) {
      List<Callable<List<UsageEvent>>> tasks = new ArrayList<>();
      for (int member = 0; member < 3; member++) {
        GridLedger ledger = new GridLedger(grid.member(member));
        int number = member;
        tasks.add(() -> tell(ledger, number, 20, 12, 2));
      }
      List<UsageEvent> all = new ArrayList<>();
      for (Future<List<UsageEvent>> task : threads.invokeAll(tasks)) {
        all.addAll(task.get());
      }
      assertIsInLedgers(new GridLedger(grid.member(1)), all);
      assertThat(new GridSegments(grid.member(2)).lastSegment(ACMES)).isGreaterThan(1);
    }
  }

  @Test
  void tellsWhatWasTakenAndWhatWasKnown() throws Exception {
    try (TestGrid grid = grid(2)) {
      List<UsageEvent> events = flush(1, 0, 5, 3);
      assertThat(new GridLedger(grid.member(0)).post(events))
          .isEqualTo(new Posted(6, 0, List.of()));
      GridLedger other = new GridLedger(grid.member(1));
      List<UsageEvent> more = new ArrayList<>(events);
      more.addAll(flush(1, 0, 6, 1));
      assertThat(other.post(more)).isEqualTo(new Posted(2, 6, List.of()));
      assertThat(other.post(flush(1, 1, 0, 1))).isEqualTo(new Posted(2, 0, List.of()));
      assertThat(other.post(flush(2, 0, 0, 1))).isEqualTo(new Posted(2, 0, List.of()));
      assertThat(other.post(List.of())).isEqualTo(new Posted(0, 0, List.of()));
      assertThat(other.head(ACME, ACMES).entries()).isEqualTo(6);
    }
  }

  /** The member dies at a step of its second flush; whoever tells that again doubles nothing. */
  @ParameterizedTest
  @EnumSource(FaultySegments.Step.class)
  void aMemberThatDiesBeforeAStepLosesAndDoublesNothing(FaultySegments.Step step) throws Exception {
    dies(step, true);
  }

  @ParameterizedTest
  @EnumSource(FaultySegments.Step.class)
  void aMemberThatDiesAfterAStepLosesAndDoublesNothing(FaultySegments.Step step) throws Exception {
    dies(step, false);
  }

  private static void dies(FaultySegments.Step step, boolean isBefore) throws Exception {
    try (TestGrid grid = grid(3)) {
      GridLedger other = new GridLedger(grid.member(1));
      // As many as a segment takes, so that the flush begins another one and notes that.
      List<UsageEvent> all = new ArrayList<>(tell(other, 1, 1, 300, 1));
      all.addAll(tell(other, 2, 1, 1, 1));
      AtomicBoolean died = new AtomicBoolean();
      Runnable kill =
          () -> {
            if (died.compareAndSet(false, true)) {
              grid.terminate(0);
            }
          };
      GridLedger dying =
          new GridLedger(dyingAt(step, isBefore, grid.member(0), kill), InstantSource.system());
      List<UsageEvent> flush = flush(0, 0, 0, 2);
      Posted posted = dying.post(flush);
      assertThat(died).isTrue();
      assertThat(posted.left()).isNotEmpty();
      int before = checked(other, ACME, ACMES).size();
      Posted again = other.post(flush);
      assertThat(again.left()).isEmpty();
      assertThat(again.taken() + again.known()).isEqualTo(4);
      assertThat(before).isBetween(all.size() / 2, all.size() / 2 + 2);
      all.addAll(flush);
      all.addAll(tell(other, 3, 2, 2, 1));
      assertIsInLedgers(other, all);
    }
  }

  private static SegmentStore dyingAt(
      FaultySegments.Step step, boolean isBefore, HazelcastInstance member, Runnable kill) {
    return new FaultySegments(new GridSegments(member)) {
      @Override
      void before(Step next) {
        if (isBefore && next == step) {
          kill.run();
        }
      }

      @Override
      void after(Step last) {
        if (!isBefore && last == step) {
          kill.run();
          throw new IllegalStateException("died");
        }
      }
    };
  }

  /** Every member in turn comes to own the segments, while others append. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void goesOnWhileMembersComeAndGo(boolean die) throws Exception {
    try (TestGrid grid = grid(3);
        ExecutorService threads = Executors.newSingleThreadExecutor()) {
      GridLedger ledger = new GridLedger(grid.member(2));
      AtomicInteger rounds = new AtomicInteger();
      Future<List<UsageEvent>> telling =
          threads.submit(() -> tell(ledger, 2, flushes -> rounds.get() < 2, 2, 1));
      for (int round = 0; round < 2; round++) {
        if (die) {
          grid.terminate(0);
        } else {
          grid.shutDown(0);
        }
        HazelcastInstance _ = grid.join();
        rounds.incrementAndGet();
      }
      assertIsInLedgers(new GridLedger(grid.member(2)), telling.get());
    }
  }

  @Test
  void isSetUpAsOtherSystemMapsAre() {
    try (TestGrid grid = grid(1)) {
      MapConfig config = grid.member(0).getConfig().findMapConfig("__kvs.ledger");
      assertThat(config.getBackupCount()).isEqualTo(2);
      assertThat(config.getMergePolicyConfig().getPolicy()).endsWith("HandedOverMergePolicy");
    }
  }
}
