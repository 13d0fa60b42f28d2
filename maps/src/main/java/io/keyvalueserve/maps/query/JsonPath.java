package io.keyvalueserve.maps.query;

import com.hazelcast.internal.json.NonTerminalJsonValue;
import com.hazelcast.query.impl.getters.MultiResult;
import io.keyvalueserve.engine.query.JsonText;
import io.keyvalueserve.engine.query.QueryException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A path into JSON documents: names, indexes and {@code [any]}. Immutable. */
final class JsonPath {
  private static final int NAME = -1;
  private static final int ANY = -2;

  /** How values become objects. */
  enum Manner {
    /** A path as Hazelcast's predicates see it: whole numbers are longs, other numbers doubles. */
    HAZELCAST,
    /** Objects and arrays are {@link JsonText}, and large whole numbers decimals. */
    PLAIN,
    /** The same, and all numbers are decimals. */
    DECIMAL
  }

  private record Step(String name, byte[] bytes, int index) {}

  private final List<Step> steps;

  private JsonPath(List<Step> steps) {
    this.steps = List.copyOf(steps);
  }

  /**
   * Reads a path as {@code owner.tags[0]}.
   *
   * @throws QueryException if it is malformed
   */
  static JsonPath of(String path) {
    List<Step> steps = new ArrayList<>();
    for (int at = 0; at < path.length(); ) {
      int end = at;
      while (end < path.length() && ".[".indexOf(path.charAt(end)) < 0) {
        end++;
      }
      if (end > at) {
        String name = path.substring(at, end);
        steps.add(new Step(name, name.getBytes(StandardCharsets.UTF_8), NAME));
      } else if (at > 0 || end == path.length() || path.charAt(end) != '[') {
        throw malformed(path);
      }
      while (end < path.length() && path.charAt(end) == '[') {
        int close = path.indexOf(']', end);
        steps.add(arrayStep(path, close < 0 ? "" : path.substring(end + 1, close)));
        end = close + 1;
      }
      if (end < path.length() && path.charAt(end) != '.') {
        throw malformed(path);
      }
      at = end + 1;
    }
    if (steps.isEmpty() || path.endsWith(".")) {
      throw malformed(path);
    }
    return new JsonPath(steps);
  }

  private static Step arrayStep(String path, String index) {
    if (index.equals("any")) {
      return new Step("", new byte[0], ANY);
    }
    try {
      int number = Integer.parseInt(index);
      if (number >= 0) {
        return new Step("", new byte[0], number);
      }
    } catch (NumberFormatException e) {
      // told below
    }
    throw malformed(path);
  }

  private static QueryException malformed(String path) {
    return new QueryException(
        QueryException.Kind.BAD_NAME,
        "a path into JSON is names with dots between them, with [0] or [any] for arrays: path="
            + path);
  }

  /** Returns whether a path may lead to several values. */
  boolean isMultiple() {
    return steps.stream().anyMatch(step -> step.index() == ANY);
  }

  /**
   * Finds a value.
   *
   * @param reader at the beginning of a document
   * @return a scalar as an object; null if it is null, is not there, or the text is no JSON
   */
  @Nullable Object find(JsonReader reader, Manner manner) {
    for (int i = 0; i < steps.size(); i++) {
      if (steps.get(i).index() == ANY) {
        return all(reader, i + 1, manner);
      }
      if (!enter(reader, steps.get(i))) {
        return null;
      }
    }
    return reader.value(manner);
  }

  /** Goes to a scalar; returns false if there is none, or it takes more than one look. */
  boolean seek(JsonReader reader) {
    for (int i = 0; i < steps.size(); i++) {
      if (steps.get(i).index() == ANY || !enter(reader, steps.get(i))) {
        return false;
      }
    }
    return true;
  }

  private static boolean enter(JsonReader reader, Step step) {
    return step.index() == NAME
        ? reader.enterMember(step.bytes(), step.name())
        : reader.enterElement(step.index());
  }

  private @Nullable Object all(JsonReader reader, int next, Manner manner) {
    if (!reader.beginArray()) {
      return null;
    }
    MultiResult<@Nullable Object> found = new MultiResult<>();
    while (reader.nextElement()) {
      int begin = reader.at();
      if (next == steps.size()) {
        Object value = reader.value(manner);
        if (!isContainer(value)) {
          found.add(value);
        }
      } else if (seekFrom(reader, next)) {
        found.add(reader.value(manner));
      }
      reader.at(begin);
      if (!reader.skipValue()) {
        break;
      }
    }
    return found;
  }

  private boolean seekFrom(JsonReader reader, int next) {
    for (int i = next; i < steps.size(); i++) {
      if (steps.get(i).index() != NAME || !enter(reader, steps.get(i))) {
        return false;
      }
    }
    return true;
  }

  @SuppressWarnings("ReferenceEquality") // there is one
  private static boolean isContainer(@Nullable Object value) {
    return value == NonTerminalJsonValue.INSTANCE || value instanceof JsonText;
  }
}
