package io.keyvalueserve.server;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.keyvalueserve.grid.GridMember;
import io.keyvalueserve.grid.question.MemberAnswer;
import io.keyvalueserve.server.ClientAnswers.Connected;
import io.keyvalueserve.tenancy.ConnectedClient;
import io.keyvalueserve.tenancy.Door;
import io.keyvalueserve.tenancy.Session;
import io.keyvalueserve.tenancy.SessionRegistry;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;

/** The clients that a tenant has connected to all members. Thread-safe; asking blocks. */
final class ConnectedClients {
  /** The most clients that a member tells of: an answer costs what it shows. */
  private static final int MOST_FROM_A_MEMBER = 500;

  private static final String TOPIC = "clients";
  private static final String TOTAL = "total";
  private static final String CLIENTS = "clients";
  private static final Duration PATIENCE = Duration.ofSeconds(10);
  private static final ObjectMapper JSON = new ObjectMapper();

  private final GridMember grid;
  private final SessionRegistry sessions;

  /** Has questions of other members answered from now on. */
  ConnectedClients(GridMember grid, SessionRegistry sessions) {
    this.grid = grid;
    this.sessions = sessions;
    grid.answerers().add(TOPIC, question -> here(Integer.parseInt(question)));
  }

  /** Asks all members for the clients of the tenant with this number. */
  ClientAnswers of(int tenantNumber) {
    List<Connected> found = new ArrayList<>();
    List<String> silent = new ArrayList<>();
    int total = 0;
    for (MemberAnswer answer :
        grid.questioner().ask(TOPIC, String.valueOf(tenantNumber), PATIENCE)) {
      String text = answer.text();
      if (text == null) {
        silent.add(answer.member());
      } else {
        JsonNode said = read(text);
        total += said.path(TOTAL).asInt();
        for (JsonNode client : said.path(CLIENTS)) {
          found.add(new Connected(answer.member(), decode(client)));
        }
      }
    }
    found.sort(
        Comparator.comparing((Connected each) -> each.client().since())
            .thenComparing(each -> each.client().address()));
    return new ClientAnswers(found, total, silent);
  }

  private String here(int tenantNumber) {
    List<Session> open = sessions.of(tenantNumber);
    ObjectNode answer = JSON.createObjectNode().put(TOTAL, open.size());
    ArrayNode clients = answer.putArray(CLIENTS);
    open.stream()
        .limit(MOST_FROM_A_MEMBER)
        .map(Session::describe)
        .filter(Objects::nonNull)
        .forEach(client -> clients.add(encode(client)));
    return answer.toString();
  }

  private static ObjectNode encode(ConnectedClient client) {
    return JSON.createObjectNode()
        .put("door", client.door().label())
        .put("address", client.address())
        .put("name", client.name())
        .put("library", client.library())
        .put("map", client.map())
        .put("since", client.since().toString())
        .put("lastCommand", client.lastCommand());
  }

  private static ConnectedClient decode(JsonNode client) {
    return new ConnectedClient(
        Door.ofLabel(client.path("door").asText()),
        client.path("address").asText(),
        client.path("name").asText(),
        client.path("library").asText(),
        client.path("map").asText(),
        Instant.parse(client.path("since").asText()),
        client.path("lastCommand").asText());
  }

  private static JsonNode read(String text) {
    try {
      return JSON.readTree(text);
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException("no clients: " + e.getOriginalMessage(), e);
    }
  }
}
