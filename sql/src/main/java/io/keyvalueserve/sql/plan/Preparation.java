package io.keyvalueserve.sql.plan;

import io.keyvalueserve.sql.SqlLimits;
import io.keyvalueserve.sql.failure.SqlFailure;
import io.keyvalueserve.sql.failure.SqlState;
import java.util.Set;
import org.apache.calcite.sql.SqlBasicTypeNameSpec;
import org.apache.calcite.sql.SqlDataTypeSpec;
import org.apache.calcite.sql.SqlDynamicParam;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlNodeList;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.apache.calcite.sql.type.SqlTypeName;
import org.apache.calcite.sql.util.SqlShuttle;
import org.jspecify.annotations.Nullable;

/** Looks through a statement before it is validated: lists that are too long are refused. */
final class Preparation extends SqlShuttle {
  private final SqlLimits limits;

  private final Set<SqlParserPos> texts;

  /**
   * @param texts the places of parameters that are text
   */
  Preparation(SqlLimits limits, Set<SqlParserPos> texts) {
    this.limits = limits;
    this.texts = texts;
  }

  @Override
  public SqlNode visit(SqlDynamicParam mark) {
    SqlParserPos at = mark.getParserPosition();
    if (!texts.contains(new SqlParserPos(at.getLineNum(), at.getColumnNum()))) {
      return mark;
    }
    SqlDataTypeSpec type =
        new SqlDataTypeSpec(new SqlBasicTypeNameSpec(SqlTypeName.VARCHAR, at), at);
    return SqlStdOperatorTable.CAST.createCall(at, mark, type);
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
