package io.keyvalueserve.sql.plan;

import io.keyvalueserve.engine.query.Aggregate;
import io.keyvalueserve.engine.query.Column;
import io.keyvalueserve.engine.query.FieldType;
import io.keyvalueserve.engine.query.Order;
import io.keyvalueserve.engine.query.QueryTable;
import io.keyvalueserve.engine.query.Scan;
import io.keyvalueserve.sql.expr.Expr;
import io.keyvalueserve.sql.run.ConditionPlan;
import io.keyvalueserve.sql.run.FilterNode;
import io.keyvalueserve.sql.run.LookupNode;
import io.keyvalueserve.sql.run.Node;
import io.keyvalueserve.sql.run.ProjectNode;
import io.keyvalueserve.sql.run.ScanNode;
import java.util.ArrayList;
import java.util.List;
import org.apache.calcite.plan.RelOptUtil;
import org.apache.calcite.rex.RexInputRef;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexShuttle;
import org.apache.calcite.rex.RexUtil;
import org.apache.calcite.util.ImmutableBitSet;
import org.jspecify.annotations.Nullable;

/**
 * The rows of a table, with tests and expressions over its columns, as far as a plan is read.
 * Immutable.
 *
 * @param tests that rows must pass; over the table's columns
 * @param values of each row; over the table's columns
 */
record Access(CatalogTable source, QueryTable table, List<RexNode> tests, List<RexNode> values) {
  private static final double EQUAL = 0.02;
  private static final double TESTED = 0.3;

  Access {
    tests = List.copyOf(tests);
    values = List.copyOf(values);
  }

  /** Returns this with one more test, over the values. */
  Access filtered(RexNode test) {
    List<RexNode> all = new ArrayList<>(tests);
    all.addAll(RelOptUtil.conjunctions(inline(test)));
    return new Access(source, table, all, values);
  }

  /** Returns this with other values, over the present ones. */
  Access projected(List<RexNode> nodes) {
    return new Access(source, table, tests, nodes.stream().map(this::inline).toList());
  }

  /** Returns whether the values can be computed where they are used. */
  boolean canInline() {
    return values.stream().allMatch(RexUtil::isDeterministic);
  }

  private RexNode inline(RexNode node) {
    return node.accept(
        new RexShuttle() {
          @Override
          public RexNode visitInputRef(RexInputRef ref) {
            return values.get(ref.getIndex());
          }
        });
  }

  /** Returns the number of the table's column that a value is; -1 if it is none. */
  int columnOf(int value) {
    return values.get(value) instanceof RexInputRef ref ? ref.getIndex() : -1;
  }

  /** The tests that an engine carries out, and those that are left. */
  record Split(
      ConditionPlan condition,
      @Nullable List<Expr> keys,
      FieldType keyType,
      List<RexNode> rest,
      double rows) {}

  Split split(ExprCompiler compiler) {
    List<Column> columns = table.columns();
    ConditionTranslator translator = new ConditionTranslator(columns, compiler);
    List<ConditionPlan> conditions = new ArrayList<>();
    List<RexNode> rest = new ArrayList<>();
    List<Expr> keys = null;
    double rows = Math.max(1, table.estimatedRows());
    for (RexNode test : tests) {
      ConditionTranslator.InList list = translator.list(test);
      if (keys == null && list != null && !list.negated() && isKey(list.column())) {
        keys = list.values();
        continue;
      }
      ConditionPlan condition = translator.isTrue(test);
      if (condition == null) {
        rest.add(test);
        rows *= TESTED;
      } else {
        conditions.add(condition);
        rows *= list != null && !list.negated() ? EQUAL : TESTED;
      }
    }
    return new Split(
        conditions.isEmpty() ? ConditionPlan.ALL : Pushed.all(conditions),
        keys,
        keyType(),
        rest,
        keys == null ? Math.max(1, rows) : keys.size());
  }

  /** Returns whether a column is the whole key, of a type that keys can be looked up by. */
  static boolean isKey(@Nullable Column column) {
    return column != null
        && column.field().ofKey()
        && column.field().isWhole()
        && column.type() != FieldType.OBJECT
        && column.type() != FieldType.JSON;
  }

  private FieldType keyType() {
    return table.columns().stream()
        .filter(Access::isKey)
        .map(Column::type)
        .findFirst()
        .orElse(FieldType.OBJECT);
  }

  /** Returns the operators. */
  Node build(ExprCompiler compiler) {
    return build(compiler, null, List.of(), null);
  }

  /**
   * Returns the operators.
   *
   * @param grouping what the engine groups by, over the table's columns; with it, there are no
   *     tests left to make
   * @param order by which the engine sorts, over the table's columns
   * @param limit the most rows; only if there are no tests left
   */
  Node build(
      ExprCompiler compiler,
      Scan.@Nullable Grouping grouping,
      List<Order> order,
      @Nullable Expr limit) {
    Split split = split(compiler);
    ImmutableBitSet used = grouping == null ? used(split.rest(), order) : used(grouping);
    List<Column> columns = new ArrayList<>();
    int[] places = new int[table.columns().size()];
    for (int column : used) {
      places[column] = columns.size();
      columns.add(table.columns().get(column));
    }
    Node node =
        new ScanNode(
            source.number(),
            source.name(),
            columns,
            split.condition(),
            split.keys(),
            split.keyType(),
            grouping == null ? null : moved(grouping, places),
            order.stream()
                .map(o -> new Order(places[o.column()], o.descending(), o.nullsFirst()))
                .toList(),
            limit,
            split.rows());
    if (grouping != null) {
      return node;
    }
    if (!split.rest().isEmpty()) {
      List<RexNode> rest = split.rest().stream().map(test -> moved(test, places)).toList();
      node = new FilterNode(node, compiler.compile(rest), Shown.tests(split.rest(), table));
    }
    List<RexNode> moved = values.stream().map(value -> moved(value, places)).toList();
    if (isIdentity(moved, columns.size())) {
      return node;
    }
    return new ProjectNode(node, compiler.compile(moved), Shown.values(values, table));
  }

  /** Returns the operators, which can be asked for some keys; null if they cannot. */
  @Nullable LookupNode buildLookup(ExprCompiler compiler) {
    Node node = build(compiler);
    Node bottom = node;
    while (!bottom.inputs().isEmpty()) {
      bottom = bottom.inputs().getFirst();
    }
    return bottom instanceof ScanNode scan && scan.keys() == null
        ? new LookupNode(scan, node, scan.keyType())
        : null;
  }

  /** Returns the operators, which can be asked for some of the keys whose entries they read. */
  @Nullable LookupNode buildAgain(ExprCompiler compiler) {
    Node node = build(compiler);
    Node bottom = node;
    while (!bottom.inputs().isEmpty()) {
      bottom = bottom.inputs().getFirst();
    }
    return bottom instanceof ScanNode scan ? new LookupNode(scan, node, scan.keyType()) : null;
  }

  private static boolean isIdentity(List<RexNode> values, int width) {
    if (values.size() != width) {
      return false;
    }
    for (int i = 0; i < width; i++) {
      if (!(values.get(i) instanceof RexInputRef ref) || ref.getIndex() != i) {
        return false;
      }
    }
    return true;
  }

  private ImmutableBitSet used(List<RexNode> rest, List<Order> order) {
    ImmutableBitSet.Builder used = ImmutableBitSet.builder();
    used.addAll(RelOptUtil.InputFinder.bits(rest, null));
    used.addAll(RelOptUtil.InputFinder.bits(values, null));
    order.forEach(o -> used.set(o.column()));
    return used.build();
  }

  private static ImmutableBitSet used(Scan.Grouping grouping) {
    ImmutableBitSet.Builder used = ImmutableBitSet.builder();
    grouping.columns().forEach(used::set);
    grouping.aggregates().stream()
        .filter(aggregate -> aggregate.column() >= 0)
        .forEach(aggregate -> used.set(aggregate.column()));
    return used.build();
  }

  private static Scan.Grouping moved(Scan.Grouping grouping, int[] places) {
    return new Scan.Grouping(
        grouping.columns().stream().map(column -> places[column]).toList(),
        grouping.aggregates().stream()
            .map(
                a ->
                    new Aggregate(
                        a.function(), a.column() < 0 ? -1 : places[a.column()], a.distinct()))
            .toList());
  }

  private static RexNode moved(RexNode node, int[] places) {
    return node.accept(
        new RexShuttle() {
          @Override
          public RexNode visitInputRef(RexInputRef ref) {
            return new RexInputRef(places[ref.getIndex()], ref.getType());
          }
        });
  }
}
