package io.keyvalueserve.sql.plan;

import io.keyvalueserve.engine.query.QueryCatalog;
import io.keyvalueserve.sql.expr.Env;
import io.keyvalueserve.sql.failure.SqlFailure;
import io.keyvalueserve.tenancy.Identity;
import java.time.Instant;
import java.time.ZoneId;
import java.util.List;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.rex.RexExecutor;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.sql.SqlKind;
import org.jspecify.annotations.Nullable;

/** Computes expressions of literals when a plan is made. */
final class Folding implements RexExecutor {
  private final ExprCompiler compiler;
  private final Env env;

  Folding(ExprCompiler compiler, ZoneId zone, QueryCatalog catalog, Identity caller) {
    this.compiler = compiler;
    this.env = new Env(new @Nullable Object[0], zone, Instant.EPOCH, catalog, caller);
  }

  @Override
  public void reduce(RexBuilder builder, List<RexNode> nodes, List<RexNode> reduced) {
    for (RexNode node : nodes) {
      reduced.add(reduce(builder, node));
    }
  }

  /** Returns the literal; the expression itself if it fails, as it may never be computed. */
  private RexNode reduce(RexBuilder builder, RexNode node) {
    if (node.getKind() == SqlKind.LITERAL || DynamicFinder.isFound(node)) {
      return node;
    }
    try {
      Object value = ExprCompiler.evaluate(compiler.compile(node), env);
      RexNode literal = Literals.literal(builder, value, node.getType());
      return literal == null ? node : literal;
    } catch (SqlFailure e) {
      return node;
    }
  }
}
