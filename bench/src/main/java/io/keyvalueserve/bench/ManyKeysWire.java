package io.keyvalueserve.bench;

import java.util.Arrays;
import java.util.SplittableRandom;

/**
 * Requests of Redis' protocol that ask which of many keys are there, and are answered with a
 * number: they cost the server many lookups and the load no more than copying them, so that one
 * core of load has one core of server busy all the time. Not thread-safe.
 */
final class ManyKeysWire extends WrappedWire {
  private static final int VARIANTS = 64;

  // Short names, of which few are there: so a request is cheap to send and to receive, however many
  // of them are on their way.
  private static final int KEYS = 1_000;
  private static final int RADIX = 36;
  private static final int LONGEST_NUMBER = ":2147483647\r\n".length();

  private final byte[][] requests = new byte[VARIANTS][];
  private final int longest;

  /**
   * @param wire whose greeting it has
   * @param keys of a request
   */
  ManyKeysWire(Wire wire, int keys) {
    super(wire);
    SplittableRandom random = new SplittableRandom(keys);
    for (int variant = 0; variant < VARIANTS; variant++) {
      String[] words = new String[keys + 1];
      Arrays.setAll(words, i -> i == 0 ? "EXISTS" : Integer.toString(random.nextInt(KEYS), RADIX));
      requests[variant] = IsolationCommands.command(words);
    }
    longest = Arrays.stream(requests).mapToInt(request -> request.length).max().orElseThrow();
  }

  @Override
  public int longestRequest() {
    return longest;
  }

  @Override
  public int longestReply() {
    return LONGEST_NUMBER;
  }

  @Override
  public int put(byte[] out, int at, int key, boolean read, long sequence) {
    byte[] request = requests[key % VARIANTS];
    System.arraycopy(request, 0, out, at, request.length);
    return at + request.length;
  }

  @Override
  public int reply(byte[] in, int from, int to) {
    if (in[from] != ':') {
      throw Sockets.answered(in, from, to);
    }
    for (int i = from; i < to; i++) {
      if (in[i] == '\n') {
        return i + 1 - from;
      }
    }
    return 0;
  }
}
