package io.keyvalueserve.lua;

/** Matches Lua patterns. Each step is charged; nesting is bounded. */
final class Pattern {
  private static final int MAX_CAPTURES = 32;
  private static final int MAX_DEPTH = 200;
  private static final int UNCLOSED = -1;
  private static final int POSITION = -2;
  private static final int ESCAPE = '%';

  private final Run run;
  private final byte[] s;
  private final byte[] p;
  private final int[] starts = new int[MAX_CAPTURES];
  private final int[] lengths = new int[MAX_CAPTURES];
  private int level;
  private int depth;

  Pattern(Run run, LuaString source, LuaString pattern) {
    this.run = run;
    this.s = source.bytes;
    this.p = pattern.bytes;
  }

  /** Returns the end of a match that begins at a place; -1 if there is none. */
  int match(int at, int patternAt) {
    level = 0;
    depth = 0;
    return doMatch(at, patternAt);
  }

  private int patternByte(int at) {
    return at < p.length ? p[at] & 0xFF : 0;
  }

  private int doMatch(int from, int patternFrom) {
    if (++depth > MAX_DEPTH) {
      throw run.error("pattern too complex");
    }
    int at = from;
    int pat = patternFrom;
    while (true) {
      run.budget.step(1);
      if (pat >= p.length) {
        break;
      }
      int c = p[pat] & 0xFF;
      if (c == '(') {
        at =
            patternByte(pat + 1) == ')'
                ? startCapture(at, pat + 2, POSITION)
                : startCapture(at, pat + 1, UNCLOSED);
        break;
      }
      if (c == ')') {
        at = endCapture(at, pat + 1);
        break;
      }
      if (c == ESCAPE) {
        int d = patternByte(pat + 1);
        if (d == 'b' && pat + 1 < p.length) {
          at = matchBalance(at, pat + 2);
          if (at < 0) {
            break;
          }
          pat += 4;
          continue;
        }
        if (d == 'f') {
          pat += 2;
          if (patternByte(pat) != '[') {
            throw run.error("missing '[' after '%f' in pattern");
          }
          int end = classEnd(pat);
          int before = at == 0 ? 0 : s[at - 1] & 0xFF;
          int here = at < s.length ? s[at] & 0xFF : 0;
          if (matchSet(before, pat, end - 1) || !matchSet(here, pat, end - 1)) {
            at = -1;
            break;
          }
          pat = end;
          continue;
        }
        if (d >= '0' && d <= '9') {
          at = matchCapture(at, d);
          if (at < 0) {
            break;
          }
          pat += 2;
          continue;
        }
      }
      if (c == '$' && pat + 1 == p.length) {
        at = at == s.length ? at : -1;
        break;
      }
      int end = classEnd(pat);
      int suffix = patternByte(end);
      boolean here = at < s.length && single(s[at] & 0xFF, pat, end);
      if (suffix == '?') {
        if (here) {
          int result = doMatch(at + 1, end + 1);
          if (result >= 0) {
            at = result;
            break;
          }
        }
        pat = end + 1;
        continue;
      }
      if (suffix == '*') {
        at = maxExpand(at, pat, end);
        break;
      }
      if (suffix == '+') {
        at = here ? maxExpand(at + 1, pat, end) : -1;
        break;
      }
      if (suffix == '-') {
        at = minExpand(at, pat, end);
        break;
      }
      if (!here) {
        at = -1;
        break;
      }
      at++;
      pat = end;
    }
    depth--;
    return at;
  }

  private int classEnd(int at) {
    int pat = at;
    int c = p[pat++] & 0xFF;
    if (c == ESCAPE) {
      if (pat >= p.length) {
        throw run.error("malformed pattern (ends with '%')");
      }
      return pat + 1;
    }
    if (c == '[') {
      if (patternByte(pat) == '^') {
        pat++;
      }
      do {
        if (pat >= p.length) {
          throw run.error("malformed pattern (missing ']')");
        }
        if ((p[pat++] & 0xFF) == ESCAPE && pat < p.length) {
          pat++;
        }
      } while (patternByte(pat) != ']' || pat >= p.length);
      return pat + 1;
    }
    return pat;
  }

  private static boolean matchClass(int c, int kind) {
    boolean result;
    switch (isAlpha(kind) ? kind | 0x20 : 0) {
      case 'a' -> result = isAlpha(c);
      case 'c' -> result = c < 32 || c == 127;
      case 'd' -> result = c >= '0' && c <= '9';
      case 'l' -> result = c >= 'a' && c <= 'z';
      case 'p' -> result = c > 32 && c < 127 && !isAlpha(c) && !(c >= '0' && c <= '9');
      case 's' -> result = c == ' ' || (c >= 9 && c <= 13);
      case 'u' -> result = c >= 'A' && c <= 'Z';
      case 'w' -> result = isAlpha(c) || (c >= '0' && c <= '9');
      case 'x' -> result = c < 128 && Character.digit(c, 16) >= 0;
      case 'z' -> result = c == 0;
      default -> {
        return kind == c;
      }
    }
    return kind <= 'Z' ? !result : result;
  }

  private static boolean isAlpha(int c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
  }

  private boolean matchSet(int c, int from, int end) {
    int pat = from;
    boolean sign = true;
    if (patternByte(pat + 1) == '^') {
      sign = false;
      pat++;
    }
    while (++pat < end) {
      int q = p[pat] & 0xFF;
      if (q == ESCAPE) {
        pat++;
        if (matchClass(c, patternByte(pat))) {
          return sign;
        }
      } else if (patternByte(pat + 1) == '-' && pat + 2 < end) {
        pat += 2;
        if (q <= c && c <= (p[pat] & 0xFF)) {
          return sign;
        }
      } else if (q == c) {
        return sign;
      }
    }
    return !sign;
  }

  private boolean single(int c, int pat, int end) {
    return switch (p[pat]) {
      case '.' -> true;
      case ESCAPE -> matchClass(c, p[pat + 1] & 0xFF);
      case '[' -> {
        run.budget.step((end - pat) >> 3);
        yield matchSet(c, pat, end - 1);
      }
      default -> (p[pat] & 0xFF) == c;
    };
  }

  private int maxExpand(int at, int pat, int end) {
    int count = 0;
    while (at + count < s.length && single(s[at + count] & 0xFF, pat, end)) {
      count++;
      run.budget.step(1);
    }
    while (count >= 0) {
      int result = doMatch(at + count, end + 1);
      if (result >= 0) {
        return result;
      }
      count--;
    }
    return -1;
  }

  private int minExpand(int from, int pat, int end) {
    int at = from;
    while (true) {
      int result = doMatch(at, end + 1);
      if (result >= 0) {
        return result;
      }
      if (at < s.length && single(s[at] & 0xFF, pat, end)) {
        at++;
      } else {
        return -1;
      }
    }
  }

  private int startCapture(int at, int pat, int what) {
    if (level >= MAX_CAPTURES) {
      throw run.error("too many captures");
    }
    starts[level] = at;
    lengths[level] = what;
    level++;
    int result = doMatch(at, pat);
    if (result < 0) {
      level--;
    }
    return result;
  }

  private int endCapture(int at, int pat) {
    int l = toClose();
    lengths[l] = at - starts[l];
    int result = doMatch(at, pat);
    if (result < 0) {
      lengths[l] = UNCLOSED;
    }
    return result;
  }

  private int toClose() {
    for (int l = level - 1; l >= 0; l--) {
      if (lengths[l] == UNCLOSED) {
        return l;
      }
    }
    throw run.error("invalid pattern capture");
  }

  private int matchBalance(int from, int pat) {
    if (pat + 1 >= p.length) {
      throw run.error("unbalanced pattern");
    }
    if (from >= s.length || s[from] != p[pat]) {
      return -1;
    }
    int open = p[pat];
    int close = p[pat + 1];
    int depthOf = 1;
    for (int at = from + 1; at < s.length; at++) {
      run.budget.step(1);
      if (s[at] == close) {
        if (--depthOf == 0) {
          return at + 1;
        }
      } else if (s[at] == open) {
        depthOf++;
      }
    }
    return -1;
  }

  private int matchCapture(int at, int digit) {
    int l = digit - '1';
    if (l < 0 || l >= level || lengths[l] == UNCLOSED) {
      throw run.error("invalid capture index");
    }
    int length = lengths[l];
    if (length < 0 || s.length - at < length) {
      return -1;
    }
    run.budget.bulk(length);
    for (int i = 0; i < length; i++) {
      if (s[starts[l] + i] != s[at + i]) {
        return -1;
      }
    }
    return at + length;
  }

  int captures() {
    return level;
  }

  /** Returns the text of a match. */
  LuaString whole(int start, int end) {
    return run.string(s, start, end);
  }

  /** Returns a capture of the last match; number 0 without captures is the whole match. */
  LuaValue capture(int number, int start, int end) {
    if (number >= level) {
      if (number == 0) {
        return run.string(s, start, end);
      }
      throw run.error("invalid capture index");
    }
    int length = lengths[number];
    if (length == UNCLOSED) {
      throw run.error("unfinished capture");
    }
    if (length == POSITION) {
      return LuaNumber.of((long) starts[number] + 1);
    }
    return run.string(s, starts[number], starts[number] + length);
  }

  /** Returns all captures; the whole match if there are none. */
  LuaValue[] allCaptures(int start, int end, boolean wholeIfNone) {
    int count = level == 0 && wholeIfNone ? 1 : level;
    LuaValue[] all = new LuaValue[count];
    for (int i = 0; i < count; i++) {
      all[i] = capture(i, start, end);
    }
    return all;
  }
}
