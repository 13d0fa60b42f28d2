package io.keyvalueserve.server;

import io.keyvalueserve.grid.query.GridQueries;
import io.keyvalueserve.grid.query.GridQueryCatalog;
import io.keyvalueserve.sql.RunningStatement;
import io.keyvalueserve.sql.service.MemberSqlService;
import io.keyvalueserve.tenancy.grant.GrantDirectory;
import io.keyvalueserve.tenancy.log.LogLimit;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Puts the SQL of a member together. */
final class ServerSql {
  private static final Logger SLOW = LoggerFactory.getLogger("io.keyvalueserve.slow-queries");
  private static final Duration SLOW_AFTER = Duration.ofSeconds(1);
  private static final int MOST_LINES_A_MINUTE = 60;

  private ServerSql() {}

  /** Returns a builder of the service: doors may add schemas and functions. */
  static MemberSqlService.Builder builder(GridQueries queries, GrantDirectory grants) {
    LogLimit lines = LogLimit.aMinute(MOST_LINES_A_MINUTE);
    return MemberSqlService.builder(identity -> new GridQueryCatalog(queries, identity, grants))
        .turns(new SqlTurns(queries.pool()))
        .heap(new SqlHeap(queries))
        .slow(SLOW_AFTER, (statement, plan, nanos) -> log(lines, statement, plan, nanos));
  }

  private static void log(LogLimit lines, RunningStatement statement, String plan, long nanos) {
    long before = lines.take();
    if (before >= 0) {
      SLOW.info(
          "slow query: tenant={} door={} client={} millis={} examined={} returned={} left out"
              + " before={}\n{}\n{}",
          statement.tenant(),
          statement.door(),
          statement.client(),
          TimeUnit.NANOSECONDS.toMillis(nanos),
          statement.examined(),
          statement.returned(),
          before,
          statement.sql(),
          plan);
    }
  }
}
