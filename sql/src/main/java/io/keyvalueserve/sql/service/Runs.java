package io.keyvalueserve.sql.service;

import io.keyvalueserve.sql.RunningStatement;
import io.keyvalueserve.sql.failure.SqlFailure;
import io.keyvalueserve.sql.failure.SqlState;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** The statements that run at this member. Thread-safe. */
final class Runs {
  private final int most;
  private final Map<String, Run> byId = new ConcurrentHashMap<>();
  private final Map<Integer, Integer> counts = new ConcurrentHashMap<>();
  private volatile boolean isClosed;

  /**
   * @param most statements of a tenant at once
   */
  Runs(int most) {
    this.most = most;
  }

  /**
   * Adds a statement.
   *
   * @throws SqlFailure if the tenant has too many, or no more are carried out
   */
  void add(Run run) {
    if (isClosed) {
      throw new SqlFailure(SqlState.UNAVAILABLE, "this member stops", 0, "ask another member");
    }
    int count = counts.merge(run.tenant(), 1, Integer::sum);
    if (count > most) {
      counts.merge(run.tenant(), -1, Runs::sum);
      throw new SqlFailure(
          SqlState.TOO_MANY_STATEMENTS,
          "the tenant runs " + most + " statements at this member already",
          0,
          "close cursors that are not read any more, or wait until a statement ends");
    }
    byId.put(run.id(), run);
    if (isClosed) {
      run.cancel("this member stops");
    }
  }

  /** Removes a statement that has ended. */
  void remove(Run run) {
    if (byId.remove(run.id()) != null) {
      counts.merge(run.tenant(), -1, Runs::sum);
    }
  }

  /** Returns nothing for 0, so that a tenant without statements takes no room. */
  private static @Nullable Integer sum(Integer a, Integer b) {
    int sum = a + b;
    return sum == 0 ? null : sum;
  }

  List<RunningStatement> running() {
    return byId.values().stream().map(Run::shown).toList();
  }

  boolean kill(String id, int tenant) {
    Run run = byId.get(id);
    if (run == null || (tenant != 0 && tenant != run.tenant())) {
      return false;
    }
    run.cancel("the statement was ended");
    return true;
  }

  void close() {
    isClosed = true;
    byId.values().forEach(run -> run.cancel("this member stops"));
  }
}
