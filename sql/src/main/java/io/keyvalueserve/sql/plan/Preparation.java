package io.keyvalueserve.sql.plan;

import io.keyvalueserve.sql.SqlLimits;
import io.keyvalueserve.sql.failure.SqlFailure;
import io.keyvalueserve.sql.failure.SqlState;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlNodeList;
import org.apache.calcite.sql.util.SqlShuttle;
import org.jspecify.annotations.Nullable;

/** Looks through a statement before it is validated: lists that are too long are refused. */
final class Preparation extends SqlShuttle {
  private final SqlLimits limits;

  Preparation(SqlLimits limits) {
    this.limits = limits;
  }

  @Override
  public @Nullable SqlNode visit(SqlNodeList list) {
    if (list.size() > limits.listLength()) {
      throw new SqlFailure(
          SqlState.TOO_COMPLEX,
          "a list has " + list.size() + " items; the most are " + limits.listLength(),
          0,
          "send the list in several statements");
    }
    return super.visit(list);
  }
}
