package io.keyvalueserve.bench;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.util.function.Consumer;

/**
 * Counts replies of Redis' protocol (RESP2) in what is received, however it is cut, and keeps
 * nothing of them but the first string of the last reply, if it is short: the cursor of SCAN. Not
 * thread-safe.
 */
final class RespSkimmer {
  private static final int LONGEST_LINE = 1024;
  private static final int LONGEST_FIRST = 32;

  private final Consumer<String> failures;
  private final StringBuilder line = new StringBuilder();
  private final StringBuilder first = new StringBuilder();
  private long missing;
  private long bytes;
  private boolean keeps;
  private boolean hasFirst;

  /**
   * @param failures is told the text of each error that is a reply of its own
   */
  RespSkimmer(Consumer<String> failures) {
    this.failures = failures;
  }

  /**
   * Takes what was received, all of it, and returns how many replies ended in it.
   *
   * @throws BenchException if it is none of the protocol
   */
  int take(byte[] in, int from, int to) {
    int replies = 0;
    for (int at = from; at < to; ) {
      if (bytes > 0) {
        int some = (int) Math.min(bytes, to - at);
        keep(in, at, some);
        at += some;
        bytes -= some;
        if (bytes == 0 && --missing == 0) {
          replies++;
        }
        continue;
      }
      byte next = in[at++];
      if (next != '\n') {
        add(next);
        continue;
      }
      replies += line(line.substring(0, Math.max(0, line.length() - 1)));
      line.setLength(0);
    }
    return replies;
  }

  private void add(byte next) {
    if (line.length() == LONGEST_LINE) {
      throw new BenchException("the server's answer is none of RESP2: " + line.substring(0, 100));
    }
    line.append((char) (next & 0xff));
  }

  /** Takes a line; returns 1 if a reply ends with it. */
  private int line(String text) {
    boolean begins = missing == 0;
    if (begins) {
      missing = 1;
      hasFirst = false;
      first.setLength(0);
    }
    switch (text.isEmpty() ? ' ' : text.charAt(0)) {
      case '+', ':' -> missing--;
      case '-' -> {
        if (begins) {
          failures.accept(text.substring(1));
        }
        missing--;
      }
      case '$' -> string(Integer.parseInt(text.substring(1)));
      case '*' -> missing += Math.max(0, Integer.parseInt(text.substring(1))) - 1;
      default -> throw new BenchException("the server's answer is none of RESP2: " + text);
    }
    return missing == 0 ? 1 : 0;
  }

  private void string(int length) {
    if (length < 0) {
      missing--;
      return;
    }
    bytes = length + 2L; // with the end of the line
    keeps = !hasFirst && length <= LONGEST_FIRST;
    hasFirst = true;
  }

  private void keep(byte[] in, int from, int length) {
    if (keeps) {
      first.append(new String(in, from, length, ISO_8859_1));
    }
  }

  /** The first string of the last reply that has one; empty if it was long. */
  String first() {
    return first.toString().strip();
  }
}
