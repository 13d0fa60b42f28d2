package io.keyvalueserve.server.http;

import static io.helidon.http.Method.DELETE;
import static io.helidon.http.Method.GET;
import static io.keyvalueserve.server.http.Access.TENANT_ITSELF;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.helidon.http.Status;
import io.helidon.webserver.http.ServerRequest;
import io.helidon.webserver.http.ServerResponse;
import io.keyvalueserve.grid.lock.HeldLock;
import io.keyvalueserve.grid.lock.LockAnswers;
import io.keyvalueserve.grid.lock.LockHolder;
import io.keyvalueserve.grid.space.TransactionEnd;
import io.keyvalueserve.server.Administration;
import io.keyvalueserve.tenancy.Identity;
import java.time.Instant;
import java.util.List;
import java.util.Locale;

/** The routes of locks: for operators, and for tenants with one of their own access keys. */
final class LockRoutes {
  private static final String LOCKS = "/api/v1/tenants/{tenant}/maps/{map}/locks";

  private static final String KEY = "key";

  private final Administration administration;

  LockRoutes(Administration administration) {
    this.administration = administration;
  }

  List<Route> routes() {
    return List.of(
        new Route(GET, LOCKS, TENANT_ITSELF, "listLocks", this::list),
        new Route(DELETE, LOCKS, TENANT_ITSELF, "forceUnlock", this::force));
  }

  private void list(ServerRequest request, ServerResponse response) {
    send(request, response, administration.locks(Caller.ownMap(request)));
  }

  private void force(ServerRequest request, ServerResponse response) {
    if (!request.query().contains(KEY)) {
      throw new HttpErrors.BadRequest(KEY, "name the key: ?key=TEXT");
    }
    String key = request.query().get(KEY); // not a part of the path: it may hold slashes
    send(
        request,
        response,
        administration.forceUnlock(Caller.ownMap(request), key, Caller.actor(request)));
  }

  private static void send(ServerRequest request, ServerResponse response, LockAnswers answers) {
    Identity caller = Caller.of(request).tenant();
    ObjectNode body = HttpDoor.object();
    ArrayNode locks = body.putArray("locks");
    for (HeldLock lock : answers.locks()) {
      ObjectNode json = json(lock);
      String session = lock.holder().session();
      boolean isOwn = caller == null || caller.tenant().value().equals(lock.holder().tenant());
      if (isOwn && session != null) { // where others' clients are is not the owner's concern
        json.put("session", session);
      }
      locks.add(json);
    }
    ArrayNode silent = body.putArray("silent");
    answers.silent().forEach(silent::add);
    HttpDoor.json(response, Status.OK_200, body);
  }

  private static ObjectNode json(HeldLock lock) {
    LockHolder holder = lock.holder();
    ObjectNode body = HttpDoor.object();
    if (lock.hasText()) {
      body.put("key", lock.key());
    }
    if (holder.tenant() != null) {
      body.put("holder", holder.tenant());
    }
    body.put("client", holder.client().name().toLowerCase(Locale.ROOT))
        .put("purpose", holder.purpose().label())
        .put("transactional", holder.isTransaction())
        .put("since", Instant.ofEpochMilli(lock.sinceMillis()).toString());
    if (holder.transaction() != null) {
      body.put("transaction", holder.transaction());
    }
    TransactionEnd end = lock.end();
    if (end != null) {
      body.put("end", end.name().toLowerCase(Locale.ROOT));
    }
    return lock.remainingMillis() < 0 ? body : body.put("remainingMillis", lock.remainingMillis());
  }
}
