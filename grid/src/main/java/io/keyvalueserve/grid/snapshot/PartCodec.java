package io.keyvalueserve.grid.snapshot;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.keyvalueserve.snapshots.Manifest;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Encodes what members say to each other about parts of snapshots, as JSON. */
final class PartCodec {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final String PROBLEM = "problem";

  private PartCodec() {}

  /**
   * A question about a part.
   *
   * @param id the snapshot's id
   * @param tenant the tenant's name; empty unless the part is begun
   * @param repository the address of the repository; empty unless the part is begun
   * @param cutMillis the instant of the cut; 0 if it is not known yet
   */
  record Asked(String id, String tenant, String repository, long cutMillis) {}

  static String encode(Asked asked) {
    return JSON.createObjectNode()
        .put("id", asked.id())
        .put("tenant", asked.tenant())
        .put("repository", asked.repository())
        .put("cut", asked.cutMillis())
        .toString();
  }

  static Asked decodeAsked(String text) {
    JsonNode asked = read(text);
    return new Asked(
        asked.path("id").asText(),
        asked.path("tenant").asText(),
        asked.path("repository").asText(),
        asked.path("cut").asLong());
  }

  /**
   * The state of a part.
   *
   * @param clockMillis the member's clock, in milliseconds since 1970
   * @param tableStamp of the table of partitions as the member knows it
   * @param owned the number of partitions that the member owns
   * @param entries the number of entries that were read
   */
  record State(LocalPart.Phase phase, long clockMillis, long tableStamp, int owned, long entries) {}

  static String encode(State state) {
    return JSON.createObjectNode()
        .put("phase", state.phase().name())
        .put("clock", state.clockMillis())
        .put("stamp", state.tableStamp())
        .put("owned", state.owned())
        .put("entries", state.entries())
        .toString();
  }

  /**
   * Reads a state.
   *
   * @throws SnapshotFailure if the answer is a failure
   */
  static State decodeState(String text) {
    JsonNode state = answer(text);
    return new State(
        LocalPart.Phase.valueOf(state.path("phase").asText()),
        state.path("clock").asLong(),
        state.path("stamp").asLong(),
        state.path("owned").asInt(),
        state.path("entries").asLong());
  }

  static String encode(SnapshotFailure failure) {
    return JSON.createObjectNode()
        .put(PROBLEM, failure.getMessage())
        .put("passes", failure.passes())
        .toString();
  }

  /**
   * The chunks and sums that a part has written.
   *
   * @param maps the chunks of each map, by its name in the grid
   * @param storedBytes the sizes of the chunks' objects
   * @param newBytes the sizes of those that the repository did not have before
   */
  record Written(Map<String, List<Manifest.Chunk>> maps, long storedBytes, long newBytes) {}

  static String encode(Map<String, List<Manifest.Chunk>> maps, MapChunks.Sums sums) {
    ObjectNode written =
        JSON.createObjectNode().put("stored", sums.storedBytes).put("new", sums.newBytes);
    ObjectNode all = written.putObject("maps");
    maps.forEach(
        (map, chunks) -> {
          ArrayNode list = all.putArray(map);
          for (Manifest.Chunk chunk : chunks) {
            list.addArray()
                .add(chunk.name())
                .add(chunk.changes())
                .add(chunk.fromPartition())
                .add(chunk.toPartition())
                .add(chunk.entries())
                .add(chunk.bytes());
          }
        });
    return written.toString();
  }

  /**
   * Reads what a part has written.
   *
   * @throws SnapshotFailure if the answer is a failure
   */
  static Written decodeWritten(String text) {
    JsonNode written = answer(text);
    Map<String, List<Manifest.Chunk>> maps = new TreeMap<>();
    for (Map.Entry<String, JsonNode> map : written.path("maps").properties()) {
      List<Manifest.Chunk> chunks = new ArrayList<>();
      for (JsonNode chunk : map.getValue()) {
        chunks.add(
            new Manifest.Chunk(
                chunk.path(0).asText(),
                chunk.path(1).asBoolean(),
                chunk.path(2).asInt(),
                chunk.path(3).asInt(),
                chunk.path(4).asInt(),
                chunk.path(5).asLong()));
      }
      maps.put(map.getKey(), chunks);
    }
    return new Written(maps, written.path("stored").asLong(), written.path("new").asLong());
  }

  private static JsonNode answer(String text) {
    JsonNode answer = read(text);
    @Nullable JsonNode problem = answer.get(PROBLEM);
    if (problem != null) {
      throw answer.path("passes").asBoolean()
          ? SnapshotFailure.passing(problem.asText())
          : SnapshotFailure.lasting(problem.asText());
    }
    return answer;
  }

  private static JsonNode read(String text) {
    try {
      return JSON.readTree(text);
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException("a message about a snapshot is not JSON", e);
    }
  }
}
