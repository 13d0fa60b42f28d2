package io.keyvalueserve.bench;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Collection;
import java.util.function.Function;

/** JSON as results are written. */
final class Json {
  private static final ObjectMapper MAPPER = new ObjectMapper();

  private Json() {}

  /** A new object; record components and lists can be put into it as they are. */
  static ObjectNode object() {
    return MAPPER.createObjectNode();
  }

  /** An array of what each is made into. */
  static <T> ArrayNode array(Collection<T> all, Function<? super T, ? extends JsonNode> one) {
    ArrayNode array = MAPPER.createArrayNode();
    all.forEach(each -> array.add(one.apply(each)));
    return array;
  }

  /** Lines for a file. */
  static String text(ObjectNode all) {
    try {
      return MAPPER.writerWithDefaultPrettyPrinter().writeValueAsString(all);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("figures and texts are always JSON", e);
    }
  }
}
