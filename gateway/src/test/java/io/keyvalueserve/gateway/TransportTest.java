package io.keyvalueserve.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class TransportTest {
  @Test
  void loopsShareTheRoomForCompletions() {
    assertThat(IntStream.of(1, 2, 3, 4, 8, 16, 32, 500).map(Transport::completionQueueEntries))
        .containsExactly(32_768, 32_768, 16_384, 16_384, 8_192, 4_096, 2_048, 2_048);
  }
}
