package io.keyvalueserve.server;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.keyvalueserve.tenancy.TenantName;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Something that an operator should look at, and when it held.
 *
 * @param id what it is about: the same cause has the same id again
 * @param critical whether requests fail or data may be lost, now or soon
 * @param title what is wrong
 * @param tenant whom it is about; null for the cluster or a member
 * @param since when it was first seen
 * @param until when it was first seen to be gone; null while it holds
 */
public record Alert(
    String id,
    boolean critical,
    String title,
    @Nullable TenantName tenant,
    Instant since,
    @Nullable Instant until) {
  private static final ObjectMapper JSON = new ObjectMapper();

  /** Returns one that is seen for the first time. */
  static Alert of(
      String id, boolean critical, String title, @Nullable TenantName tenant, Instant at) {
    return new Alert(id, critical, title, tenant, at, null);
  }

  /** Returns this alert, as it began with an earlier one and with the worse of both titles. */
  Alert after(Alert earlier) {
    boolean worse = critical || !earlier.critical;
    return new Alert(
        id,
        critical || earlier.critical,
        worse ? title : earlier.title,
        tenant,
        earlier.since,
        null);
  }

  /**
   * Returns the name under which the cluster keeps this alert: it tells times of one cause apart.
   */
  String key() {
    return id + "@" + since.toEpochMilli();
  }

  /** Returns this alert, as it has ended. */
  Alert endedAt(Instant time) {
    return new Alert(id, critical, title, tenant, since, time);
  }

  /** Returns the form that members send to each other. */
  ObjectNode encode() {
    ObjectNode body =
        JSON.createObjectNode()
            .put("id", id)
            .put("critical", critical)
            .put("title", title)
            .put("since", since.toString());
    if (tenant != null) {
      body.put("tenant", tenant.value());
    }
    if (until != null) {
      body.put("until", until.toString());
    }
    return body;
  }

  /** Reads what {@link #encode} made. */
  static Alert decode(JsonNode body) {
    return new Alert(
        body.path("id").asText(),
        body.path("critical").asBoolean(),
        body.path("title").asText(),
        body.has("tenant") ? new TenantName(body.path("tenant").asText()) : null,
        Instant.parse(body.path("since").asText()),
        body.has("until") ? Instant.parse(body.path("until").asText()) : null);
  }
}
