package io.keyvalueserve.stores;

import io.keyvalueserve.stores.TableShape.BoundColumn;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;

/** The SQL of H2. */
final class H2Dialect extends Dialect {
  @Override
  String limit(Duration timeout) {
    return "SET QUERY_TIMEOUT " + timeout.toMillis();
  }

  @Override
  String placeholder(BoundColumn column) {
    return column.column().type() == ColumnType.JSON ? "? FORMAT JSON" : "?";
  }

  @Override
  void upsert(Connection connection, TableShape table, List<Change> changes) throws SQLException {
    String sql =
        "MERGE INTO "
            + table.sql()
            + " ("
            + table.names("")
            + ") KEY ("
            + table.key().sql()
            + ") VALUES "
            + tuple(table);
    batch(connection, sql, changes, row -> binding(table, row), table);
  }
}
