package io.keyvalueserve.tenancy.audit;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyvalueserve.tenancy.TenantName;
import org.junit.jupiter.api.Test;

class RecordedTest {
  @Test
  void isJoinedByEqualOnesUntilItIsTaken() {
    Recorded recorded = new Recorded(refused("x"), HandClock.START);
    assertThat(recorded.join(refused("x"))).isTrue();
    assertThat(recorded.join(refused("y"))).isFalse();
    assertThat(recorded.take()).isEqualTo(2);
    assertThat(recorded.join(refused("x"))).isFalse();
  }

  private static Occurrence refused(String object) {
    return Occurrence.requestRefused(
        new Actor.Client("10.0.0.1"), new TenantName("acme"), object, "GET");
  }
}
