package io.keyvalueserve.maps;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

final class KeyTimesTest {
  @Test
  void isAMapThatKeepsTheLaterTime() {
    KeyTimes times = new KeyTimes();
    Map<Long, Long> model = new HashMap<>();
    Random random = new Random(48);
    long[] bytes = {0};
    for (int i = 0; i < 20_000; i++) {
      long hash = random.nextInt(5_000) * 0x9E3779B97F4A7C15L;
      long time = 1L + random.nextInt(1_000_000);
      assertThat(times.note(hash, time, more -> (bytes[0] += more) > 0)).isTrue();
      long _ = model.merge(hash, time, Math::max);
    }
    assertThat(times.size()).isEqualTo(model.size());
    model.forEach((hash, time) -> assertThat(times.of(hash)).isEqualTo(time));
    assertThat(times.of(1)).isZero();
    Map<Long, Long> seen = new HashMap<>();
    times.forEach(seen::put);
    assertThat(seen).isEqualTo(model);
    assertThat(times.bytes()).isEqualTo(bytes[0]);
    assertThat(times.clear()).isEqualTo(bytes[0]);
    assertThat(times.of(model.keySet().iterator().next())).isZero();
  }

  @Test
  void withoutRoomWhatIsKnownIsKeptAndBroughtUpToDate() {
    KeyTimes times = new KeyTimes();
    int noted = 0;
    while (times.note((noted + 1L) << 32, 5, more -> times.bytes() == 0)) {
      noted++;
    }
    assertThat(noted).isPositive();
    assertThat(times.size()).isEqualTo(noted);
    assertThat(times.note(1L << 32, 9, more -> false)).as("a known key").isTrue();
    assertThat(times.of(1L << 32)).isEqualTo(9);
  }
}
