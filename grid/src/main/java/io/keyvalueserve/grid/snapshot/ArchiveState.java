package io.keyvalueserve.grid.snapshot;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.keyvalueserve.snapshots.ArchiveSession;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Tells how far a member has come with the archive of a tenant's changes.
 *
 * @param session the session that goes on; null if there is none
 * @param problem why nothing is archived at present; null if all is well
 */
record ArchiveState(@Nullable ArchiveSession session, @Nullable String problem) {
  private static final ObjectMapper JSON = new ObjectMapper();

  String encode() {
    ObjectNode state = JSON.createObjectNode();
    if (session != null) {
      state
          .put("id", session.id().toString())
          .put("member", session.member())
          .put("stamp", session.tableStamp())
          .put("owned", session.owned())
          .put("started", session.startedMillis())
          .put("covered", session.coveredMillis())
          .put("segments", session.segments())
          .put("last", session.lastStamp());
    }
    return state.put("problem", problem).toString();
  }

  static ArchiveState decode(String text) {
    try {
      JsonNode state = JSON.readTree(text);
      JsonNode problem = state.path("problem");
      return new ArchiveState(
          state.has("id")
              ? new ArchiveSession(
                  UUID.fromString(state.path("id").asText()),
                  state.path("member").asText(),
                  state.path("stamp").asLong(),
                  state.path("owned").asInt(),
                  state.path("started").asLong(),
                  state.path("covered").asLong(),
                  state.path("segments").asLong(),
                  state.path("last").asLong())
              : null,
          problem.isTextual() ? problem.asText() : null);
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException("the state of an archive is not JSON", e);
    }
  }
}
