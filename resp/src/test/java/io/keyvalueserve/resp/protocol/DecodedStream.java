package io.keyvalueserve.resp.protocol;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.IntSupplier;

/** What a decoder makes of a stream that comes in pieces, as text: requests, then the error. */
public final class DecodedStream {
  private static final RequestLimits LIMITS = new RequestLimits(100_000, 1024 * 1024, 1_000_000);

  private DecodedStream() {}

  /** All bytes in one read, of a client that is trusted. */
  public static List<String> whole(byte[] bytes) {
    return split(bytes, true, List.of(bytes.length));
  }

  /** The bytes in reads of random lengths, each decoded a few parts at a time. */
  public static List<String> atRandom(byte[] bytes, boolean trusted, Random random) {
    List<Integer> lengths = new ArrayList<>();
    for (int left = bytes.length; left > 0; ) {
      int length = Math.min(left, 1 + random.nextInt(random.nextBoolean() ? 3 : 50));
      lengths.add(length);
      left -= length;
    }
    return split(bytes, trusted, lengths, () -> 1 + random.nextInt(5));
  }

  /** The bytes in reads of these lengths, each decoded at once. */
  public static List<String> split(byte[] bytes, boolean trusted, List<Integer> lengths) {
    return split(bytes, trusted, lengths, () -> Integer.MAX_VALUE);
  }

  private static List<String> split(
      byte[] bytes, boolean trusted, List<Integer> lengths, IntSupplier most) {
    List<String> result = new ArrayList<>();
    RequestDecoder decoder = new RequestDecoder(LIMITS, request -> result.add(text(request)));
    decoder.trust(trusted);
    int at = 0;
    try {
      for (int length : lengths) {
        ByteBuf read = Unpooled.wrappedBuffer(bytes, at, length);
        while (decoder.decode(read, most.getAsInt())) {
          // there may be more
        }
        at += length;
      }
    } catch (ProtocolException e) {
      result.add(String.valueOf(e.getMessage()));
    }
    return result;
  }

  private static String text(Request request) {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < request.count(); i++) {
      String argument = request.latin(i);
      String inPlace =
          new String(request.array(i), request.offset(i), request.length(i), ISO_8859_1);
      if (!argument.equals(inPlace)) {
        throw new AssertionError("argument " + i + " is '" + argument + "' and '" + inPlace + "'");
      }
      text.append(i == 0 ? "" : "|").append(argument);
    }
    return text.toString();
  }

  /** Bytes as text of one character each. */
  public static String latin(byte[] bytes) {
    return new String(bytes, ISO_8859_1);
  }

  /** Text as bytes of one character each. */
  public static byte[] latin(String text) {
    return text.getBytes(ISO_8859_1);
  }
}
