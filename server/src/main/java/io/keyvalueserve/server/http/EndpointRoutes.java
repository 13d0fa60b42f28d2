package io.keyvalueserve.server.http;

import static io.helidon.http.Method.GET;
import static io.keyvalueserve.server.http.Access.EVERY_TENANT;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.helidon.http.Status;
import io.helidon.webserver.http.ServerRequest;
import io.helidon.webserver.http.ServerResponse;
import io.keyvalueserve.server.Administration;
import io.keyvalueserve.server.Endpoints;
import java.util.List;

/** Tells whoever has a key where other clients reach this member. */
final class EndpointRoutes {
  private final Administration administration;

  EndpointRoutes(Administration administration) {
    this.administration = administration;
  }

  List<Route> routes() {
    return List.of(new Route(GET, "/api/v1/endpoints", EVERY_TENANT, "showEndpoints", this::show));
  }

  private void show(ServerRequest request, ServerResponse response) {
    Endpoints endpoints = administration.endpoints();
    ObjectNode body = HttpDoor.object();
    body.putObject("resp").put("host", endpoints.host()).put("port", endpoints.respPort());
    body.putObject("hazelcast")
        .put("clusterName", endpoints.clusterName())
        .put("host", endpoints.host())
        .put("port", endpoints.clientPort());
    if (endpoints.postgresPort() > 0) {
      body.putObject("postgres")
          .put("host", endpoints.host())
          .put("port", endpoints.postgresPort());
    }
    HttpDoor.json(response, Status.OK_200, body);
  }
}
