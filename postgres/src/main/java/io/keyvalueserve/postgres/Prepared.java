package io.keyvalueserve.postgres;

import io.keyvalueserve.postgres.plan.Plan;
import io.keyvalueserve.postgres.types.PgType;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A statement that a client has prepared.
 *
 * @param sql its text
 * @param declared the types of parameters that the client gave; null for those that it left open
 * @param plan null for a statement without tokens
 */
record Prepared(String sql, List<@Nullable PgType> declared, @Nullable Plan plan) {
  private static final int OVERHEAD_BYTES = 1024;

  /** Returns about how many bytes of heap it takes. */
  int heapBytes() {
    return 2 * sql.length() + OVERHEAD_BYTES;
  }
}
