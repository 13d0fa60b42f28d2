package io.keyvalueserve.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;

/** The data and the goals of {@code kvs bench queries}. */
class QueryTest {
  private static final int MANY = 20_000;

  @Test
  void dataAreAsThePapers() {
    assertThat(Person.of(7)).isEqualTo(Person.of(7)).isNotEqualTo(Person.of(8));
    for (Query query : List.of(Query.Q0, Query.Q1, Query.Q2)) {
      assertThat(query.expected(MANY).rows()).as("half, %s", query).isBetween(9_500, 10_500);
    }
    assertThat(Query.Q3.expected(MANY).rows()).as("one of a thousand").isBetween(8, 40);
    assertThat(Query.Q3.expected(1000).rows()).isPositive();
    assertThat(Query.GET.expected(MANY).rows()).isEqualTo(1);
    assertThat(Query.AGGREGATE.expected(MANY).rows()).isEqualTo(Person.ORGANIZATIONS);
  }

  @Test
  void statementsNameTheMap() {
    assertThat(Query.POINT.sql("people", 3))
        .isEqualTo("SELECT this FROM \"people\" WHERE __key = ?");
    assertThat(Query.FRESH.sql("people", 3)).endsWith("WHERE __key = 3");
    assertThat(Query.AGGREGATE.sql("people", 3)).endsWith("GROUP BY organization");
  }

  @Test
  void goalsAreAboutThePeerThatTakesLeast() {
    List<QueryContender> contenders =
        List.of(QueryContender.OURS, QueryContender.PREDICATE_COMPACT, QueryContender.INFINISPAN);
    List<Cell> cells =
        List.of(
            cell(QueryContender.OURS, 2), // ms of CPU
            cell(QueryContender.PREDICATE_COMPACT, 40),
            cell(QueryContender.INFINISPAN, 10));
    QueryReport report = new QueryReport(cells, contenders, List.of(Query.Q3));
    assertThat(report.goals())
        .extracting(Goal::what, Goal::figure, Goal::isMet)
        .hasToString(
            "[(\"ours, q3, 100,000 entries, own indexes, 8 clients: CPU x infinispan\", 0.2, true),"
                + " (\"ours, q3, 100,000 entries, own indexes, 8 clients: queries/s x infinispan\","
                + " 1.0, true),"
                + " (\"ours, q3, 100,000 entries, own indexes, 8 clients: CPU ms\", 2.0, false)]");
    assertThat(report.tables())
        .containsPattern("CPU x the best peer's +q3\n.*\n +ours +0\\.20\n")
        .containsPattern("Hazelcast 3\\.6, 100,000 +5\\.8\n");
  }

  private static Cell cell(QueryContender server, long cpuMillis) {
    QueryShape shape = new QueryShape(100_000, "own", 8, Query.Q3, 90);
    Costs costs = new Costs(cpuMillis * 1_000_000 * 10, 0, 0, new CoreTimes(0, 0));
    Window window = new Window(List.of(10L), 1_000_000_000, costs, 1, new Histogram(2));
    return new Cell(shape, server.toString(), List.of(window));
  }
}
