package io.keyvalueserve.server;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.keyvalueserve.billing.metering.UsageEvent;
import io.keyvalueserve.grid.GridMember;
import io.keyvalueserve.grid.question.MemberAnswer;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The histories of tenants. Steps of a minute and more are added up from the ledger, so they
 * survive members and restarts as bills do. Shorter ones are asked of all members. Thread-safe;
 * blocks.
 */
final class Histories {
  private static final String TOPIC = "history";
  private static final Duration PATIENCE = Duration.ofSeconds(10);

  /** Members tell what was used in a minute within this time after it. */
  private static final long TOLD_AFTER_SECONDS = 5;

  private static final int MINUTE_SECONDS = 60;
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final HistoryFigure[] FIGURES = HistoryFigure.values();

  private final GridMember grid;
  private final RecentHistory recent;
  private final InstantSource clock;

  /** Has questions of other members answered from now on. */
  Histories(GridMember grid, RecentHistory recent, InstantSource clock) {
    this.grid = grid;
    this.recent = recent;
    this.clock = clock;
    grid.answerers().add(TOPIC, this::answer);
  }

  /**
   * Returns the history of a tenant. Leaves out steps that are not over, as they would look as if
   * less was used.
   *
   * @param from rounded down to a step
   * @param to rounded down to a step
   * @param stepSeconds {@value RecentHistory#STEP_SECONDS}, or whole minutes
   */
  TenantHistory of(int tenantNumber, Instant from, Instant to, int stepSeconds) {
    boolean isFromLedger = stepSeconds >= MINUTE_SECONDS;
    long now = clock.instant().getEpochSecond() - (isFromLedger ? TOLD_AFTER_SECONDS : 1);
    long first = Math.floorDiv(from.getEpochSecond(), stepSeconds);
    long end = Math.max(first, Math.floorDiv(Math.min(now, to.getEpochSecond()), stepSeconds));
    return isFromLedger
        ? fromLedger(tenantNumber, first, end, stepSeconds)
        : fromMembers(tenantNumber, Math.toIntExact(first), Math.toIntExact(end));
  }

  // ---- the ledger

  private TenantHistory fromLedger(int tenantNumber, long first, long end, int stepSeconds) {
    SortedMap<Long, double[]> sums = new TreeMap<>();
    if (first < end) {
      grid.ledger()
          .usageSince(
              tenantNumber,
              Instant.ofEpochSecond(first * stepSeconds),
              event -> add(event, first, end, stepSeconds, sums));
    }
    return new TenantHistory(
        Instant.ofEpochSecond(first * stepSeconds),
        Instant.ofEpochSecond(end * stepSeconds),
        stepSeconds,
        true,
        points(sums, stepSeconds),
        null,
        List.of());
  }

  private static void add(
      UsageEvent event, long first, long end, int stepSeconds, SortedMap<Long, double[]> sums) {
    long step = event.identity().minute() * MINUTE_SECONDS / stepSeconds;
    if (step >= first && step < end) {
      double[] sum = sums.computeIfAbsent(step, _ -> new double[HistoryFigure.COUNT]);
      for (HistoryFigure figure : FIGURES) {
        sum[figure.index()] += figure.of(event.quantities()) / stepSeconds;
      }
    }
  }

  // ---- the members

  private TenantHistory fromMembers(int tenantNumber, int first, int end) {
    SortedMap<Long, double[]> sums = new TreeMap<>();
    List<String> silent = new ArrayList<>();
    int since = Integer.MAX_VALUE;
    int copies = grid.quotas().copies();
    String question = tenantNumber + " " + first + " " + end;
    for (MemberAnswer answer : grid.questioner().ask(TOPIC, question, PATIENCE)) {
      String text = answer.text();
      if (text == null) {
        silent.add(answer.member());
      } else {
        JsonNode body = read(text);
        since = Math.min(since, body.path("since").asInt());
        body.path("runs").forEach(run -> add(run, copies, sums));
      }
    }
    int step = RecentHistory.STEP_SECONDS;
    int oldest = Math.max(since, end - RecentHistory.STEPS);
    return new TenantHistory(
        Instant.ofEpochSecond((long) first * step),
        Instant.ofEpochSecond((long) end * step),
        step,
        false,
        points(sums, step),
        Instant.ofEpochSecond((long) Math.min(oldest, end) * step),
        silent);
  }

  private static void add(JsonNode run, int copies, SortedMap<Long, double[]> sums) {
    long first = run.path(0).asLong();
    for (long step = first; step < first + run.path(1).asInt(); step++) {
      double[] sum = sums.computeIfAbsent(step, _ -> new double[HistoryFigure.COUNT]);
      for (HistoryFigure figure : FIGURES) {
        double here = run.path(2 + figure.index()).asDouble();
        sum[figure.index()] += figure.isOfCopies() ? here / copies : here;
      }
    }
  }

  /** Answers a question "number from to" with runs of steps: the first, how many, the figures. */
  private String answer(String question) {
    String[] words = question.split(" ", 3);
    int from = Integer.parseInt(words[1]);
    int to = Integer.parseInt(words[2]);
    ObjectNode body = JSON.createObjectNode().put("since", recent.since());
    ArrayNode runs = body.putArray("runs");
    recent.forEach(
        Integer.parseInt(words[0]),
        from,
        to,
        run -> {
          ArrayNode each = runs.addArray().add(run.first()).add(run.steps());
          for (float figure : run.figures()) {
            each.add(figure);
          }
        });
    return body.toString();
  }

  private static JsonNode read(String text) {
    try {
      return JSON.readTree(text);
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException("no history: " + e.getOriginalMessage(), e);
    }
  }

  private static SortedMap<Instant, Map<HistoryFigure, Double>> points(
      SortedMap<Long, double[]> sums, int stepSeconds) {
    SortedMap<Instant, Map<HistoryFigure, Double>> points = new TreeMap<>();
    sums.forEach(
        (step, figures) -> {
          Map<HistoryFigure, Double> point = new EnumMap<>(HistoryFigure.class);
          for (HistoryFigure figure : FIGURES) {
            if (figures[figure.index()] != 0) {
              point.put(figure, figures[figure.index()]);
            }
          }
          if (!point.isEmpty()) {
            points.put(Instant.ofEpochSecond(step * stepSeconds), point);
          }
        });
    return points;
  }
}
