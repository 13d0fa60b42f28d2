package io.keyvalueserve.tenancy.peer;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class PeerBudgetTest {
  private static final InetAddress ONE = address(1);
  private static final InetAddress TWO = address(2);

  private long now;
  private final List<String> closed = new ArrayList<>();
  private final PeerBudget budget =
      new PeerBudget(new PeerLimits(3, 2, 1000, 600, 10, Duration.ofSeconds(10)), () -> now);

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

  @Test
  void fitsItsDefaultsToDescriptorsAndHeap() {
    assertThat(PeerLimits.fitted(1024, 256L << 20).connections()).isEqualTo(128);
    assertThat(PeerLimits.fitted(1L << 20, 256L << 20).connections()).isEqualTo(4096);
    assertThat(PeerLimits.fitted(0, 256L << 20).bytes()).isEqualTo(16L << 20);
  }
}
