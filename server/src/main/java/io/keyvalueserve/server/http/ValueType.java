package io.keyvalueserve.server.http;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;

/**
 * The content type of a value in an answer. The bytes are the same in any case. If the value is of
 * a type that {@code Accept} (RFC 9110, section 12.5.1) asks for, the answer says so.
 */
final class ValueType {
  static final String BYTES = "application/octet-stream";
  static final String JSON = "application/json";
  static final String TEXT = "text/plain;charset=utf-8";

  private static final JsonFactory PARSERS = new JsonFactory();

  private ValueType() {}

  private record Wanted(String type, double weight) {}

  /**
   * The content type of a value.
   *
   * @param accept the request's header, or an empty text; one that is malformed asks for nothing
   */
  static String of(byte[] value, String accept) {
    for (Wanted wanted : wanted(accept)) {
      switch (wanted.type()) {
        case BYTES, "*/*" -> {
          return BYTES;
        }
        case JSON -> {
          if (isJson(value)) {
            return JSON;
          }
        }
        case "text/plain", "text/*" -> {
          if (EntryPath.utf8(value) != null) {
            return TEXT;
          }
        }
        default -> {}
      }
    }
    return BYTES;
  }

  /** Returns the types that are wanted, the most wanted first. */
  private static List<Wanted> wanted(String accept) {
    List<Wanted> all = new ArrayList<>();
    for (String range : accept.split(",", -1)) {
      String[] parts = range.toLowerCase(Locale.ROOT).split(";", -1);
      double weight = 1;
      for (int i = 1; i < parts.length; i++) {
        String parameter = parts[i].strip();
        if (parameter.startsWith("q=")) {
          weight = weight(parameter.substring(2));
        }
      }
      if (weight > 0) {
        all.add(new Wanted(parts[0].strip(), weight));
      }
    }
    all.sort(Comparator.comparingDouble(wanted -> -wanted.weight()));
    return all;
  }

  private static double weight(String text) {
    return text.matches("[01](\\.[0-9]{0,3})?") ? Double.parseDouble(text) : 0;
  }

  /** Returns whether bytes are one JSON value (RFC 8259) in UTF-8. */
  static boolean isJson(byte[] value) {
    if (EntryPath.utf8(value) == null) {
      return false;
    }
    try (JsonParser parser = PARSERS.createParser(value)) {
      int depth = 0;
      int roots = 0;
      for (JsonToken token = parser.nextToken(); token != null; token = parser.nextToken()) {
        roots += depth == 0 ? 1 : 0;
        depth += token.isStructStart() ? 1 : token.isStructEnd() ? -1 : 0;
      }
      return roots == 1;
    } catch (IOException e) {
      return false;
    }
  }
}
