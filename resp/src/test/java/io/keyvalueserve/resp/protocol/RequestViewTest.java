package io.keyvalueserve.resp.protocol;

import static io.keyvalueserve.resp.protocol.DecodedStream.latin;
import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.Unpooled;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Goal: what is read where it lies is what the decoder makes of the same bytes, or nothing. */
class RequestViewTest {
  private static final RequestLimits LIMITS = new RequestLimits(50, 1024 * 1024, 100);
  private static final String FRAME_BYTES = "*$:-0123456789\r\n";

  @Test
  void readsRequestAfterRequest() {
    byte[] bytes = latin("..*2\r\n$3\r\nGET\r\n$1\r\nk\r\n*1\r\n$0\r\n\r\n*1\r\n$4\r\nPIN");
    RequestView view = new RequestView(LIMITS);
    int second = view.read(bytes, 2, bytes.length);
    assertThat(text(view)).isEqualTo("GET|k");
    assertThat(view.is(0, "GET")).isTrue();
    assertThat(view.is(0, "SET")).isFalse();
    int third = view.read(bytes, second, bytes.length);
    assertThat(text(view)).isEmpty();
    assertThat(view.read(bytes, third, bytes.length)).isEqualTo(-1);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "PING\r\n",
        "*0\r\n........",
        "*-1\r\n.......",
        "*01\r\n$1\r\nk\r\n",
        "*1\r\n$01\r\nk\r\n",
        "*1\r\n$-1\r\nk\r\n",
        "*1\r\n:1\r\nkk\r\n",
        "*1\r$1\r\nkkkk\r\n",
        "*1\n\n$1\r\nkkkk\r\n",
        "*1\r\n$51\r\n012345678901234567890123456789012345678901234567890\r\n",
        "*1\r\n$999999999\r\nk\r\n",
        "*1025\r\n$1\r\nk\r\n"
      })
  void leavesWhatIsUnusualToTheDecoder(String frame) {
    byte[] bytes = latin(frame);
    assertThat(new RequestView(LIMITS).read(bytes, 0, bytes.length)).isEqualTo(-1);
  }

  @Test
  void leavesWhatIsTooLargeInAllToTheDecoder() {
    String bulk = "$50\r\n" + "v".repeat(50) + "\r\n";
    byte[] fits = latin("*2\r\n" + bulk.repeat(2));
    byte[] exceeds = latin("*3\r\n" + bulk.repeat(2) + "$1\r\nk\r\n");
    assertThat(new RequestView(LIMITS).read(fits, 0, fits.length)).isEqualTo(fits.length);
    assertThat(new RequestView(LIMITS).read(exceeds, 0, exceeds.length)).isEqualTo(-1);
  }

  @Test
  void readsTimes() {
    assertThat(positive("1")).isEqualTo(1);
    assertThat(positive("123456789012345")).isEqualTo(123456789012345L);
    for (String text : List.of("", "0", "01", "-1", "+1", "1 ", "1.0", "x", "1234567890123456")) {
      assertThat(positive(text)).as(text).isEqualTo(-1);
    }
  }

  /** However damaged: where the view reads a request, the decoder reads the same. */
  @Property(tries = 2000)
  void readsWhatTheDecoderReads(
      @ForAll @Size(max = 6) List<@Size(max = 12) String> words, @ForAll long seed) {
    Random random = new Random(seed);
    StringBuilder frames = new StringBuilder();
    for (String word : words) {
      int length = Math.min(word.length(), 9);
      frames.append("*2\r\n$3\r\nGET\r\n$").append(length).append("\r\n");
      frames.append(word, 0, length).append("\r\n");
    }
    byte[] bytes = latin(frames.toString());
    for (int i = random.nextInt(3); i > 0 && bytes.length > 0; i--) {
      bytes[random.nextInt(bytes.length)] =
          (byte) FRAME_BYTES.charAt(random.nextInt(FRAME_BYTES.length()));
    }
    RequestView view = new RequestView(LIMITS);
    int at = 0;
    int end;
    while ((end = view.read(bytes, at, bytes.length)) > 0) {
      assertThat(decoded(Arrays.copyOfRange(bytes, at, end))).containsExactly(text(view));
      at = end;
    }
  }

  private static List<String> decoded(byte[] bytes) {
    List<String> requests = new ArrayList<>();
    RequestDecoder decoder = new RequestDecoder(LIMITS, request -> requests.add(text(request)));
    decoder.trust(true);
    try {
      var _ = decoder.decode(Unpooled.wrappedBuffer(bytes), Integer.MAX_VALUE);
    } catch (ProtocolException e) {
      requests.add(String.valueOf(e.getMessage()));
    }
    assertThat(decoder.isAtBoundary()).isTrue();
    return requests;
  }

  private static long positive(String text) {
    byte[] bytes = latin("*1\r\n$" + text.length() + "\r\n" + text + "\r\n");
    RequestView view = new RequestView(LIMITS);
    assertThat(view.read(bytes, 0, bytes.length)).isEqualTo(bytes.length);
    return view.positive(0);
  }

  private static String text(RequestView view) {
    return text(view.toRequest());
  }

  private static String text(Request request) {
    List<String> words = new ArrayList<>();
    for (int i = 0; i < request.count(); i++) {
      words.add(request.latin(i));
    }
    return String.join("|", words);
  }
}
