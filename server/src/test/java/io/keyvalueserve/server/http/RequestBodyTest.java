package io.keyvalueserve.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class RequestBodyTest {
  @Test
  void aBodyHasAMinuteAndASecondForEach64KiB() {
    long minute = TimeUnit.MINUTES.toNanos(1);
    assertThat(RequestBody.isTooSlow(minute, 1)).isFalse();
    assertThat(RequestBody.isTooSlow(minute + TimeUnit.MILLISECONDS.toNanos(1), 1)).isTrue();
    assertThat(RequestBody.isTooSlow(minute + TimeUnit.SECONDS.toNanos(1), 65_536)).isFalse();
    assertThat(RequestBody.isTooSlow(minute + TimeUnit.SECONDS.toNanos(2), 65_536)).isTrue();
    assertThat(RequestBody.isTooSlow(2 * minute, 64L << 20)).isFalse();
  }
}
