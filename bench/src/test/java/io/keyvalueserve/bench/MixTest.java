package io.keyvalueserve.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine.TypeConversionException;

class MixTest {
  @Test
  void knowsLoadsByName() {
    assertThat(Mix.of("get")).isEqualTo(new Mix("get", 100, false));
    assertThat(Mix.of("80/20")).isEqualTo(new Mix("80/20", 80, false));
    assertThat(Mix.of("B").readPercent()).isEqualTo(95);
    assertThat(Mix.of("b").zipfian()).isTrue();
  }

  @ParameterizedTest
  @ValueSource(strings = {"d", "50/60", "50", "", "-10/110"})
  void refusesOthers(String name) {
    assertThatThrownBy(() -> Mix.of(name))
        .isInstanceOf(TypeConversionException.class)
        .hasMessageContaining("'" + name + "' is no load");
  }

  @Test
  void readsItsShare() {
    SplittableRandom random = new SplittableRandom(1);
    long reads = IntStream.range(0, 100_000).filter(_ -> Mix.of("95/5").reads(random)).count();
    assertThat(reads).isBetween(94_500L, 95_500L);
    assertThat(Mix.of("set").reads(random)).isFalse();
  }
}
