package io.keyvalueserve.postgres;

import io.keyvalueserve.engine.query.FieldType;
import io.keyvalueserve.engine.query.JsonText;
import io.keyvalueserve.gates.visit.Visit;
import io.keyvalueserve.sql.RunningStatement;
import io.keyvalueserve.sql.SqlColumn;
import io.keyvalueserve.sql.SqlCursor;
import io.keyvalueserve.sql.SqlException;
import io.keyvalueserve.sql.SqlOptions;
import io.keyvalueserve.sql.SqlService;
import io.keyvalueserve.sql.SqlSession;
import io.keyvalueserve.sql.SqlStatement;
import java.math.BigDecimal;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A service that knows a few statements, by their words: {@code SELECT ROWS n}, {@code SELECT
 * TYPES}, {@code SELECT ECHO type $1}, {@code SELECT WAIT}, {@code INSERT n}, {@code FAIL}.
 */
final class TestSql implements SqlService {
  static final Object[] ONE_OF_EACH = {
    true,
    (byte) -7,
    (short) 300,
    70_000,
    5_000_000_000L,
    new BigDecimal("-12345.678900"),
    1.5f,
    1e100,
    "äöü 'x'",
    new byte[] {0, 1, (byte) 0xff},
    LocalDate.of(2026, 11, 30),
    LocalTime.of(1, 2, 3, 456_000_000),
    LocalDateTime.of(1999, 12, 31, 23, 59, 59, 1000),
    OffsetDateTime.of(2026, 1, 2, 3, 4, 5, 0, ZoneOffset.ofHours(2)),
    new JsonText("{\"a\": [1, 2]}"),
    "an object"
  };

  private static final Pattern ROWS = Pattern.compile("(?i)select rows (\\d+)");
  private static final Pattern INSERT = Pattern.compile("(?i)(insert|update|delete) (\\d+).*");
  private static final Pattern ECHO = Pattern.compile("(?i)select echo (\\w+) .*");

  final AtomicInteger open = new AtomicInteger();
  final AtomicLong produced = new AtomicLong();
  final CountDownLatch waiting = new CountDownLatch(1);
  volatile @Nullable SqlOptions lastOptions;

  private record Statement(
      String sql, Kind kind, String command, List<SqlColumn> columns, List<FieldType> parameters)
      implements SqlStatement {}

  @Override
  public SqlSession open(Visit visit, SqlOptions options) {
    open.incrementAndGet();
    lastOptions = options;
    return new Session();
  }

  @Override
  public List<RunningStatement> running() {
    return List.of();
  }

  @Override
  public boolean kill(String statement, int tenant) {
    return false;
  }

  @Override
  public void close() {}

  private final class Session implements SqlSession {
    private volatile boolean cancelled;
    private boolean closed;

    @Override
    public SqlStatement prepare(String sql) throws SqlException {
      Matcher rows = ROWS.matcher(sql);
      if (rows.matches()) {
        return new Statement(
            sql,
            SqlStatement.Kind.SELECT,
            "SELECT",
            List.of(
                new SqlColumn("id", FieldType.INTEGER, false),
                new SqlColumn("name", FieldType.VARCHAR, true)),
            List.of());
      }
      Matcher insert = INSERT.matcher(sql);
      if (insert.matches()) {
        String word = insert.group(1).toUpperCase(java.util.Locale.ROOT);
        List<FieldType> parameters = new ArrayList<>();
        for (int i = 1; sql.contains("$" + i); i++) {
          parameters.add(FieldType.INTEGER);
        }
        return new Statement(sql, SqlStatement.Kind.valueOf(word), word, List.of(), parameters);
      }
      Matcher echo = ECHO.matcher(sql);
      if (echo.matches()) {
        FieldType type = FieldType.valueOf(echo.group(1).toUpperCase(java.util.Locale.ROOT));
        return new Statement(
            sql,
            SqlStatement.Kind.SELECT,
            "SELECT",
            List.of(new SqlColumn("echo", type, true)),
            List.of(type));
      }
      return switch (sql.toLowerCase(java.util.Locale.ROOT)) {
        case "select 1", "select wait" ->
            new Statement(
                sql,
                SqlStatement.Kind.SELECT,
                "SELECT",
                List.of(new SqlColumn("n", FieldType.INTEGER, false)),
                List.of());
        case "select types" -> {
          List<SqlColumn> columns = new ArrayList<>();
          for (FieldType type : FieldType.values()) {
            columns.add(new SqlColumn(type.name().toLowerCase(java.util.Locale.ROOT), type, true));
          }
          yield new Statement(sql, SqlStatement.Kind.SELECT, "SELECT", columns, List.of());
        }
        default -> throw new SqlException("42601", "no such statement", 3, "know another one");
      };
    }

    @Override
    public SqlCursor execute(SqlStatement statement, List<@Nullable Object> parameters)
        throws SqlException {
      cancelled = false;
      Matcher rows = ROWS.matcher(statement.sql());
      if (rows.matches()) {
        return new Cursor(
            statement,
            Integer.parseInt(rows.group(1)),
            i -> new @Nullable Object[] {i, i % 10 == 9 ? null : "name " + i});
      }
      if (ECHO.matcher(statement.sql()).matches()) {
        return new Cursor(statement, 1, i -> parameters.toArray());
      }
      return switch (statement.sql().toLowerCase(java.util.Locale.ROOT)) {
        case "select 1" -> new Cursor(statement, 1, i -> new @Nullable Object[] {1});
        case "select types" -> new Cursor(statement, 2, i -> i == 0 ? ONE_OF_EACH : new Object[16]);
        case "select wait" -> {
          waiting.countDown();
          while (!cancelled) {
            Thread.onSpinWait();
          }
          throw new SqlException("57014", "canceled", 0, "");
        }
        default -> new Cursor(statement, 0, i -> new Object[0]);
      };
    }

    @Override
    public void cancel() {
      cancelled = true;
    }

    @Override
    public void set(SqlOptions options) {
      lastOptions = options;
    }

    @Override
    public SqlOptions options() {
      throw new UnsupportedOperationException();
    }

    @Override
    public void close() {
      if (!closed) {
        closed = true;
        open.decrementAndGet();
      }
    }
  }

  private final class Cursor implements SqlCursor {
    private final SqlStatement statement;
    private final int rows;
    private final java.util.function.IntFunction<@Nullable Object[]> maker;
    private int at = -1;

    Cursor(
        SqlStatement statement,
        int rows,
        java.util.function.IntFunction<@Nullable Object[]> maker) {
      this.statement = statement;
      this.rows = rows;
      this.maker = maker;
    }

    @Override
    public String id() {
      return "1";
    }

    @Override
    public List<SqlColumn> columns() {
      return statement.columns();
    }

    @Override
    public long updated() {
      Matcher insert = INSERT.matcher(statement.sql());
      return insert.matches() ? Long.parseLong(insert.group(2)) : -1;
    }

    @Override
    public boolean next() {
      if (++at < rows) {
        produced.incrementAndGet();
        return true;
      }
      return false;
    }

    @Override
    public @Nullable Object[] row() {
      return maker.apply(at);
    }

    @Override
    public void close() {}
  }
}
