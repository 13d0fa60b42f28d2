package io.keyvalueserve.sql.plan;

import io.keyvalueserve.engine.query.Column;
import io.keyvalueserve.engine.query.FieldType;
import io.keyvalueserve.engine.query.QueryTable;
import io.keyvalueserve.sql.failure.SqlFailure;
import io.keyvalueserve.sql.failure.SqlState;
import io.keyvalueserve.sql.run.ConditionPlan;
import io.keyvalueserve.sql.run.LookupNode;
import io.keyvalueserve.sql.run.Node;
import io.keyvalueserve.sql.text.ParserText;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.apache.calcite.plan.RelOptUtil;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.TableModify;
import org.apache.calcite.rex.RexInputRef;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.sql.SqlDelete;
import org.apache.calcite.sql.SqlDynamicParam;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlInsert;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlNodeList;
import org.apache.calcite.sql.SqlSelect;
import org.apache.calcite.sql.SqlUpdate;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.apache.calcite.sql.type.SqlTypeUtil;
import org.apache.calcite.util.ImmutableBitSet;
import org.jspecify.annotations.Nullable;

/** Makes plans of statements that write. */
final class Writes {
  private final Function<TableCollector, Conversion> conversions;
  private final TableCollector tables;
  private final ParserText text;

  Writes(Function<TableCollector, Conversion> conversions, TableCollector tables, ParserText text) {
    this.conversions = conversions;
    this.tables = tables;
    this.text = text;
  }

  private SqlFailure failure(String state, String message, SqlParserPos at, String hint) {
    return new SqlFailure(state, message, text.position(at.getLineNum(), at.getColumnNum()), hint);
  }

  /** A table that is written. */
  private record Target(CatalogTable source, QueryTable table) {}

  private Target target(SqlNode node) {
    if (!(node instanceof SqlIdentifier name)) {
      throw failure(SqlState.SYNTAX, "this is no table", node.getParserPosition(), "");
    }
    CatalogTable source = tables.collect(name);
    String shown = String.join(".", name.names);
    if (source == null) {
      throw failure(
          SqlState.NO_TABLE,
          "Table '" + shown + "' not found",
          name.getParserPosition(),
          "SHOW MAPPINGS lists the tables");
    }
    QueryTable table = source.table();
    if (table == null || !table.isWritable()) {
      throw failure(
          table == null ? SqlState.WRONG_OBJECT : SqlState.REFUSED,
          "the table '" + shown + "' cannot be written",
          name.getParserPosition(),
          "");
    }
    return new Target(source, table);
  }

  private int column(Target target, SqlIdentifier name) {
    String wanted = name.names.getLast();
    int similar = -1;
    for (int i = 0; i < target.table.columns().size(); i++) {
      String column = target.table.columns().get(i).name();
      if (column.equals(wanted)) {
        return i;
      }
      if (similar < 0 && column.equalsIgnoreCase(wanted)) {
        similar = i;
      }
    }
    if (similar < 0) {
      throw failure(
          SqlState.BAD_COLUMN,
          "Column '" + wanted + "' not found in table '" + target.source.name() + "'",
          name.getParserPosition(),
          "");
    }
    return similar;
  }

  private List<Integer> columns(Target target, SqlNodeList names) {
    List<Integer> columns = new ArrayList<>();
    for (SqlNode name : names) {
      if (!(name instanceof SqlIdentifier identifier)) {
        throw failure(SqlState.SYNTAX, "this is no column", name.getParserPosition(), "");
      }
      int column = column(target, identifier);
      if (columns.contains(column)) {
        throw failure(
            "42701",
            "the column '" + identifier.names.getLast() + "' is there twice",
            identifier.getParserPosition(),
            "");
      }
      columns.add(column);
    }
    return columns;
  }

  Plan insert(SqlInsert insert, boolean replaces) {
    Target target = target(insert.getTargetTable());
    SqlNodeList names = insert.getTargetColumnList();
    if (names == null) {
      names = new SqlNodeList(SqlParserPos.ZERO);
      for (Column column : target.table.columns()) {
        if (!column.isHidden()) {
          names.add(new SqlIdentifier(column.name(), SqlParserPos.ZERO));
        }
      }
      insert.setOperand(3, names);
    }
    List<Integer> columns = columns(target, names);
    Conversion conversion = conversions.apply(tables);
    SqlNode valid = conversion.validate(insert);
    List<FieldType> parameters = conversion.parameters();
    RelNode rel = conversion.convert(valid).rel;
    if (!(rel instanceof TableModify modify)) {
      throw ExprCompiler.unsupported("this form of INSERT");
    }
    RelNode source = modify.getInput();
    RelNode projected = RelOptUtil.createProject(source, columns);
    Node node = conversion.build(conversion.rearrange(projected));
    return new Plan(
        node,
        List.of(),
        new Plan.Insert(target.source.number(), columns, replaces),
        parameters,
        tables.tableNames(),
        tables.tables());
  }

  /** Returns the number of the column that is the whole key. */
  private int key(Target target, SqlParserPos at) {
    List<Column> columns = target.table.columns();
    for (int i = 0; i < columns.size(); i++) {
      if (columns.get(i).field().ofKey() && columns.get(i).field().isWhole()) {
        return i;
      }
    }
    throw failure(
        SqlState.UNSUPPORTED,
        "the table has no column for the whole key, so its rows cannot be changed",
        at,
        "add a column __key to the mapping");
  }

  /** Returns the query whose rows are written: the key, and new values. */
  private SqlSelect query(
      Target target,
      SqlNode table,
      @Nullable SqlIdentifier alias,
      List<SqlNode> values,
      @Nullable SqlNode where) {
    SqlParserPos at = SqlParserPos.ZERO;
    int key = key(target, table.getParserPosition());
    SqlNode from = alias == null ? table : SqlStdOperatorTable.AS.createCall(at, table, alias);
    SqlIdentifier name = alias == null ? (SqlIdentifier) table : alias;
    SqlNodeList list = new SqlNodeList(at);
    list.add(
        new SqlIdentifier(
            List.of(name.names.getLast(), target.table.columns().get(key).name()), at));
    values.forEach(list::add);
    return new SqlSelect(
        at, null, list, from, where, null, null, null, null, null, null, null, null);
  }

  Plan update(SqlUpdate update) {
    Target target = target(update.getTargetTable());
    List<Integer> columns = columns(target, update.getTargetColumnList());
    Conversion conversion = conversions.apply(tables);
    List<SqlNode> values = new ArrayList<>();
    for (int i = 0; i < columns.size(); i++) {
      Column column = target.table.columns().get(columns.get(i));
      if (column.field().ofKey()) {
        throw failure(
            SqlState.UNSUPPORTED,
            "the column '" + column.name() + "' is of the key, which cannot change",
            update.getTargetColumnList().get(i).getParserPosition(),
            "insert an entry under the new key, and delete the old one");
      }
      values.add(typed(update.getSourceExpressionList().get(i), column, conversion));
    }
    SqlSelect query =
        query(target, update.getTargetTable(), update.getAlias(), values, update.getCondition());
    return written(query, target, columns, conversion);
  }

  /** Has a parameter be of the type of the column that it is stored in. */
  private static SqlNode typed(SqlNode value, Column column, Conversion conversion) {
    if (!(value instanceof SqlDynamicParam)) {
      return value;
    }
    FieldType type =
        column.type() == FieldType.OBJECT || column.type() == FieldType.JSON
            ? FieldType.VARCHAR
            : column.type();
    return SqlStdOperatorTable.CAST.createCall(
        value.getParserPosition(),
        value,
        SqlTypeUtil.convertTypeToSpec(Types.relType(conversion.factory(), type, true)));
  }

  Plan delete(SqlDelete delete) {
    Target target = target(delete.getTargetTable());
    SqlSelect query =
        query(target, delete.getTargetTable(), delete.getAlias(), List.of(), delete.getCondition());
    return written(query, target, null, conversions.apply(tables));
  }

  private Plan written(
      SqlSelect query, Target target, @Nullable List<Integer> columns, Conversion conversion) {
    query.accept(tables);
    SqlNode valid = conversion.validate(query);
    List<FieldType> parameters = conversion.parameters();
    RelNode rel = conversion.optimize(conversion.convert(valid));
    Access access = conversion.plans().access(rel);
    int table = target.source.number();
    if (access == null) {
      Plan.Write write =
          columns == null
              ? new Plan.Delete(table, List.of(), ConditionPlan.ALL, null)
              : new Plan.Update(table, columns, List.of(), ConditionPlan.ALL, null);
      return plan(conversion.build(rel), write, parameters);
    }
    Access.Split split = access.split(conversion.compiler());
    List<Integer> compared = compared(access, split, target.table);
    List<RexNode> values = new ArrayList<>(access.values());
    for (int column : compared) {
      Column of = target.table.columns().get(column);
      values.add(new RexInputRef(column, Types.relType(conversion.factory(), of.type(), true)));
    }
    Access whole = new Access(access.source(), access.table(), access.tests(), values);
    LookupNode again = compared.isEmpty() ? null : whole.buildAgain(conversion.compiler());
    Plan.Write write =
        columns == null
            ? new Plan.Delete(table, compared, split.condition(), again)
            : new Plan.Update(table, columns, compared, split.condition(), again);
    return plan(whole.build(conversion.compiler()), write, parameters);
  }

  private Plan plan(Node node, Plan.Write write, List<FieldType> parameters) {
    return new Plan(node, List.of(), write, parameters, tables.tableNames(), tables.tables());
  }

  /** Returns the columns that new values and tests depend on, which an engine cannot check. */
  private static List<Integer> compared(Access access, Access.Split split, QueryTable table) {
    List<RexNode> depending = new ArrayList<>(split.rest());
    depending.addAll(access.values().subList(1, access.values().size()));
    ImmutableBitSet bits = RelOptUtil.InputFinder.bits(depending, null);
    List<Integer> compared = new ArrayList<>();
    for (int column : bits) {
      Column of = table.columns().get(column);
      boolean canCompare =
          of.type() != FieldType.VARBINARY && of.type() != FieldType.JSON && !of.field().ofKey();
      if (canCompare) {
        compared.add(column);
      }
    }
    return compared;
  }
}
