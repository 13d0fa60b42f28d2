package io.keyvalueserve.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.keyvalueserve.cli.KvsCommand;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine.TypeConversionException;

class RateTest {
  private static final Rate.Parser PARSER = new Rate.Parser();

  @Test
  void isANumberAShareOrAsManyAsCome() {
    assertThat(PARSER.convert("50000")).isEqualTo(new Rate.Fixed(50_000));
    assertThat(PARSER.convert("50%")).isEqualTo(new Rate.Share(50));
    assertThat(PARSER.convert("120%")).isEqualTo(new Rate.Share(120));
    assertThat(PARSER.convert("0")).isEqualTo(new Rate.Most());
    assertThat(PARSER.convert("0%")).isEqualTo(new Rate.Most());
  }

  @ParameterizedTest
  @ValueSource(strings = {"-1", "half", "50 %", "%", "", "12345678901"})
  void refusesOthers(String text) {
    assertThatThrownBy(() -> PARSER.convert(text))
        .isInstanceOf(TypeConversionException.class)
        .hasMessageContaining("'" + text + "' is no rate");
  }

  @Test
  void takesItsShareOfWhatWasReached() {
    assertThat(new Rate.Share(50).of(123_457)).isEqualTo(61_729);
    assertThat(new Rate.Share(1).of(3)).as("never none").isEqualTo(1);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "bench peers --rate 50% --without redis",
        "bench clients --raw --rate 50% --without stock",
        "bench clients --rate 1000",
        "bench peers --channels 2",
        "bench peers --members 3 --channels -1",
        "bench peers --connections 0",
        "bench peers --workloads hset --rate 1000",
        "bench peers --workloads zadd --leaderboard 10",
        "bench peers --workloads hsets",
        "bench peers --warm-up -1",
        "bench storm --entries 0"
      })
  void commandsRefuseWhatCannotBeMeasured(String line) {
    assertThat(KvsCommand.run(line.split(" "))).isEqualTo(2);
  }
}
