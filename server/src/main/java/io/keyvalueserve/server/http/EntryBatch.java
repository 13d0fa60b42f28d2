package io.keyvalueserve.server.http;

import static io.keyvalueserve.server.http.OperationJson.KEY;
import static io.keyvalueserve.server.http.OperationJson.KEY_ENCODING;
import static io.keyvalueserve.server.http.OperationJson.OP;
import static io.keyvalueserve.server.http.OperationJson.STATUS;
import static io.keyvalueserve.server.http.OperationJson.TTL_MILLIS;
import static io.keyvalueserve.server.http.OperationJson.VALUE;
import static io.keyvalueserve.server.http.OperationJson.VALUE_ENCODING;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.helidon.http.Status;
import io.helidon.webserver.http.ServerRequest;
import io.helidon.webserver.http.ServerResponse;
import io.keyvalueserve.engine.KeyCommand;
import io.keyvalueserve.engine.KeyMap;
import io.keyvalueserve.engine.Outcome;
import io.keyvalueserve.engine.ValueMatch;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Many operations in one request. Each is atomic; the batch is not. Operations on one key take
 * effect in their order.
 */
final class EntryBatch {
  private static final int MOST_OPERATIONS = 1_000;

  /**
   * The most bytes in a request, and in the values of an answer. Both are in memory more than once.
   */
  private static final int MOST_BYTES = 16 * 1024 * 1024;

  private static final Set<String> FIELDS =
      Set.of(OP, KEY, KEY_ENCODING, VALUE, VALUE_ENCODING, TTL_MILLIS);

  private final EntryServices services;
  private final BodyRoom room;
  private final int mostBytes;

  EntryBatch(EntryServices services, BodyRoom room) {
    this.services = services;
    this.room = room;
    this.mostBytes = Math.min(MOST_BYTES, services.mostValueBytes());
  }

  void run(ServerRequest request, ServerResponse response) {
    EntryPath path = EntryPath.of(request);
    EntrySession session = EntrySession.of(services, request, response, path.map());
    try (BodyRoom.Part part = session.part(room)) {
      byte[] body = RequestBody.read(request, mostBytes, part);
      List<KeyCommand> commands = commands(body);
      session.admit(commands, body.length);
      KeyMap map = session.map();
      boolean[] fits = fitting(session, map, commands, part);
      List<KeyCommand> wanted = new ArrayList<>();
      for (int i = 0; i < commands.size(); i++) {
        if (fits[i]) {
          wanted.add(commands.get(i));
        }
      }
      List<Outcome> outcomes = session.run(map, wanted);
      ObjectNode answer = HttpDoor.object();
      ArrayNode results = answer.putArray("results");
      int next = 0;
      for (boolean fit : fits) {
        add(results, session, fit ? outcomes.get(next++) : null);
      }
      session.answer(response, answer);
    }
  }

  /**
   * Returns which operations can be answered. Those that do not read always can. Those that read
   * can as long as their values, by their present lengths, have room in an answer.
   */
  private boolean[] fitting(
      EntrySession session, KeyMap map, List<KeyCommand> commands, BodyRoom.Part part) {
    List<KeyCommand> probes = new ArrayList<>();
    for (KeyCommand command : commands) {
      if (command instanceof KeyCommand.Read read) {
        probes.add(new KeyCommand.Probe(read.key(), false));
      }
    }
    List<Outcome> lengths = session.run(map, probes);
    boolean[] fits = new boolean[commands.size()];
    long bytes = 0;
    int next = 0;
    for (int i = 0; i < fits.length; i++) {
      fits[i] = true;
      if (commands.get(i) instanceof KeyCommand.Read
          && lengths.get(next++) instanceof Outcome.Info info) {
        long length = Math.max(0, info.length());
        fits[i] = bytes + length <= mostBytes;
        bytes += fits[i] ? length : 0;
      }
    }
    part.take(bytes);
    return fits;
  }

  // ---- the request

  private List<KeyCommand> commands(byte[] body) {
    JsonNode operations = AdminRoutes.json(body).get("operations");
    if (operations == null || !operations.isArray() || operations.isEmpty()) {
      throw new HttpErrors.BadRequest(
          "operations",
          "the body needs a list of operations:"
              + " {\"operations\":[{\"op\":\"get\",\"key\":\"user:1\"}]}");
    }
    if (operations.size() > MOST_OPERATIONS) {
      throw new HttpErrors.BadRequest(
          "operations", "a batch has up to " + MOST_OPERATIONS + " operations");
    }
    long now = services.clock().millis();
    List<KeyCommand> commands = new ArrayList<>();
    for (int i = 0; i < operations.size(); i++) {
      commands.add(command(operations.get(i), "operations[" + i + "]", now));
    }
    return commands;
  }

  private static KeyCommand command(JsonNode operation, String at, long now) {
    for (String field : (Iterable<String>) operation::fieldNames) {
      if (!FIELDS.contains(field)) {
        throw new HttpErrors.BadRequest(
            at + "." + field,
            "an operation has no '"
                + field
                + "'; there are: op, key, keyEncoding, value,"
                + " valueEncoding, ttlMillis");
      }
    }
    byte[] key = OperationJson.key(operation, at);
    String op = operation.path(OP).asText();
    if (!op.equals("put") && (operation.has(VALUE) || operation.has(TTL_MILLIS))) {
      throw new HttpErrors.BadRequest(at, "'value' and 'ttlMillis' are for put");
    }
    return switch (op) {
      case "get" -> new KeyCommand.Read(key);
      case "delete" -> new KeyCommand.Remove(key, false);
      case "put" ->
          new KeyCommand.WriteIf(
              key,
              OperationJson.value(operation, at),
              TimeToLive.expiry(OperationJson.timeToLive(operation, at), now),
              ValueMatch.ANY);
      default -> throw new HttpErrors.BadRequest(at + "." + OP, "'op' is get, put or delete");
    };
  }

  // ---- the answer

  private void add(ArrayNode results, EntrySession session, @Nullable Outcome outcome) {
    ObjectNode result = results.addObject();
    switch (outcome) {
      case null ->
          OperationJson.add(
              result,
              new HttpErrors.Refused(
                  Status.REQUEST_ENTITY_TOO_LARGE_413,
                  "answer_too_large",
                  "the answer is full: ask for this entry by itself",
                  0));
      case Outcome.Entry entry -> OperationJson.add(result, entry, services.clock().millis());
      case Outcome.IntegerResult(long written) ->
          result.put(
              STATUS,
              written == KeyCommand.WriteIf.CREATED
                  ? Status.CREATED_201.code()
                  : Status.NO_CONTENT_204.code());
      case Outcome.Applied _ -> result.put(STATUS, Status.NO_CONTENT_204.code());
      case Outcome.Missing _ -> OperationJson.add(result, EntryRoutes.notFound());
      case Outcome.Rejected _ -> OperationJson.add(result, EntryRoutes.wrongType());
      case Outcome.Failure failure -> OperationJson.add(result, session.of(failure));
      default -> throw EntryRoutes.unexpected(outcome);
    }
  }
}
