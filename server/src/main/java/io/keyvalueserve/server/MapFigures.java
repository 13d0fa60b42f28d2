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

/** The entries and the memory of maps on all members together. Thread-safe; asking blocks. */
final class MapFigures {
  private static final String TOPIC = "maps";
  private static final Duration PATIENCE = Duration.ofSeconds(10);
  private static final ObjectMapper JSON = new ObjectMapper();

  private final GridMember grid;

  /** Has questions of other members answered from now on. */
  MapFigures(GridMember grid) {
    this.grid = grid;
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

  /** Answers a list of names with as many pairs of entries and bytes. */
  private String answer(String question) {
    List<String> names = new ArrayList<>();
    read(question).forEach(name -> names.add(name.asText()));
    ArrayNode all = JSON.createArrayNode();
    for (NativeMapUsage usage : grid.maps().usageOf(names)) {
      all.addArray().add(usage.primaryEntries()).add(usage.bytes());
    }
    return all.toString();
  }

  private static void add(JsonNode pairs, List<QualifiedName> maps, Map<QualifiedName, Size> sums) {
    for (int i = 0; i < maps.size(); i++) {
      JsonNode pair = pairs.path(i);
      sums.merge(maps.get(i), new Size(pair.path(0).asLong(), pair.path(1).asLong()), Size::plus);
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
