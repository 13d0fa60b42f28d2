package io.keyvalueserve.server.http;

import static io.helidon.http.Method.GET;
import static io.helidon.http.Method.POST;
import static io.keyvalueserve.server.http.Access.TENANT_ITSELF;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.helidon.common.uri.UriQuery;
import io.helidon.http.Status;
import io.helidon.webserver.http.ServerRequest;
import io.helidon.webserver.http.ServerResponse;
import io.keyvalueserve.grid.external.DeadLetter;
import io.keyvalueserve.grid.external.LetterNumber;
import io.keyvalueserve.grid.external.MapStoreStatus;
import io.keyvalueserve.grid.external.StoreQuestions.DeadLetters;
import io.keyvalueserve.grid.external.StoreQuestions.Ended;
import io.keyvalueserve.server.Administration;
import io.keyvalueserve.server.MapStores;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The routes of what is between a map and its external store: for operators, and its tenant. */
final class StoreStatusRoutes {
  private static final String STORE = "/api/v1/tenants/{tenant}/maps/{map}/store";
  private static final String LETTERS = STORE + "/dead-letters";
  private static final String LIMIT = "limit";
  private static final int USUAL = 100;
  private static final int MOST = 1_000;
  private static final String NUMBERS = "numbers";
  private static final String ALL = "all";
  private static final int MOST_NUMBERS = 10_000;
  private static final long MILLIS = 1_000;

  private final Administration administration;

  StoreStatusRoutes(Administration administration) {
    this.administration = administration;
  }

  List<Route> routes() {
    return List.of(
        new Route(GET, STORE, TENANT_ITSELF, "showMapStore", this::show),
        new Route(GET, LETTERS, TENANT_ITSELF, "listDeadLetters", this::list),
        new Route(POST, LETTERS + "/retry", TENANT_ITSELF, "retryDeadLetters", this::retry),
        new Route(POST, LETTERS + "/discard", TENANT_ITSELF, "discardDeadLetters", this::discard));
  }

  private void show(ServerRequest request, ServerResponse response) {
    MapStores.View view = administration.mapStores().status(Caller.ownMap(request));
    boolean isOperator = Caller.of(request).tenant() == null;
    send(response, json(view, isOperator, System.currentTimeMillis()), view.silent());
  }

  /** Returns a status; what a database says about itself is for operators. */
  static ObjectNode json(MapStores.View view, boolean isOperator, long nowMillis) {
    MapStoreStatus status = view.status();
    ObjectNode body =
        HttpDoor.object()
            .put("tenant", view.map().tenant().value())
            .put("map", view.map().map().value())
            .put("store", view.settings().store())
            .put("table", view.settings().table())
            .put("mode", view.settings().mode().text())
            .put("waiting", status.waiting())
            .put("dead", status.dead());
    if (status.oldestMillis() > 0) {
      body.put("oldestSince", Instant.ofEpochMilli(status.oldestMillis()).toString())
          .put("oldestSeconds", Math.max(0, nowMillis - status.oldestMillis()) / MILLIS);
    }
    body.put("loads", status.loads())
        .put("loaded", status.loaded())
        .put("absent", status.absent())
        .put("written", status.written())
        .put("failures", status.failures());
    return status.problem() == null
        ? body
        : body.put(
            "problem", isOperator ? status.problem() : "the external store cannot be reached");
  }

  private void list(ServerRequest request, ServerResponse response) {
    Parameters.requireKnown(request.query(), Set.of(LIMIT));
    DeadLetters found =
        administration.mapStores().deadLetters(Caller.ownMap(request), limit(request.query()));
    ObjectNode body = HttpDoor.object();
    ArrayNode letters = body.putArray("letters");
    found.letters().forEach(letter -> letters.add(json(letter)));
    send(response, body.put("total", found.total()), found.silent());
  }

  private static int limit(UriQuery query) {
    String text = Parameters.text(query, LIMIT);
    if (text == null) {
      return USUAL;
    }
    int limit = text.matches("[0-9]{1,4}") ? Integer.parseInt(text) : 0;
    if (limit < 1 || limit > MOST) {
      throw new HttpErrors.BadRequest(LIMIT, "'limit' is a number from 1 to " + MOST);
    }
    return limit;
  }

  private static ObjectNode json(DeadLetter letter) {
    ObjectNode body = HttpDoor.object().put("number", letter.number().toString());
    if (letter.key() != null) {
      body.put("key", letter.key());
    }
    return body.put("operation", letter.removal() ? "delete" : "write")
        .put("reason", letter.reason())
        .put("since", Instant.ofEpochMilli(letter.sinceMillis()).toString())
        .put("valueBytes", letter.valueBytes());
  }

  private void retry(ServerRequest request, ServerResponse response) {
    Set<LetterNumber> numbers = numbers(AdminRoutes.body(request));
    MapStores stores = administration.mapStores();
    send(response, stores.retry(Caller.ownMap(request), numbers, Caller.actor(request)));
  }

  private void discard(ServerRequest request, ServerResponse response) {
    Set<LetterNumber> numbers = numbers(AdminRoutes.body(request));
    MapStores stores = administration.mapStores();
    send(response, stores.discard(Caller.ownMap(request), numbers, Caller.actor(request)));
  }

  /** Returns the numbers that a body names; null for all. */
  private static @Nullable Set<LetterNumber> numbers(JsonNode body) {
    Parameters.requireKnown(body, Set.of(NUMBERS, ALL));
    if (body.has(NUMBERS) == body.has(ALL)) {
      throw new HttpErrors.BadRequest(
          NUMBERS, "give either 'numbers', a list of those that GET shows, or 'all': true");
    }
    if (body.has(NUMBERS)) {
      return numbersOf(body.path(NUMBERS));
    }
    if (!body.path(ALL).isBoolean() || !body.path(ALL).asBoolean()) {
      throw new HttpErrors.BadRequest(ALL, "all: use true, or name some by 'numbers'");
    }
    return null;
  }

  private static Set<LetterNumber> numbersOf(JsonNode list) {
    if (!list.isArray() || list.isEmpty() || list.size() > MOST_NUMBERS) {
      throw new HttpErrors.BadRequest(
          NUMBERS, "numbers: it is no list of 1 to " + MOST_NUMBERS + " numbers");
    }
    Set<LetterNumber> numbers = new HashSet<>();
    list.forEach(each -> numbers.add(number(each)));
    return numbers;
  }

  private static LetterNumber number(JsonNode value) {
    return LetterNumber.parse(value.asText())
        .orElseThrow(
            () ->
                new HttpErrors.BadRequest(
                    NUMBERS,
                    "numbers: "
                        + value
                        + " is no number of a dead letter, such as \"57-112233445566778899\""));
  }

  private static void send(ServerResponse response, Ended ended) {
    send(response, HttpDoor.object().put("count", ended.count()), ended.silent());
  }

  private static void send(ServerResponse response, ObjectNode body, List<String> silent) {
    ArrayNode members = body.putArray("silent");
    silent.forEach(members::add);
    HttpDoor.json(response, Status.OK_200, body);
  }
}
