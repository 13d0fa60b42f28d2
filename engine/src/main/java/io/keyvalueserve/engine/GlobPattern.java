package io.keyvalueserve.engine;

import java.util.Arrays;

/**
 * A pattern over bytes as Redis has it: {@code *} any bytes, {@code ?} one byte, {@code [abc]},
 * {@code [a-z]} and {@code [^a]} one byte of a set, {@code \} takes the next byte as it is.
 *
 * <p>Matching goes back to the last star only, as whatever matches behind an earlier one does
 * behind the last. It takes at most the product of both lengths; {@link GlobMatcher} bounds that.
 * Immutable.
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

  /** Returns whether every key matches. */
  public boolean matchesAll() {
    return Arrays.equals(pattern, ANY.pattern);
  }

  /** Returns the bytes that whatever matches begins with. */
  public byte[] literalBeginning() {
    byte[] literal = new byte[pattern.length];
    int length = 0;
    for (int p = 0; p < pattern.length; p++) {
      byte next = pattern[p];
      if (next == '*' || next == '?' || next == '[') {
        break;
      }
      if (next == '\\' && p + 1 < pattern.length) {
        p++;
      }
      literal[length] = pattern[p];
      length++;
    }
    return Arrays.copyOf(literal, length);
  }

  /**
   * Matches a whole range of bytes. As in Redis, the empty range matches the empty pattern alone;
   * what {@link #matchesAll matches all} is for the caller to know.
   *
   * @param steps has how many bytes of the pattern may be looked at; those that were are taken
   *     away. Below 0 if they were not enough: the result says nothing then
   */
  public boolean matches(byte[] text, int offset, int length, Steps steps) {
    if (length == 0) {
      return pattern.length == 0;
    }
    int end = offset + length;
    int p = 0;
    int t = offset;
    int afterStar = -1;
    int starText = offset;
    while (t < end) {
      if (--steps.left < 0) {
        return false;
      }
      if (p < pattern.length && pattern[p] == '*') {
        afterStar = ++p;
        starText = t;
        continue;
      }
      int next = p < pattern.length ? matchOne(p, text[t], steps) : -1;
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
      steps.left--;
    }
    return p == pattern.length;
  }

  /** The number of bytes of patterns that may still be looked at. One thread. */
  public static final class Steps {
    long left;

    Steps() {}

    /** Allows so many steps. */
    public Steps(long most) {
      left = most;
    }

    /** Returns whether the steps were not enough. */
    public boolean areUsedUp() {
      return left < 0;
    }
  }

  /** Returns where the pattern goes on if its element at {@code p} matches the byte, else -1. */
  private int matchOne(int p, byte b, Steps steps) {
    return switch (pattern[p]) {
      case '?' -> p + 1;
      case '[' -> matchSet(p + 1, b, steps);
      case '\\' -> {
        int literal = p + 1 < pattern.length ? p + 1 : p;
        yield pattern[literal] == b ? literal + 1 : -1;
      }
      default -> pattern[p] == b ? p + 1 : -1;
    };
  }

  private int matchSet(int p, byte b, Steps steps) {
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
      if (--steps.left < 0) {
        return -1;
      }
    }
    return found != negated ? Math.min(at + 1, pattern.length) : -1;
  }
}
