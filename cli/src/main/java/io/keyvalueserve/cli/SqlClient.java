package io.keyvalueserve.cli;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.keyvalueserve.cli.KvsCommand.Failure;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Runs statements of a tenant at a server, one after the other. {@link #cancel} may be called by
 * any thread.
 */
final class SqlClient {
  private static final Duration GRACE = Duration.ofSeconds(30);

  /** The longest that a statement may take to begin its answer if no limit was asked for. */
  private static final Duration LONGEST = Duration.ofDays(1);

  private final AdminClient client;
  private final String tenant;
  private final @Nullable Duration timeout;
  private final @Nullable String zone;

  /** Marks this client's statements among those that run. */
  private final String mark = "kvs-sql-" + UUID.randomUUID().toString().substring(0, 13);

  /**
   * @param tenant null for the one whose key it is
   * @param timeout null for the server's own limit
   * @param zone null for the server's own
   */
  SqlClient(
      AdminClient client,
      @Nullable String tenant,
      @Nullable Duration timeout,
      @Nullable String zone) {
    this.client = client;
    this.tenant = tenant == null ? ownTenant(client) : tenant;
    this.timeout = timeout;
    this.zone = zone;
  }

  /**
   * Returns the tenant whose key it is.
   *
   * @throws Failure if it is the operator's
   */
  static String ownTenant(AdminClient client) {
    JsonNode me = client.get("/api/v1/me");
    if (!me.has("tenant")) {
      throw new Failure(
          "statements run with an access key of a tenant, and this is the operator key, which opens"
              + " no entries: give one with KVS_KEY or --key-file. 'kvs sql dev' needs none on the"
              + " machine of a server with --dev");
    }
    return me.path("tenant").asText();
  }

  String tenant() {
    return tenant;
  }

  /**
   * Runs a statement. Returns when its first row is there.
   *
   * @throws SqlRefusal if it fails before
   */
  SqlResult run(String sql, List<String> parameters) {
    ObjectNode body = AdminClient.object().put("sql", sql).put("client", mark);
    if (!parameters.isEmpty()) {
      ArrayNode all = body.putArray("parameters");
      parameters.forEach(all::add);
    }
    if (timeout != null) {
      body.put("timeoutMillis", timeout.toMillis());
    }
    if (zone != null) {
      body.put("zone", zone);
    }
    AdminClient.Streamed answer =
        client.stream(
            "/api/v1/tenants/" + AdminClient.part(tenant) + "/sql",
            body,
            timeout == null ? LONGEST : timeout.plus(GRACE));
    boolean isGood = false;
    try {
      SqlResult result = SqlResult.open(answer.body(), answer::close);
      isGood = true;
      return result;
    } finally {
      if (!isGood) {
        answer.close();
      }
    }
  }

  /** Ends the statement of this client that runs, if there is one. */
  void cancel() {
    String queries = "/api/v1/tenants/" + AdminClient.part(tenant) + "/queries";
    for (JsonNode query : client.get(queries).path("queries")) {
      if (query.path("client").asText().endsWith(mark)) {
        JsonNode _ = client.delete(queries + "/" + AdminClient.part(query.path("id").asText()));
      }
    }
  }
}
