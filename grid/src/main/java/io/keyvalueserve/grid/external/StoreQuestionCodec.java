package io.keyvalueserve.grid.external;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Encodes the questions and answers about maps' external stores, as JSON. */
final class StoreQuestionCodec {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final String MAP = "map";
  private static final String LIMIT = "limit";
  private static final String NUMBERS = "numbers";

  private StoreQuestionCodec() {}

  // ---- status

  static String encode(Map<String, MapStoreStatus> statuses) {
    ObjectNode all = JSON.createObjectNode();
    statuses.forEach(
        (map, status) ->
            all.putObject(map)
                .put("waiting", status.waiting())
                .put("dead", status.dead())
                .put("oldest", status.oldestMillis())
                .put("loads", status.loads())
                .put("loaded", status.loaded())
                .put("absent", status.absent())
                .put("written", status.written())
                .put("failures", status.failures())
                .put("problem", status.problem()));
    return all.toString();
  }

  static Map<String, MapStoreStatus> decodeStatuses(String text) {
    Map<String, MapStoreStatus> statuses = new HashMap<>();
    for (Map.Entry<String, JsonNode> each : read(text).properties()) {
      JsonNode status = each.getValue();
      MapStoreStatus _ =
          statuses.put(
              each.getKey(),
              new MapStoreStatus(
                  status.path("waiting").asLong(),
                  status.path("dead").asLong(),
                  status.path("oldest").asLong(),
                  status.path("loads").asLong(),
                  status.path("loaded").asLong(),
                  status.path("absent").asLong(),
                  status.path("written").asLong(),
                  status.path("failures").asLong(),
                  text(status, "problem")));
    }
    return statuses;
  }

  // ---- dead letters

  /** The question about the oldest dead letters of a map. */
  record Asked(String map, int limit) {}

  static String encode(Asked asked) {
    return JSON.createObjectNode().put(MAP, asked.map()).put(LIMIT, asked.limit()).toString();
  }

  static Asked decodeAsked(String text) {
    JsonNode asked = read(text);
    return new Asked(asked.path(MAP).asText(), asked.path(LIMIT).asInt());
  }

  static String encode(LocalLetters.Found found) {
    ObjectNode answer = JSON.createObjectNode().put("total", found.total());
    ArrayNode letters = answer.putArray("letters");
    for (DeadLetter letter : found.letters()) {
      letters
          .addObject()
          .put("number", letter.number().toString())
          .put("key", letter.key())
          .put("removal", letter.removal())
          .put("reason", letter.reason())
          .put("since", letter.sinceMillis())
          .put("bytes", letter.valueBytes());
    }
    return answer.toString();
  }

  static LocalLetters.Found decodeFound(String text) {
    JsonNode answer = read(text);
    List<DeadLetter> letters = new ArrayList<>();
    for (JsonNode letter : answer.path("letters")) {
      letters.add(
          new DeadLetter(
              number(letter.path("number").asText()),
              text(letter, "key"),
              letter.path("removal").asBoolean(),
              letter.path("reason").asText(),
              letter.path("since").asLong(),
              letter.path("bytes").asLong()));
    }
    return new LocalLetters.Found(letters, answer.path("total").asLong());
  }

  /**
   * The wish to end dead letters of a map.
   *
   * @param numbers those that end; null for all
   */
  record Wish(String map, @Nullable Set<LetterNumber> numbers) {}

  static String encode(Wish wish) {
    ObjectNode node = JSON.createObjectNode().put(MAP, wish.map());
    if (wish.numbers() != null) {
      ArrayNode numbers = node.putArray(NUMBERS);
      wish.numbers().forEach(each -> numbers.add(each.toString()));
    }
    return node.toString();
  }

  static Wish decodeWish(String text) {
    JsonNode node = read(text);
    if (!node.has(NUMBERS)) {
      return new Wish(node.path(MAP).asText(), null);
    }
    Set<LetterNumber> numbers = new HashSet<>();
    node.path(NUMBERS).forEach(each -> numbers.add(number(each.asText())));
    return new Wish(node.path(MAP).asText(), numbers);
  }

  private static LetterNumber number(String text) {
    return LetterNumber.parse(text)
        .orElseThrow(() -> new IllegalArgumentException("no number of a dead letter: " + text));
  }

  private static @Nullable String text(JsonNode node, String field) {
    return node.hasNonNull(field) ? node.path(field).asText() : null;
  }

  private static JsonNode read(String text) {
    try {
      return JSON.readTree(text);
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException("what a member says of external stores is not JSON", e);
    }
  }
}
