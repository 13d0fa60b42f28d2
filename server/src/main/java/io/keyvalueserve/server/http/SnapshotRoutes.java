package io.keyvalueserve.server.http;

import static io.helidon.http.Method.DELETE;
import static io.helidon.http.Method.GET;
import static io.helidon.http.Method.POST;
import static io.helidon.http.Method.PUT;
import static io.keyvalueserve.server.http.Access.OPERATOR;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.helidon.http.Status;
import io.helidon.webserver.http.ServerRequest;
import io.helidon.webserver.http.ServerResponse;
import io.keyvalueserve.server.Administration;
import io.keyvalueserve.server.SnapshotAdministration;
import io.keyvalueserve.server.SnapshotJob;
import io.keyvalueserve.server.SnapshotJobs;
import io.keyvalueserve.snapshots.Manifest;
import io.keyvalueserve.tenancy.TenantName;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The routes of snapshots of tenants, for operators. */
final class SnapshotRoutes {
  private static final String TENANT = "/api/v1/tenants/{tenant}";
  private static final String SNAPSHOTS = TENANT + "/snapshots";
  private static final String SNAPSHOT = SNAPSHOTS + "/{snapshot}";
  private static final String PLAN = TENANT + "/snapshot-plan";
  private static final String JOBS = "/api/v1/snapshot-jobs";
  private static final Set<String> PARAMETERS = Set.of(SnapshotJson.REPOSITORY);
  private static final Set<String> OF_JOBS = Set.of("tenant");

  private final Administration administration;

  SnapshotRoutes(Administration administration) {
    this.administration = administration;
  }

  List<Route> routes() {
    return List.of(
        new Route(GET, SNAPSHOTS, OPERATOR, "listSnapshots", this::list),
        new Route(POST, SNAPSHOTS, OPERATOR, "createSnapshot", this::create),
        new Route(GET, SNAPSHOT, OPERATOR, "showSnapshot", this::show),
        new Route(DELETE, SNAPSHOT, OPERATOR, "deleteSnapshot", this::delete),
        new Route(POST, SNAPSHOT + "/verify", OPERATOR, "verifySnapshot", this::verify),
        new Route(POST, SNAPSHOT + "/restore", OPERATOR, "restoreSnapshot", this::restore),
        new Route(POST, TENANT + "/restore", OPERATOR, "restoreInstant", this::restoreAt),
        new Route(GET, PLAN, OPERATOR, "showSnapshotPlan", this::plan),
        new Route(PUT, PLAN, OPERATOR, "setSnapshotPlan", this::setPlan),
        new Route(DELETE, PLAN, OPERATOR, "deleteSnapshotPlan", this::deletePlan),
        new Route(POST, TENANT + "/clone", OPERATOR, "cloneTenant", this::copy),
        new Route(GET, TENANT + "/snapshot-key", OPERATOR, "exportSnapshotKey", this::key),
        new Route(GET, JOBS, OPERATOR, "listSnapshotJobs", this::jobs),
        new Route(GET, JOBS + "/{job}", OPERATOR, "showSnapshotJob", this::job));
  }

  private SnapshotAdministration snapshots() {
    return administration.snapshots();
  }

  private void list(ServerRequest request, ServerResponse response) {
    TenantName tenant = tenant(request);
    SnapshotAdministration.Listing listing = snapshots().list(tenant, repository(request));
    ObjectNode body =
        HttpDoor.object().put("tenant", tenant.value()).put("repository", listing.repository());
    ArrayNode all = body.putArray("snapshots");
    for (Manifest.Header header : listing.snapshots()) {
      all.add(SnapshotJson.of(header));
    }
    HttpDoor.json(response, Status.OK_200, body);
  }

  private void create(ServerRequest request, ServerResponse response) {
    String repository = SnapshotJson.repository(AdminRoutes.body(request));
    started(response, snapshots().create(tenant(request), repository, Caller.actor(request)));
  }

  private void show(ServerRequest request, ServerResponse response) {
    HttpDoor.json(
        response,
        Status.OK_200,
        SnapshotJson.of(snapshots().show(tenant(request), snapshot(request), repository(request))));
  }

  private void delete(ServerRequest request, ServerResponse response) {
    TenantName tenant = tenant(request);
    String snapshot = snapshot(request);
    snapshots().delete(tenant, snapshot, repository(request), Caller.actor(request));
    HttpDoor.json(
        response,
        Status.OK_200,
        HttpDoor.object()
            .put("tenant", tenant.value())
            .put("snapshot", snapshot)
            .put("state", "deleted"));
  }

  private void verify(ServerRequest request, ServerResponse response) {
    String repository = SnapshotJson.repository(AdminRoutes.body(request));
    started(
        response,
        snapshots().verify(tenant(request), snapshot(request), repository, Caller.actor(request)));
  }

  private void restore(ServerRequest request, ServerResponse response) {
    JsonNode body = AdminRoutes.body(request);
    SnapshotJson.Wish wish = SnapshotJson.wish(body);
    started(
        response,
        snapshots()
            .restore(
                tenant(request),
                snapshot(request),
                wish.repository(),
                wish.target(),
                wish.key(),
                Caller.actor(request)));
  }

  private void restoreAt(ServerRequest request, ServerResponse response) {
    SnapshotJson.WishAt wanted = SnapshotJson.wishAt(AdminRoutes.body(request));
    started(
        response,
        snapshots()
            .restoreAt(
                tenant(request),
                wanted.at(),
                wanted.wish().repository(),
                wanted.wish().target(),
                wanted.wish().key(),
                Caller.actor(request)));
  }

  private void plan(ServerRequest request, ServerResponse response) {
    HttpDoor.json(response, Status.OK_200, SnapshotJson.of(snapshots().plan(tenant(request))));
  }

  private void setPlan(ServerRequest request, ServerResponse response) {
    SnapshotJson.Plan plan = SnapshotJson.plan(AdminRoutes.body(request));
    HttpDoor.json(
        response,
        Status.OK_200,
        SnapshotJson.of(
            snapshots()
                .setPlan(
                    tenant(request),
                    plan.repository(),
                    plan.every(),
                    plan.keep(),
                    plan.archive(),
                    Caller.actor(request))));
  }

  private void deletePlan(ServerRequest request, ServerResponse response) {
    TenantName tenant = tenant(request);
    snapshots().deletePlan(tenant, Caller.actor(request));
    HttpDoor.json(
        response,
        Status.OK_200,
        HttpDoor.object().put("tenant", tenant.value()).put("state", "deleted"));
  }

  private void copy(ServerRequest request, ServerResponse response) {
    SnapshotJson.Copy copy = SnapshotJson.copy(AdminRoutes.body(request));
    started(
        response,
        snapshots().copy(tenant(request), copy.as(), copy.repository(), Caller.actor(request)));
  }

  private void key(ServerRequest request, ServerResponse response) {
    TenantName tenant = tenant(request);
    HttpDoor.json(
        response,
        Status.OK_200,
        SnapshotJson.of(snapshots().exportKey(tenant, Caller.actor(request)))
            .put("tenant", tenant.value()));
  }

  private void jobs(ServerRequest request, ServerResponse response) {
    Parameters.requireKnown(request.query(), OF_JOBS);
    String tenant = Parameters.text(request.query(), "tenant");
    SnapshotJobs.All all = snapshots().jobs().everywhere();
    ObjectNode body = HttpDoor.object();
    ArrayNode jobs = body.putArray("jobs");
    all.jobs().stream()
        .filter(job -> tenant == null || tenant.equals(job.tenant()) || tenant.equals(job.target()))
        .forEach(job -> jobs.add(SnapshotJson.of(job)));
    ArrayNode silent = body.putArray("silent");
    all.silent().forEach(silent::add);
    HttpDoor.json(response, Status.OK_200, body);
  }

  private void job(ServerRequest request, ServerResponse response) {
    String id = request.path().pathParameters().get("job");
    HttpDoor.json(response, Status.OK_200, SnapshotJson.of(snapshots().jobs().get(id)));
  }

  private static void started(ServerResponse response, SnapshotJob job) {
    HttpDoor.json(response, Status.ACCEPTED_202, SnapshotJson.of(job));
  }

  private static void started(ServerResponse response, SnapshotAdministration.Started started) {
    HttpDoor.json(response, Status.ACCEPTED_202, SnapshotJson.of(started));
  }

  private static TenantName tenant(ServerRequest request) {
    return Caller.ownTenant(request);
  }

  private static String snapshot(ServerRequest request) {
    return request.path().pathParameters().get("snapshot");
  }

  private static @Nullable String repository(ServerRequest request) {
    Parameters.requireKnown(request.query(), PARAMETERS);
    return Parameters.text(request.query(), SnapshotJson.REPOSITORY);
  }
}
