package io.keyvalueserve.sql.plan;

import org.apache.calcite.rex.RexCall;
import org.apache.calcite.rex.RexDynamicParam;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexVisitorImpl;
import org.apache.calcite.util.Util;
import org.jspecify.annotations.Nullable;

/** Finds what is known only when a statement runs: parameters, and the time. */
final class DynamicFinder extends RexVisitorImpl<Void> {
  private DynamicFinder() {
    super(true);
  }

  static boolean isFound(RexNode node) {
    try {
      node.accept(new DynamicFinder());
      return false;
    } catch (Util.FoundOne e) {
      return true;
    }
  }

  @Override
  public @Nullable Void visitDynamicParam(RexDynamicParam parameter) {
    throw Util.FoundOne.NULL;
  }

  @Override
  public @Nullable Void visitCall(RexCall call) {
    if (!call.getOperator().isDeterministic() || call.getOperator().isDynamicFunction()) {
      throw Util.FoundOne.NULL;
    }
    return super.visitCall(call);
  }
}
