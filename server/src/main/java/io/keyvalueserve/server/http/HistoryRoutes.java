package io.keyvalueserve.server.http;

import static io.helidon.http.Method.GET;
import static io.keyvalueserve.server.http.Access.TENANT_ITSELF;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.helidon.common.uri.UriQuery;
import io.helidon.http.Status;
import io.helidon.webserver.http.ServerRequest;
import io.helidon.webserver.http.ServerResponse;
import io.keyvalueserve.server.Administration;
import io.keyvalueserve.server.HistoryFigure;
import io.keyvalueserve.server.TenantHistory;
import io.keyvalueserve.tenancy.TenantName;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The route of a tenant's history: operators see all, tenants see their own. */
final class HistoryRoutes {
  private static final String FROM = "from";
  private static final String TO = "to";
  private static final String STEP = "step";
  private static final String SERIES = "series";
  private static final Duration USUAL = Duration.ofHours(1);

  /** Members remember an hour in short steps. The minute is for requests on their way. */
  private static final Duration IN_MEMORY = USUAL.plusMinutes(1);

  private static final int USUAL_STEPS = 400;
  private static final int MOST_STEPS = 3_000;
  private static final int MINUTE_SECONDS = 60;
  private static final double THOUSAND = 1_000;

  /** The latest end of a time that can be asked for. Numbers of steps before it are ints. */
  private static final Instant LATEST = Instant.parse("2600-01-01T00:00:00Z");

  /** The steps that can be asked for, in seconds. */
  private static final Map<String, Integer> STEPS = new LinkedHashMap<>();

  static {
    STEPS.put("10s", 10);
    STEPS.put("1m", MINUTE_SECONDS);
    STEPS.put("5m", 5 * MINUTE_SECONDS);
    STEPS.put("15m", 15 * MINUTE_SECONDS);
    STEPS.put("1h", 60 * MINUTE_SECONDS);
    STEPS.put("1d", 24 * 60 * MINUTE_SECONDS);
  }

  private final Administration administration;
  private final LedgerReads reads = new LedgerReads();

  HistoryRoutes(Administration administration) {
    this.administration = administration;
  }

  List<Route> routes() {
    return List.of(
        new Route(
            GET, "/api/v1/tenants/{tenant}/history", TENANT_ITSELF, "showHistory", this::show));
  }

  private void show(ServerRequest request, ServerResponse response) {
    UriQuery query = request.query();
    Parameters.requireKnown(query, Set.of(FROM, TO, STEP, SERIES));
    Instant to = Objects.requireNonNullElseGet(Parameters.time(query, TO), Instant::now);
    if (to.isBefore(Instant.EPOCH) || to.isAfter(LATEST)) {
      throw new HttpErrors.BadRequest(
          TO, "'to' is a time from 1970 to 2600; without it, the history ends now");
    }
    Instant from =
        Objects.requireNonNullElseGet(Parameters.time(query, FROM), () -> to.minus(USUAL));
    if (!from.isBefore(to)) {
      throw new HttpErrors.BadRequest(FROM, "'from' is before 'to', and before now without it");
    }
    if (from.isBefore(Instant.EPOCH)) {
      throw new HttpErrors.BadRequest(FROM, "'from' is 1970 or later");
    }
    boolean isRecent = from.isAfter(Instant.now().minus(IN_MEMORY));
    int step = step(query, Duration.between(from, to).toSeconds(), isRecent);
    Set<HistoryFigure> series = series(Parameters.text(query, SERIES), step);
    TenantName tenant = Caller.ownTenant(request);
    boolean isOperator = Caller.of(request).tenant() == null;
    TenantHistory history =
        isOperator || step < MINUTE_SECONDS
            ? administration.history(tenant, from, to, step)
            : reads.one(tenant, () -> administration.history(tenant, from, to, step));
    HttpDoor.json(response, Status.OK_200, json(tenant, history, series));
  }

  private static int step(UriQuery query, long seconds, boolean isRecent) {
    String text = Parameters.text(query, STEP);
    Integer step = text == null ? Integer.valueOf(usualStep(seconds, isRecent)) : STEPS.get(text);
    if (step == null) {
      throw new HttpErrors.BadRequest(STEP, "'step' is " + String.join(", ", STEPS.keySet()));
    }
    if (seconds / step > MOST_STEPS) {
      throw new HttpErrors.BadRequest(
          STEP,
          "these are more than "
              + MOST_STEPS
              + " steps: ask for a shorter time, or for longer steps");
    }
    return step;
  }

  /** Returns the shortest step that makes few of a time, and that there is for this time. */
  private static int usualStep(long seconds, boolean isRecent) {
    return STEPS.values().stream()
        .filter(step -> seconds / step <= USUAL_STEPS)
        .filter(step -> isRecent || step >= MINUTE_SECONDS)
        .findFirst()
        .orElse(24 * 60 * MINUTE_SECONDS);
  }

  private static Set<HistoryFigure> series(@Nullable String text, int step) {
    boolean isFromLedger = step >= MINUTE_SECONDS;
    Set<HistoryFigure> series = EnumSet.noneOf(HistoryFigure.class);
    if (text == null) {
      Arrays.stream(HistoryFigure.values())
          .filter(figure -> !isFromLedger || figure.isInLedger())
          .forEach(series::add);
      return series;
    }
    for (String label : text.split(",", -1)) {
      HistoryFigure figure =
          HistoryFigure.ofLabel(label)
              .orElseThrow(
                  () ->
                      new HttpErrors.BadRequest(
                          SERIES,
                          "there is no series '"
                              + label
                              + "'; there are: "
                              + Arrays.stream(HistoryFigure.values())
                                  .map(HistoryFigure::label)
                                  .collect(Collectors.joining(", "))));
      if (isFromLedger && !figure.isInLedger()) {
        throw new HttpErrors.BadRequest(
            SERIES, "'" + label + "' is known in steps of 10s, for an hour");
      }
      series.add(figure);
    }
    return series;
  }

  private static ObjectNode json(
      TenantName tenant, TenantHistory history, Set<HistoryFigure> series) {
    ObjectNode body =
        HttpDoor.object()
            .put("tenant", tenant.value())
            .put("from", history.from().toString())
            .put("to", history.to().toString())
            .put("stepSeconds", history.stepSeconds())
            .put("source", history.isFromLedger() ? "ledger" : "members");
    if (history.since() != null) {
      body.put("since", history.since().toString());
    }
    ArrayNode names = body.putArray(SERIES);
    series.forEach(figure -> names.add(figure.label()));
    ArrayNode points = body.putArray("points");
    history
        .points()
        .forEach(
            (at, figures) -> {
              ObjectNode point = HttpDoor.object().put("at", at.toString());
              figures.forEach(
                  (figure, value) -> {
                    if (series.contains(figure)) {
                      point.put(figure.label(), Math.round(value * THOUSAND) / THOUSAND);
                    }
                  });
              if (point.size() > 1) {
                points.add(point);
              }
            });
    ArrayNode silent = body.putArray("silent");
    history.silent().forEach(silent::add);
    return body;
  }
}
