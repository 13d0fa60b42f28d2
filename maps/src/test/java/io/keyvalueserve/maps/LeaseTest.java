package io.keyvalueserve.maps;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** When partitions that were taken over are served. */
class LeaseTest {
  private static final UUID FORMER = new UUID(0, 7);

  private long now = 1;
  private boolean lifted;
  private final Lease lease = Lease.none(() -> now);

  @Test
  void aFenceIsLiftedWhenTheViewIsConfirmedInWhichTheOwnerWasLost() {
    lease.enter(4, FORMER::equals);
    lease.fence(() -> lifted = true, FORMER);
    lease.settle(4, FORMER::equals, Long.MAX_VALUE - 1);
    assertThat(lifted).as("it is still a member").isFalse();
    lease.enter(5, member -> false);
    lease.settle(5, member -> false, 4);
    assertThat(lifted).isFalse();
    lease.settle(5, member -> false, 5);
    assertThat(lifted).isTrue();
  }

  @Test
  void aLeaseThatHasEndedForGoodIsNotExtended() {
    lease.setUntil(Long.MAX_VALUE);
    assertThat(lease.isForever()).isTrue();
    lease.end();
    assertThat(lease.holds()).isFalse();
    assertThat(lease.isLost()).isTrue();
    lease.setUntil(Long.MAX_VALUE);
    lease.setRefuses(false);
    assertThat(lease.holds()).isFalse();
    assertThat(lease.refuses()).isTrue();
  }

  @Test
  void aFenceIsLiftedThoughTheOwnerIsBackUnderItsId() {
    lease.enter(6, FORMER::equals);
    lease.fence(() -> lifted = true, FORMER);
    now += TimeUnit.SECONDS.toNanos(5);
    lease.settle(6, FORMER::equals, 6);
    assertThat(lifted).as("this member may just have been stopped").isFalse();
    for (int i = 0; i < 30; i++) {
      lease.settle(6, FORMER::equals, 5);
    }
    assertThat(lifted).as("others may still grant").isFalse();
    lease.settle(6, FORMER::equals, 6);
    assertThat(lifted).isTrue();
  }
}
