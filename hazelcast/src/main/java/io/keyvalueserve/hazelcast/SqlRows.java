package io.keyvalueserve.hazelcast;

import com.hazelcast.core.HazelcastJsonValue;
import com.hazelcast.internal.serialization.InternalSerializationService;
import com.hazelcast.sql.SqlColumnMetadata;
import com.hazelcast.sql.SqlColumnType;
import com.hazelcast.sql.SqlRow;
import com.hazelcast.sql.SqlRowMetadata;
import com.hazelcast.sql.impl.SqlRowImpl;
import com.hazelcast.sql.impl.client.SqlPage;
import com.hazelcast.sql.impl.row.JetSqlRow;
import io.keyvalueserve.engine.query.JsonText;
import io.keyvalueserve.sql.SqlColumn;
import io.keyvalueserve.sql.SqlCursor;
import io.keyvalueserve.sql.SqlException;
import java.time.temporal.Temporal;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Rows of statements in the form that Hazelcast clients read. */
final class SqlRows {
  /** A page ends with the row that makes it so large. */
  private static final long MOST_BYTES_OF_PAGE = 256 << 10;

  private static final int BYTES_OF_NUMBER = 16;

  /** The size that an object of a class of the tenant's is taken for. */
  private static final int BYTES_OF_OBJECT = 4096;

  private SqlRows() {}

  static List<SqlColumnMetadata> metadata(List<SqlColumn> columns) {
    return columns.stream()
        .map(column -> new SqlColumnMetadata(column.name(), type(column), column.isNullable()))
        .toList();
  }

  private static SqlColumnType type(SqlColumn column) {
    return switch (column.type()) {
      case BOOLEAN -> SqlColumnType.BOOLEAN;
      case TINYINT -> SqlColumnType.TINYINT;
      case SMALLINT -> SqlColumnType.SMALLINT;
      case INTEGER -> SqlColumnType.INTEGER;
      case BIGINT -> SqlColumnType.BIGINT;
      case DECIMAL -> SqlColumnType.DECIMAL;
      case REAL -> SqlColumnType.REAL;
      case DOUBLE -> SqlColumnType.DOUBLE;
      case VARCHAR -> SqlColumnType.VARCHAR;
      case DATE -> SqlColumnType.DATE;
      case TIME -> SqlColumnType.TIME;
      case TIMESTAMP -> SqlColumnType.TIMESTAMP;
      case TIMESTAMP_WITH_TIME_ZONE -> SqlColumnType.TIMESTAMP_WITH_TIME_ZONE;
      case JSON -> SqlColumnType.JSON;
      case VARBINARY, OBJECT -> SqlColumnType.OBJECT;
    };
  }

  /**
   * Reads the next page.
   *
   * @param most rows, 1 or more
   */
  static SqlPage page(SqlCursor cursor, int most, InternalSerializationService serialization)
      throws SqlException {
    List<SqlColumn> columns = cursor.columns();
    SqlRowMetadata metadata = new SqlRowMetadata(metadata(columns));
    List<SqlRow> rows = new ArrayList<>();
    boolean isLast = false;
    long bytes = 0;
    while (rows.size() < most && bytes < MOST_BYTES_OF_PAGE && !isLast) {
      if (cursor.next()) {
        @Nullable Object[] row = cursor.row().clone();
        for (int i = 0; i < row.length; i++) {
          bytes += bytes(row[i]);
          row[i] = toClient(row[i]);
        }
        rows.add(new SqlRowImpl(metadata, new JetSqlRow(serialization, row)));
      } else {
        isLast = true;
      }
    }
    return SqlPage.fromRows(
        columns.stream().map(SqlRows::type).toList(), rows, isLast, serialization);
  }

  private static long bytes(@Nullable Object value) {
    return switch (value) {
      case null -> 0;
      case String text -> text.length();
      case JsonText json -> json.text().length();
      case HazelcastJsonValue json -> json.getValue().length();
      case byte[] bytes -> bytes.length;
      case Number _, Boolean _, Character _, Temporal _, UUID _ -> BYTES_OF_NUMBER;
      default -> BYTES_OF_OBJECT;
    };
  }

  private static @Nullable Object toClient(@Nullable Object value) {
    return value instanceof JsonText json ? new HazelcastJsonValue(json.text()) : value;
  }

  /** Returns a parameter of a client as statements take it. */
  static @Nullable Object parameter(@Nullable Object value) {
    return switch (value) {
      case HazelcastJsonValue json -> new JsonText(json.getValue());
      case Character character -> character.toString();
      case null, default -> value;
    };
  }
}
