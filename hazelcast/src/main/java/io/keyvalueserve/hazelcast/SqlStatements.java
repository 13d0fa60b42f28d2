package io.keyvalueserve.hazelcast;

import com.hazelcast.client.impl.protocol.ClientMessage;
import com.hazelcast.client.impl.protocol.codec.SqlCloseCodec;
import com.hazelcast.client.impl.protocol.codec.SqlExecuteCodec;
import com.hazelcast.client.impl.protocol.codec.SqlFetchCodec;
import com.hazelcast.internal.nio.Connection;
import com.hazelcast.internal.serialization.Data;
import com.hazelcast.internal.serialization.InternalSerializationService;
import com.hazelcast.nio.serialization.HazelcastSerializationException;
import com.hazelcast.sql.SqlColumnMetadata;
import com.hazelcast.sql.impl.QueryId;
import com.hazelcast.sql.impl.client.SqlError;
import com.hazelcast.sql.impl.client.SqlPage;
import io.keyvalueserve.gates.policy.TenantPolicy;
import io.keyvalueserve.gates.visit.Visit;
import io.keyvalueserve.sql.SqlCursor;
import io.keyvalueserve.sql.SqlException;
import io.keyvalueserve.sql.SqlOptions;
import io.keyvalueserve.sql.SqlService;
import io.keyvalueserve.sql.SqlSession;
import io.keyvalueserve.sql.SqlStatement;
import io.keyvalueserve.tenancy.Door;
import java.time.Duration;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Answers the SQL messages of Hazelcast clients. Each statement has a session of its own, on a
 * virtual thread while it works for the client. Its cursor stays open until it was read to its end,
 * the client closes it, or the connection ends. Thread-safe.
 */
final class SqlStatements {
  private static final Logger LOG = LoggerFactory.getLogger(SqlStatements.class);

  /** A page has no more rows, whatever the client asks for. */
  private static final int MOST_ROWS_OF_PAGE = 4096;

  /** A cursor is open for so long, also if its client does not come back to it. */
  private static final Duration MOST_TIME = Duration.ofMinutes(10);

  private static final long SWEEP_NANOS = TimeUnit.SECONDS.toNanos(10);

  private static final byte EXPECTS_ROWS = 1;
  private static final byte EXPECTS_COUNT = 2;

  private final TenantPolicy policy;
  private final InternalSerializationService serialization;
  private final UUID member;
  private final Supplier<@Nullable SqlService> service;
  private final Map<Key, Open> open = new ConcurrentHashMap<>();
  private final AtomicLong sweptNanos = new AtomicLong(System.nanoTime());
  private final ExecutorService threads =
      Executors.newThreadPerTaskExecutor(Thread.ofVirtual().name("kvs-sql-", 0).factory());

  /** A statement of a connection. */
  private record Key(Connection connection, QueryId query) {}

  /** A statement that runs. Its lock is held while a thread works for it. */
  private static final class Open {
    private final SqlSession session;
    private final ReentrantLock lock = new ReentrantLock();
    private final long endNanos;
    private volatile boolean ended;
    private @Nullable SqlCursor cursor;

    Open(SqlSession session, Duration most) {
      this.session = session;
      this.endNanos = System.nanoTime() + most.toNanos();
    }
  }

  /**
   * @param member the id of this member
   * @param service null while the member starts
   */
  SqlStatements(
      TenantPolicy policy,
      InternalSerializationService serialization,
      UUID member,
      Supplier<@Nullable SqlService> service) {
    this.policy = policy;
    this.serialization = serialization;
    this.member = member;
    this.service = service;
  }

  /** Has a message answered. Does not block. */
  void accept(ClientMessage message, DoorSession session) {
    Connection connection = message.getConnection();
    session.whenReleased(() -> closed(connection));
    endOverdue();
    switch (message.getMessageType()) {
      case SqlExecuteCodec.REQUEST_MESSAGE_TYPE ->
          threads.execute(() -> answer(message, executed(message, session)));
      case SqlFetchCodec.REQUEST_MESSAGE_TYPE ->
          threads.execute(() -> answer(message, fetch(message)));
      case SqlCloseCodec.REQUEST_MESSAGE_TYPE -> {
        QueryId query = SqlCloseCodec.decodeRequest(message);
        end(open.remove(new Key(message.getConnection(), query)));
        answer(message, SqlCloseCodec.encodeResponse());
      }
      default -> throw new IllegalArgumentException("no SQL: " + message.getMessageType());
    }
  }

  /** Now and then, ends the statements whose clients have left them open for too long. */
  private void endOverdue() {
    long now = System.nanoTime();
    long before = sweptNanos.get();
    if (now - before < SWEEP_NANOS || !sweptNanos.compareAndSet(before, now)) {
      return;
    }
    open.forEach(
        (key, statement) -> {
          if (now - statement.endNanos > 0 && open.remove(key, statement)) {
            end(statement);
          }
        });
  }

  /** Ends the statements of a connection that has closed. */
  private void closed(Connection connection) {
    open.forEach(
        (key, statement) -> {
          if (key.connection().equals(connection) && open.remove(key, statement)) {
            end(statement);
          }
        });
  }

  private void end(@Nullable Open statement) {
    if (statement == null) {
      return;
    }
    statement.ended = true;
    statement.session.cancel();
    threads.execute(
        () -> {
          statement.lock.lock();
          try {
            statement.session.close();
          } finally {
            statement.lock.unlock();
          }
        });
  }

  /** Returns the answer of a statement, whatever goes wrong. */
  private ClientMessage executed(ClientMessage message, DoorSession session) {
    try {
      return execute(message, session);
    } catch (RuntimeException e) {
      LOG.error("a statement has failed", e);
      return failed(SqlErrors.of("XX000", "internal error"));
    }
  }

  private ClientMessage execute(ClientMessage message, DoorSession session) {
    SqlExecuteCodec.RequestParameters request;
    try {
      request = SqlExecuteCodec.decodeRequest(message);
    } catch (RuntimeException e) {
      LOG.debug("a statement was not readable", e);
      return failed(SqlErrors.of("08P01", "the request is not readable"));
    }
    SqlService sql = service.get();
    if (sql == null) {
      return failed(SqlErrors.of("57P03", "the member starts: try again in a moment"));
    }
    Key key = new Key(message.getConnection(), request.queryId);
    Duration timeout =
        request.timeoutMillis > 0 ? Duration.ofMillis(request.timeoutMillis) : Duration.ZERO;
    Visit visit = Visit.begin(policy, session.identity(), Door.HAZELCAST);
    SqlOptions options =
        new SqlOptions(timeout, ZoneOffset.UTC, String.valueOf(session.remoteAddress()));
    Open statement =
        new Open(
            sql.open(visit, options),
            timeout.isZero() || timeout.compareTo(MOST_TIME) > 0 ? MOST_TIME : timeout);
    if (open.putIfAbsent(key, statement) != null) {
      statement.session.close();
      return failed(SqlErrors.of("42P03", "a statement of this id runs already"));
    }
    boolean goesOn = false;
    statement.lock.lock();
    try {
      SqlStatement prepared = statement.session.prepare(request.sql);
      boolean hasRows = !prepared.columns().isEmpty();
      if ((request.expectedResultType == EXPECTS_ROWS && !hasRows)
          || (request.expectedResultType == EXPECTS_COUNT && hasRows)) {
        return failed(
            SqlErrors.of(
                "42809",
                hasRows
                    ? "the statement returns rows, but a number of rows is expected"
                    : "the statement returns a number of rows, but rows are expected"));
      }
      SqlCursor cursor = statement.session.execute(prepared, parameters(request.parameters));
      statement.cursor = cursor;
      if (cursor.updated() >= 0) {
        return SqlExecuteCodec.encodeResponse(null, null, cursor.updated(), null, false, -1);
      }
      List<SqlColumnMetadata> columns = SqlRows.metadata(cursor.columns());
      SqlPage page = page(cursor, request.cursorBufferSize);
      goesOn = !page.isLast();
      return SqlExecuteCodec.encodeResponse(columns, page, -1, null, false, -1);
    } catch (SqlException e) {
      return failed(SqlErrors.of(e));
    } catch (HazelcastSerializationException e) {
      LOG.debug("a parameter was not readable", e);
      return failed(
          SqlErrors.of("22023", "a parameter is not readable: send numbers, text, times, JSON"));
    } finally {
      if (!goesOn || statement.ended || !message.getConnection().isAlive()) {
        var _ = open.remove(key, statement);
        statement.session.close();
      }
      statement.lock.unlock();
    }
  }

  private List<@Nullable Object> parameters(List<Data> given) {
    List<@Nullable Object> parameters = new ArrayList<>(given.size());
    for (Data each : given) {
      parameters.add(SqlRows.parameter(serialization.toObject(each)));
    }
    return parameters;
  }

  private SqlPage page(SqlCursor cursor, int wanted) throws SqlException {
    return SqlRows.page(cursor, Math.clamp(wanted, 1, MOST_ROWS_OF_PAGE), serialization);
  }

  private ClientMessage fetch(ClientMessage message) {
    SqlFetchCodec.RequestParameters request;
    try {
      request = SqlFetchCodec.decodeRequest(message);
    } catch (RuntimeException e) {
      LOG.debug("a request for rows was not readable", e);
      return fetchFailed(SqlErrors.of("08P01", "the request is not readable"));
    }
    Key key = new Key(message.getConnection(), request.queryId);
    Open statement = open.get(key);
    if (statement == null) {
      return fetchFailed(
          SqlErrors.of("34000", "the statement is not open: it was closed, or has failed"));
    }
    boolean goesOn = false;
    statement.lock.lock();
    try {
      SqlCursor cursor = statement.cursor;
      if (cursor == null || statement.ended) {
        return fetchFailed(SqlErrors.of("34000", "the statement was closed"));
      }
      SqlPage page = page(cursor, request.cursorBufferSize);
      goesOn = !page.isLast();
      return SqlFetchCodec.encodeResponse(page, null);
    } catch (SqlException e) {
      return fetchFailed(SqlErrors.of(e));
    } catch (RuntimeException e) {
      LOG.error("a statement has failed", e);
      return fetchFailed(SqlErrors.of("XX000", "internal error"));
    } finally {
      if (!goesOn) {
        var _ = open.remove(key, statement);
        statement.session.close();
      }
      statement.lock.unlock();
    }
  }

  private ClientMessage failed(SqlErrors.Failure why) {
    return SqlExecuteCodec.encodeResponse(null, null, -1, error(why), false, -1);
  }

  private ClientMessage fetchFailed(SqlErrors.Failure why) {
    return SqlFetchCodec.encodeResponse(null, error(why));
  }

  private SqlError error(SqlErrors.Failure why) {
    return new SqlError(why.code(), why.message(), member, false, null, false, null);
  }

  private static void answer(ClientMessage request, ClientMessage answer) {
    answer.setCorrelationId(request.getCorrelationId());
    boolean _ = request.getConnection().write(answer);
  }
}
