package io.keyvalueserve.maps;

import static org.assertj.core.api.Assertions.assertThat;

import com.hazelcast.config.IndexConfig;
import com.hazelcast.config.IndexType;
import com.hazelcast.map.IMap;
import com.hazelcast.sql.SqlResult;
import com.hazelcast.sql.SqlRow;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * SQL over maps, for operators who add Hazelcast's SQL module: full scans, index scans, joins and
 * writes.
 */
final class SqlTest {
  private static final int COUNT = 500;

  private static HdGrid grid;
  private static IMap<String, Person> map;

  @BeforeAll
  static void start() {
    grid = new HdGrid(2, config -> config.getJetConfig().setEnabled(true));
    map =
        grid.map(
            config ->
                config
                    .addIndexConfig(new IndexConfig(IndexType.HASH, "city").setName("by-city"))
                    .addIndexConfig(new IndexConfig(IndexType.SORTED, "age").setName("by-age")));
    for (int i = 0; i < COUNT; i++) {
      map.set("p" + i, Person.of(i));
    }
    mapping("people", map.getName());
  }

  @AfterAll
  static void stop() {
    grid.close();
  }

  private static void mapping(String name, String of) {
    execute(
        "CREATE MAPPING "
            + name
            + " EXTERNAL NAME \""
            + of
            + "\" (__key VARCHAR, name VARCHAR, age INT, city VARCHAR, active BOOLEAN) TYPE IMap"
            + " OPTIONS ('keyFormat'='varchar', 'valueFormat'='compact',"
            + " 'valueCompactTypeName'='"
            + Person.class.getName()
            + "')");
  }

  private static List<String> execute(String sql, Object... arguments) {
    List<String> rows = new ArrayList<>();
    try (SqlResult result = grid.member(grid.size() - 1).getSql().execute(sql, arguments)) {
      if (result.isRowSet()) {
        for (SqlRow row : result) {
          List<String> cells = new ArrayList<>();
          for (int i = 0; i < row.getMetadata().getColumnCount(); i++) {
            Object cell = row.getObject(i);
            cells.add(String.valueOf(cell));
          }
          rows.add(String.join(" ", cells));
        }
      }
    }
    return rows;
  }

  @Test
  void scansTheWholeMap() {
    assertThat(plan("SELECT name FROM people WHERE name LIKE 'name-4_'")).contains("FullScan");
    assertThat(execute("SELECT name FROM people WHERE name LIKE 'name-4_'")).hasSize(10);
    assertThat(execute("SELECT COUNT(*), SUM(age), MAX(age) FROM people"))
        .containsExactly("500 24750 99");
    assertThat(execute("SELECT __key FROM people")).hasSize(COUNT).doesNotHaveDuplicates();
  }

  @Test
  void scansAnIndex() {
    assertThat(plan("SELECT name FROM people WHERE city = 'city-3'")).contains("IndexScan");
    assertThat(execute("SELECT name FROM people WHERE city = ?", "city-3"))
        .hasSize(50)
        .contains("name-3", "name-13");
    assertThat(plan("SELECT name FROM people WHERE age > 95")).contains("IndexScan");
    assertThat(execute("SELECT name FROM people WHERE age > 95 AND active")).hasSize(10);
    assertThat(execute("SELECT DISTINCT age FROM people WHERE age BETWEEN 10 AND 14"))
        .containsExactlyInAnyOrder("10", "11", "12", "13", "14");
    assertThat(execute("SELECT age FROM people WHERE age > 97 ORDER BY age DESC"))
        .containsExactly("99", "99", "99", "99", "99", "98", "98", "98", "98", "98");
  }

  @Test
  void ordersByAnIndex() {
    List<String> ages = execute("SELECT age FROM people ORDER BY age LIMIT 12");
    assertThat(ages).containsExactly("0", "0", "0", "0", "0", "1", "1", "1", "1", "1", "2", "2");
  }

  @Test
  void groupsAndJoins() {
    assertThat(execute("SELECT city, COUNT(*) FROM people GROUP BY city HAVING COUNT(*) = 50"))
        .hasSize(10);
    assertThat(
            execute(
                "SELECT a.name FROM people a JOIN people b ON a.__key = b.__key"
                    + " WHERE b.city = 'city-1' AND a.age = 11"))
        .hasSize(5);
  }

  @Test
  void writes() {
    String name =
        grid.mapName(config -> config.addIndexConfig(new IndexConfig(IndexType.SORTED, "age")));
    mapping("written", name);
    execute("INSERT INTO written VALUES ('a', 'A', 1, 'x', true), ('b', 'B', 2, 'x', false)");
    IMap<String, Person> written = grid.member(0).getMap(name);
    assertThat(written.get("a")).isEqualTo(new Person("A", 1, "x", true));
    execute("UPDATE written SET age = age + 10 WHERE age >= 2");
    assertThat(written.get("b")).isEqualTo(new Person("B", 12, "x", false));
    execute("SINK INTO written VALUES ('c', 'C', 3, 'y', true)");
    execute("DELETE FROM written WHERE __key = 'a'");
    assertThat(execute("SELECT __key, age FROM written WHERE age > 0 ORDER BY age"))
        .containsExactly("c 3", "b 12");
    execute("DELETE FROM written WHERE city = 'y'");
    assertThat(written.keySet()).containsExactly("b");
  }

  private static String plan(String sql) {
    return String.join("\n", execute("EXPLAIN PLAN FOR " + sql));
  }
}
