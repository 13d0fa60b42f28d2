package io.keyvalueserve.lua;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Sources that are cut up and mixed: only the errors that the interface names may come out. */
class FuzzTest {
  private static final int RUNS = 15_000;
  private static final String[] PIECES = {
    "end",
    "do",
    "(",
    ")",
    "{",
    "}",
    "[",
    "]",
    "function",
    "local",
    "=",
    "==",
    "..",
    "...",
    ",",
    "nil",
    "0",
    "-1",
    "1e308",
    "0/0",
    "2^31",
    "\"",
    "'",
    "[[",
    "]]",
    "--",
    "while true do",
    "repeat",
    "until",
    "for i = 1, 3 do",
    "return",
    "pcall(",
    "error(",
    "setmetatable(",
    "coroutine.wrap(",
    "coroutine.yield(",
    "string.rep(",
    "table.sort(",
    "unpack(",
    "select(",
    "cjson.decode(",
    "cjson.encode(",
    "cmsgpack.unpack(",
    "cmsgpack.pack(",
    "struct.unpack(",
    "struct.pack(",
    "string.format(",
    "(\"x\"):gsub(",
    "next(",
    "loadstring(",
    "load(",
    "_G",
    "%",
    "^",
    "#",
    "not",
    "and",
    "or",
    ";",
    ":",
    ".",
    "__index",
    "__newindex",
    "__call",
    "table.concat(",
    "bit.band(",
    "math.random(",
    "tostring(",
    "tonumber(",
    "rawset(",
    "getmetatable("
  };

  @Test
  void onlyKnownErrorsComeOut() throws IOException {
    long seed = Long.getLong("kvs.seed", System.nanoTime());
    List<String> corpus = corpus("lua51.txt");
    corpus.addAll(corpus("redis7.txt"));
    for (int i = 0; i < RUNS; i++) {
      SplittableRandom random = new SplittableRandom(seed + i);
      String source = mutate(corpus, random);
      try {
        // Everything but a LuaError, a BudgetExceeded and a LuaSyntaxError comes through.
        String outcome =
            Scripts.outcome(
                source,
                new Environment(),
                new Budget(20_000, 1 << 20, Duration.ofSeconds(30), 200, 50));
        assertThat(outcome).isNotEqualTo("BUDGET TIME");
      } catch (RuntimeException | Error e) {
        throw new AssertionError("seed " + (seed + i) + ": " + source, e);
      }
    }
  }

  private static List<String> corpus(String file) throws IOException {
    try (InputStream in = FuzzTest.class.getResourceAsStream(file)) {
      assertThat(in).isNotNull();
      List<String> sources = new ArrayList<>();
      String all = new String(in.readAllBytes(), StandardCharsets.ISO_8859_1);
      for (String block : all.split("\n---\n", -1)) {
        sources.add(block.substring(0, block.lastIndexOf("\n===\n")));
      }
      return sources;
    }
  }

  private static String mutate(List<String> corpus, SplittableRandom random) {
    StringBuilder s = new StringBuilder(corpus.get(random.nextInt(corpus.size())));
    int changes = 1 + random.nextInt(6);
    for (int i = 0; i < changes; i++) {
      int at = random.nextInt(s.length() + 1);
      int to = Math.min(s.length(), at + random.nextInt(12));
      switch (random.nextInt(7)) {
        case 0 -> s.delete(at, to);
        case 1 -> s.insert(at, " " + PIECES[random.nextInt(PIECES.length)] + " ");
        case 2 -> s.insert(at, s.substring(at, to));
        case 3 -> s.insert(at, (char) random.nextInt(256));
        case 4 -> s.replace(at, to, PIECES[random.nextInt(PIECES.length)]);
        case 5 -> {
          String other = corpus.get(random.nextInt(corpus.size()));
          int from = random.nextInt(other.length() + 1);
          int end = Math.min(other.length(), from + random.nextInt(60));
          s.insert(at, other.substring(from, end));
        }
        default -> s.insert(at, random.nextInt(-3, 300));
      }
    }
    return s.toString();
  }
}
