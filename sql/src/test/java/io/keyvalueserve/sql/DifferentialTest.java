package io.keyvalueserve.sql;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Goal: random queries over random data give what another database gives. */
class DifferentialTest {
  private static final int QUERIES = 120;
  private static final String[] TABLES = {"ta", "tb", "tc"};
  private static final String[] WORDS = {"ant", "bee", "cat", "Dog", "", "eel%", "f_g"};

  private final Random random = new Random(Long.getLong("kvs.seed", 1));

  @Test
  void queriesGiveTheSameRows() throws Exception {
    MemoryCatalog catalog = new MemoryCatalog();
    try (Connection h2 = DriverManager.getConnection("jdbc:h2:mem:");
        Statement other = h2.createStatement()) {
      for (String name : TABLES) {
        fill(catalog, other, name);
      }
      int compared = 0;
      List<String> wrong = new ArrayList<>();
      try (SqlFixture fixture = new SqlFixture(catalog)) {
        for (int i = 0; i < QUERIES; i++) {
          String sql = query();
          List<String> expected = expected(other, sql);
          if (expected == null) {
            continue;
          }
          compared++;
          List<String> actual = new ArrayList<>();
          try {
            fixture.run(sql).forEach(row -> actual.add(normal(row)));
            actual.sort(null);
          } catch (SqlException e) {
            actual.add(e.state() + " " + e.getMessage());
          }
          if (!actual.equals(expected)) {
            wrong.add(sql + "\nexpected " + expected + "\nactual   " + actual);
          }
        }
      }
      assertThat(wrong).as(String.join("\n\n", wrong)).isEmpty();
      assertThat(compared).as("queries that both have").isGreaterThan(QUERIES / 2);
    }
  }

  private void fill(MemoryCatalog catalog, Statement other, String name) throws SQLException {
    MemoryTable table =
        MemoryTable.of(
            name, "k_key INTEGER", "i INTEGER", "n DECIMAL", "s VARCHAR", "b BOOLEAN", "d DOUBLE");
    other.execute(
        "CREATE TABLE "
            + name
            + " (k_key INT PRIMARY KEY, i INT, n DECIMAL(20, 2), s VARCHAR,"
            + " b BOOLEAN, d DOUBLE PRECISION)");
    int rows = random.nextInt(25);
    for (int k = 0; k < rows; k++) {
      @Nullable Object[] values = {
        k,
        orNull(random.nextInt(8) - 2),
        orNull(new BigDecimal(random.nextInt(400) - 100).movePointLeft(2)),
        orNull(WORDS[random.nextInt(WORDS.length)]),
        orNull(random.nextBoolean()),
        orNull(random.nextInt(6) / 4.0)
      };
      table.add(values);
      StringBuilder row = new StringBuilder("INSERT INTO " + name + " VALUES (");
      for (int i = 0; i < values.length; i++) {
        Object value = values[i];
        row.append(i == 0 ? "" : ", ").append(value instanceof String ? "'" + value + "'" : value);
      }
      other.execute(row.append(")").toString());
    }
    catalog.with(table.estimate(random.nextBoolean() ? 10_000 : rows));
  }

  private @Nullable Object orNull(Object value) {
    return random.nextInt(5) == 0 ? null : value;
  }

  private static @Nullable List<String> expected(Statement other, String sql) {
    try (ResultSet found = other.executeQuery(sql)) {
      List<String> rows = new ArrayList<>();
      while (found.next()) {
        List<String> values = new ArrayList<>();
        for (int i = 1; i <= found.getMetaData().getColumnCount(); i++) {
          Object value = found.getObject(i);
          values.add(value == null ? "null" : value.toString());
        }
        rows.add(normal(String.join(" | ", values)));
      }
      rows.sort(null);
      return rows;
    } catch (SQLException e) {
      return null;
    }
  }

  /** Writes numbers in one form, to ten digits. */
  private static String normal(String row) {
    List<String> values = new ArrayList<>();
    for (String value : row.split(" \\| ", -1)) {
      if (value.matches("-?[0-9.]+(E-?[0-9]+)?") && !value.equals(".")) {
        BigDecimal number = new BigDecimal(value).setScale(6, RoundingMode.HALF_UP);
        values.add(number.signum() == 0 ? "0" : number.stripTrailingZeros().toPlainString());
      } else {
        values.add(value);
      }
    }
    return String.join(" | ", values);
  }

  private String pick(String... choices) {
    return choices[random.nextInt(choices.length)];
  }

  private String query() {
    return switch (random.nextInt(8)) {
      case 0 -> grouped();
      case 1 -> joined();
      case 2 -> set();
      case 3 -> window();
      case 4 -> nested();
      case 5 -> limited();
      default -> plain();
    };
  }

  private String table() {
    return pick(TABLES);
  }

  private String plain() {
    return "SELECT "
        + value("x")
        + ", "
        + value("x")
        + " FROM "
        + table()
        + " x WHERE "
        + test("x", 2);
  }

  private String limited() {
    return "SELECT x.k_key, x."
        + pick("i", "s", "n")
        + " FROM "
        + table()
        + " x WHERE "
        + test("x", 1)
        + " ORDER BY x."
        + pick("i", "s", "n", "d")
        + pick("", " DESC")
        + pick(" NULLS FIRST", " NULLS LAST")
        + ", x.k_key"
        + pick("", " DESC")
        + " LIMIT "
        + random.nextInt(6)
        + " OFFSET "
        + random.nextInt(3);
  }

  private String grouped() {
    String group = pick("x.i", "x.s", "x.b", "x.i, x.s", "x.i + 1", "UPPER(x.s)");
    return "SELECT "
        + group
        + ", "
        + aggregate()
        + ", "
        + aggregate()
        + " FROM "
        + table()
        + " x WHERE "
        + test("x", 1)
        + " GROUP BY "
        + group
        + pick("", " HAVING COUNT(*) > 1", " HAVING SUM(x.i) > 2");
  }

  private String aggregate() {
    return pick(
        "COUNT(*)",
        "COUNT(x.i)",
        "SUM(x.i)",
        "SUM(x.n)",
        "MIN(x.s)",
        "MAX(x.n)",
        "AVG(x.d)",
        "COUNT(DISTINCT x.i)",
        "SUM(DISTINCT x.n)",
        "SUM(x.i) FILTER (WHERE x.b)",
        "MAX(x.i + 1)",
        "SUM(x.d)",
        "STDDEV_POP(x.d)");
  }

  private String joined() {
    String on =
        pick(
            "x.i = y.k_key",
            "x.i = y.i",
            "x.s = y.s",
            "x.i = y.i AND x.n < y.n",
            "x.n > y.n",
            "x.i = y.i AND x.b",
            "x.k_key = y.k_key",
            "x.i = y.k_key AND x.s = y.s");
    String select =
        "SELECT x.k_key, x.s, y.k_key, y.n FROM "
            + table()
            + " x "
            + pick("JOIN", "LEFT JOIN", "RIGHT JOIN")
            + " "
            + table()
            + " y ON "
            + on;
    return random.nextBoolean() ? select : select + " WHERE " + test(pick("x", "y"), 1);
  }

  private String set() {
    return "SELECT x.i, x.s FROM "
        + table()
        + " x WHERE "
        + test("x", 1)
        + " "
        + pick("UNION", "UNION ALL", "EXCEPT", "INTERSECT")
        + " SELECT x.i, x.s FROM "
        + table()
        + " x WHERE "
        + test("x", 1);
  }

  private String window() {
    String over =
        "OVER ("
            + pick("", "PARTITION BY x.i ", "PARTITION BY x.s ")
            + "ORDER BY x.k_key"
            + pick(
                "",
                " ROWS BETWEEN 1 PRECEDING AND 1 FOLLOWING",
                " ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING")
            + ")";
    String plain = "OVER (" + pick("", "PARTITION BY x.i ") + "ORDER BY x.n, x.k_key)";
    return "SELECT x.k_key, "
        + pick("SUM(x.i)", "COUNT(*)", "MIN(x.n)", "MAX(x.s)")
        + " "
        + over
        + ", "
        + pick("ROW_NUMBER()", "RANK()", "DENSE_RANK()", "LAG(x.i)", "LEAD(x.s)", "NTILE(3)")
        + " "
        + plain.replace("x.n,", "x.n NULLS LAST,")
        + " FROM "
        + table()
        + " x";
  }

  private String nested() {
    return "SELECT x.k_key FROM "
        + table()
        + " x WHERE "
        + switch (random.nextInt(5)) {
          case 0 -> "x.i IN (SELECT y.i FROM " + table() + " y WHERE " + test("y", 1) + ")";
          case 1 -> "x.i NOT IN (SELECT y.i FROM " + table() + " y WHERE " + test("y", 1) + ")";
          case 2 ->
              pick("", "NOT ")
                  + "EXISTS (SELECT 1 FROM "
                  + table()
                  + " y WHERE y.i = x.i AND "
                  + test("y", 1)
                  + ")";
          case 3 -> "x.i > (SELECT MIN(y.i) FROM " + table() + " y WHERE y.s = x.s)";
          default -> "(SELECT COUNT(*) FROM " + table() + " y WHERE y.i = x.i) > 1";
        };
  }

  private String value(String alias) {
    return pick(
            "@.k_key",
            "@.i",
            "@.n",
            "@.s",
            "@.b",
            "@.d",
            "@.i + 1",
            "@.i * @.k_key",
            "@.n + @.i",
            "UPPER(@.s)",
            "@.s || 'x'",
            "COALESCE(@.i, -1)",
            "CASE WHEN @.b THEN @.i ELSE 0 END",
            "NULLIF(@.i, 1)",
            "ABS(@.i)",
            "CHAR_LENGTH(@.s)",
            "@.d * 2",
            "SUBSTRING(@.s, 2, 2)",
            "CAST(@.i AS VARCHAR)",
            "@.i IS NULL",
            "MOD(@.k_key, 3)",
            "FLOOR(@.d)")
        .replace("@", alias);
  }

  private String test(String alias, int depth) {
    String simple =
        pick(
            "@.i = 1",
            "@.i <> 2",
            "@.i > 0",
            "@.i <= 3",
            "@.i < 1.5",
            "@.n > 1",
            "@.n = 0.5",
            "@.s = 'cat'",
            "@.s <> 'bee'",
            "@.s LIKE '%e%'",
            "@.s NOT LIKE 'a%'",
            "@.b",
            "NOT @.b",
            "@.b IS NOT TRUE",
            "@.b IS FALSE",
            "@.i IS NULL",
            "@.s IS NOT NULL",
            "@.i IN (1, 2, 3)",
            "@.i NOT IN (1, 2)",
            "@.i IN (1, NULL)",
            "@.i NOT IN (3, NULL)",
            "@.i BETWEEN 0 AND 2",
            "@.i NOT BETWEEN 0 AND 2",
            "@.k_key = 3",
            "@.k_key IN (1, 5, 7)",
            "@.k_key > 4",
            "@.i + 1 = 2",
            "@.d > 0.25",
            "@.d = 0.5",
            "@.i = @.k_key",
            "UPPER(@.s) = 'DOG'",
            "@.i IS DISTINCT FROM 2",
            "(@.i > 1) IS UNKNOWN",
            "@.i = NULL",
            "@.n < @.i");
    String one = simple.replace("@", alias);
    if (depth == 0 || random.nextInt(3) == 0) {
      return one;
    }
    return switch (random.nextInt(4)) {
      case 0 -> "NOT (" + test(alias, depth - 1) + ")";
      case 1 -> "(" + one + " OR " + test(alias, depth - 1) + ")";
      default -> "(" + one + " AND " + test(alias, depth - 1) + ")";
    };
  }
}
