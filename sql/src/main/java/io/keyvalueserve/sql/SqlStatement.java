package io.keyvalueserve.sql;

import io.keyvalueserve.engine.query.FieldType;
import java.util.List;

/** A statement that was validated. Immutable. */
public interface SqlStatement {
  /** The kind of a statement. */
  enum Kind {
    /** A query, {@code SHOW} and {@code EXPLAIN}: returns rows. */
    SELECT,
    INSERT,
    SINK,
    UPDATE,
    DELETE,
    /** {@code CREATE}, {@code DROP}. */
    DEFINITION,
    /** {@code SET}, {@code BEGIN} and what else of this kind is accepted without effect. */
    OTHER
  }

  /** Returns the text. */
  String sql();

  /** Returns the kind. */
  Kind kind();

  /** Returns the first words, in upper case, as {@code CREATE MAPPING}. */
  String command();

  /** Returns the columns of the rows; empty if the statement returns none. */
  List<SqlColumn> columns();

  /** Returns the types of the parameters; {@link FieldType#OBJECT} if any will do. */
  List<FieldType> parameters();
}
