package io.keyvalueserve.sql.text;

import io.keyvalueserve.engine.query.FieldType;
import io.keyvalueserve.engine.query.Mapping;
import io.keyvalueserve.engine.query.TableIndex;
import io.keyvalueserve.sql.SqlStatement;
import java.util.List;

/** A statement after its text was read. Immutable. */
public sealed interface Command {
  /** A statement for the parser. */
  record Query(String words, SqlStatement.Kind kind, ParserText text) implements Command {}

  /**
   * {@code EXPLAIN}.
   *
   * @param analyzes whether the statement is carried out
   */
  record Explain(Query query, boolean analyzes) implements Command {}

  /** {@code CREATE MAPPING}. */
  record CreateMapping(Mapping mapping, boolean replaces, boolean mayExist, int position)
      implements Command {}

  /** {@code DROP MAPPING}. */
  record DropMapping(String name, boolean mayLack, int position) implements Command {}

  /** {@code CREATE INDEX}. */
  record CreateIndex(
      List<String> table, TableIndex index, boolean mayExist, int position, int tablePosition)
      implements Command {}

  /** {@code DROP INDEX}. */
  record DropIndex(
      List<String> table, String name, boolean mayLack, int position, int tablePosition)
      implements Command {}

  /** {@code SHOW MAPPINGS}, {@code SHOW TABLES}. */
  record ShowMappings() implements Command {}

  /** {@code SHOW INDEXES}. */
  record ShowIndexes() implements Command {}

  /** {@code SHOW} of a setting. */
  record ShowSetting(String name) implements Command {}

  /** A statement that is accepted without effect. */
  record Accepted(String words) implements Command {}

  /** The names of types, as statements have them, by their upper-case form. */
  static FieldType typeOf(String upperName) {
    return switch (upperName) {
      case "BOOLEAN", "BOOL" -> FieldType.BOOLEAN;
      case "TINYINT" -> FieldType.TINYINT;
      case "SMALLINT", "INT2" -> FieldType.SMALLINT;
      case "INTEGER", "INT", "INT4", "SERIAL" -> FieldType.INTEGER;
      case "BIGINT", "INT8", "OID", "BIGSERIAL" -> FieldType.BIGINT;
      case "DECIMAL", "DEC", "NUMERIC" -> FieldType.DECIMAL;
      case "REAL", "FLOAT4" -> FieldType.REAL;
      case "DOUBLE", "FLOAT", "FLOAT8" -> FieldType.DOUBLE;
      case "VARCHAR", "TEXT", "CHAR", "CHARACTER", "BPCHAR", "NAME", "UUID" -> FieldType.VARCHAR;
      case "VARBINARY", "BYTEA", "BINARY" -> FieldType.VARBINARY;
      case "DATE" -> FieldType.DATE;
      case "TIME" -> FieldType.TIME;
      case "TIMESTAMP" -> FieldType.TIMESTAMP;
      case "TIMESTAMPTZ" -> FieldType.TIMESTAMP_WITH_TIME_ZONE;
      case "JSON", "JSONB" -> FieldType.JSON;
      default -> FieldType.OBJECT;
    };
  }
}
