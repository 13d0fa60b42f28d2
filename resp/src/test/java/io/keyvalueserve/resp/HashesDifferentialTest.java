package io.keyvalueserve.resp;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Hashes beside those of Redis. */
class HashesDifferentialTest extends CollectionDifferential {
  @Override
  String[] ofType() {
    return switch (random().nextInt(26)) {
      case 0, 1, 2, 3, 4 -> many(one("HSET", "HSET", "HMSET"), key(), 2, this::element);
      case 5 -> line("HSETNX", key(), element(), element());
      case 6, 7 -> line("HGET", key(), element());
      case 8, 9 -> many("HMGET", key(), 1, this::element);
      case 10, 11 -> line("HGETALL", key());
      case 12 -> line(one("HKEYS", "HVALS", "HLEN"), key());
      case 13, 14 -> many("HDEL", key(), 1, this::element);
      case 15 -> line(one("HEXISTS", "HSTRLEN"), key(), element());
      case 16, 17 -> line("HINCRBY", key(), one("n", element()), number());
      case 18, 19 -> line("HINCRBYFLOAT", key(), one("n", "d", element()), decimal());
      case 20, 21 -> randomField();
      case 22, 23 -> scan();
      case 24 ->
          line(one("HGET", "HSET", "HMSET", "HLEN", "HGETALL", "HSCAN", "HRANDFIELD", "HDEL"));
      default -> line(one("HSET", "HMSET", "HINCRBY", "HSCAN", "HGETALL"), key(), element());
    };
  }

  private String[] randomField() {
    List<String> words = new ArrayList<>(List.of("HRANDFIELD", key()));
    if (random().nextInt(3) > 0) {
      words.add(
          one(
              "0",
              "1",
              "2",
              "-3",
              "100",
              "-1",
              "x",
              "9223372036854775807",
              "-9223372036854775808",
              "5000000000000000000"));
      if (random().nextInt(2) == 0) {
        words.add(one("WITHVALUES", "withvalues", "what"));
      }
      if (random().nextInt(10) == 0) {
        words.add("WITHVALUES");
      }
    }
    return words.toArray(String[]::new);
  }

  private String[] scan() {
    List<String> words = new ArrayList<>(List.of("HSCAN", key(), one("0", "0", "0", "x")));
    words.addAll(List.of("COUNT", one("1000", "1000", "1000", "0", "x")));
    if (random().nextInt(2) == 0) {
      words.addAll(List.of(one("MATCH", "match", "what"), one("*", "e*", "e[1-3]", "")));
    }
    if (random().nextInt(10) == 0) {
      words.add("MATCH");
    }
    return words.toArray(String[]::new);
  }

  private String number() {
    return switch (random().nextInt(8)) {
      case 0 -> one("9223372036854775807", "-9223372036854775808", "9223372036854775808");
      case 1 -> one("", "x", "1.5", " 1", "+1", "01");
      default -> Integer.toString(random().nextInt(60) - 20);
    };
  }

  private String decimal() {
    return switch (random().nextInt(8)) {
      case 0 -> one("x", "", " 1", "inf", "-inf", "nan", "1,5");
      case 1 -> one("1e3", "-2E2", "5.", ".5", "+3", "0", "0x1F");
      default -> Double.toString((random().nextInt(2_000) - 1_000) / 8.0);
    };
  }

  @Override
  boolean alike(String[] command, String expected, String actual) {
    return switch (command[0].toUpperCase(Locale.ROOT)) {
      case "HSCAN" ->
          (command.length > 3 && command[2].equals("0"))
              ? sorted(expected).equals(sorted(actual))
              : beginAlike(expected, actual); // Redis may list a part
      case "HGETALL", "HKEYS", "HVALS" -> sorted(expected).equals(sorted(actual));
      case "HRANDFIELD" ->
          command.length < 3
              ? actual.startsWith("$") && expected.startsWith("$")
              : !command[2].equals("100")
                  ? beginAlike(expected, actual)
                  : sorted(expected).equals(sorted(actual));
      case "HINCRBYFLOAT" -> nearDecimal(expected, actual);
      default -> false;
    };
  }

  @Override
  boolean isRandom(String name) {
    return name.equals("HINCRBYFLOAT");
  }

  /** Redis counts with 64 bits of precision, this door exactly. */
  private static boolean nearDecimal(String expected, String actual) {
    if (!expected.startsWith("$") || !actual.startsWith("$")) {
      return false;
    }
    BigDecimal theirs = new BigDecimal(expected.lines().toList().get(1));
    BigDecimal ours = new BigDecimal(actual.lines().toList().get(1));
    return theirs.subtract(ours).abs().compareTo(theirs.abs().scaleByPowerOfTen(-17)) <= 0;
  }
}
