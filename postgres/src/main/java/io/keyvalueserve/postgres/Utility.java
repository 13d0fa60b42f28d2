package io.keyvalueserve.postgres;

import io.keyvalueserve.postgres.plan.Execution;
import io.keyvalueserve.postgres.plan.Plan;
import io.keyvalueserve.postgres.plan.ResultColumn;
import io.keyvalueserve.postgres.types.PgType;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A statement about the session itself.
 *
 * @param command its first words
 * @param columns of its rows; empty if it returns none
 * @param action does it
 * @param endsTransaction whether it may be carried out in a transaction that has failed
 */
record Utility(
    String command, List<ResultColumn> columns, Supplier<Execution> action, boolean endsTransaction)
    implements Plan {
  /** Returns a statement that returns no rows. */
  static Utility of(String command, Runnable action) {
    return new Utility(
        command,
        List.of(),
        () -> {
          action.run();
          return Execution.done(command);
        },
        false);
  }

  /** Returns a statement that may end a transaction, and chooses what the client is told. */
  static Utility ending(String command, Supplier<String> action) {
    return new Utility(command, List.of(), () -> Execution.done(action.get()), true);
  }

  @Override
  public List<PgType> parameters() {
    return List.of();
  }

  @Override
  public Execution start(List<@Nullable Object> values) {
    return action.get();
  }
}
