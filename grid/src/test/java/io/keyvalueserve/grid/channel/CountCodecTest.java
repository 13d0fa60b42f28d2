package io.keyvalueserve.grid.channel;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.keyvalueserve.engine.channel.ChannelCount;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Counts of subscriptions on their way between members. */
class CountCodecTest {
  private static final List<ChannelCount> COUNTS =
      List.of(new ChannelCount("news".getBytes(UTF_8), 3));

  @Test
  void countsComeAsTheyWere() {
    byte[] bytes = CountCodec.encode(COUNTS, 20);
    assertThat(CountCodec.isTooLong(bytes)).isFalse();
    assertThat(CountCodec.decode(bytes)).usingRecursiveComparison().isEqualTo(COUNTS);
    assertThat(CountCodec.isTooLong(CountCodec.encode(List.of()))).isFalse();
  }

  @Test
  void countsWithTooManyBytesAreLeftOut() {
    byte[] bytes = CountCodec.encode(COUNTS, 19);
    assertThat(CountCodec.isTooLong(bytes)).isTrue();
    assertThat(CountCodec.decode(bytes)).isEmpty();
  }
}
