package io.keyvalueserve.server;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import io.keyvalueserve.grid.GridMember;
import io.keyvalueserve.grid.question.MemberAnswer;
import io.keyvalueserve.maps.NativeMapUsage;
import io.keyvalueserve.server.MapSizes.Size;
import io.keyvalueserve.tenancy.QualifiedName;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The entries, the memory and the operations of maps on all members together. Thread-safe; asking
 * blocks.
 */
final class MapFigures {
  private static final String TOPIC = "maps";
  private static final Duration PATIENCE = Duration.ofSeconds(10);
  private static final ObjectMapper JSON = new ObjectMapper();

  private final GridMember grid;
  private final RecentHistory recent;

  /** Has questions of other members answered from now on. */
  MapFigures(GridMember grid, RecentHistory recent) {
    this.grid = grid;
    this.recent = recent;
    grid.answerers().add(TOPIC, this::answer);
  }

  /** Asks all members. */
  MapSizes of(List<QualifiedName> maps) {
    Map<QualifiedName, Size> sums = new LinkedHashMap<>();
    maps.forEach(map -> sums.put(map, Size.NOTHING));
    List<String> silent = new ArrayList<>();
    if (!maps.isEmpty()) {
      for (MemberAnswer answer : grid.questioner().ask(TOPIC, question(maps), PATIENCE)) {
        String text = answer.text();
        if (text == null) {
          silent.add(answer.member());
        } else {
          add(read(text), maps, sums);
        }
      }
    }
    return new MapSizes(sums, silent);
  }

  private static String question(List<QualifiedName> maps) {
    ArrayNode names = JSON.createArrayNode();
    maps.forEach(map -> names.add(map.toString()));
    return names.toString();
  }

  /** Answers a list of names with entries, bytes, reads and writes a second of each. */
  private String answer(String question) {
    List<String> names = new ArrayList<>();
    read(question).forEach(name -> names.add(name.asText()));
    ArrayNode all = JSON.createArrayNode();
    List<NativeMapUsage> usages = grid.maps().usageOf(names);
    for (int i = 0; i < names.size(); i++) {
      RecentHistory.MapRate rate =
          QualifiedName.parse(names.get(i)).map(recent::rateOf).orElse(RecentHistory.MapRate.NONE);
      NativeMapUsage usage = usages.get(i);
      all.addArray()
          .add(usage.primaryEntries())
          .add(usage.bytes())
          .add(rate.reads())
          .add(rate.writes());
    }
    return all.toString();
  }

  private static void add(
      JsonNode answer, List<QualifiedName> maps, Map<QualifiedName, Size> sums) {
    for (int i = 0; i < maps.size(); i++) {
      JsonNode each = answer.path(i); // a member of another version tells no operations
      Size size =
          new Size(
              each.path(0).asLong(),
              each.path(1).asLong(),
              each.path(2).asDouble(),
              each.path(3).asDouble());
      sums.merge(maps.get(i), size, Size::plus);
    }
  }

  private static JsonNode read(String text) {
    try {
      return JSON.readTree(text);
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException("no figures of maps: " + e.getOriginalMessage(), e);
    }
  }
}
