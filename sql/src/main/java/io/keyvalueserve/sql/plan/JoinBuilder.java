package io.keyvalueserve.sql.plan;

import io.keyvalueserve.sql.expr.Expr;
import io.keyvalueserve.sql.expr.Exprs;
import io.keyvalueserve.sql.run.JoinKind;
import io.keyvalueserve.sql.run.JoinNode;
import io.keyvalueserve.sql.run.LookupNode;
import io.keyvalueserve.sql.run.Node;
import io.keyvalueserve.sql.run.ProjectNode;
import java.util.ArrayList;
import java.util.List;
import org.apache.calcite.plan.RelOptUtil;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.Join;
import org.apache.calcite.rex.RexInputRef;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexShuttle;
import org.jspecify.annotations.Nullable;

/** Builds joins. */
final class JoinBuilder {
  /** A table of fewer entries is read as a whole. */
  private static final long MANY = 500;

  private static final double MUCH_LARGER = 2;

  private final PlanBuilder plans;

  JoinBuilder(PlanBuilder plans) {
    this.plans = plans;
  }

  /** One side of a join. */
  private record Side(@Nullable Access access, Node node, List<Integer> keys, int width) {}

  Node build(Join join) {
    List<Integer> leftKeys = new ArrayList<>();
    List<Integer> rightKeys = new ArrayList<>();
    List<Boolean> filterNulls = new ArrayList<>();
    List<RexNode> rest = new ArrayList<>();
    RelOptUtil.splitJoinCondition(
        join.getLeft(),
        join.getRight(),
        join.getCondition(),
        leftKeys,
        rightKeys,
        filterNulls,
        rest);
    List<Boolean> nullKeys = filterNulls.stream().map(filters -> !filters).toList();
    Side left = side(join.getLeft(), leftKeys);
    Side right = side(join.getRight(), rightKeys);
    JoinKind kind = PlanBuilder.kind(join.getJoinType());
    boolean isSwapped = kind == JoinKind.INNER && isBetterSwapped(left, right);
    if (!isSwapped) {
      return join(left, right, kind, nullKeys, rest);
    }
    List<RexNode> moved = rest.stream().map(test -> swapped(test, left, right)).toList();
    Node swapped = join(right, left, kind, nullKeys, moved);
    List<Expr> values = new ArrayList<>();
    for (int i = 0; i < left.width + right.width; i++) {
      values.add(new Exprs.Column(i < left.width ? right.width + i : i - left.width));
    }
    return new ProjectNode(swapped, values, values.toString());
  }

  private Side side(RelNode rel, List<Integer> keys) {
    Access access = plans.access(rel);
    Node node = access == null ? plans.node(rel) : access.build(plans.compiler());
    return new Side(access, node, List.copyOf(keys), rel.getRowType().getFieldCount());
  }

  private static RexNode swapped(RexNode test, Side left, Side right) {
    return test.accept(
        new RexShuttle() {
          @Override
          public RexNode visitInputRef(RexInputRef ref) {
            int index = ref.getIndex();
            int moved = index < left.width ? right.width + index : index - left.width;
            return new RexInputRef(moved, ref.getType());
          }
        });
  }

  private static boolean isBetterSwapped(Side left, Side right) {
    boolean canLookRight = lookup(right) >= 0;
    boolean canLookLeft = lookup(left) >= 0;
    double l = left.node.estimatedRows();
    double r = right.node.estimatedRows();
    if (canLookLeft != canLookRight) {
      return canLookLeft;
    }
    return canLookRight ? l > r : r > l * MUCH_LARGER;
  }

  /** Returns which of a side's keys is the key of its entries; -1 if none is. */
  private static int lookup(Side side) {
    Access access = side.access;
    if (access == null || access.table().estimatedRows() < MANY) {
      return -1;
    }
    for (int i = 0; i < side.keys.size(); i++) {
      int column = access.columnOf(side.keys.get(i));
      if (column >= 0 && Access.isKey(access.table().columns().get(column))) {
        return i;
      }
    }
    return -1;
  }

  private Node join(
      Side left, Side right, JoinKind kind, List<Boolean> nullKeys, List<RexNode> rest) {
    int lookup = kind == JoinKind.RIGHT || kind == JoinKind.FULL ? -1 : lookup(right);
    Node source = right.node;
    if (lookup >= 0 && right.access != null) {
      LookupNode found = nullKeys.get(lookup) ? null : right.access.buildLookup(plans.compiler());
      source = found == null ? source : found;
      lookup = found == null ? -1 : lookup;
    }
    return new JoinNode(
        left.node,
        source,
        kind,
        left.width,
        right.width,
        left.keys,
        right.keys,
        nullKeys,
        plans.compiler().compile(rest),
        Shown.values(rest),
        lookup);
  }
}
