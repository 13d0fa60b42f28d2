package io.keyvalueserve.tenancy.audit;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.keyvalueserve.tenancy.TenantName;
import java.time.Instant;
import java.util.EnumSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A query of the newest events, as one member sends it to another: JSON, without a cursor. */
public final class AuditQueryCodec {
  private static final ObjectMapper JSON = new ObjectMapper();

  private AuditQueryCodec() {}

  /** The query as text. */
  public static String encode(AuditQuery query) {
    ObjectNode node = JSON.createObjectNode().put("limit", query.limit());
    put(node, "from", query.from());
    put(node, "to", query.to());
    put(node, "tenant", query.tenant());
    put(node, "actor", query.actor());
    put(node, "object", query.objectPart());
    ArrayNode kinds = node.putArray("kinds");
    query.kinds().forEach(kind -> kinds.add(kind.label()));
    return node.toString();
  }

  private static void put(ObjectNode node, String field, @Nullable Object value) {
    if (value != null) {
      node.put(field, value.toString());
    }
  }

  /**
   * Reads a query.
   *
   * @throws IllegalArgumentException if it is none
   */
  public static AuditQuery decode(String text) {
    JsonNode node;
    try {
      node = JSON.readTree(text);
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException("a query is not JSON: " + e.getOriginalMessage(), e);
    }
    Set<AuditKind> kinds = EnumSet.noneOf(AuditKind.class);
    node.path("kinds").forEach(label -> AuditKind.ofLabel(label.asText()).ifPresent(kinds::add));
    String from = text(node, "from");
    String to = text(node, "to");
    String tenant = text(node, "tenant");
    return new AuditQuery(
        from == null ? null : Instant.parse(from),
        to == null ? null : Instant.parse(to),
        tenant == null ? null : new TenantName(tenant),
        kinds,
        text(node, "actor"),
        text(node, "object"),
        AuditQuery.Order.NEWEST_FIRST,
        node.path("limit").asInt(),
        null);
  }

  private static @Nullable String text(JsonNode node, String field) {
    JsonNode value = node.get(field);
    return value == null ? null : value.asText();
  }
}
