package io.keyvalueserve.grid.turn;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.keyvalueserve.gates.fairness.Claim;
import io.keyvalueserve.gates.fairness.Waits;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * Turns of a thread that reads, by a clock that goes on only while connections are served. The same
 * numbers each time.
 */
class ThreadTurnsTest {
  private static final int ACME = 1;
  private static final int GLOBEX = 2;
  private static final long MICRO = 1_000;

  private final List<Connection> connections = new ArrayList<>();
  private long now = 1;
  private int clockReadings;
  private int looks;
  private int[] weights = {1, 1, 1};
  private final TestTurns thread = new TestTurns(this::time, tenant -> weights[tenant], this::look);
  private final ThreadTurns turns = thread.turns;

  private long time() {
    clockReadings++;
    return now;
  }

  private void look() {
    looks++;
    connections.forEach(Connection::read);
  }

  /** One that always has something more to be served, unless told otherwise. */
  private final class Connection implements TurnTaker {
    final int tenant;
    final long cost;
    final Claim<TurnTaker> claim;
    long waiting = Long.MAX_VALUE;
    long served;
    long nanos;
    int turnsTaken;
    int turnsEnded;

    Connection(int tenant, long cost) {
      this.tenant = tenant;
      this.cost = cost;
      this.claim = turns.enter(tenant, this);
      connections.add(this);
    }

    /** Something has come. */
    void read() {
      if (waiting > 0 && turns.mustWait(tenant) && !claim.isReady()) {
        turns.ready(claim);
      }
    }

    @Override
    public boolean takeTurn(Claim<TurnTaker> mine) {
      assertThat(mine).isSameAs(claim);
      turnsTaken++;
      while (waiting > 0 && !turns.slice().isOver()) {
        waiting--;
        served++;
        nanos += cost;
        now += cost;
        turns.slice().worked(0, 1, 0);
      }
      return waiting > 0;
    }

    @Override
    public void endTurn() {
      turnsEnded++;
      assertThat(turnsEnded).isEqualTo(turnsTaken);
    }
  }

  private void connect(int count, int tenant, long cost) {
    for (int i = 0; i < count; i++) {
      Connection _ = new Connection(tenant, cost);
    }
  }

  private long nanosOf(int tenant) {
    return connections.stream()
        .filter(each -> each.tenant == tenant)
        .mapToLong(each -> each.nanos)
        .sum();
  }

  private void runFor(long nanos) {
    look();
    look(); // whoever was alone at first waits now
    for (long end = now + nanos; now < end; ) {
      assertThat(thread.runNext()).isTrue();
    }
  }

  @Test
  void aTenantAloneNeverWaitsAndNoClockIsRead() {
    assertThat(turns.mustWait(ACME)).isFalse();
    clockReadings = 0;
    for (int i = 0; i < 1_000; i++) {
      assertThat(turns.mustWait(ACME)).isFalse();
    }
    assertThat(clockReadings).isZero();
    assertThat(thread.tasks()).isZero();
  }

  @Test
  void allWaitFromWhenAnotherComesUntilHeHasLongBeenGone() {
    assertThat(turns.mustWait(ACME)).isFalse();
    assertThat(turns.mustWait(GLOBEX)).isTrue();
    assertThat(turns.mustWait(GLOBEX)).isTrue();
    now += ThreadTurns.CONTENTION_LASTS_NANOS - 1;
    assertThat(turns.mustWait(GLOBEX)).isTrue();
    now++;
    assertThat(turns.mustWait(GLOBEX)).isFalse();
    assertThat(turns.mustWait(ACME)).isTrue();
  }

  @Test
  void nobodyGoesBeforeWhoStillWaits() {
    Connection acme = new Connection(ACME, MICRO);
    acme.waiting = 1;
    assertThat(turns.mustWait(GLOBEX)).isFalse();
    acme.read();
    now += 2 * ThreadTurns.CONTENTION_LASTS_NANOS;
    assertThat(turns.mustWait(ACME)).isTrue();
    assertThat(thread.runNext()).isTrue();
    assertThat(acme.served).isEqualTo(1);
    assertThat(turns.mustWait(ACME)).isFalse();
    assertThat(thread.tasks()).isZero();
  }

  @Test
  void tenantsShareTheThreadWhateverTheirConnectionsAndCosts() {
    connect(1, ACME, MICRO / 2);
    connect(64, GLOBEX, 3 * MICRO);
    runFor(1_000_000 * MICRO);
    assertThat((double) nanosOf(ACME) / nanosOf(GLOBEX)).isCloseTo(1, within(0.01));
    assertThat(connections).allSatisfy(each -> assertThat(each.served).isPositive());
  }

  @Test
  void theyShareByWeight() {
    weights = new int[] {1, 3, 1};
    connect(2, ACME, MICRO);
    connect(5, GLOBEX, MICRO);
    runFor(1_000_000 * MICRO);
    assertThat((double) nanosOf(ACME) / nanosOf(GLOBEX)).isCloseTo(3, within(0.03));
  }

  @Test
  void connectionsAreLookedAfterAndOtherTasksRunBetweenRounds() {
    connect(4, ACME, MICRO);
    connect(4, GLOBEX, MICRO);
    look();
    looks = 0;
    List<Long> others = new ArrayList<>();
    int rounds = 100;
    for (int i = 0; i < rounds; i++) {
      thread.addTask(() -> others.add(now));
      long begin = now;
      assertThat(thread.runNext()).isTrue();
      // A slice that has begun goes on to its end, and a request is not cut.
      assertThat(now - begin)
          .isBetween(
              ThreadTurns.ROUND_NANOS,
              ThreadTurns.ROUND_NANOS + ReadingTurns.SLICING.most() + 16 * MICRO);
      assertThat(thread.runNext()).isTrue();
      assertThat(others).hasSize(i + 1);
    }
    assertThat(looks).isEqualTo(rounds);
    assertThat(thread.tasks()).isEqualTo(1);
  }

  @Test
  void whoAsksLittleIsServedInTheNextRound() {
    connect(64, GLOBEX, MICRO);
    Connection acme = new Connection(ACME, MICRO);
    acme.waiting = 1;
    for (int i = 0; i < 200; i++) {
      runFor(ThreadTurns.ROUND_NANOS);
      acme.waiting = 1;
      acme.read();
      assertThat(thread.runNext()).isTrue();
      assertThat(acme.waiting).isZero();
    }
  }

  @Test
  void whoLeavesWhileItWaitsIsNotServed() {
    connect(2, ACME, MICRO);
    Connection leaves = new Connection(GLOBEX, MICRO);
    look();
    look(); // now the first waits, too
    assertThat(leaves.claim.isReady()).isTrue();
    turns.leaveLater(leaves.claim);
    leaves.waiting = 0; // for it is not read any more
    for (int i = 0; i < 10; i++) {
      assertThat(thread.runNext()).isTrue();
    }
    // The first round came before it left.
    assertThat(leaves.claim.isReady()).isFalse();
    int taken = leaves.turnsTaken;
    for (int i = 0; i < 100; i++) {
      assertThat(thread.runNext()).isTrue();
    }
    assertThat(leaves.turnsTaken).isEqualTo(taken);
    assertThat(connections.getFirst().served).isPositive();
  }

  @Test
  void itIsKnownWhoWaitedForWhom() {
    connect(1, ACME, MICRO);
    connect(1, GLOBEX, MICRO);
    runFor(10_000 * MICRO);
    Waits waits =
        thread.meters.readings(now).stream()
            .filter(each -> each.tenant() == ACME)
            .findAny()
            .orElseThrow();
    assertThat(waits.servedNanos()).isEqualTo(nanosOf(ACME));
    assertThat(waits.behindOthersNanos()).isPositive();
    assertThat(waits.aggressors()).extracting(Waits.Aggressor::tenant).containsExactly(GLOBEX);
  }

  @Test
  void theAccountsOfADeletedTenantAreDropped() {
    connect(1, ACME, MICRO);
    Connection gone = new Connection(GLOBEX, MICRO);
    gone.waiting = 1;
    runFor(10 * ThreadTurns.ROUND_NANOS);
    turns.leave(gone.claim);
    assertThat(thread.meters.readings(now)).extracting(Waits::tenant).contains(GLOBEX);
    turns.forget(GLOBEX);
    for (int i = 0; i < 4; i++) {
      assertThat(thread.runNext()).isTrue();
    }
    assertThat(thread.meters.readings(now)).extracting(Waits::tenant).containsExactly(ACME);
  }
}
