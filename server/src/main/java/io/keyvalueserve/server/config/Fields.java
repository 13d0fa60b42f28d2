package io.keyvalueserve.server.config;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * The fields of one mapping in a file. Whoever reads asks for those it knows; what is left then is
 * a mistake, and so is what does not fit. Mistakes are noted with their path, and reading goes on.
 */
final class Fields {
  private final String path;
  private final JsonNode node;
  private final List<String> mistakes;
  private final Set<String> known = new LinkedHashSet<>();

  Fields(String path, JsonNode node, List<String> mistakes) {
    this.path = path;
    this.node = node;
    this.mistakes = mistakes;
    if (!node.isObject()) {
      mistakes.add(path + ": holds no settings; write NAME: VALUE lines");
    }
  }

  String path() {
    return path;
  }

  boolean has(String name) {
    return node.hasNonNull(name);
  }

  /** A text, or the default if it is absent or does not fit. */
  String text(String name, String defaultText, Values values) {
    known.add(name);
    if (!has(name)) {
      return defaultText;
    }
    JsonNode value = node.path(name);
    String text = value.isValueNode() ? value.asText() : value.toString();
    if (value.isValueNode() && values.accepts(text)) {
      return text;
    }
    mistake(name, "'" + text + "' is not " + values.described());
    return defaultText;
  }

  /**
   * Does the same as {@link #text}, but a missing field is a mistake. The remedy completes the
   * message.
   */
  String required(String name, String defaultText, Values values, String remedy) {
    if (!has(name) && node.isObject()) {
      mistake(name, "is missing: " + remedy);
    }
    return text(name, defaultText, values);
  }

  /** Whole numbers, as a list or a single one. */
  List<Integer> numbers(String name, int most) {
    known.add(name);
    List<Integer> numbers = new ArrayList<>();
    JsonNode value = node.path(name);
    for (JsonNode item : value.isArray() ? value : List.of(value)) {
      if (item.isInt() && item.intValue() >= 0 && item.intValue() <= most) {
        numbers.add(item.intValue());
      } else if (has(name)) {
        mistake(name, item + " is not a number from 0 to " + most + ": write for example [0, 1]");
      }
    }
    return numbers;
  }

  /** The mappings of a list, each with its path. */
  List<Fields> list(String name, String remedy) {
    known.add(name);
    return list(path + "." + name, node.path(name), mistakes, remedy);
  }

  /** The mappings of a list, each with its path. That there is none is a mistake. */
  static List<Fields> list(String path, JsonNode list, List<String> mistakes, String remedy) {
    List<Fields> fields = new ArrayList<>();
    if (!list.isArray() || list.isEmpty()) {
      mistakes.add(path + ": is not a list with at least one item: " + remedy);
      return fields;
    }
    for (int i = 0; i < list.size(); i++) {
      fields.add(new Fields(path + "[" + i + "]", list.get(i), mistakes));
    }
    return fields;
  }

  void mistake(String name, String what) {
    mistakes.add(path + "." + name + ": " + what);
  }

  /** Notes the fields that nobody asked for. */
  void rejectOthers(String where) {
    node.fieldNames()
        .forEachRemaining(
            name -> {
              if (!known.contains(name)) {
                mistake(name, "no such setting" + where + Likeness.suggestion(name, known));
              }
            });
  }
}
