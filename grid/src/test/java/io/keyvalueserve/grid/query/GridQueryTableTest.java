package io.keyvalueserve.grid.query;

import static io.keyvalueserve.engine.Batches.utf8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.keyvalueserve.engine.Batches;
import io.keyvalueserve.engine.Expiry;
import io.keyvalueserve.engine.KeyCommand;
import io.keyvalueserve.engine.KeyMap;
import io.keyvalueserve.engine.WriteCondition;
import io.keyvalueserve.engine.collection.Arguments;
import io.keyvalueserve.engine.collection.HashOperation;
import io.keyvalueserve.engine.query.Aggregate;
import io.keyvalueserve.engine.query.Column;
import io.keyvalueserve.engine.query.Condition;
import io.keyvalueserve.engine.query.Condition.Comparison;
import io.keyvalueserve.engine.query.Field;
import io.keyvalueserve.engine.query.FieldType;
import io.keyvalueserve.engine.query.Mapping;
import io.keyvalueserve.engine.query.Mapping.MappingColumn;
import io.keyvalueserve.engine.query.Order;
import io.keyvalueserve.engine.query.QueryException;
import io.keyvalueserve.engine.query.QueryTable;
import io.keyvalueserve.engine.query.Scan;
import io.keyvalueserve.tenancy.MapName;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class GridQueryTableTest {
  private static final Condition ALL = new Condition.Constant(true);
  private static final int ENTRIES = 2_000;

  private static void writeJson(QueryGrid grid) {
    KeyMap map = grid.grid().engine(0).space(QueryGrid.ACME).map(new MapName("people"));
    List<KeyCommand> writes = new ArrayList<>();
    for (int i = 0; i < ENTRIES; i++) {
      String json = "{\"name\": \"p" + i + "\", \"age\": " + i % 100 + "}";
      writes.add(
          new KeyCommand.Write(
              utf8("user:" + i), utf8(json), Expiry.NONE, WriteCondition.ALWAYS, false));
    }
    var _ = Batches.run(map, writes);
  }

  private static Field field(QueryTable table, String column) {
    return table.columns().stream()
        .filter(each -> each.name().equals(column))
        .findFirst()
        .orElseThrow()
        .field();
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 3})
  void readsWhatRedisClientsWrote(int members) {
    try (QueryGrid grid = new QueryGrid(members)) {
      writeJson(grid);
      QueryTable people = grid.table(members - 1, "people");
      assertThat(people.columns().stream().filter(each -> !each.isHidden()).map(Column::name))
          .containsExactlyInAnyOrder("__key", "name", "age");
      assertThat(people.mapping().isInferred()).isTrue();
      Field age = field(people, "age");
      Field name = field(people, "name");
      assertThat(age.type()).isEqualTo(FieldType.BIGINT);

      Condition is7 = new Condition.Compare(age, Comparison.EQUAL, 7L);
      assertThat(QueryGrid.rows(people, Scan.of(List.of(name), is7))).hasSize(ENTRIES / 100);
      assertThat(QueryGrid.rows(people, Scan.of(List.of(), ALL))).hasSize(ENTRIES);

      Scan.Grouping byAge =
          new Scan.Grouping(
              List.of(0),
              List.of(
                  new Aggregate(Aggregate.Function.COUNT_ALL, -1, false),
                  new Aggregate(Aggregate.Function.MAX, 1, false)));
      Condition below2 = new Condition.Compare(age, Comparison.LESS, 2L);
      Scan grouped = new Scan(List.of(age, name), below2, null, byAge, List.of(), Scan.ALL);
      assertThat(QueryGrid.rows(people, grouped))
          .containsExactlyInAnyOrder("[0, 20, p900]", "[1, 20, p901]");

      Scan.Grouping distinct =
          new Scan.Grouping(List.of(), List.of(new Aggregate(Aggregate.Function.COUNT, 0, true)));
      assertThat(
              QueryGrid.rows(
                  people, new Scan(List.of(age), ALL, null, distinct, List.of(), Scan.ALL)))
          .containsExactly("[100]");

      Scan top =
          new Scan(
              List.of(age, name),
              ALL,
              null,
              null,
              List.of(new Order(0, true, false), new Order(1, false, false)),
              2);
      assertThat(QueryGrid.rows(people, top)).containsExactly("[99, p1099]", "[99, p1199]");

      Scan keys =
          new Scan(List.of(name), ALL, List.of("user:5", "user:none"), null, List.of(), Scan.ALL);
      assertThat(QueryGrid.rows(people, keys)).containsExactly("[p5]");
      assertThat(QueryGrid.rows(people, new Scan(List.of(name), ALL, null, null, List.of(), 3)))
          .hasSize(3);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 3})
  void writesRecords(int members) {
    try (QueryGrid grid = new QueryGrid(members)) {
      Mapping mapping =
          new Mapping(
              "cities",
              "places",
              List.of(
                  new MappingColumn("id", FieldType.INTEGER, "__key"),
                  new MappingColumn("name", FieldType.VARCHAR, ""),
                  new MappingColumn("people", FieldType.BIGINT, "this.population")),
              Map.of("keyFormat", "int", "valueFormat", "compact", "valueCompactTypeName", "city"),
              false);
      assertThat(grid.catalog(0).create(mapping, false)).isTrue();
      assertThat(grid.catalog(members - 1).create(mapping, false)).isFalse();
      QueryTable cities = grid.table(members - 1, "cities");
      List<@Nullable Object[]> rows = new ArrayList<>();
      rows.add(new @Nullable Object[] {1, "Paris", 2_100_000L});
      rows.add(new @Nullable Object[] {2, "Bonn", null});
      assertThat(cities.put(List.of(0, 1, 2), rows, false, QueryGrid.control())).isEqualTo(2);
      assertThatThrownBy(() -> cities.put(List.of(0, 1, 2), rows, false, QueryGrid.control()))
          .isInstanceOf(QueryException.class)
          .hasMessageContaining("duplicate key");
      assertThat(cities.put(List.of(0, 1, 2), rows, true, QueryGrid.control())).isEqualTo(2);

      List<Field> fields =
          List.of(field(cities, "id"), field(cities, "name"), field(cities, "people"));
      assertThat(QueryGrid.rows(cities, Scan.of(fields, ALL)))
          .containsExactlyInAnyOrder("[1, Paris, 2100000]", "[2, Bonn, null]");
      List<@Nullable Object[]> changes = new ArrayList<>();
      changes.add(new @Nullable Object[] {330_000L});
      changes.add(new @Nullable Object[] {1L});
      Condition isUnknown = new Condition.IsNull(field(cities, "people"));
      assertThat(cities.update(List.of(2, 1), List.of(2), changes, isUnknown, QueryGrid.control()))
          .isEqualTo(1);
      assertThat(QueryGrid.rows(cities, Scan.of(fields, ALL)))
          .containsExactlyInAnyOrder("[1, Paris, 2100000]", "[2, Bonn, 330000]");
      assertThat(cities.remove(List.of(1, 2, 3), ALL, QueryGrid.control())).isEqualTo(2);
      assertThat(QueryGrid.rows(cities, Scan.of(fields, ALL))).isEmpty();
      assertThat(grid.catalog(0).drop("cities")).isTrue();
      assertThat(grid.catalog(0).find("cities")).isEmpty();
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 3})
  void readsAndWritesHashes(int members) {
    try (QueryGrid grid = new QueryGrid(members)) {
      KeyMap map = grid.grid().engine(0).space(QueryGrid.ACME).map(new MapName("users"));
      List<KeyCommand> writes = new ArrayList<>();
      for (int i = 0; i < 300; i++) {
        writes.add(
            new KeyCommand.OnCollection(
                utf8("u" + i),
                HashOperation.SET,
                Arguments.of(utf8("name"), utf8("n" + i), utf8("age"), utf8("" + i % 50)),
                KeyCommand.MOST_COLLECTION_BYTES));
      }
      var _ = Batches.run(map, writes);
      Mapping mapping =
          new Mapping(
              "u",
              "users",
              List.of(
                  new MappingColumn("id", FieldType.VARCHAR, "__key"),
                  new MappingColumn("name", FieldType.VARCHAR, ""),
                  new MappingColumn("age", FieldType.INTEGER, "")),
              Map.of("keyFormat", "varchar", "valueFormat", "hash"),
              false);
      assertThat(grid.catalog(0).create(mapping, false)).isTrue();
      QueryTable users = grid.table(members - 1, "u");
      Field id = field(users, "id");
      Field name = field(users, "name");
      Field age = field(users, "age");
      Condition is49 = new Condition.Compare(age, Comparison.EQUAL, 49);
      assertThat(QueryGrid.rows(users, Scan.of(List.of(name, age), is49)))
          .contains("[n49, 49]", "[n299, 49]")
          .hasSize(6);
      Scan.Grouping sum =
          new Scan.Grouping(List.of(), List.of(new Aggregate(Aggregate.Function.SUM, 0, false)));
      assertThat(QueryGrid.rows(users, new Scan(List.of(age), ALL, null, sum, List.of(), Scan.ALL)))
          .containsExactly("[7350]");

      List<@Nullable Object[]> changes = new ArrayList<>();
      changes.add(new @Nullable Object[] {null, 1000});
      assertThat(users.update(List.of("u49"), List.of(1, 2), changes, is49, QueryGrid.control()))
          .isEqualTo(1);
      assertThat(users.update(List.of("u49"), List.of(1, 2), changes, is49, QueryGrid.control()))
          .isZero();
      Scan u49 = new Scan(List.of(id, name, age), ALL, List.of("u49"), null, List.of(), Scan.ALL);
      assertThat(QueryGrid.rows(users, u49)).containsExactly("[u49, null, 1000]");
      assertThat(users.remove(List.of("u49", "u48"), is49, QueryGrid.control())).isZero();
      assertThat(users.remove(List.of("u49", "u48"), ALL, QueryGrid.control())).isEqualTo(2);
      List<@Nullable Object[]> rows = new ArrayList<>();
      rows.add(new @Nullable Object[] {"u48", "Ada", 36});
      assertThat(users.put(List.of(0, 1, 2), rows, false, QueryGrid.control())).isEqualTo(1);
      assertThatThrownBy(() -> users.put(List.of(0, 1, 2), rows, false, QueryGrid.control()))
          .hasMessageContaining("duplicate key");
    }
  }

  @Test
  void namesNoMapOfOthers() {
    try (QueryGrid grid = new QueryGrid(1)) {
      grid.grid().engine(0).create("other/secret");
      assertThat(grid.catalog(0).find("other/secret")).isEmpty();
      assertThat(grid.catalog(0).mappings()).isEmpty();
      Mapping foreign = new Mapping("x", "other/secret", List.of(), Map.of(), false);
      assertThatThrownBy(() -> grid.catalog(0).create(foreign, false))
          .isInstanceOf(QueryException.class)
          .hasMessageContaining("not the name of a map");
    }
  }
}
