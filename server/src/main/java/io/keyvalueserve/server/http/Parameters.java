package io.keyvalueserve.server.http;

import com.fasterxml.jackson.databind.JsonNode;
import io.helidon.common.uri.UriQuery;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Reads the parameters of a request; an error names the one that is wrong. Stateless. */
final class Parameters {
  private Parameters() {}

  /** Refuses a parameter that nobody would look at. */
  static void requireKnown(UriQuery query, Set<String> known) {
    query.names().forEach(name -> requireKnown(name, "parameter", known));
  }

  /** Refuses a field of a body that nobody would look at. */
  static void requireKnown(JsonNode body, Set<String> known) {
    body.fieldNames().forEachRemaining(name -> requireKnown(name, "field", known));
  }

  private static void requireKnown(String name, String what, Set<String> known) {
    if (!known.contains(name)) {
      throw new HttpErrors.BadRequest(
          name,
          "there is no %s '%s'; there are: %s"
              .formatted(what, name, String.join(", ", new TreeSet<>(known))));
    }
  }

  /** A parameter; null if it is not there. */
  static @Nullable String text(UriQuery query, String name) {
    return query.contains(name) ? query.get(name) : null;
  }

  /** A moment; null if it is not there. */
  static @Nullable Instant time(UriQuery query, String name) {
    String text = text(query, name);
    try {
      return text == null ? null : Instant.parse(text);
    } catch (DateTimeException e) {
      throw new HttpErrors.BadRequest(
          name, "'" + name + "' is a time such as 2030-01-31T12:00:00Z");
    }
  }
}
