package io.keyvalueserve.sql;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/**
 * Goal: statements do what the files say. A file has statements, each followed by its rows behind
 * {@code > }, by {@code ! SQLSTATE [position]}, or by {@code ~ part} of the plan. An empty line
 * ends a statement.
 */
class ScriptTest {
  private static final List<String> FILES =
      List.of("select", "expressions", "join", "aggregate", "window", "write", "define", "errors");

  /** A statement and what is expected of it. */
  private record Case(String file, int line, String sql, List<String> expected) {}

  @TestFactory
  Stream<DynamicTest> scripts() {
    return FILES.stream().map(file -> DynamicTest.dynamicTest(file, () -> run(file)));
  }

  private static void run(String file) {
    List<String> wrong = new ArrayList<>();
    try (SqlFixture fixture = new SqlFixture(Tables.catalog())) {
      for (Case one : cases(file)) {
        String difference = difference(fixture, one);
        if (!difference.isEmpty()) {
          wrong.add(one.file + ":" + one.line + ": " + one.sql + "\n" + difference);
        }
      }
    }
    assertThat(wrong).as(String.join("\n\n", wrong)).isEmpty();
  }

  private static String difference(SqlFixture fixture, Case one) {
    List<String> expected = new ArrayList<>(one.expected);
    List<String> actual = new ArrayList<>();
    boolean isPlan = expected.stream().anyMatch(line -> line.startsWith("~"));
    try {
      List<String> rows = fixture.run((isPlan ? "EXPLAIN " : "") + one.sql);
      if (isPlan) {
        String plan = String.join("\n", rows);
        for (String line : expected) {
          String part = line.substring(1).strip();
          boolean isAbsent = part.startsWith("not ");
          if (plan.contains(isAbsent ? part.substring(4) : part) == isAbsent) {
            return "the plan lacks (or has) " + part + "\n" + plan;
          }
        }
        return "";
      }
      rows.forEach(row -> actual.add("> " + row));
    } catch (SqlException e) {
      boolean hasPlace = !expected.isEmpty() && expected.getFirst().split(" ").length > 2;
      actual.add("! " + e.state() + (hasPlace ? " " + e.position() : ""));
      if (!actual.equals(expected)) {
        actual.add(e.getMessage());
      }
    } catch (RuntimeException | Error e) {
      actual.add("FAILED " + e);
    }
    if (!isOrdered(one.sql)) {
      actual.sort(null);
      expected.sort(null);
    }
    return actual.equals(expected)
        ? ""
        : "expected:\n" + String.join("\n", expected) + "\nactual:\n" + String.join("\n", actual);
  }

  private static boolean isOrdered(String sql) {
    return sql.toUpperCase(Locale.ROOT).matches("(?s).*ORDER BY[^()]*");
  }

  private static List<Case> cases(String file) {
    List<Case> cases = new ArrayList<>();
    StringBuilder sql = new StringBuilder();
    List<String> expected = new ArrayList<>();
    int number = 0;
    int begin = 1;
    for (String line : (text(file) + "\n\n").lines().toList()) {
      number++;
      if (line.startsWith("#")) {
        continue;
      }
      if (line.isEmpty()) {
        if (!sql.isEmpty()) {
          cases.add(new Case(file, begin, sql.toString(), List.copyOf(expected)));
        }
        sql.setLength(0);
        expected.clear();
        begin = number + 1;
      } else if (line.startsWith("> ") || line.startsWith("! ") || line.startsWith("~ ")) {
        expected.add(line);
      } else {
        sql.append(sql.isEmpty() ? "" : "\n").append(line);
      }
    }
    return cases;
  }

  private static String text(String file) {
    try (var in = ScriptTest.class.getResourceAsStream("/sql/" + file + ".txt")) {
      return new String(Objects.requireNonNull(in).readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
