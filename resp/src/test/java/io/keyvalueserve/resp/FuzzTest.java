package io.keyvalueserve.resp;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import io.keyvalueserve.resp.protocol.DecodedStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/**
 * Goal: no bytes from outside break the decoder or a session. Method: the corpus, then mutations of
 * it for a few seconds; {@link FuzzTargets} are the same checks for a coverage-guided fuzzer.
 */
class FuzzTest {
  private static final long BUDGET_NANOS = TimeUnit.SECONDS.toNanos(4);
  private static final byte[] FRAME_BYTES = "*$:-0123456789\r\n\"' \\x".getBytes(ISO_8859_1);

  /** The committed inputs. */
  private static final List<String> CORPUS =
      List.of("pipeline", "inline", "malformed", "commands", "options", "scan", "values");

  @Test
  void theCorpusAndItsMutationsBreakNothing() {
    long seed = Long.getLong("kvs.seed", System.nanoTime());
    Random random = new Random(seed);
    List<byte[]> inputs = CORPUS.stream().map(FuzzTest::read).toList();
    inputs.forEach(FuzzTargets::checkAll);
    long end = System.nanoTime() + BUDGET_NANOS;
    while (System.nanoTime() < end) {
      byte[] input = mutated(inputs.get(random.nextInt(inputs.size())), random);
      try {
        FuzzTargets.checkAll(input);
      } catch (AssertionError | RuntimeException e) {
        throw new AssertionError("seed=" + seed + " input=" + Arrays.toString(input), e);
      }
    }
  }

  @Test
  void theCorpusStillMeansSomething() {
    assertThat(DecodedStream.whole(read("pipeline"))).contains("SET|k|v", "GET|k");
    try (EmbeddedSession session = new EmbeddedSession(Way.DIRECT.engine(EmbeddedSession.CLOCK))) {
      assertThat(session.send(read("commands"))).contains("+OK\r\n", "$-1\r\n", ":1\r\n");
      assertThat(session.isOpen()).isTrue();
    }
  }

  private static byte[] mutated(byte[] input, Random random) {
    byte[] bytes = input.clone();
    for (int i = 1 + random.nextInt(6); i > 0; i--) {
      int at = random.nextInt(bytes.length);
      switch (random.nextInt(5)) {
        case 0 -> bytes[at] = (byte) random.nextInt(256);
        case 1 -> bytes[at] = FRAME_BYTES[random.nextInt(FRAME_BYTES.length)];
        case 2 -> bytes = Arrays.copyOf(bytes, Math.max(1, at));
        case 3 -> {
          int length = Math.min(random.nextInt(20), bytes.length - at);
          System.arraycopy(bytes, at, bytes, random.nextInt(bytes.length - length + 1), length);
        }
        default -> {
          byte[] longer = Arrays.copyOf(bytes, bytes.length + 1);
          System.arraycopy(bytes, at, longer, at + 1, bytes.length - at);
          bytes = longer;
        }
      }
    }
    return bytes;
  }

  private static byte[] read(String name) {
    String path = "/io/keyvalueserve/resp/FuzzTargetsInputs/bytes/" + name;
    try (InputStream in = FuzzTest.class.getResourceAsStream(path)) {
      if (in == null) {
        throw new AssertionError("the corpus has no " + path);
      }
      return in.readAllBytes();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
