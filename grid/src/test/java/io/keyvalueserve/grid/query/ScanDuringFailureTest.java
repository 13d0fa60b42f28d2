package io.keyvalueserve.grid.query;

import static io.keyvalueserve.engine.Batches.utf8;
import static org.assertj.core.api.Assertions.assertThat;

import io.keyvalueserve.engine.Batches;
import io.keyvalueserve.engine.Expiry;
import io.keyvalueserve.engine.KeyCommand;
import io.keyvalueserve.engine.KeyMap;
import io.keyvalueserve.engine.WriteCondition;
import io.keyvalueserve.engine.query.Aggregate;
import io.keyvalueserve.engine.query.Condition;
import io.keyvalueserve.engine.query.Field;
import io.keyvalueserve.engine.query.FieldType;
import io.keyvalueserve.engine.query.QueryTable;
import io.keyvalueserve.engine.query.RowSource;
import io.keyvalueserve.engine.query.Scan;
import io.keyvalueserve.tenancy.MapName;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** Scans while a member dies: each entry is there, and none comes twice. */
final class ScanDuringFailureTest {
  private static final int ENTRIES = 20_000;
  private static final Condition ALL = new Condition.Constant(true);

  @Test
  void loseNothingAndRepeatNothing() {
    try (QueryGrid grid = new QueryGrid(3)) {
      KeyMap map = grid.grid().engine(0).space(QueryGrid.ACME).map(new MapName("numbers"));
      Set<String> expected = new TreeSet<>();
      List<KeyCommand> writes = new ArrayList<>();
      for (int i = 0; i < ENTRIES; i++) {
        expected.add("k" + i);
        writes.add(
            new KeyCommand.Write(
                utf8("k" + i), utf8("v" + i), Expiry.NONE, WriteCondition.ALWAYS, false));
      }
      var _ = Batches.run(map, writes);
      QueryTable table = grid.table(0, "numbers");
      Field key = new Field(true, "", FieldType.VARCHAR);
      List<String> found = new ArrayList<>();
      try (RowSource rows = table.scan(Scan.of(List.of(key), ALL), QueryGrid.control())) {
        while (rows.next()) {
          found.add((String) rows.row()[0]);
          if (found.size() == ENTRIES / 10) {
            grid.grid().terminate(2);
          }
        }
      }
      assertThat(found).doesNotHaveDuplicates();
      assertThat(new TreeSet<>(found)).isEqualTo(expected);

      Scan count =
          new Scan(
              List.of(),
              ALL,
              null,
              new Scan.Grouping(
                  List.of(), List.of(new Aggregate(Aggregate.Function.COUNT_ALL, -1, false))),
              List.of(),
              Scan.ALL);
      assertThat(QueryGrid.rows(table, count)).containsExactly("[" + ENTRIES + "]");
    }
  }
}
