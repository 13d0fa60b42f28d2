package io.keyvalueserve.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.keyvalueserve.bench.IsolationServer.Subject;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is computed of isolation, and what is written of it. */
class IsolationReportTest {
  private static final long SECOND = 1_000_000_000;

  @Test
  void comparesRoundByRoundAndTakesTheMedian() {
    IsolationResult result =
        result(
            Subject.KVS,
            IsolationAggression.MGET,
            round(100, 200, 2000), // the slow round is slow alone, too
            round(1000, 1100, 2000),
            round(100, 130, 1000));
    assertThat(result.ratio(window -> window.micros(99))).isCloseTo(1.3, within(0.01));
    assertThat(result.ratio(Window::operationsPerSecond)).isCloseTo(1, within(1e-9));
    assertThat(result.alone(window -> window.micros(99))).isCloseTo(100, within(0.2));
    assertThat(result.errors()).isEqualTo(6);
    assertThat(result.errorsAlone()).isZero();
  }

  @Test
  void countsWhatWasNotAnsweredInTimeAsLostThroughput() {
    IsolationResult result = result(Subject.KVS, IsolationAggression.SCANS, round(100, 100, 1900));
    assertThat(IsolationGoals.of(List.of(result), List.of(), null))
        .extracting(Goal::isMet)
        .containsExactly(true, false);
  }

  @Test
  void mistrustsRoundsInWhichTheVictimsOwnLoadWasHeldUp() {
    IsolationResult.Round usual = round(100, 100, 2000);
    IsolationResult.Round late = round(100, 100, 2000);
    late.beside().window().offer().lateness().recordValue(20_000_000);
    assertThat(result(Subject.KVS, IsolationAggression.MGET, usual, usual, late).isDisturbed())
        .isFalse();
    assertThat(result(Subject.KVS, IsolationAggression.MGET, late, usual, late).isDisturbed())
        .isTrue();
  }

  @Test
  void judgesThisProductOnlyAndNotTheControl() {
    List<IsolationResult> results =
        List.of(
            result(Subject.KVS, IsolationAggression.CONTROL, round(100, 900, 2000)),
            result(Subject.REDIS, IsolationAggression.MGET, round(100, 900, 2000)),
            result(Subject.KVS_HAZELCAST, IsolationAggression.LOCKS, round(100, 124, 2000)));
    IsolationFairness own = fairness(Subject.KVS, List.of(100L, 99L, 100L));
    IsolationFairness peer = fairness(Subject.STOCK, List.of(1L, 100L));
    List<Goal> goals = IsolationGoals.of(results, List.of(own, peer), null);
    assertThat(goals).hasSize(3).allMatch(Goal::isMet);
    assertThat(goals.getFirst().what()).contains("kvs-hazelcast beside locks", "p99");
    assertThat(goals.getLast().figure()).isEqualTo(0.99);
  }

  @Test
  void dividesTheLeastByTheMostServed() {
    assertThat(IsolationFairness.minMax(List.of(5L, 10L, 20L))).isEqualTo(0.25);
    assertThat(IsolationFairness.minMax(List.of(7L, 7L))).isEqualTo(1);
    assertThat(IsolationFairness.minMax(List.of(0L, 7L))).isZero();
    assertThat(IsolationFairness.minMax(List.of(0L, 0L))).as("nobody was served").isZero();
  }

  @Test
  void comparesWhatServicesCostWithWorkUnderTheSameLoad() {
    IsolationCost cost = cost();
    assertThat(cost.ratio(0)).isEqualTo(1);
    assertThat(cost.ratio(1)).isCloseTo(1.02, within(1e-9));
    assertThat(cost.ratio(5)).isCloseTo(1.5, within(1e-9));
    assertThat(IsolationGoals.of(List.of(), List.of(), cost))
        .extracting(Goal::isMet)
        .containsExactly(true, true, true, false);
  }

  @Test
  void writesTablesFiguresAndPlots(@TempDir Path folder) throws IOException {
    IsolationReport report =
        new IsolationReport(
            "here",
            List.of(),
            List.of(
                result(Subject.KVS, IsolationAggression.MGET, round(100, 300, 1000)),
                new IsolationResult(
                    Subject.REDIS, IsolationAggression.LOCKS, false, List.of(), "has no locks")),
            List.of(fairness(Subject.KVS, List.of(10L, 40L))),
            cost());
    report.write(folder);
    assertThat(report.table())
        .containsPattern("mget +1,000 +0\\.500 ")
        .containsPattern("mget +500 +7 +9 ")
        .contains("mget: the victim beside met 2 times: OOM")
        .containsPattern("locks +not measured: has no locks")
        .contains("min-max ratio 0.250")
        .contains("NOT SATURATED")
        .containsPattern("Service, granted +1\\.50 +1\\.500 ")
        .containsPattern("MISSED +3\\.00 <= +1\\.25 +.*kvs beside mget: the victim's p99")
        .containsPattern("MISSED +0\\.50 >= +0\\.98 +.*kvs beside mget: the victim's throughput");
    assertThat(folder.resolve("isolation.txt")).content().contains(report.table());
    JsonNode json = new ObjectMapper().readTree(folder.resolve("isolation.json").toFile());
    JsonNode first = json.at("/aggressors/0");
    assertThat(first.path("p99Ratio").asDouble()).isCloseTo(3, within(0.01));
    assertThat(first.at("/rounds/0/beside/errors/OOM").asInt()).isEqualTo(2);
    assertThat(first.at("/rounds/0/aggressor/refusedPerSecond").asInt()).isEqualTo(7);
    assertThat(json.at("/aggressors/1/note").asText()).isEqualTo("has no locks");
    assertThat(json.at("/fairness/0/minMax").asDouble()).isEqualTo(0.25);
    assertThat(json.at("/cost/cells/1/cpuRatio").asDouble()).isCloseTo(1.02, within(1e-9));
    assertThat(json.at("/goals/0/met").asBoolean()).isFalse();
    assertThat(folder.resolve("isolation-p99.svg")).content().contains("kvs, mget");
    assertThat(folder.resolve("isolation-throughput.svg")).isNotEmptyFile();
  }

  @Test
  void tellsHowManyPeersWithoutAKeyThereWere() throws IOException {
    IsolationResult.Round plain = round(100, 190, 2000);
    IsolationDone done =
        new IsolationDone(
            "",
            500,
            501,
            7,
            new TreeMap<>(),
            Map.of(
                HostileDoor.RESP, new KeylessSeen(5000, 4900.4, 300, 1, 200),
                HostileDoor.HTTP, new KeylessSeen(5000, 1000, 2000, 0, 2100)));
    IsolationResult result =
        result(
            Subject.KVS,
            IsolationAggression.PEERS,
            new IsolationResult.Round(plain.alone(), plain.beside(), done));
    IsolationReport report =
        new IsolationReport("here", List.of(), List.of(result), List.of(), null);
    assertThat(report.table())
        .containsPattern("at resp +5,000 +4,900 +300 +1 +200")
        .containsPattern("in all +10,000 +5,900 +2,300 +1 +2,300")
        .containsPattern("met +1\\.90 <= +2\\.00 +kvs beside peers: the victim's p99");
    JsonNode peers =
        new ObjectMapper()
            .readTree(IsolationJson.of(report))
            .at("/aggressors/0/rounds/0/aggressor/peers");
    assertThat(peers.at("/http/closedPerSecond").asInt()).isEqualTo(2100);
    assertThat(peers.at("/inAll/open").asDouble()).isCloseTo(5900.4, within(1e-6));
  }

  private static IsolationResult result(
      Subject subject, IsolationAggression kind, IsolationResult.Round... rounds) {
    return new IsolationResult(subject, kind, false, List.of(rounds), "");
  }

  /** Latencies in microseconds, and how much was answered beside of 2,000. */
  private static IsolationResult.Round round(long alone, long beside, long answered) {
    return new IsolationResult.Round(
        seen(alone, 2000, Map.of()),
        seen(beside, answered, Map.of("OOM", 2L)),
        new IsolationDone("", 500, 501, 7, new TreeMap<>(Map.of("ERR", 9L)), Map.of()));
  }

  private static IsolationSeen seen(long micros, long answered, Map<String, Long> errors) {
    Histogram latencies = new Histogram(3);
    latencies.recordValue(micros * 1000);
    return new IsolationSeen(
        window(answered, latencies, 0), 2000, answered, new TreeMap<>(errors), List.of());
  }

  private static Window window(long operations, Histogram latencies, long serverNanos) {
    Costs costs = new Costs(serverNanos, 0, 0, new CoreTimes(serverNanos, 0));
    return new Window(
        List.of(operations), SECOND, costs, 1, latencies, new Offer(2000, new Histogram(3)));
  }

  private static IsolationFairness fairness(Subject subject, List<Long> served) {
    IsolationFairness.Round round =
        new IsolationFairness.Round(served, served, 0, SECOND, 0.5, 0.6);
    return new IsolationFairness(
        subject, served.stream().map(count -> "load of " + count).toList(), List.of(round));
  }

  /** A microsecond for an operation of Work; 2% more, then half as much more. */
  private static IsolationCost cost() {
    Shape small = new Shape(1, 64, 1, Mix.of("get"), 0);
    Shape large = new Shape(1, 64, 16, Mix.of("get"), 0);
    return new IsolationCost(
        0.01,
        List.of(
            cell(small, IsolationCost.WORK, 1000),
            cell(small, IsolationCost.SERVICE, 1020),
            cell(small, IsolationCost.GRANTED, 1030),
            cell(large, IsolationCost.WORK, 1000),
            cell(large, IsolationCost.SERVICE, 1000),
            cell(large, IsolationCost.GRANTED, 1500)),
        false,
        List.of());
  }

  private static Cell cell(Shape shape, String name, long nanosEach) {
    return new Cell(shape, name, List.of(window(1000, new Histogram(3), 1000 * nanosEach)));
  }
}
