package io.keyvalueserve.sql.plan;

import io.keyvalueserve.engine.query.FieldType;
import io.keyvalueserve.engine.query.QueryTable;
import io.keyvalueserve.sql.SqlColumn;
import io.keyvalueserve.sql.run.ConditionPlan;
import io.keyvalueserve.sql.run.LookupNode;
import io.keyvalueserve.sql.run.Node;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How a statement is carried out. Immutable: many sessions of a tenant may use it at once.
 *
 * @param node makes the rows that are returned or written
 * @param columns of the rows that are returned; empty if none are
 * @param write what is done with the rows; null if they are returned
 * @param parameters the types of the parameters
 * @param tableNames the names of the tables, by their numbers
 * @param tables as they were when the plan was made
 */
public record Plan(
    Node node,
    List<SqlColumn> columns,
    @Nullable Write write,
    List<FieldType> parameters,
    List<List<String>> tableNames,
    List<QueryTable> tables) {
  public Plan {
    columns = List.copyOf(columns);
    parameters = List.copyOf(parameters);
    tableNames = List.copyOf(tableNames);
    tables = List.copyOf(tables);
  }

  /** The use of the rows of a plan. */
  public sealed interface Write {
    /** Returns the number of the table that is written. */
    int table();
  }

  /**
   * Stores an entry for each row.
   *
   * @param columns of the table, for the values of a row
   */
  public record Insert(int table, List<Integer> columns, boolean replaces) implements Write {}

  /**
   * Changes the entry of each row: its values are the key, then the new values, then some that must
   * not have changed meanwhile.
   *
   * @param columns of the table that change
   * @param compared columns of the table that must not have changed
   * @param again how the entries of some keys are read again; null if they cannot be
   */
  public record Update(
      int table,
      List<Integer> columns,
      List<Integer> compared,
      ConditionPlan stillTrue,
      @Nullable LookupNode again)
      implements Write {}

  /** Removes the entry of each row: its values are the key, then some that must be the same. */
  public record Delete(
      int table, List<Integer> compared, ConditionPlan stillTrue, @Nullable LookupNode again)
      implements Write {}

  /** Returns about how many bytes of heap it takes. */
  public long estimatedBytes(String sql) {
    return 4096 + 40L * sql.length() + 200L * columns.size() + 2000L * tables.size();
  }

  /** Returns whether tables are defined as they were when the plan was made. */
  public boolean isValid(List<QueryTable> present) {
    if (present.size() != tables.size()) {
      return false;
    }
    for (int i = 0; i < present.size(); i++) {
      QueryTable now = present.get(i);
      QueryTable then = tables.get(i);
      if (!now.columns().equals(then.columns())
          || !now.indexes().equals(then.indexes())
          || !now.mapping().map().equals(then.mapping().map())) {
        return false;
      }
    }
    return true;
  }
}
