package io.keyvalueserve.tenancy.audit;

import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.keyvalueserve.tenancy.PlainText;
import io.keyvalueserve.tenancy.TenantName;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The stored and exported form of an event: one line of JSON in UTF-8, with a version, whose texts
 * have all that could pass for another line, or speak to a terminal, as escapes. Fields that a
 * later version adds are ignored; a kind or an actor that it adds is told as damage.
 *
 * <pre>
 * {"v":1,"seq":7,"time":"2026-01-02T03:04:05.678Z","member":"5b3c...","kind":"key.revoked",
 *  "actor":"operator@10.0.0.1","tenant":"acme","object":"AbCdEfGhIj","detail":"","count":1}
 * </pre>
 */
public final class AuditCodec {
  /** Bytes of a line, its end included: more than any event takes. */
  static final int MOST_LINE_BYTES = 16 << 10;

  private static final int VERSION = 1;
  private static final ObjectMapper JSON =
      new ObjectMapper().enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS);

  private AuditCodec() {}

  /** The event as a line, its end included. */
  public static byte[] encode(AuditEvent event) {
    ObjectNode line = JSON.createObjectNode();
    line.put("v", VERSION);
    line.put("seq", event.sequence());
    line.put("time", event.time().toString());
    line.put("member", event.member().toString());
    line.put("kind", event.kind().label());
    line.put("actor", event.actor().text());
    TenantName tenant = event.tenant();
    if (tenant != null) {
      line.put("tenant", tenant.value());
    }
    line.put("object", event.object());
    line.put("detail", event.detail());
    line.put("count", event.count());
    String json = PlainText.escaped(line.toString()); // of a text in JSON these are escapes too
    return (json + "\n").getBytes(StandardCharsets.UTF_8);
  }

  /**
   * Reads a line, with its end or without.
   *
   * @throws DamagedLineException if it is none
   */
  public static AuditEvent decode(byte[] line) throws DamagedLineException {
    JsonNode node = parse(line);
    long version = positive(node, "v");
    if (version != VERSION) {
      throw new DamagedLineException(
          "the line is of version " + version + ", this program reads " + VERSION);
    }
    Occurrence occurrence =
        new Occurrence(
            known(AuditKind.ofLabel(text(node, "kind")), "kind"),
            known(Actor.parse(text(node, "actor")), "actor"),
            tenant(node),
            text(node, "object"),
            text(node, "detail"));
    return new AuditEvent(
        positive(node, "seq"), time(node), member(node), occurrence, positive(node, "count"));
  }

  private static JsonNode parse(byte[] line) throws DamagedLineException {
    JsonNode node;
    try {
      node = JSON.readTree(line);
    } catch (IOException e) {
      throw new DamagedLineException("the line is not JSON");
    }
    if (!node.isObject()) {
      throw new DamagedLineException("the line is not a JSON object");
    }
    return node;
  }

  private static long positive(JsonNode line, String field) throws DamagedLineException {
    JsonNode value = line.get(field);
    if (value == null
        || !value.isIntegralNumber()
        || !value.canConvertToLong()
        || value.longValue() < 1) {
      throw new DamagedLineException("the field '" + field + "' is not a number of 1 or more");
    }
    return value.longValue();
  }

  private static String text(JsonNode line, String field) throws DamagedLineException {
    JsonNode value = line.get(field);
    if (value == null || !value.isTextual()) {
      throw new DamagedLineException("the field '" + field + "' is not text");
    }
    return value.textValue();
  }

  private static <T> T known(Optional<T> value, String field) throws DamagedLineException {
    return value.orElseThrow(
        () -> new DamagedLineException("the field '" + field + "' is not known to this program"));
  }

  private static @Nullable TenantName tenant(JsonNode line) throws DamagedLineException {
    if (!line.has("tenant")) {
      return null;
    }
    String name = text(line, "tenant");
    if (!TenantName.isValid(name)) {
      throw new DamagedLineException("the field 'tenant' is not a tenant's name");
    }
    return new TenantName(name);
  }

  private static Instant time(JsonNode line) throws DamagedLineException {
    try {
      return Instant.parse(text(line, "time"));
    } catch (DateTimeException e) {
      throw new DamagedLineException("the field 'time' is not a time");
    }
  }

  private static UUID member(JsonNode line) throws DamagedLineException {
    try {
      return UUID.fromString(text(line, "member"));
    } catch (IllegalArgumentException e) {
      throw new DamagedLineException("the field 'member' is not a UUID");
    }
  }
}
