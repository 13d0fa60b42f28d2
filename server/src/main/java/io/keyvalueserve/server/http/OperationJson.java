package io.keyvalueserve.server.http;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.helidon.http.Status;
import io.keyvalueserve.engine.Expiry;
import io.keyvalueserve.engine.Outcome;
import java.nio.charset.StandardCharsets;
import java.util.Base64;

/**
 * The fields that operations on entries have in JSON, and their answers: the same in a batch and in
 * a transaction.
 */
final class OperationJson {
  static final String OP = "op";
  static final String KEY = "key";
  static final String KEY_ENCODING = "keyEncoding";
  static final String VALUE = "value";
  static final String VALUE_ENCODING = "valueEncoding";
  static final String TTL_MILLIS = "ttlMillis";
  static final String STATUS = "status";
  static final String ETAG = "etag";

  private static final String BASE64 = "base64";

  private OperationJson() {}

  /**
   * Returns the key of an operation.
   *
   * @param at where the operation is in the request, for errors
   */
  static byte[] key(JsonNode operation, String at) {
    return bytes(operation, KEY, KEY_ENCODING, EntryPath.BASE64URL, Base64.getUrlDecoder(), at);
  }

  /** Returns the value of an operation that has one. */
  static byte[] value(JsonNode operation, String at) {
    return bytes(operation, VALUE, VALUE_ENCODING, BASE64, Base64.getDecoder(), at);
  }

  /** The bytes of a text, which is in an encoding if another field says so. */
  private static byte[] bytes(
      JsonNode operation,
      String field,
      String encodingField,
      String encoding,
      Base64.Decoder decoder,
      String at) {
    JsonNode text = operation.get(field);
    if (text == null || !text.isTextual()) {
      throw new HttpErrors.BadRequest(
          at + "." + field, "the operation needs a text '" + field + "'");
    }
    if (!StandardCharsets.UTF_8.newEncoder().canEncode(text.asText())) {
      throw new HttpErrors.BadRequest(
          at + "." + field, "'" + field + "' has half a character: a surrogate without the other");
    }
    String said = operation.path(encodingField).asText("text");
    if (!said.equals("text") && !said.equals(encoding)) {
      throw new HttpErrors.BadRequest(
          at + "." + encodingField, "'" + encodingField + "' is text or " + encoding);
    }
    try {
      return said.equals(encoding)
          ? decoder.decode(text.asText())
          : text.asText().getBytes(StandardCharsets.UTF_8);
    } catch (IllegalArgumentException e) {
      throw new HttpErrors.BadRequest(at + "." + field, "'" + field + "' is not " + encoding);
    }
  }

  /** Returns the milliseconds that an operation's entry is to live; 0 if it has no end. */
  static long timeToLive(JsonNode operation, String at) {
    JsonNode millis = operation.get(TTL_MILLIS);
    if (millis == null || millis.isNull()) {
      return 0;
    }
    long number = millis.isIntegralNumber() && millis.canConvertToLong() ? millis.asLong() : 0;
    return TimeToLive.requireValid(number, at + "." + TTL_MILLIS, "a number of milliseconds");
  }

  // ---- answers

  /** Puts an entry that was read: its value as text if it is some, else in base64. */
  static void add(ObjectNode result, Outcome.Entry entry, long nowMillis) {
    result.put(STATUS, Status.OK_200.code());
    String text = EntryPath.utf8(entry.value());
    if (text != null) {
      result.put(VALUE, text);
    } else {
      result
          .put(VALUE, Base64.getEncoder().encodeToString(entry.value()))
          .put(VALUE_ENCODING, BASE64);
    }
    result.put(ETAG, Preconditions.entityTag(entry.value()));
    if (entry.expireAtMillis() != Expiry.NONE) {
      result.put(TTL_MILLIS, TimeToLive.left(entry.expireAtMillis(), nowMillis));
    }
  }

  /** Puts the error of an operation. */
  static void add(ObjectNode result, HttpErrors.Refused refused) {
    result.put(STATUS, refused.status().code());
    result.putObject("error").put("code", refused.code()).put("message", refused.getMessage());
  }
}
