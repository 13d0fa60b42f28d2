package io.keyvalueserve.engine;

import static io.keyvalueserve.engine.Batches.utf8;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

final class GlobPatternTest {
  @ParameterizedTest
  @CsvSource({
    "'', '', true",
    "'', a, false",
    "*, '', true",
    "*, anything, true",
    "**, a, true",
    "**, '', false", // in Redis, too: the star alone is looked at first
    "a*, b, false",
    "a*c, abbbc, true",
    "a*c, abbbcd, false",
    "*a*b*, xxaxxbxx, true",
    "*a*b*, xxbxxaxx, false",
    "?, '', false",
    "h?llo, hello, true",
    "h?llo, hllo, false",
    "[ae], a, true",
    "[ae], b, false",
    "h[^e]llo, hallo, true",
    "h[^e]llo, hello, false",
    "[a-c], b, true",
    "[c-a], b, true",
    "[a-c], d, false",
    "[a-], -, false", // a range from ] to a, of a set that stays open
    "[a-], ^, true",
    "[-a], -, true",
    "[abc, b, true",
    "[abc, [, false",
    "[], a, false",
    "[^], a, true",
    "[\\]], ], true",
    "a\\*, a*, true",
    "a\\*, ab, false",
    "a\\, a\\, true",
    "user:*:name, user:42:name, true"
  })
  void matchesAsRedisDoes(String pattern, String text, boolean matches) {
    assertThat(matches(utf8(pattern), utf8(text))).isEqualTo(matches);
  }

  @Test
  void agreesWithAPlainRecursion() {
    Random random = new Random(3);
    for (int i = 0; i < 300_000; i++) {
      byte[] pattern = random(random, "*?[]^-\\ab", 7);
      byte[] text = random(random, "abc-]^\\", 6);
      assertThat(matches(pattern, text))
          .as("pattern %s, text %s", Batches.latin(pattern), Batches.latin(text))
          .isEqualTo(
              text.length == 0
                  ? pattern.length == 0 || Arrays.equals(pattern, utf8("*"))
                  : slowly(pattern, 0, text, 0));
    }
  }

  /** What each pattern costs for a long key: no more than a bound, and far less if it is usual. */
  @ParameterizedTest
  @MethodSource("hostilePatterns")
  void aHostilePatternIsRefusedWhereItTakesTooManySteps(byte[] pattern, int length) {
    byte[] text = new byte[length];
    Arrays.fill(text, (byte) 'a');
    GlobMatcher matcher = new GlobMatcher(new GlobPattern(pattern));
    assertThat(matcher.matches(text)).isFalse();
    assertThat(matcher.isTooCostly()).isTrue();
    assertThat(matcher.isSliceOver()).isTrue();
    int most = Math.max(GlobMatcher.LEAST_STEPS, GlobMatcher.STEPS_PER_BYTE * length);
    assertThat(matcher.steps()).isBetween((long) most, most + 1L + pattern.length);
    assertThat(matcher.refusal())
        .isEqualTo(
            "the pattern takes more than "
                + most
                + " steps for a key of "
                + length
                + " bytes: use fewer or shorter texts between its '*' signs");
    assertThat(matcher.matches(utf8("b"))).as("from then on").isFalse();
  }

  static Stream<Arguments> hostilePatterns() {
    return Stream.of(
        Arguments.of(utf8("*" + "a".repeat(500) + "b"), 20_000),
        Arguments.of(utf8("*a".repeat(500) + "a".repeat(400) + "b"), 2_000),
        Arguments.of(utf8("*[" + "b".repeat(100_000) + "]"), 1),
        Arguments.of(utf8("[" + "\\b".repeat(70_000)), 1),
        Arguments.of(utf8("*".repeat(100_000) + "b"), 20_000),
        Arguments.of(utf8("*" + "a".repeat(500) + "b"), 1_000_000));
  }

  @Test
  void usualPatternsTakeFewSteps() {
    byte[] text = new byte[1_000_000];
    Arrays.fill(text, (byte) 'a');
    for (String pattern : List.of("a*", "*a", "*b*", "*a*a*a*a*", "?".repeat(1_000) + "*")) {
      GlobMatcher matcher = new GlobMatcher(new GlobPattern(utf8(pattern)));
      boolean _ = matcher.matches(text);
      assertThat(matcher.isTooCostly()).as(pattern).isFalse();
      assertThat(matcher.steps()).as(pattern).isLessThan(2_100_000);
    }
  }

  private static boolean matches(byte[] pattern, byte[] text) {
    return new GlobMatcher(new GlobPattern(pattern)).matches(text);
  }

  @Test
  void knowsThePatternOfEverything() {
    assertThat(GlobPattern.ANY.matchesAll()).isTrue();
    assertThat(new GlobPattern(utf8("*")).matchesAll()).isTrue();
    assertThat(new GlobPattern(utf8("a*")).matchesAll()).isFalse();
  }

  private static byte[] random(Random random, String alphabet, int most) {
    byte[] bytes = new byte[random.nextInt(most + 1)];
    for (int i = 0; i < bytes.length; i++) {
      bytes[i] = (byte) alphabet.charAt(random.nextInt(alphabet.length()));
    }
    return bytes;
  }

  /** What a pattern means, said as plainly as possible and without regard to time. */
  private static boolean slowly(byte[] pattern, int p, byte[] text, int t) {
    if (p == pattern.length) {
      return t == text.length;
    }
    if (pattern[p] == '*') {
      return slowly(pattern, p + 1, text, t)
          || (t < text.length && slowly(pattern, p, text, t + 1));
    }
    if (t == text.length) {
      return false;
    }
    if (pattern[p] == '?') {
      return slowly(pattern, p + 1, text, t + 1);
    }
    if (pattern[p] == '[') {
      return set(pattern, p + 1, text, t);
    }
    int literal = pattern[p] == '\\' && p + 1 < pattern.length ? p + 1 : p;
    return pattern[literal] == text[t] && slowly(pattern, literal + 1, text, t + 1);
  }

  private static boolean set(byte[] pattern, int begin, byte[] text, int t) {
    int p = begin;
    boolean negated = p < pattern.length && pattern[p] == '^';
    if (negated) {
      p++;
    }
    boolean[] members = new boolean[256];
    while (p < pattern.length && pattern[p] != ']') {
      boolean escape = pattern[p] == '\\' && p + 1 < pattern.length;
      boolean range = !escape && p + 2 < pattern.length && pattern[p + 1] == '-';
      if (escape) {
        members[pattern[p + 1]] = true;
      } else if (range) {
        for (int c = Math.min(pattern[p], pattern[p + 2]);
            c <= Math.max(pattern[p], pattern[p + 2]);
            c++) {
          members[c] = true;
        }
      } else {
        members[pattern[p]] = true;
      }
      p += escape ? 2 : range ? 3 : 1;
    }
    return members[text[t]] != negated
        && slowly(pattern, Math.min(p + 1, pattern.length), text, t + 1);
  }
}
