package io.keyvalueserve.lua;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * Small scripts, and what Lua 5.1.5 and Redis 7.0.15 made of them.
 *
 * <p>A file has blocks with a line of three dashes between: the script, a line of three equals
 * signs, and the outcome on one line, with escapes for line ends and zero bytes.
 */
class ConformanceTest {
  @Test
  void coreAndStandardLibrariesAreThoseOfLua() throws IOException {
    check("lua51.txt", 500);
  }

  @Test
  void librariesOfRedisAreThoseOfRedis() throws IOException {
    check("redis7.txt", 100);
  }

  private static void check(String file, int atLeast) throws IOException {
    String all;
    try (InputStream in = ConformanceTest.class.getResourceAsStream(file)) {
      assertThat(in).as(file).isNotNull();
      all = new String(in.readAllBytes(), StandardCharsets.ISO_8859_1);
    }
    List<String> wrong = new ArrayList<>();
    String[] blocks = all.split("\n---\n", -1);
    for (String block : blocks) {
      int cut = block.lastIndexOf("\n===\n");
      String source = block.substring(0, cut);
      String expected = block.substring(cut + 5).stripTrailing();
      String got = escape(Scripts.outcome(source)).stripTrailing();
      if (!got.equals(expected)) {
        wrong.add(source + "\n  expected " + expected + "\n  but was  " + got);
      }
    }
    assertThat(String.join("\n", wrong)).isEmpty();
    assertThat(blocks.length).isGreaterThanOrEqualTo(atLeast);
  }

  private static String escape(String s) {
    return s.replace("\\", "\\\\").replace("\n", "\\n").replace("\r", "\\r").replace("\0", "\\0");
  }
}
