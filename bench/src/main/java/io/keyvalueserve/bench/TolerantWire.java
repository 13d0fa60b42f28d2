package io.keyvalueserve.bench;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.util.function.Consumer;

/**
 * A protocol of which an error is an answer too: it is told, and the connection goes on. For one
 * connection. Not thread-safe.
 */
final class TolerantWire extends WrappedWire {
  /** What a reply says of a key that is not there. */
  static final String MISSING = "a key was missing on the server";

  private static final int NIL = "$-1\r\n".length();

  /** Where an answer of any kind ends. */
  interface Length {
    /** The length of the answer that begins at {@code from}, in bytes; 0 if it is not all there. */
    int of(byte[] in, int from, int to);
  }

  private final Length length;
  private final Consumer<String> failures;
  private final boolean resp;
  private int failed;

  /**
   * @param failures is told the text of each error
   */
  TolerantWire(Wire wire, Length length, Consumer<String> failures) {
    this(wire, length, failures, false);
  }

  private TolerantWire(Wire wire, Length length, Consumer<String> failures, boolean resp) {
    super(wire);
    this.length = length;
    this.failures = failures;
    this.resp = resp;
  }

  /** Of Redis' protocol, whose errors are told from their first byte. */
  static TolerantWire resp(Wire wire, Consumer<String> failures) {
    return new TolerantWire(wire, TolerantWire::lineLength, failures, true);
  }

  private static int lineLength(byte[] in, int from, int to) {
    for (int i = from; i < to; i++) {
      if (in[i] == '\n') {
        return i + 1 - from;
      }
    }
    return 0;
  }

  /** How many errors there were. */
  int failed() {
    return failed;
  }

  @Override
  public int reply(byte[] in, int from, int to) {
    if (resp && in[from] == '-') {
      int end = lineLength(in, from, to);
      return end == 0 ? 0 : fail(new String(in, from + 1, end - 3, ISO_8859_1), end);
    }
    if (resp && in[from] == '$' && to - from > 1 && in[from + 1] == '-') {
      return to - from < NIL ? 0 : fail(MISSING, NIL);
    }
    try {
      return wire.reply(in, from, to);
    } catch (BenchException e) {
      if (resp) {
        throw e; // neither a value as it was written nor an error: where it ends is not known
      }
      int end = length.of(in, from, to);
      return end == 0 ? 0 : fail(String.valueOf(e.getMessage()), end);
    }
  }

  private int fail(String text, int length) {
    failed++;
    failures.accept(text);
    return length;
  }
}
