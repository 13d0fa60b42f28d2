package io.keyvalueserve.engine;

import java.util.Arrays;

/**
 * A pattern over bytes as Redis has it: {@code *} any bytes, {@code ?} one byte, {@code [abc]},
 * {@code [a-z]} and {@code [^a]} one byte of a set, {@code \} takes the next byte as it is.
 *
 * <p>Matching takes at most the product of both lengths, whatever the pattern: a star that comes
 * later never needs an earlier one to be tried again. Immutable.
 */
public final class GlobPattern {
  /** Matches every key. */
  public static final GlobPattern ANY = new GlobPattern(new byte[] {'*'});

  private final byte[] pattern;

  /** Any bytes are a pattern: an open set ends with the pattern. */
  public GlobPattern(byte[] pattern) {
    this.pattern = pattern;
  }

  /** The pattern's own bytes. */
  public byte[] bytes() {
    return pattern.clone();
  }

  /** Whether every key matches. */
  public boolean matchesAll() {
    return Arrays.equals(pattern, ANY.pattern);
  }

  /** Whether the whole text matches. */
  public boolean matches(byte[] text) {
    return matches(text, 0, text.length);
  }

  /** Whether the whole range of bytes matches. */
  public boolean matches(byte[] text, int offset, int length) {
    int end = offset + length;
    int p = 0;
    int t = offset;
    int afterStar = -1;
    int starText = offset;
    while (t < end) {
      if (p < pattern.length && pattern[p] == '*') {
        afterStar = ++p;
        starText = t;
        continue;
      }
      int next = p < pattern.length ? matchOne(p, text[t]) : -1;
      if (next >= 0) {
        p = next;
        t++;
      } else if (afterStar >= 0) {
        p = afterStar;
        t = ++starText;
      } else {
        return false;
      }
    }
    while (p < pattern.length && pattern[p] == '*') {
      p++;
    }
    return p == pattern.length;
  }

  /** Where the pattern goes on if its element at {@code p} matches the byte, else -1. */
  private int matchOne(int p, byte b) {
    return switch (pattern[p]) {
      case '?' -> p + 1;
      case '[' -> matchSet(p + 1, b);
      case '\\' -> {
        int literal = p + 1 < pattern.length ? p + 1 : p;
        yield pattern[literal] == b ? literal + 1 : -1;
      }
      default -> pattern[p] == b ? p + 1 : -1;
    };
  }

  private int matchSet(int p, byte b) {
    int at = p;
    boolean negated = at < pattern.length && pattern[at] == '^';
    if (negated) {
      at++;
    }
    boolean found = false;
    while (at < pattern.length && pattern[at] != ']') {
      if (pattern[at] == '\\' && at + 1 < pattern.length) {
        at++;
        found |= pattern[at] == b;
      } else if (at + 2 < pattern.length && pattern[at + 1] == '-') {
        int low = Math.min(pattern[at] & 0xff, pattern[at + 2] & 0xff);
        int high = Math.max(pattern[at] & 0xff, pattern[at + 2] & 0xff);
        found |= low <= (b & 0xff) && (b & 0xff) <= high;
        at += 2;
      } else {
        found |= pattern[at] == b;
      }
      at++;
    }
    return found != negated ? Math.min(at + 1, pattern.length) : -1;
  }
}
