package io.keyvalueserve.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class ClockTest {
  @Test
  void asksUntilItIsSo() {
    AtomicInteger asked = new AtomicInteger();
    Clock.await(() -> asked.incrementAndGet() == 3, 1, 60, "it was not so");
    assertThat(asked).hasValue(3);
  }

  @Test
  void saysWhatWasNotSoInTime() {
    assertThatThrownBy(() -> Clock.await(() -> false, 1, 0, "a server was not ready"))
        .isInstanceOf(BenchException.class)
        .hasMessage("a server was not ready within 0 s");
  }

  @Test
  void passesOnWhatAskingThrows() {
    assertThatThrownBy(
            () ->
                Clock.await(
                    () -> {
                      throw new IOException("gone");
                    },
                    1,
                    60,
                    "it was not so"))
        .isInstanceOf(IOException.class)
        .hasMessage("gone");
  }
}
