package io.keyvalueserve.server.http;

import static io.helidon.http.Method.GET;
import static io.keyvalueserve.server.http.Access.TENANT_ITSELF;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.helidon.http.Status;
import io.helidon.webserver.http.ServerRequest;
import io.helidon.webserver.http.ServerResponse;
import io.keyvalueserve.server.Administration;
import io.keyvalueserve.server.ClientAnswers;
import io.keyvalueserve.server.ClientAnswers.Connected;
import io.keyvalueserve.tenancy.ConnectedClient;
import java.util.List;
import java.util.Set;

/** The route of the clients that a tenant has connected. */
final class ClientRoutes {
  private final Administration administration;

  ClientRoutes(Administration administration) {
    this.administration = administration;
  }

  List<Route> routes() {
    return List.of(
        new Route(
            GET, "/api/v1/tenants/{tenant}/clients", TENANT_ITSELF, "listClients", this::list));
  }

  private void list(ServerRequest request, ServerResponse response) {
    Parameters.requireKnown(request.query(), Set.of());
    ClientAnswers answers = administration.clients(Caller.ownTenant(request));
    boolean isOperator = Caller.of(request).tenant() == null;
    ObjectNode body = HttpDoor.object();
    ArrayNode clients = body.putArray("clients");
    for (Connected each : answers.clients()) {
      ObjectNode client = json(each.client());
      if (isOperator) { // a tenant learns nothing of members
        client.put("member", each.member());
      }
      clients.add(client);
    }
    body.put("total", answers.total());
    ArrayNode silent = body.putArray("silent");
    answers.silent().forEach(silent::add);
    HttpDoor.json(response, Status.OK_200, body);
  }

  private static ObjectNode json(ConnectedClient client) {
    ObjectNode body =
        HttpDoor.object()
            .put("door", client.door().label())
            .put("address", client.address())
            .put("name", client.name())
            .put("library", client.library())
            .put("since", client.since().toString());
    if (!client.map().isEmpty()) {
      body.put("map", client.map());
    }
    if (!client.lastCommand().isEmpty()) {
      body.put("lastCommand", client.lastCommand());
    }
    return body;
  }
}
