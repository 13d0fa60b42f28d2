package io.keyvalueserve.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import io.keyvalueserve.gateway.protocol.DecodedStream;
import java.util.Arrays;
import java.util.List;
import java.util.Random;

/**
 * What holds for any bytes from outside, as a target for Jazzer: {@code JAZZER_FUZZ=1 mvn -pl
 * gateway -am test -Dtest=FuzzTargets} searches; without that variable the corpus is run.
 */
public class FuzzTargets {
  @FuzzTest(maxDuration = "15s")
  void bytes(byte[] input) {
    checkAll(input);
  }

  static void checkAll(byte[] input) {
    checkDecoder(input);
    checkSession(input);
  }

  /** However it is split, the stream gives the same requests. */
  private static void checkDecoder(byte[] input) {
    Random random = new Random(Arrays.hashCode(input));
    for (boolean trusted : new boolean[] {true, false}) {
      assertThat(DecodedStream.atRandom(input, trusted, random))
          .isEqualTo(DecodedStream.split(input, trusted, List.of(input.length)));
    }
  }

  /** A session answers, or ends with an error, but has no defect. */
  private static void checkSession(byte[] input) {
    try (EmbeddedSession session = new EmbeddedSession()) {
      assertThat(session.send(input)).doesNotContain("internal error");
    }
  }
}
