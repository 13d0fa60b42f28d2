package io.keyvalueserve.sql.plan;

import java.util.List;
import org.apache.calcite.plan.RelOptRule;
import org.apache.calcite.plan.hep.HepMatchOrder;
import org.apache.calcite.plan.hep.HepPlanner;
import org.apache.calcite.plan.hep.HepProgramBuilder;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.Aggregate;
import org.apache.calcite.rel.core.Correlate;
import org.apache.calcite.rel.core.JoinRelType;
import org.apache.calcite.rel.core.RelFactories;
import org.apache.calcite.rel.rules.CoreRules;
import org.apache.calcite.sql2rel.RelDecorrelator;
import org.apache.calcite.sql2rel.SqlToRelConverter;
import org.apache.calcite.tools.RelBuilder;
import org.apache.calcite.util.ImmutableBitSet;

/** Rearranges algebra: queries in brackets become joins, and tests move down to the tables. */
final class Rearrangement {
  private static final List<RelOptRule> QUERIES_IN_BRACKETS =
      List.of(
          CoreRules.FILTER_SUB_QUERY_TO_CORRELATE,
          CoreRules.PROJECT_SUB_QUERY_TO_CORRELATE,
          CoreRules.JOIN_SUB_QUERY_TO_CORRELATE);

  private static final List<RelOptRule> MOVES =
      List.of(
          CoreRules.FILTER_REDUCE_EXPRESSIONS,
          CoreRules.PROJECT_REDUCE_EXPRESSIONS,
          CoreRules.JOIN_REDUCE_EXPRESSIONS,
          CoreRules.FILTER_INTO_JOIN,
          CoreRules.JOIN_CONDITION_PUSH,
          CoreRules.JOIN_PUSH_EXPRESSIONS,
          CoreRules.FILTER_PROJECT_TRANSPOSE,
          CoreRules.FILTER_AGGREGATE_TRANSPOSE,
          CoreRules.FILTER_SET_OP_TRANSPOSE,
          CoreRules.FILTER_MERGE,
          CoreRules.PROJECT_MERGE,
          CoreRules.PROJECT_REMOVE,
          CoreRules.AGGREGATE_PROJECT_MERGE,
          CoreRules.UNION_MERGE,
          CoreRules.SORT_REMOVE_CONSTANT_KEYS);

  private static final List<RelOptRule> WINDOWS =
      List.of(CoreRules.PROJECT_TO_LOGICAL_PROJECT_AND_WINDOW);

  private Rearrangement() {}

  static RelNode of(RelNode rel, SqlToRelConverter converter) {
    RelNode plain = run(rel, QUERIES_IN_BRACKETS);
    RelBuilder builder = RelFactories.LOGICAL_BUILDER.create(rel.getCluster(), null);
    RelNode free =
        hasAggregatePerRow(plain) ? plain : RelDecorrelator.decorrelateQuery(plain, builder);
    RelNode moved = run(free, MOVES);
    RelNode trimmed = converter.trimUnusedFields(true, moved);
    return run(run(trimmed, MOVES), WINDOWS);
  }

  /**
   * Returns whether there is a query of one row for each row of another, as {@code CROSS JOIN
   * LATERAL (SELECT COUNT(*) ...)}. Its rows would be lost where it counts nothing, if it were made
   * a join.
   */
  private static boolean hasAggregatePerRow(RelNode rel) {
    if (rel instanceof Correlate correlate
        && correlate.getJoinType() == JoinRelType.INNER
        && makesOneRow(correlate.getRight())) {
      return true;
    }
    return rel.getInputs().stream().anyMatch(Rearrangement::hasAggregatePerRow);
  }

  private static boolean makesOneRow(RelNode rel) {
    return rel instanceof Aggregate aggregate
        ? aggregate.getGroupSets().stream().anyMatch(ImmutableBitSet::isEmpty)
        : rel.getInputs().stream().anyMatch(Rearrangement::makesOneRow);
  }

  private static RelNode run(RelNode rel, List<RelOptRule> rules) {
    HepProgramBuilder program = new HepProgramBuilder();
    program.addMatchOrder(HepMatchOrder.TOP_DOWN);
    program.addRuleCollection(rules);
    HepPlanner planner = new HepPlanner(program.build());
    planner.setExecutor(rel.getCluster().getPlanner().getExecutor());
    planner.setRoot(rel);
    return planner.findBestExp();
  }
}
