package io.keyvalueserve.gates.peer;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class PeerBudgetTest {
  private static final InetAddress ONE = address(1);
  private static final InetAddress TWO = address(2);

  private long now;
  private Runnable whenAsked = () -> {};
  private final List<String> closed = new ArrayList<>();
  private final PeerBudget budget =
      new PeerBudget(
          new PeerLimits(3, 2, 1000, 600, 10, 100, Duration.ofSeconds(10)), this::nanoTime);

  private long nanoTime() {
    whenAsked.run();
    return now;
  }

  private static InetAddress address(int last) {
    try {
      return InetAddress.getByAddress(new byte[] {127, 0, 0, (byte) last});
    } catch (UnknownHostException e) {
      throw new AssertionError(e);
    }
  }

  private Peer admit(String name, InetAddress address) {
    return budget.admit(address, () -> closed.add(name));
  }

  @Test
  void closesTheOldestOfAnAddressThatHasTooMany() {
    admit("a", ONE);
    admit("b", ONE);
    admit("c", ONE);
    assertThat(closed).containsExactly("a");
    assertThat(budget.connections()).isEqualTo(2);
  }

  @Test
  void closesTheOldestOfAll() {
    admit("a", ONE);
    admit("b", TWO);
    admit("c", ONE);
    admit("d", TWO);
    assertThat(closed).containsExactly("a");
    assertThat(budget.connections()).isEqualTo(3);
    assertThat(budget.evictions()).isEqualTo(1);
  }

  @Test
  void closesAPeerThatHoldsTooMuchItself() {
    Peer a = admit("a", ONE);
    assertThat(a.reserve(600)).isTrue();
    assertThat(a.reserve(1)).isFalse();
    assertThat(closed).containsExactly("a");
    assertThat(budget.bytes()).isZero();
    assertThat(a.authenticated()).isFalse();
  }

  @Test
  void closesTheOldestThatHoldBytesWhenAllHoldTooMany() {
    admit("idle", ONE);
    Peer b = admit("b", TWO);
    Peer c = admit("c", TWO);
    assertThat(b.reserve(500)).isTrue();
    assertThat(c.holds(501)).isTrue();
    assertThat(closed).containsExactly("b");
    assertThat(budget.bytes()).isEqualTo(501);
    c.holds(1);
    assertThat(budget.bytes()).isEqualTo(1);
  }

  @Test
  void passesOverPeersThatHoldNothingAnyMore() {
    Peer a = admit("a", ONE);
    Peer b = admit("b", TWO);
    assertThat(a.holds(500)).isTrue();
    assertThat(b.holds(500)).isTrue();
    a.release(500);
    Peer c = admit("c", TWO);
    assertThat(c.holds(501)).isTrue();
    assertThat(closed).containsExactly("b");
    assertThat(a.holds(400)).isTrue();
    assertThat(budget.bytes()).isEqualTo(901);
  }

  /** Closing one may take long: the others come, hold bytes and leave meanwhile. */
  @Test
  void keepsNobodyWaitingWhileAnotherThreadMakesRoom() throws InterruptedException {
    CountDownLatch closing = new CountDownLatch(1);
    CountDownLatch goOn = new CountDownLatch(1);
    budget.admit(
        ONE,
        () -> {
          closing.countDown();
          awaitUninterruptibly(goOn);
        });
    admit("b", TWO);
    admit("c", TWO);
    Thread evicting = Thread.startVirtualThread(() -> admit("d", ONE));
    awaitUninterruptibly(closing);
    Peer e = admit("e", ONE);
    assertThat(e.holds(100)).isTrue();
    assertThat(e.authenticated()).isTrue();
    assertThat(closed).containsExactly("b");
    goOn.countDown();
    evicting.join();
    assertThat(budget.connections()).isEqualTo(2);
  }

  @Test
  void countsRightlyWhateverThreadsDo() throws InterruptedException {
    AtomicInteger closings = new AtomicInteger();
    AtomicInteger left = new AtomicInteger();
    int each = 2000;
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      threads.add(
          Thread.ofPlatform()
              .start(
                  () -> {
                    for (int n = 0; n < each; n++) {
                      Peer peer = budget.admit(TWO, closings::incrementAndGet);
                      boolean _ = peer.holds(n % 400);
                      if (n % 3 == 0 && peer.authenticated()) {
                        left.incrementAndGet();
                      }
                    }
                  }));
    }
    for (Thread thread : threads) {
      thread.join();
    }
    now += Duration.ofSeconds(11).toNanos();
    budget.closeOverdue();
    assertThat(closings.get() + left.get()).isEqualTo(4 * each);
    assertThat(closings.get()).isEqualTo((int) (budget.evictions() + budget.timeouts()));
    assertThat(budget.connections()).isZero();
    assertThat(budget.bytes()).isZero();
  }

  /** Peers that came while the lists were in use are not forgotten, however many. */
  @Test
  void placesAllThatCameWhileTheListsWereInUse() throws InterruptedException {
    AtomicInteger closings = new AtomicInteger();
    Runnable come =
        () -> {
          for (int i = 0; i < 500; i++) {
            Peer _ = budget.admit(null, closings::incrementAndGet);
          }
        };
    // The budget asks for the time while it has the lock.
    Thread overdue = Thread.ofPlatform().unstarted(budget::closeOverdue);
    AtomicBoolean isFirst = new AtomicBoolean(true);
    whenAsked =
        () -> {
          if (Thread.currentThread().equals(overdue) && isFirst.getAndSet(false)) {
            joinUninterruptibly(Thread.ofPlatform().start(come));
          }
        };
    overdue.start();
    overdue.join();
    assertThat(isFirst).isFalse();
    assertThat(budget.connections()).isEqualTo(3);
    assertThat(closings).hasValue(497);
  }

  private static void joinUninterruptibly(Thread thread) {
    try {
      assertThat(thread.join(Duration.ofSeconds(30))).isTrue();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  private static void awaitUninterruptibly(CountDownLatch latch) {
    try {
      assertThat(latch.await(30, TimeUnit.SECONDS)).isTrue();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void givesEverythingBackOnceAPeerHasAKey() {
    Peer a = admit("a", ONE);
    a.reserve(500);
    assertThat(a.authenticated()).isTrue();
    a.release(500);
    a.close();
    assertThat(budget.bytes()).isZero();
    assertThat(budget.connections()).isZero();
    now += Duration.ofSeconds(11).toNanos();
    assertThat(budget.closeOverdue()).isZero();
    assertThat(closed).isEmpty();
  }

  @Test
  void closesPeersThatDoNotAuthenticateInTime() {
    admit("a", ONE);
    now += Duration.ofSeconds(5).toNanos();
    admit("b", ONE);
    now += Duration.ofSeconds(5).toNanos();
    assertThat(budget.closeOverdue()).isEqualTo(1);
    assertThat(closed).containsExactly("a");
    assertThat(budget.timeouts()).isEqualTo(1);
  }

  @Test
  void holdsRequestsToTheirRate() {
    Peer a = admit("a", ONE);
    int served = 0;
    for (int millis = 0; millis < 2000; millis++) {
      now = Duration.ofMillis(millis).toNanos();
      if (a.request() == 0) {
        served++;
      }
    }
    assertThat(served).isBetween(19, 23);
    assertThat(a.request()).isPositive();
  }

  private int accepts(int tries) {
    int accepted = 0;
    for (int i = 0; i < tries; i++) {
      accepted += budget.acceptPauseNanos() == 0 ? 1 : 0;
    }
    return accepted;
  }

  @Test
  void acceptsAtOnceWhileThereIsRoom() {
    admit("a", ONE);
    admit("b", TWO);
    admit("c", ONE);
    assertThat(accepts(1000)).isEqualTo(1000);
  }

  @Test
  void acceptsSlowlyWhileItMakesRoom() {
    admit("a", ONE);
    admit("b", ONE);
    admit("c", ONE);
    assertThat(budget.evictions()).isEqualTo(1);
    assertThat(accepts(1000)).isEqualTo(3); // 100 a second, and 20 ms ahead
    assertThat(budget.acceptPauseNanos()).isEqualTo(Duration.ofMillis(10).toNanos());
    now += Duration.ofMillis(500).toNanos();
    assertThat(accepts(1000)).isEqualTo(3); // turns that nobody took are not saved
    now += Duration.ofMillis(10).toNanos();
    assertThat(accepts(1000)).isEqualTo(1);
    now += Duration.ofMillis(490).toNanos();
    assertThat(accepts(1000)).as("a second after the last eviction").isEqualTo(1000);
  }

  @Test
  void acceptsAtOnceWhenAPeerIsClosedForItsOwnBytesOnly() {
    assertThat(admit("a", ONE).reserve(601)).isFalse();
    assertThat(budget.evictions()).isEqualTo(1);
    assertThat(accepts(1000)).isEqualTo(1000);
  }

  @Test
  void fitsItsDefaultsToDescriptorsAndHeap() {
    assertThat(PeerLimits.fitted(1024, 256L << 20).connections()).isEqualTo(128);
    assertThat(PeerLimits.fitted(1L << 20, 256L << 20).connections()).isEqualTo(4096);
    assertThat(PeerLimits.fitted(0, 256L << 20).bytes()).isEqualTo(16L << 20);
  }
}
