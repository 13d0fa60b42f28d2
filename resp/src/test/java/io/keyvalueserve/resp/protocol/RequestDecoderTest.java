package io.keyvalueserve.resp.protocol;

import static io.keyvalueserve.resp.protocol.DecodedStream.latin;
import static io.keyvalueserve.resp.protocol.DecodedStream.split;
import static io.keyvalueserve.resp.protocol.DecodedStream.whole;
import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Goal: bytes become the requests that Redis would see, however the network splits them. */
class RequestDecoderTest {
  @Test
  void readsArraysAndInlineCommands() {
    assertThat(whole(latin("*2\r\n$3\r\nGET\r\n$1\r\nk\r\nPING hi\r\n*1\r\n$0\r\n\r\n")))
        .containsExactly("GET|k", "PING|hi", "");
  }

  @Test
  void handsOverARequestOnlyWhenAllOfItHasCome() {
    byte[] bytes = latin("*1\r\n$4\r\nPING\r\n");
    for (int length = 0; length < bytes.length; length++) {
      assertThat(split(bytes, true, List.of(length))).isEmpty();
    }
    assertThat(whole(bytes)).containsExactly("PING");
  }

  @Test
  void passesOverEmptyRequests() {
    assertThat(whole(latin("\r\n*0\r\n*-1\r\n   \r\nPING\r\n"))).containsExactly("PING");
  }

  @Test
  void readsInlineQuotes() {
    assertThat(whole(latin("SET \"a \\x41\\n\" 'it\\'s' plain\n")))
        .containsExactly("SET|a A\n|it's|plain");
    assertThat(whole(latin("SET \"a\n"))).containsExactly(error("unbalanced quotes in request"));
    assertThat(whole(latin("SET 'a'b\n"))).containsExactly(error("unbalanced quotes in request"));
  }

  @ParameterizedTest
  @CsvSource({
    "*x, invalid multibulk length",
    "*1048577, invalid multibulk length",
    "*99999999999999999999, invalid multibulk length",
    "*1~$x, invalid bulk length",
    "*1~$-1, invalid bulk length",
    "*1~$536870913, invalid bulk length",
  })
  void refusesWhatIsNoRequestInTheWordsOfRedis(String frame, String rule) {
    assertThat(whole(latin("PING\r\n" + frame.replace("~", "\r\n") + "\r\nPING\r\n")))
        .containsExactly("PING", error(rule));
  }

  @Test
  void saysWhatItGotInsteadOfABulk() {
    assertThat(whole(latin("*1\r\n:5\r\n"))).containsExactly(error("expected '$', got ':'"));
  }

  @Test
  void boundsTheLineAndTheWholeRequest() {
    assertThat(whole(latin("x".repeat(70_000)))).containsExactly(error("too big inline request"));
    assertThat(whole(latin("*" + "1".repeat(70_000))))
        .containsExactly(error("too big mbulk count string"));
    assertThat(whole(latin("*1\r\n" + "$".repeat(70_000))))
        .containsExactly(error("too big bulk count string"));
    String bulk = "$100000\r\n" + "v".repeat(100_000) + "\r\n";
    assertThat(whole(latin("*11\r\n" + bulk.repeat(11)))).containsExactly(error("too big request"));
  }

  @Test
  void aClientThatHasNotAuthenticatedMaySendOnlySmallRequests() {
    assertThat(split(latin("*11\r\n"), false, List.of(5)))
        .containsExactly(error("unauthenticated multibulk length"));
    assertThat(split(latin("*1\r\n$16385\r\n"), false, List.of(12)))
        .containsExactly(error("unauthenticated bulk length"));
    byte[] allowed = latin("*1\r\n$16384\r\n" + "v".repeat(16_384) + "\r\n");
    assertThat(split(allowed, false, List.of(allowed.length))).hasSize(1);
  }

  @Property(tries = 100)
  void readsManyArgumentsOfAnyLength(
      @ForAll @IntRange(min = 1_020, max = 3_000) int count, @ForAll long seed) {
    Random random = new Random(seed);
    int[] usual = {0, 1, 16, 16, 40, 1_023, 1_024, 1_025, 20_000};
    List<byte[]> arguments = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      int most = random.nextInt(100) == 0 ? usual.length : 5;
      byte[] argument = new byte[usual[random.nextInt(most)]];
      random.nextBytes(argument);
      arguments.add(argument);
    }
    String text = arguments.stream().map(DecodedStream::latin).collect(joining("|"));
    byte[] frame = frame(arguments);
    byte[] two = concat(frame, latin("PING\r\n"), frame);
    assertThat(whole(two)).containsExactly(text, "PING", text);
    assertThat(DecodedStream.atRandom(two, true, random)).containsExactly(text, "PING", text);
  }

  /** So that each length comes to end, and to begin, where an array does. */
  @ParameterizedTest
  @ValueSource(ints = {0, 1, 14, 30, 1_022, 1_024})
  void readsManyArgumentsOfOneLength(int length) {
    List<byte[]> arguments = new ArrayList<>();
    for (int i = 0; i < 20_000; i++) {
      byte[] argument = new byte[length];
      Arrays.fill(argument, (byte) ('a' + i % 26));
      arguments.add(argument);
      if (arguments.size() * (long) length > 500_000) {
        break;
      }
    }
    while (arguments.size() < 1_025) {
      arguments.add(new byte[0]);
    }
    String text = arguments.stream().map(DecodedStream::latin).collect(joining("|"));
    assertThat(whole(frame(arguments)).equals(List.of(text))).isTrue();
  }

  @Test
  void anAnnouncementAloneTakesLittleMemory() {
    // 1,000 arguments of the greatest length are announced one after the other by many clients
    RequestLimits limits = new RequestLimits(1 << 30, 1024 * 1024, 1L << 40);
    List<RequestDecoder> decoders = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      RequestDecoder decoder = new RequestDecoder(limits, request -> {});
      decoder.trust(true);
      try {
        var _ =
            decoder.decode(
                io.netty.buffer.Unpooled.wrappedBuffer(latin("*1048576\r\n$1073741824\r\nx")),
                Integer.MAX_VALUE);
      } catch (ProtocolException e) {
        throw new AssertionError(e);
      }
      decoders.add(decoder); // 100 GiB, if they were believed
    }
    assertThat(decoders).hasSize(100);
  }

  @Property(tries = 500)
  void anySplitGivesTheSameRequests(
      @ForAll("streams") byte[] stream, @ForAll boolean trusted, @ForAll long seed) {
    List<String> inOnePiece = split(stream, trusted, List.of(stream.length));
    assertThat(DecodedStream.atRandom(stream, trusted, new Random(seed))).isEqualTo(inOnePiece);
    assertThat(split(stream, trusted, Collections.nCopies(stream.length, 1))).isEqualTo(inOnePiece);
  }

  @Provide
  Arbitrary<byte[]> streams() {
    Arbitrary<byte[]> bulk = Arbitraries.bytes().array(byte[].class).ofMaxSize(40);
    Arbitrary<byte[]> array = bulk.list().ofMinSize(1).ofMaxSize(12).map(RequestDecoderTest::frame);
    Arbitrary<byte[]> inline =
        Arbitraries.strings()
            .withChars("ab\"'\\x4 \t\r")
            .ofMaxLength(30)
            .map(text -> latin(text + "\n"));
    Arbitrary<byte[]> broken =
        Arbitraries.strings()
            .withChars("*$:-0123456789\r\n")
            .ofMaxLength(12)
            .map(DecodedStream::latin);
    Arbitrary<byte[]> good = Arbitraries.oneOf(array, inline);
    return Combinators.combine(good.list().ofMaxSize(5), broken, good)
        .as(
            (first, second, third) -> {
              ByteArrayOutputStream stream = new ByteArrayOutputStream();
              first.forEach(stream::writeBytes);
              stream.writeBytes(second);
              stream.writeBytes(third);
              return stream.toByteArray();
            });
  }

  private static byte[] concat(byte[]... parts) {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    for (byte[] part : parts) {
      all.writeBytes(part);
    }
    return all.toByteArray();
  }

  private static byte[] frame(List<byte[]> arguments) {
    ByteArrayOutputStream frame = new ByteArrayOutputStream();
    frame.writeBytes(latin("*" + arguments.size() + "\r\n"));
    for (byte[] argument : arguments) {
      frame.writeBytes(latin("$" + argument.length + "\r\n"));
      frame.writeBytes(argument);
      frame.writeBytes(latin("\r\n"));
    }
    return frame.toByteArray();
  }

  private static String error(String rule) {
    return "ERR Protocol error: " + rule;
  }
}
