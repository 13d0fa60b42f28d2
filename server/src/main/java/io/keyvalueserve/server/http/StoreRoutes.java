package io.keyvalueserve.server.http;

import static io.helidon.http.Method.DELETE;
import static io.helidon.http.Method.GET;
import static io.helidon.http.Method.POST;
import static io.helidon.http.Method.PUT;
import static io.keyvalueserve.server.http.Access.OPERATOR;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.helidon.http.Status;
import io.helidon.webserver.http.ServerRequest;
import io.helidon.webserver.http.ServerResponse;
import io.keyvalueserve.server.Administration;
import io.keyvalueserve.server.StoreAdministration;
import java.util.List;

/** The routes of external stores, for operators. */
final class StoreRoutes {
  private static final String STORES = "/api/v1/stores";
  private static final String STORE = STORES + "/{store}";

  private final Administration administration;

  StoreRoutes(Administration administration) {
    this.administration = administration;
  }

  List<Route> routes() {
    return List.of(
        new Route(GET, STORES, OPERATOR, "listStores", this::list),
        new Route(GET, STORE, OPERATOR, "showStore", this::show),
        new Route(PUT, STORE, OPERATOR, "setStore", this::set),
        new Route(DELETE, STORE, OPERATOR, "deleteStore", this::delete),
        new Route(POST, STORE + "/check", OPERATOR, "checkStore", this::check));
  }

  private void list(ServerRequest request, ServerResponse response) {
    ObjectNode body = HttpDoor.object();
    ArrayNode stores = body.putArray("stores");
    administration.stores().list().forEach(each -> stores.add(StoreJson.of(each)));
    HttpDoor.json(response, Status.OK_200, body);
  }

  private void show(ServerRequest request, ServerResponse response) {
    HttpDoor.json(
        response, Status.OK_200, StoreJson.of(administration.stores().get(name(request))));
  }

  private void set(ServerRequest request, ServerResponse response) {
    StoreAdministration.Wanted wanted = StoreJson.wanted(AdminRoutes.body(request));
    StoreAdministration.View set =
        administration.stores().set(name(request), wanted, Caller.actor(request));
    HttpDoor.json(response, Status.OK_200, StoreJson.of(set));
  }

  private void delete(ServerRequest request, ServerResponse response) {
    String name = name(request);
    administration.stores().delete(name, Caller.actor(request));
    HttpDoor.json(
        response, Status.OK_200, HttpDoor.object().put("name", name).put("state", "deleted"));
  }

  private void check(ServerRequest request, ServerResponse response) {
    StoreAdministration.Facts facts = administration.stores().check(name(request));
    HttpDoor.json(
        response,
        Status.OK_200,
        HttpDoor.object()
            .put("name", name(request))
            .put("product", facts.product())
            .put("version", facts.version())
            .put("millis", facts.millis()));
  }

  private static String name(ServerRequest request) {
    return request.path().pathParameters().get("store");
  }
}
