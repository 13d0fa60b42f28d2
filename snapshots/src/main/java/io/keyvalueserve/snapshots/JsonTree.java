package io.keyvalueserve.snapshots;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.StreamReadFeature;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** An object of a JSON document. Unknown fields are kept and ignored. */
final class JsonTree {
  static final JsonFactory FACTORY =
      JsonFactory.builder()
          .streamReadConstraints(
              StreamReadConstraints.builder()
                  .maxNestingDepth(16)
                  .maxNumberLength(20)
                  .maxNameLength(100)
                  .maxStringLength(4 << 20)
                  .build())
          .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
          .build();

  private final String subject;
  private final Map<String, @Nullable Object> fields;

  private JsonTree(String subject, Map<String, @Nullable Object> fields) {
    this.subject = subject;
    this.fields = fields;
  }

  /**
   * Reads a document that is one object.
   *
   * @param subject the thing that is read, for messages
   * @throws SnapshotException of kind {@code DAMAGED} if it is none
   */
  static JsonTree parse(String subject, byte[] json, int from, int length) {
    try (JsonParser parser = FACTORY.createParser(json, from, length)) {
      parser.nextToken();
      if (value(subject, parser) instanceof JsonTree tree && parser.nextToken() == null) {
        return tree;
      }
      throw damaged(subject, "is no JSON object");
    } catch (IOException e) {
      throw damaged(subject, "is no JSON");
    }
  }

  private static @Nullable Object value(String subject, JsonParser parser) throws IOException {
    JsonToken token = parser.currentToken();
    return switch (token) {
      case START_OBJECT -> {
        Map<String, @Nullable Object> fields = new LinkedHashMap<>();
        while (parser.nextToken() == JsonToken.FIELD_NAME) {
          String name = parser.currentName();
          parser.nextToken();
          fields.put(name, value(subject, parser));
        }
        yield new JsonTree(subject, fields);
      }
      case START_ARRAY -> {
        List<@Nullable Object> items = new ArrayList<>();
        while (parser.nextToken() != JsonToken.END_ARRAY) {
          items.add(value(subject, parser));
        }
        yield items;
      }
      case VALUE_STRING -> parser.getText();
      case VALUE_NUMBER_INT -> parser.getLongValue();
      case VALUE_NUMBER_FLOAT -> parser.getDoubleValue();
      case VALUE_TRUE -> true;
      case VALUE_FALSE -> false;
      case VALUE_NULL -> null;
      case null, default -> throw damaged(subject, "is cut off");
    };
  }

  String text(String field) {
    if (fields.get(field) instanceof String text) {
      return text;
    }
    throw damaged(subject, "has no text '" + field + "'");
  }

  long number(String field) {
    if (fields.get(field) instanceof Long number) {
      return number;
    }
    throw damaged(subject, "has no number '" + field + "'");
  }

  int small(String field) {
    long number = number(field);
    if (number != (int) number) {
      throw damaged(subject, "has a number '" + field + "' out of range");
    }
    return (int) number;
  }

  UUID id(String field) {
    try {
      return UUID.fromString(text(field));
    } catch (IllegalArgumentException e) {
      throw damaged(subject, "has no id '" + field + "'");
    }
  }

  JsonTree object(String field) {
    if (fields.get(field) instanceof JsonTree tree) {
      return tree;
    }
    throw damaged(subject, "has no object '" + field + "'");
  }

  List<JsonTree> objects(String field) {
    if (!(fields.get(field) instanceof List<?> items)) {
      throw damaged(subject, "has no list '" + field + "'");
    }
    List<JsonTree> objects = new ArrayList<>(items.size());
    for (Object item : items) {
      if (!(item instanceof JsonTree tree)) {
        throw damaged(subject, "has something else in its list '" + field + "'");
      }
      objects.add(tree);
    }
    return objects;
  }

  private static SnapshotException damaged(String subject, String why) {
    return SnapshotException.damaged(subject + " " + why + ": it is damaged; use another snapshot");
  }
}
