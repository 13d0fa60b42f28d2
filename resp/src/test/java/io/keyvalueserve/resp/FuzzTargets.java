package io.keyvalueserve.resp;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import io.keyvalueserve.resp.protocol.DecodedStream;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.regex.Pattern;

/**
 * What holds for any bytes from outside, as a target for Jazzer: {@code JAZZER_FUZZ=1 mvn -pl
 * gateway -am test -Dtest=FuzzTargets} searches; without that variable the corpus is run.
 */
public class FuzzTargets {
  /** What need not be answered twice in the same way. */
  private static final Pattern CHANCE =
      Pattern.compile("randomkey|info|client", Pattern.CASE_INSENSITIVE);

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

  /** A session answers, or ends with an error, but has no defect; the same whatever the way. */
  private static void checkSession(byte[] input) {
    Random random = new Random(Arrays.hashCode(input));
    String queued;
    try (EmbeddedSession session = session(Way.QUEUED, random)) {
      queued = session.send(input);
    }
    assertThat(queued).doesNotContain("internal error");
    if (!CHANCE.matcher(DecodedStream.latin(input)).find()) {
      for (Way way : Way.values()) {
        try (EmbeddedSession session = session(way, random)) {
          assertThat(session.send(input, random)).as("%s", way).isEqualTo(queued);
        }
      }
      try (EmbeddedSession session = session(Way.DIRECT, random);
          EmbeddedSession slices = inSlices(random)) {
        assertThat(session.send(input)).isEqualTo(queued);
        assertThat(slices.send(input)).as("in slices").isEqualTo(queued);
      }
    }
  }

  private static EmbeddedSession inSlices(Random random) {
    return new EmbeddedSession(
        Way.MIXED.engine(EmbeddedSession.CLOCK, random.nextLong()), /* hasRival= */ true);
  }

  private static EmbeddedSession session(Way way, Random random) {
    return new EmbeddedSession(way.engine(EmbeddedSession.CLOCK, random.nextLong()));
  }
}
