package io.keyvalueserve.stores;

import java.sql.Types;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** The types of columns as JDBC has them. */
final class StandardTypes {
  private StandardTypes() {}

  static @Nullable ColumnType of(String typeName, int jdbcType) {
    String name = typeName.toUpperCase(Locale.ROOT);
    if (name.startsWith("ENUM")) {
      return ColumnType.TEXT;
    }
    return switch (name) {
      case "JSON" -> ColumnType.JSON;
      case "UUID" -> ColumnType.UUID;
      default -> of(jdbcType);
    };
  }

  private static @Nullable ColumnType of(int jdbcType) {
    return switch (jdbcType) {
      case Types.CHAR,
          Types.VARCHAR,
          Types.LONGVARCHAR,
          Types.CLOB,
          Types.NCHAR,
          Types.NVARCHAR,
          Types.LONGNVARCHAR,
          Types.NCLOB ->
          ColumnType.TEXT;
      case Types.BINARY, Types.VARBINARY, Types.LONGVARBINARY, Types.BLOB -> ColumnType.BYTES;
      case Types.TINYINT, Types.SMALLINT -> ColumnType.SMALLINT;
      case Types.INTEGER -> ColumnType.INTEGER;
      case Types.BIGINT -> ColumnType.BIGINT;
      case Types.NUMERIC, Types.DECIMAL -> ColumnType.NUMERIC;
      case Types.REAL -> ColumnType.REAL;
      case Types.FLOAT, Types.DOUBLE -> ColumnType.DOUBLE;
      case Types.BIT, Types.BOOLEAN -> ColumnType.BOOLEAN;
      case Types.DATE -> ColumnType.DATE;
      case Types.TIME -> ColumnType.TIME;
      case Types.TIMESTAMP -> ColumnType.TIMESTAMP;
      case Types.TIMESTAMP_WITH_TIMEZONE -> ColumnType.TIMESTAMP_WITH_ZONE;
      default -> null;
    };
  }
}
