package io.keyvalueserve.postgres;

import io.keyvalueserve.gates.visit.Visit;
import io.keyvalueserve.postgres.wire.PostgresException;
import io.keyvalueserve.sql.SqlOptions;
import io.keyvalueserve.sql.SqlService;
import io.keyvalueserve.sql.SqlSession;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The sessions of the SQL service that a connection uses: one, and one more for each result that
 * its client has read in part. Used by the thread that works for the connection, but for {@link
 * #cancel}.
 */
final class SqlSessions {
  private static final int MOST = 8;

  private final SqlService service;
  private final Visit visit;
  private final List<SqlSession> all = new ArrayList<>();
  private final List<SqlSession> free = new ArrayList<>();
  private SqlOptions options;
  private volatile @Nullable SqlSession running;

  SqlSessions(SqlService service, Visit visit, SqlOptions options) {
    this.service = service;
    this.visit = visit;
    this.options = options;
  }

  void set(SqlOptions next) {
    if (!next.equals(options)) {
      options = next;
      all.forEach(session -> session.set(next));
    }
  }

  /** Takes a session in which no result is open. */
  SqlSession take() {
    if (!free.isEmpty()) {
      return free.removeLast();
    }
    if (all.size() == MOST) {
      throw new PostgresException(
          "53400", "the session has " + MOST + " results open: read or close one first");
    }
    SqlSession session = service.open(visit, options);
    all.add(session);
    return session;
  }

  /** Gives a session back whose result is closed. */
  void giveBack(SqlSession session) {
    free.add(session);
  }

  /** Says which session works now: the one that a request to cancel ends. */
  void works(@Nullable SqlSession session) {
    running = session;
  }

  /** Ends the statement that is carried out now, if any. Any thread. */
  void cancel() {
    SqlSession session = running;
    if (session != null) {
      session.cancel();
    }
  }

  void close() {
    all.forEach(SqlSession::close);
    all.clear();
    free.clear();
  }
}
