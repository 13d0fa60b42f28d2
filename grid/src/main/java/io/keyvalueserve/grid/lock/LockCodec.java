package io.keyvalueserve.grid.lock;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.keyvalueserve.grid.space.TransactionEnd;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Encodes the questions and answers about locks that members send each other, as JSON. */
final class LockCodec {
  private static final ObjectMapper JSON = new ObjectMapper();

  private LockCodec() {}

  /**
   * The question about the locks on keys of a map.
   *
   * @param map the map's name in the grid
   * @param key the key's text; null for any text
   * @param data the bytes of the serialized key, in base64; null for any key
   * @param transactions the transactions that may be ended, by their ids
   */
  record Question(
      String map, @Nullable String key, @Nullable String data, Set<String> transactions) {}

  static String encode(Question question) {
    ObjectNode node =
        JSON.createObjectNode()
            .put("map", question.map())
            .put("key", question.key())
            .put("data", question.data());
    node.set("transactions", list(question.transactions()));
    return node.toString();
  }

  static Question decodeQuestion(String text) {
    JsonNode node = read(text);
    return new Question(
        node.path("map").asText(),
        text(node, "key"),
        text(node, "data"),
        Set.copyOf(texts(node.path("transactions"))));
  }

  static String encode(List<HeldLock> locks) {
    ArrayNode list = JSON.createArrayNode();
    for (HeldLock lock : locks) {
      LockHolder holder = lock.holder();
      TransactionEnd end = lock.end();
      list.addObject()
          .put("key", lock.key())
          .put("hasText", lock.hasText())
          .put("client", holder.client().name())
          .put("holder", holder.tenant())
          .put("purpose", holder.purpose().name())
          .put("transaction", holder.transaction())
          .put("clientId", holder.clientId())
          .put("session", holder.session())
          .put("remainingMillis", lock.remainingMillis())
          .put("since", lock.sinceMillis())
          .put("end", end == null ? null : end.name());
    }
    return list.toString();
  }

  static List<HeldLock> decode(String text) {
    List<HeldLock> locks = new ArrayList<>();
    for (JsonNode lock : read(text)) {
      locks.add(
          new HeldLock(
              lock.path("key").asText(),
              lock.path("hasText").asBoolean(),
              new LockHolder(
                  LockHolder.Client.valueOf(lock.path("client").asText()),
                  text(lock, "holder"),
                  LockPurpose.valueOf(lock.path("purpose").asText()),
                  text(lock, "transaction"),
                  text(lock, "clientId"),
                  text(lock, "session")),
              lock.path("remainingMillis").asLong(),
              lock.path("since").asLong(),
              end(text(lock, "end"))));
    }
    return locks;
  }

  static @Nullable TransactionEnd end(@Nullable String name) {
    return name == null ? null : TransactionEnd.valueOf(name);
  }

  /** Encodes a set of ids. */
  static String encode(Set<String> ids) {
    return list(ids).toString();
  }

  static Set<String> decodeIds(String text) {
    return new HashSet<>(texts(read(text)));
  }

  /** Encodes what is known of some ids. */
  static String encode(Map<String, String> known) {
    ObjectNode node = JSON.createObjectNode();
    known.forEach(node::put);
    return node.toString();
  }

  static Map<String, String> decodeKnown(String text) {
    Map<String, String> known = new HashMap<>();
    for (Map.Entry<String, JsonNode> each : read(text).properties()) {
      known.put(each.getKey(), each.getValue().asText());
    }
    return known;
  }

  private static ArrayNode list(Collection<String> texts) {
    ArrayNode list = JSON.createArrayNode();
    texts.forEach(list::add);
    return list;
  }

  private static List<String> texts(JsonNode list) {
    List<String> texts = new ArrayList<>();
    list.forEach(each -> texts.add(each.asText()));
    return texts;
  }

  private static @Nullable String text(JsonNode node, String field) {
    return node.hasNonNull(field) ? node.path(field).asText() : null;
  }

  private static JsonNode read(String text) {
    try {
      return JSON.readTree(text);
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException("what a member says of locks is not JSON", e);
    }
  }
}
