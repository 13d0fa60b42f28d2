package io.keyvalueserve.server.http;

import static io.helidon.http.Method.GET;
import static io.keyvalueserve.server.http.Access.OPERATOR;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.helidon.common.uri.UriQuery;
import io.helidon.http.Status;
import io.helidon.webserver.http.ServerRequest;
import io.helidon.webserver.http.ServerResponse;
import io.keyvalueserve.server.Administration;
import io.keyvalueserve.server.Alert;
import io.keyvalueserve.server.AlertAnswers;
import io.keyvalueserve.server.AlertAnswers.Noted;
import java.util.List;
import java.util.Set;

/** The route of alerts, those that hold and those that have ended; for operators. */
final class AlertRoutes {
  private static final String LIMIT = "limit";
  private static final int USUAL = 100;
  private static final int MOST = 1_000;

  private final Administration administration;

  AlertRoutes(Administration administration) {
    this.administration = administration;
  }

  List<Route> routes() {
    return List.of(new Route(GET, "/api/v1/alerts", OPERATOR, "listAlerts", this::list));
  }

  private void list(ServerRequest request, ServerResponse response) {
    Parameters.requireKnown(request.query(), Set.of(LIMIT));
    AlertAnswers answers = administration.alerts(limit(request.query()));
    ObjectNode body = HttpDoor.object();
    ArrayNode alerts = body.putArray("alerts");
    answers.alerts().forEach(each -> alerts.add(json(each)));
    ArrayNode silent = body.putArray("silent");
    answers.silent().forEach(silent::add);
    HttpDoor.json(response, Status.OK_200, body);
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

  private static ObjectNode json(Noted noted) {
    Alert alert = noted.alert();
    ObjectNode body =
        HttpDoor.object()
            .put("id", alert.id())
            .put("severity", alert.critical() ? "critical" : "warning")
            .put("title", alert.title())
            .put("since", alert.since().toString())
            .put("member", noted.member());
    if (alert.tenant() != null) {
      body.put("tenant", alert.tenant().value());
    }
    if (alert.until() != null) {
      body.put("until", alert.until().toString());
    }
    return body;
  }
}
