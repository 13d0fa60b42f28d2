package io.keyvalueserve.grid.lock;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import java.util.ArrayList;
import java.util.List;

/** Encodes the questions and answers about locks that members send each other, as JSON. */
final class LockCodec {
  private static final ObjectMapper JSON = new ObjectMapper();

  private LockCodec() {}

  /** The question: a map, and for an unlocking the key's text. */
  record Question(String map, String key) {}

  static String encode(Question question) {
    return JSON.createObjectNode().put("map", question.map()).put("key", question.key()).toString();
  }

  static Question decodeQuestion(String text) {
    JsonNode node = read(text);
    return new Question(node.path("map").asText(), node.path("key").asText());
  }

  static String encode(List<HeldLock> locks) {
    ArrayNode list = JSON.createArrayNode();
    for (HeldLock lock : locks) {
      list.addObject()
          .put("key", lock.key())
          .put("hasText", lock.hasText())
          .put("client", lock.client().name())
          .put("holder", lock.holder())
          .put("remainingMillis", lock.remainingMillis())
          .put("transactional", lock.transactional());
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
              HeldLock.Client.valueOf(lock.path("client").asText()),
              lock.hasNonNull("holder") ? lock.path("holder").asText() : null,
              lock.path("remainingMillis").asLong(),
              lock.path("transactional").asBoolean()));
    }
    return locks;
  }

  private static JsonNode read(String text) {
    try {
      return JSON.readTree(text);
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException("what a member says of locks is not JSON", e);
    }
  }
}
