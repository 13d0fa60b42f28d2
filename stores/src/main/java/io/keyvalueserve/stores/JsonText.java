package io.keyvalueserve.stores;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonFactoryBuilder;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.StreamReadConstraints;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** The text of JSON documents. */
final class JsonText {
  /** Reads and writes all JSON here: bounded in depth and numbers. */
  static final JsonFactory FACTORY =
      new JsonFactoryBuilder()
          .streamReadConstraints(
              StreamReadConstraints.builder().maxNumberLength(3 * Numbers.MOST_DIGITS).build())
          .build();

  private JsonText() {}

  /** Returns the text of a value if it is one JSON document, else null. */
  static @Nullable String checked(Object value) {
    String text = Texts.text(value);
    return text != null && valid(text) ? text : null;
  }

  private static boolean valid(String text) {
    try (JsonParser parser = FACTORY.createParser(text)) {
      if (parser.nextToken() == null) {
        return false;
      }
      parser.skipChildren();
      parser.finishToken();
      return parser.nextToken() == null;
    } catch (IOException e) {
      return false;
    }
  }
}
