package io.keyvalueserve.resp.watch;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.keyvalueserve.resp.protocol.Arguments;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;

/**
 * A request as its tenant may see it: cut, and without secrets. The arguments of AUTH, those of
 * HELLO that authenticate, and whatever looks like an access key are never shown.
 */
public final class ShownArguments {
  /** The most arguments of an entry of the slow log, and the most bytes of each. */
  private static final int MOST_LOGGED = 32;

  private static final int MOST_LOGGED_BYTES = 128;

  /** The most arguments of a line of a monitor, and the most bytes of each. */
  private static final int MOST_SHOWN = 256;

  private static final int MOST_SHOWN_BYTES = 1024;

  private static final String REDACTED = "(redacted)";
  private static final String ELSEWHERE = "(a large value)";
  private static final byte[] KEY_PREFIX = "kvs_".getBytes(US_ASCII);

  private ShownArguments() {}

  /** Returns the arguments for the slow log, cut as Redis cuts them. */
  public static List<byte[]> logged(Arguments request) {
    int count = request.count();
    int shown = count <= MOST_LOGGED ? count : MOST_LOGGED - 1;
    Secrets secrets = Secrets.of(request);
    List<byte[]> arguments = new ArrayList<>(Math.min(count, MOST_LOGGED));
    for (int i = 0; i < shown; i++) {
      arguments.add(logged(request, i, secrets));
    }
    if (shown < count) {
      arguments.add(("... (" + (count - shown) + " more arguments)").getBytes(US_ASCII));
    }
    return arguments;
  }

  private static byte[] logged(Arguments request, int index, Secrets secrets) {
    if (request.isElsewhere(index)) {
      return ELSEWHERE.getBytes(US_ASCII);
    }
    int from = request.offset(index);
    int length = request.length(index);
    int kept = Math.min(length, MOST_LOGGED_BYTES);
    if (secrets.has(request, index, kept)) {
      return REDACTED.getBytes(US_ASCII);
    }
    byte[] bytes = Arrays.copyOfRange(request.array(index), from, from + kept);
    if (kept == length) {
      return bytes;
    }
    byte[] rest = more(length - kept).getBytes(US_ASCII);
    byte[] both = Arrays.copyOf(bytes, kept + rest.length);
    System.arraycopy(rest, 0, both, kept, rest.length);
    return both;
  }

  private static String more(int bytes) {
    return "... (" + bytes + " more bytes)";
  }

  /**
   * Returns the line of a monitor, as Redis writes it: {@code 1339518083.107412 [0 127.0.0.1:60866]
   * "keys" "*"}.
   *
   * @param map the name or number of the map
   */
  public static String line(Arguments request, Instant now, String map, String address) {
    StringBuilder line = new StringBuilder();
    String micros = Long.toString(TimeUnit.NANOSECONDS.toMicros(now.getNano()));
    line.append(now.getEpochSecond())
        .append('.')
        .append("0".repeat(6 - micros.length()))
        .append(micros)
        .append(" [")
        .append(map)
        .append(' ')
        .append(address)
        .append(']');
    Secrets secrets = Secrets.of(request);
    int count = request.count();
    for (int i = 0; i < Math.min(count, MOST_SHOWN); i++) {
      line.append(' ');
      if (request.isElsewhere(i)) {
        line.append('"').append(ELSEWHERE).append('"');
        continue;
      }
      int length = request.length(i);
      int kept = Math.min(length, MOST_SHOWN_BYTES);
      if (secrets.has(request, i, kept)) {
        line.append('"').append(REDACTED).append('"');
      } else {
        quote(line, request.array(i), request.offset(i), kept, length - kept);
      }
    }
    if (count > MOST_SHOWN) {
      line.append(" ... (").append(count - MOST_SHOWN).append(" more arguments)");
    }
    return line.toString();
  }

  private static void quote(StringBuilder line, byte[] bytes, int from, int length, int more) {
    line.append('"');
    for (int i = from; i < from + length; i++) {
      int b = bytes[i] & 0xff;
      switch (b) {
        case '\\', '"' -> line.append('\\').append((char) b);
        case '\n' -> line.append("\\n");
        case '\r' -> line.append("\\r");
        case '\t' -> line.append("\\t");
        case 7 -> line.append("\\a");
        case '\b' -> line.append("\\b");
        default -> {
          if (b >= ' ' && b <= '~') {
            line.append((char) b);
          } else {
            line.append(String.format(Locale.ROOT, "\\x%02x", b));
          }
        }
      }
    }
    if (more > 0) {
      line.append(more(more));
    }
    line.append('"');
  }

  /**
   * The arguments that are secrets.
   *
   * @param from the index of the first, 0 if there is none
   * @param to the index behind the last
   */
  private record Secrets(int from, int to) {
    static Secrets of(Arguments request) {
      if (is(request, 0, "auth")) {
        return new Secrets(1, request.count());
      }
      if (is(request, 0, "hello")) {
        for (int i = 2; i < request.count(); i++) {
          if (is(request, i, "auth")) {
            return new Secrets(i + 1, i + 3);
          }
        }
      }
      return new Secrets(0, 0);
    }

    boolean has(Arguments request, int index, int length) {
      return (index >= from && index < to)
          || looksLikeKey(request.array(index), request.offset(index), length);
    }

    private static boolean is(Arguments request, int index, String word) {
      if (request.isElsewhere(index) || request.length(index) != word.length()) {
        return false;
      }
      byte[] bytes = request.array(index);
      int from = request.offset(index);
      for (int i = 0; i < word.length(); i++) {
        if ((bytes[from + i] | 0x20) != word.charAt(i)) {
          return false;
        }
      }
      return true;
    }

    private static boolean looksLikeKey(byte[] bytes, int from, int length) {
      int last = from + length - KEY_PREFIX.length;
      for (int i = from; i <= last; i++) {
        if (Arrays.equals(bytes, i, i + KEY_PREFIX.length, KEY_PREFIX, 0, KEY_PREFIX.length)) {
          return true;
        }
      }
      return false;
    }
  }
}
