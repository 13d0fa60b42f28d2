package io.keyvalueserve.sql.plan;

import io.keyvalueserve.engine.query.Order;
import io.keyvalueserve.engine.query.QueryTable;
import io.keyvalueserve.sql.VirtualTable;
import io.keyvalueserve.sql.expr.Expr;
import io.keyvalueserve.sql.run.CollectNode;
import io.keyvalueserve.sql.run.CorrelateNode;
import io.keyvalueserve.sql.run.FilterNode;
import io.keyvalueserve.sql.run.JoinKind;
import io.keyvalueserve.sql.run.LimitNode;
import io.keyvalueserve.sql.run.MadeNode;
import io.keyvalueserve.sql.run.Node;
import io.keyvalueserve.sql.run.ProjectNode;
import io.keyvalueserve.sql.run.RowOrder;
import io.keyvalueserve.sql.run.SetNode;
import io.keyvalueserve.sql.run.SortNode;
import io.keyvalueserve.sql.run.UncollectNode;
import io.keyvalueserve.sql.run.UnionNode;
import io.keyvalueserve.sql.run.ValuesNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.apache.calcite.plan.RelOptUtil;
import org.apache.calcite.rel.RelCollation;
import org.apache.calcite.rel.RelFieldCollation;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.Aggregate;
import org.apache.calcite.rel.core.Collect;
import org.apache.calcite.rel.core.Correlate;
import org.apache.calcite.rel.core.Filter;
import org.apache.calcite.rel.core.Intersect;
import org.apache.calcite.rel.core.Join;
import org.apache.calcite.rel.core.JoinRelType;
import org.apache.calcite.rel.core.Minus;
import org.apache.calcite.rel.core.Project;
import org.apache.calcite.rel.core.SetOp;
import org.apache.calcite.rel.core.Sort;
import org.apache.calcite.rel.core.TableFunctionScan;
import org.apache.calcite.rel.core.TableScan;
import org.apache.calcite.rel.core.Uncollect;
import org.apache.calcite.rel.core.Union;
import org.apache.calcite.rel.core.Values;
import org.apache.calcite.rel.core.Window;
import org.apache.calcite.rex.RexNode;
import org.jspecify.annotations.Nullable;

/** Makes operators of ours from the algebra of Calcite. Used by one thread. */
final class PlanBuilder {
  private static final double UNKNOWN_ROWS = 100;

  private final ExprCompiler compiler;

  PlanBuilder(ExprCompiler compiler) {
    this.compiler = compiler;
  }

  ExprCompiler compiler() {
    return compiler;
  }

  /** Returns the operators of a part of the algebra. */
  Node node(RelNode rel) {
    Access access = access(rel);
    return access != null ? access.build(compiler) : other(rel);
  }

  /** Returns a part of the algebra as the rows of one table; null if it is not that. */
  @Nullable Access access(RelNode rel) {
    return switch (rel) {
      case TableScan scan -> {
        CatalogTable source = source(scan);
        QueryTable table = source.table();
        yield table == null
            ? null
            : new Access(source, table, List.of(), List.copyOf(rexBuilderRefs(scan)));
      }
      case Filter filter -> {
        Access input = access(filter.getInput());
        yield input == null || !input.canInline() ? null : input.filtered(filter.getCondition());
      }
      case Project project when !project.containsOver() -> {
        Access input = access(project.getInput());
        yield input == null || !input.canInline() ? null : input.projected(project.getProjects());
      }
      default -> null;
    };
  }

  private static CatalogTable source(TableScan scan) {
    return Objects.requireNonNull(scan.getTable().unwrap(CatalogTable.class));
  }

  private List<RexNode> rexBuilderRefs(TableScan scan) {
    List<RexNode> refs = new ArrayList<>();
    for (int i = 0; i < scan.getRowType().getFieldCount(); i++) {
      refs.add(compiler.builder().makeInputRef(scan, i));
    }
    return refs;
  }

  private Node other(RelNode rel) {
    return switch (rel) {
      case TableScan scan -> virtual(source(scan));
      case Filter filter -> {
        List<RexNode> tests = RelOptUtil.conjunctions(filter.getCondition());
        yield new FilterNode(node(filter.getInput()), compiler.compile(tests), Shown.values(tests));
      }
      case Project project ->
          new ProjectNode(
              node(project.getInput()),
              compiler.compile(project.getProjects()),
              Shown.values(project.getProjects()));
      case Aggregate aggregate -> new AggregateBuilder(this).build(aggregate);
      case Sort sort -> sort(sort);
      case Values values -> values(values);
      case Join join -> new JoinBuilder(this).build(join);
      case Correlate correlate -> correlate(correlate);
      case SetOp set -> set(set);
      case Window window -> new WindowBuilder(this).build(window);
      case Collect collect -> new CollectNode(node(collect.getInput()));
      case Uncollect uncollect ->
          new UncollectNode(node(uncollect.getInput()), uncollect.withOrdinality);
      case TableFunctionScan scan -> SeriesBuilder.build(scan, compiler);
      default -> throw ExprCompiler.unsupported(name(rel));
    };
  }

  private static String name(RelNode rel) {
    return switch (rel.getRelTypeName()) {
      case "LogicalRepeatUnion", "LogicalTableSpool" -> "WITH RECURSIVE";
      case "Sample" -> "TABLESAMPLE";
      default -> rel.getRelTypeName().replace("Logical", "");
    };
  }

  private static Node virtual(CatalogTable source) {
    VirtualTable table = Objects.requireNonNull(source.virtual());
    return new MadeNode(
        "Made " + source.name(),
        env -> table.rows(env.catalog(), env.caller()).iterator(),
        UNKNOWN_ROWS);
  }

  private Node sort(Sort sort) {
    Expr offset = sort.offset == null ? null : compiler.compile(sort.offset);
    Expr fetch = sort.fetch == null ? null : compiler.compile(sort.fetch);
    List<Order> keys = orders(sort.getCollation());
    Access access = access(sort.getInput());
    Node input = access == null ? node(sort.getInput()) : limited(access, keys, offset, fetch);
    return keys.isEmpty()
        ? new LimitNode(input, offset, fetch)
        : new SortNode(input, new RowOrder(keys), offset, fetch);
  }

  /** Has the engine send the first rows only, if it can make all tests. */
  private Node limited(
      Access access, List<Order> keys, @Nullable Expr offset, @Nullable Expr fetch) {
    if (fetch == null || !access.split(compiler).rest().isEmpty()) {
      return access.build(compiler);
    }
    List<Order> order = new ArrayList<>();
    for (Order key : keys) {
      int column = access.columnOf(key.column());
      if (column < 0 || !AggregateBuilder.isOrdered(access.table().columns().get(column))) {
        return access.build(compiler);
      }
      order.add(new Order(column, key.descending(), key.nullsFirst()));
    }
    return access.build(compiler, null, order, LimitSum.of(offset, fetch));
  }

  static List<Order> orders(RelCollation collation) {
    List<Order> orders = new ArrayList<>();
    for (RelFieldCollation field : collation.getFieldCollations()) {
      boolean isDescending = field.direction.isDescending();
      boolean nullsFirst =
          field.nullDirection == RelFieldCollation.NullDirection.FIRST
              || (field.nullDirection == RelFieldCollation.NullDirection.UNSPECIFIED
                  && isDescending);
      orders.add(new Order(field.getFieldIndex(), isDescending, nullsFirst));
    }
    return orders;
  }

  private Node values(Values values) {
    List<List<Expr>> rows = new ArrayList<>();
    for (List<? extends RexNode> tuple : values.getTuples()) {
      rows.add(compiler.compile(tuple));
    }
    return new ValuesNode(rows);
  }

  static JoinKind kind(JoinRelType type) {
    return switch (type) {
      case INNER -> JoinKind.INNER;
      case LEFT -> JoinKind.LEFT;
      case RIGHT -> JoinKind.RIGHT;
      case FULL -> JoinKind.FULL;
      case SEMI -> JoinKind.SEMI;
      case ANTI -> JoinKind.ANTI;
      default -> throw ExprCompiler.unsupported("a join of the kind " + type);
    };
  }

  private Node correlate(Correlate correlate) {
    return new CorrelateNode(
        node(correlate.getLeft()),
        node(correlate.getRight()),
        kind(correlate.getJoinType()),
        correlate.getLeft().getRowType().getFieldCount(),
        correlate.getRight().getRowType().getFieldCount(),
        correlate.getCorrelationId().getId());
  }

  private Node set(SetOp set) {
    List<Node> inputs = set.getInputs().stream().map(this::node).toList();
    if (set instanceof Union) {
      Node union = new UnionNode(inputs);
      return set.all ? union : AggregateBuilder.distinct(union, set.getRowType().getFieldCount());
    }
    if (!(set instanceof Intersect) && !(set instanceof Minus)) {
      throw ExprCompiler.unsupported(name(set));
    }
    Node result = inputs.getFirst();
    for (Node input : inputs.subList(1, inputs.size())) {
      result = new SetNode(result, input, set instanceof Intersect, set.all);
    }
    return result;
  }
}
