package io.keyvalueserve.server.http;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.keyvalueserve.engine.query.JsonText;
import java.io.IOException;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A statement as a client sends it: <code>{"sql": "...", "parameters": [...], "timeoutMillis": n,
 * "zone": "...", "client": "..."}</code>. Only the first is needed.
 *
 * @param timeout zero for the member's own limit
 * @param client how the client calls itself where running statements are listed, so that it finds
 *     its own; may be empty
 */
record SqlRequest(
    String sql, List<@Nullable Object> parameters, Duration timeout, ZoneId zone, String client) {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final String SQL = "sql";
  private static final String PARAMETERS = "parameters";
  private static final String TIMEOUT = "timeoutMillis";
  private static final String ZONE = "zone";
  private static final String CLIENT = "client";
  private static final Pattern CLIENT_NAME = Pattern.compile("[!-~]{1,64}");
  private static final Set<String> FIELDS = Set.of(SQL, PARAMETERS, TIMEOUT, ZONE, CLIENT);

  /**
   * Reads a body.
   *
   * @throws HttpErrors.BadRequest if it is none; it names the field
   */
  static SqlRequest read(byte[] body) {
    JsonNode json;
    try {
      json = JSON.readTree(body);
    } catch (IOException e) {
      throw new HttpErrors.BadRequest("body", "the body is not JSON: send {\"sql\": \"SELECT 1\"}");
    }
    if (json == null || !json.isObject()) {
      throw new HttpErrors.BadRequest(
          "body", "the body is a JSON object: send {\"sql\": \"SELECT 1\"}");
    }
    json.fieldNames()
        .forEachRemaining(
            name -> {
              if (!FIELDS.contains(name)) {
                throw new HttpErrors.BadRequest(
                    name,
                    "'"
                        + name
                        + "' is not a field: there are sql, parameters, "
                        + "timeoutMillis, zone, client");
              }
            });
    JsonNode sql = json.get(SQL);
    if (sql == null || !sql.isTextual() || sql.asText().isBlank()) {
      throw new HttpErrors.BadRequest(SQL, "'sql' is the text of one statement");
    }
    return new SqlRequest(
        sql.asText(),
        parameters(json.get(PARAMETERS)),
        timeout(json.get(TIMEOUT)),
        zone(json.get(ZONE)),
        client(json.get(CLIENT)));
  }

  private static List<@Nullable Object> parameters(@Nullable JsonNode json) {
    List<@Nullable Object> parameters = new ArrayList<>();
    if (json == null || json.isNull()) {
      return parameters;
    }
    if (!json.isArray()) {
      throw new HttpErrors.BadRequest(
          PARAMETERS, "'parameters' is an array: a value for each ? of the statement");
    }
    json.forEach(each -> parameters.add(value(each)));
    return parameters;
  }

  private static @Nullable Object value(JsonNode json) {
    return switch (json.getNodeType()) {
      case NULL, MISSING -> null;
      case BOOLEAN -> json.booleanValue();
      case NUMBER ->
          json.canConvertToLong() && json.isIntegralNumber()
              ? (Object) json.longValue()
              : json.decimalValue();
      case STRING -> json.textValue();
      default -> new JsonText(json.toString());
    };
  }

  private static Duration timeout(@Nullable JsonNode json) {
    if (json == null || json.isNull()) {
      return Duration.ZERO;
    }
    if (!json.isIntegralNumber() || !json.canConvertToLong() || json.longValue() < 1) {
      throw new HttpErrors.BadRequest(TIMEOUT, "'timeoutMillis' is a number of 1 or more");
    }
    return Duration.ofMillis(json.longValue());
  }

  private static ZoneId zone(@Nullable JsonNode json) {
    if (json == null || json.isNull()) {
      return ZoneOffset.UTC;
    }
    try {
      return ZoneId.of(json.asText());
    } catch (DateTimeException e) {
      throw new HttpErrors.BadRequest(ZONE, "'zone' is a time zone, such as Europe/Berlin or UTC");
    }
  }

  private static String client(@Nullable JsonNode json) {
    if (json == null || json.isNull()) {
      return "";
    }
    if (!CLIENT_NAME.matcher(json.asText()).matches()) {
      throw new HttpErrors.BadRequest(
          CLIENT, "'client' is 1 to 64 characters of ASCII without spaces");
    }
    return json.asText();
  }
}
