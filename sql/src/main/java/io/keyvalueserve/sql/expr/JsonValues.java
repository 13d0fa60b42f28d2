package io.keyvalueserve.sql.expr;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.keyvalueserve.sql.failure.SqlFailure;
import io.keyvalueserve.sql.failure.SqlState;
import java.util.function.Supplier;
import org.apache.calcite.runtime.JsonFunctions;
import org.apache.calcite.runtime.JsonFunctions.JsonPathContext;
import org.apache.calcite.sql.SqlJsonExistsErrorBehavior;
import org.apache.calcite.sql.SqlJsonQueryEmptyOrErrorBehavior;
import org.apache.calcite.sql.SqlJsonQueryWrapperBehavior;
import org.apache.calcite.sql.SqlJsonValueEmptyOrErrorBehavior;
import org.jspecify.annotations.Nullable;

/** Functions of JSON documents. */
public final class JsonValues {
  private static final ObjectMapper MAPPER = JsonMapper.builder().build();
  private static final JsonFunctions.StatefulFunction FUNCTIONS =
      new JsonFunctions.StatefulFunction();

  private JsonValues() {}

  /** Returns a value as a JSON document. */
  static String write(Object value) {
    try {
      return switch (value) {
        case Boolean _, Number _, String _ -> MAPPER.writeValueAsString(value);
        default -> MAPPER.writeValueAsString(Casts.toText(value));
      };
    } catch (JsonProcessingException e) {
      throw new SqlFailure(SqlState.BAD_CAST, "a value cannot be written as JSON");
    }
  }

  /** Returns the member of an object, or the item of an array, as text; null if there is none. */
  static @Nullable String member(String json, String name) {
    try {
      JsonNode node = MAPPER.readTree(json);
      JsonNode member =
          node.isArray() && name.matches("[0-9]{1,9}")
              ? node.get(Integer.parseInt(name))
              : node.get(name);
      if (member == null || member.isNull()) {
        return null;
      }
      return member.isTextual() ? member.textValue() : member.toString();
    } catch (JsonProcessingException e) {
      throw malformed();
    }
  }

  private static SqlFailure malformed() {
    return new SqlFailure(SqlState.BAD_TEXT, "a text is no JSON document");
  }

  private static JsonPathContext path(String json, String path) {
    if (path.contains("=~")) {
      throw new SqlFailure(
          SqlState.UNSUPPORTED, "a path of JSON cannot have a regular expression (=~)");
    }
    return JsonFunctions.jsonApiCommonSyntax(json, path);
  }

  /** {@code JSON_VALUE}. */
  public static @Nullable Object value(
      String json,
      String path,
      SqlJsonValueEmptyOrErrorBehavior onEmpty,
      @Nullable Object ifEmpty,
      SqlJsonValueEmptyOrErrorBehavior onError,
      @Nullable Object ifError) {
    return checked(() -> FUNCTIONS.jsonValue(path(json, path), onEmpty, ifEmpty, onError, ifError));
  }

  /** {@code JSON_QUERY}. */
  public static @Nullable Object query(
      String json,
      String path,
      SqlJsonQueryWrapperBehavior wrapper,
      SqlJsonQueryEmptyOrErrorBehavior onEmpty,
      SqlJsonQueryEmptyOrErrorBehavior onError) {
    return checked(() -> FUNCTIONS.jsonQuery(path(json, path), wrapper, onEmpty, onError, true));
  }

  /** {@code JSON_EXISTS}. */
  public static @Nullable Object exists(
      String json, String path, SqlJsonExistsErrorBehavior onError) {
    return checked(() -> FUNCTIONS.jsonExists(path(json, path), onError));
  }

  /** {@code IS JSON}. */
  public static boolean isJson(String text, String kind) {
    Boolean isJson =
        switch (kind) {
          case "OBJECT" -> JsonFunctions.isJsonObject(text);
          case "ARRAY" -> JsonFunctions.isJsonArray(text);
          case "SCALAR" -> JsonFunctions.isJsonScalar(text);
          default -> JsonFunctions.isJsonValue(text);
        };
    return Boolean.TRUE.equals(isJson);
  }

  private static @Nullable Object checked(Supplier<@Nullable Object> body) {
    try {
      return body.get();
    } catch (SqlFailure e) {
      throw e;
    } catch (RuntimeException e) {
      String message = e.getMessage();
      throw new SqlFailure(
          SqlState.BAD_ARGUMENT,
          "a JSON document or a path is not valid"
              + (message == null || message.contains("Exception") ? "" : ": " + message));
    }
  }
}
