package io.keyvalueserve.gates.peer;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetSocketAddress;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class FailedKeysTest {
  private long now = Long.MAX_VALUE - 5; // the clock may wrap around
  private final FailedKeys failed = new FailedKeys(() -> now);

  private long from(String address) {
    return failed.failed(new InetSocketAddress(address, 1));
  }

  private void pass(long millis) {
    now += TimeUnit.MILLISECONDS.toNanos(millis);
  }

  @Test
  void letsTwentyThroughAndThenTwoASecond() {
    for (int i = 0; i < 20; i++) {
      assertThat(from("10.0.0.1")).isZero();
    }
    assertThat(from("10.0.0.1")).isEqualTo(500);
    assertThat(from("10.0.0.1")).as("asking again makes it no worse").isEqualTo(500);
    pass(499);
    assertThat(from("10.0.0.1")).isEqualTo(1);
    pass(1);
    assertThat(from("10.0.0.1")).isZero();
    assertThat(from("10.0.0.1")).isEqualTo(500);
    assertThat(from("10.0.0.2")).as("another address").isZero();
  }

  @Test
  void forgivesInTenSeconds() {
    for (int i = 0; i < 20; i++) {
      assertThat(from("10.0.0.1")).isZero();
    }
    pass(10_000);
    for (int i = 0; i < 20; i++) {
      assertThat(from("10.0.0.1")).isZero();
    }
    assertThat(from("10.0.0.1")).isPositive();
  }

  @Test
  void countsASubscriberOfIpv6Once() {
    for (int i = 0; i < 20; i++) {
      assertThat(from("2001:db8:0:1::" + i)).isZero();
    }
    assertThat(from("2001:db8:0:1:ffff::1")).isPositive();
    assertThat(from("2001:db8:0:2::1")).isZero();
    assertThat(failed.addresses()).isEqualTo(2);
  }

  @Test
  void keepsABoundedNumberOfAddresses() {
    for (int i = 0; i < 10_000; i++) {
      assertThat(from("10.1." + i / 250 + "." + i % 250)).isZero();
    }
    assertThat(failed.addresses()).isEqualTo(4_096);
  }
}
