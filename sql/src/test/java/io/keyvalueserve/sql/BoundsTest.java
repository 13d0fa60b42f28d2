package io.keyvalueserve.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.keyvalueserve.billing.metering.Measure;
import io.keyvalueserve.tenancy.Limit;
import io.keyvalueserve.tenancy.Quota;
import io.keyvalueserve.tenancy.Tenant;
import io.keyvalueserve.tenancy.TenantState;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Goal: a statement stays within its bounds, and gives back all that it has taken. */
class BoundsTest {
  private static final int ROWS = 3000;

  private static MemoryCatalog catalog() {
    MemoryTable table = MemoryTable.of("big", "__key INTEGER", "n INTEGER", "s VARCHAR");
    for (int i = 0; i < ROWS; i++) {
      table.add(i, i % 100, "text number " + i);
    }
    return new MemoryCatalog().with(table);
  }

  /** A heap that is counted. */
  private static final class CountedHeap implements QueryHeap {
    private final QueryHeap bounded;
    private final AtomicLong taken = new AtomicLong();
    private final AtomicLong most = new AtomicLong();

    CountedHeap(long bytes) {
      this.bounded = QueryHeap.bounded(bytes);
    }

    @Override
    public boolean take(int tenant, long bytes) {
      if (!bounded.take(tenant, bytes)) {
        return false;
      }
      most.accumulateAndGet(taken.addAndGet(bytes), Math::max);
      return true;
    }

    @Override
    public void give(int tenant, long bytes) {
      taken.addAndGet(-bytes);
      bounded.give(tenant, bytes);
    }

    @Override
    public long bound(int tenant) {
      return bounded.bound(tenant);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "SELECT s FROM big ORDER BY upper(s)",
        "SELECT upper(s), COUNT(*) FROM big GROUP BY upper(s)",
        "SELECT DISTINCT s || 'x' FROM big",
        "SELECT a.s FROM big a JOIN big b ON a.s = b.s || ''",
        "SELECT a.s FROM big a LEFT JOIN big b ON a.n + b.n = 1 WHERE a.__key < 9",
        "SELECT s, ROW_NUMBER() OVER (ORDER BY s) FROM big",
        "SELECT s FROM big EXCEPT SELECT upper(s) FROM big",
        "SELECT STRING_AGG(s, ',') FROM big",
        "SELECT ARRAY(SELECT s FROM big)",
        "SELECT COUNT(DISTINCT upper(s)) FROM big"
      })
  void whatIsKeptIsBounded(String sql) throws Exception {
    CountedHeap small = new CountedHeap(100_000);
    try (SqlFixture fixture = new SqlFixture(catalog(), builder -> builder.heap(small))) {
      assertThatThrownBy(() -> fixture.run(sql))
          .isInstanceOfSatisfying(
              SqlException.class,
              e -> {
                assertThat(e.state()).isEqualTo("53200");
                assertThat(e.getMessage()).contains("100000 bytes");
                assertThat(e.hint()).isNotEmpty();
              });
      assertThat(small.taken.get()).isZero();
      assertThat(fixture.service.running()).isEmpty();
      assertThat(fixture.run("SELECT COUNT(*) FROM big")).containsExactly(ROWS + "");
    }
    CountedHeap large = new CountedHeap(50_000_000);
    try (SqlFixture fixture = new SqlFixture(catalog(), builder -> builder.heap(large))) {
      assertThat(fixture.run(sql)).isNotEmpty();
      assertThat(large.taken.get()).isZero();
      assertThat(large.most.get()).isGreaterThan(100_000);
    }
  }

  @Test
  void aSelectionKeepsNothing() throws Exception {
    CountedHeap none = new CountedHeap(1);
    try (SqlFixture fixture = new SqlFixture(catalog(), builder -> builder.heap(none))) {
      assertThat(fixture.run("SELECT upper(s) FROM big WHERE n % 2 = 0")).hasSize(ROWS / 2);
      assertThat(none.most.get()).isZero();
    }
  }

  @Test
  void theFirstRowsOfASortTakeLittle() throws Exception {
    CountedHeap small = new CountedHeap(100_000);
    try (SqlFixture fixture = new SqlFixture(catalog(), builder -> builder.heap(small))) {
      assertThat(fixture.run("SELECT s FROM big ORDER BY upper(s) DESC LIMIT 2"))
          .containsExactly("text number 999", "text number 998");
    }
  }

  /** Turns that are counted, and which nobody may have while a table waits. */
  private static final class CountedTurns implements QueryTurns {
    private final AtomicInteger held = new AtomicInteger();
    private final AtomicInteger begun = new AtomicInteger();
    private final AtomicInteger checked = new AtomicInteger();

    @Override
    public Turn begin(int tenant) {
      assertThat(held.incrementAndGet()).isEqualTo(1);
      begun.incrementAndGet();
      return new Turn() {
        @Override
        public void checkpoint() {
          checked.incrementAndGet();
        }

        @Override
        public void close() {
          held.decrementAndGet();
        }
      };
    }
  }

  @Test
  void aStatementHasATurnOnlyWhileItWorks() throws Exception {
    CountedTurns turns = new CountedTurns();
    MemoryCatalog catalog = catalog();
    catalog.beforeFind(() -> assertThat(turns.held.get()).as("while it looks").isZero());
    catalog.table("big").onNext(() -> assertThat(turns.held.get()).as("while it waits").isZero());
    catalog
        .table("big")
        .beforeWrite(() -> assertThat(turns.held.get()).as("while it writes").isZero());
    try (SqlFixture fixture = new SqlFixture(catalog, builder -> builder.turns(turns))) {
      SqlStatement statement = fixture.session.prepare("SELECT upper(s) FROM big");
      try (SqlCursor cursor = fixture.session.execute(statement, List.of())) {
        int rows = 0;
        while (cursor.next()) {
          assertThat(turns.held.get()).as("while the client has a row").isZero();
          rows++;
        }
        assertThat(rows).isEqualTo(ROWS);
      }
      assertThat(turns.begun.get()).isGreaterThan(20);
      assertThat(turns.checked.get()).isGreaterThan(20);
      fixture.run("SELECT n, COUNT(*) FROM big GROUP BY n, upper(s) ORDER BY 1");
      fixture.run("UPDATE big SET n = n + 1 WHERE upper(s) LIKE '%1'");
      fixture.run("DELETE FROM big WHERE n > 50");
      assertThat(turns.held.get()).isZero();
    }
  }

  @Test
  void aStatementIsCancelledWhileItRuns() throws Exception {
    MemoryCatalog catalog = catalog();
    try (SqlFixture fixture = new SqlFixture(catalog)) {
      CountDownLatch runs = new CountDownLatch(1);
      catalog.table("big").onNext(runs::countDown);
      Thread canceller =
          Thread.ofVirtual()
              .start(
                  () -> {
                    try {
                      runs.await();
                    } catch (InterruptedException e) {
                      throw new IllegalStateException(e);
                    }
                    fixture.session.cancel();
                  });
      assertThatThrownBy(
              () -> fixture.run("SELECT COUNT(*) FROM big a, big b, big c WHERE a.n < b.n + c.n"))
          .isInstanceOfSatisfying(
              SqlException.class, e -> assertThat(e.state()).isEqualTo("57014"));
      canceller.join();
      assertThat(fixture.run("SELECT COUNT(*) FROM big")).containsExactly(ROWS + "");
    }
  }

  @Test
  void aRunningStatementIsSeenAndKilled() throws Exception {
    try (SqlFixture fixture = new SqlFixture(catalog())) {
      SqlStatement statement = fixture.session.prepare("SELECT upper(s) FROM big");
      try (SqlCursor cursor = fixture.session.execute(statement, List.of())) {
        assertThat(cursor.next()).isTrue();
        RunningStatement running = fixture.service.running().getFirst();
        assertThat(running.id()).isEqualTo(cursor.id());
        assertThat(running.sql()).isEqualTo(statement.sql());
        assertThat(running.tenant()).isEqualTo("acme");
        assertThat(running.door()).isEqualTo("http");
        assertThat(running.examined()).isEqualTo(ROWS);
        assertThat(running.returned()).isPositive();
        assertThat(fixture.service.kill(cursor.id(), 2)).as("another tenant's").isFalse();
        assertThat(fixture.service.kill(cursor.id(), 1)).isTrue();
        assertThatThrownBy(
                () -> {
                  while (cursor.next()) {
                    assertThat(cursor.row()).hasSize(1);
                  }
                })
            .isInstanceOfSatisfying(
                SqlException.class, e -> assertThat(e.state()).isEqualTo("57014"));
      }
      assertThat(fixture.service.running()).isEmpty();
    }
  }

  @Test
  void aStatementEndsAtItsTimeout() {
    try (SqlFixture fixture = new SqlFixture(catalog())) {
      fixture.session.set(new SqlOptions(Duration.ofMillis(50), ZoneOffset.UTC, "test"));
      assertThatThrownBy(
              () -> fixture.run("SELECT COUNT(*) FROM big a, big b, big c WHERE a.n < b.n + c.n"))
          .isInstanceOfSatisfying(
              SqlException.class,
              e -> {
                assertThat(e.state()).isEqualTo("57014");
                assertThat(e.getMessage()).contains("timeout");
              });
    }
  }

  @Test
  void aTenantRunsSoManyStatementsAtOnce() throws Exception {
    SqlLimits two = SqlLimits.USUAL.withRunning(2);
    try (SqlFixture fixture = new SqlFixture(catalog(), builder -> builder.limits(two))) {
      List<SqlSession> sessions = new ArrayList<>();
      for (int i = 0; i < 2; i++) {
        SqlSession session = fixture.open();
        sessions.add(session);
        session.execute(session.prepare("SELECT s FROM big"), List.of());
      }
      assertThatThrownBy(() -> fixture.run("SELECT 1"))
          .isInstanceOfSatisfying(
              SqlException.class, e -> assertThat(e.state()).isEqualTo("53300"));
      sessions.forEach(SqlSession::close);
      assertThat(fixture.run("SELECT 1")).containsExactly("1");
    }
  }

  @Test
  void aTenantBeyondItsRatesIsToldWhenToComeAgain() throws Exception {
    try (SqlFixture fixture = new SqlFixture(catalog())) {
      fixture.admissions.apply(
          new Tenant(
              SqlFixture.ACME.tenant(),
              1,
              TenantState.ACTIVE,
              Instant.EPOCH,
              List.of(),
              Quota.USUAL.with(Limit.OPERATIONS, 1L),
              1));
      assertThatThrownBy(
              () -> {
                for (int i = 0; i < 50; i++) {
                  fixture.run("SELECT COUNT(*) FROM big");
                }
              })
          .isInstanceOfSatisfying(
              SqlException.class,
              e -> {
                assertThat(e.state()).isEqualTo("57P03");
                assertThat(e.hint()).contains("retry after");
              });
    }
  }

  @Test
  void whatAStatementDoesIsCharged() throws Exception {
    try (SqlFixture fixture = new SqlFixture(catalog())) {
      fixture.run("SELECT COUNT(*) FROM big");
      fixture.run("UPDATE big SET n = 0 WHERE __key IN (1, 2)");
      fixture.run("DELETE FROM big WHERE __key = 3");
      assertThat(fixture.charged())
          .isEqualTo(
              Map.of(
                  Measure.QUERIES, 3L,
                  Measure.READS, ROWS + 3L,
                  Measure.WRITES, 2L,
                  Measure.DELETES, 1L));
    }
  }

  @Test
  void slowStatementsAreNoted() throws Exception {
    List<String> noted = new ArrayList<>();
    SlowStatements sink =
        (statement, plan, nanos) -> {
          assertThat(nanos).isPositive();
          noted.add(statement.sql() + "\n" + plan);
        };
    try (SqlFixture fixture =
        new SqlFixture(catalog(), builder -> builder.slow(Duration.ZERO, sink))) {
      fixture.run("SELECT COUNT(*) FROM big");
      assertThat(noted).singleElement().asString().contains("SELECT COUNT(*)", "Scan big");
    }
  }

  @Test
  void aTextIsNotTooLong() {
    try (SqlFixture fixture = new SqlFixture(catalog())) {
      assertThatThrownBy(() -> fixture.run("SELECT '" + "x".repeat(300_000) + "'"))
          .isInstanceOfSatisfying(
              SqlException.class, e -> assertThat(e.state()).isEqualTo("54000"));
      assertThatThrownBy(() -> fixture.run("SELECT " + "1 + ".repeat(60_000) + "1"))
          .isInstanceOfSatisfying(
              SqlException.class, e -> assertThat(e.state()).isEqualTo("54001"));
      String chain = "SELECT " + "1 + ".repeat(300) + "1";
      String list = "SELECT 1 IN (" + "2, ".repeat(9000) + "1)";
      assertThatCode(() -> assertThat(fixture.run(chain)).containsExactly("301"))
          .doesNotThrowAnyException();
      assertThatCode(() -> assertThat(fixture.run(list)).containsExactly("true"))
          .doesNotThrowAnyException();
    }
  }

  @Test
  void refusesDecimalsThatWouldTakeAllMemory() {
    try (SqlFixture fixture = new SqlFixture(catalog())) {
      for (BigDecimal huge :
          List.of(new BigDecimal("1e500000000"), new BigDecimal("1e-500000000"))) {
        assertThatThrownBy(() -> fixture.run("SELECT CAST(CAST(? AS DECIMAL) AS VARCHAR)", huge))
            .hasMessageContaining("parameter 1 is out of the range of DECIMAL");
      }
      assertThatThrownBy(() -> fixture.run("SELECT CAST('1e500000000' AS DECIMAL)"))
          .hasMessageContaining("out of the range of DECIMAL");
    }
  }
}
