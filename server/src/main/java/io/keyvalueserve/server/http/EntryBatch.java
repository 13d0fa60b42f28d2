package io.keyvalueserve.server.http;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.helidon.http.Status;
import io.helidon.webserver.http.ServerRequest;
import io.helidon.webserver.http.ServerResponse;
import io.keyvalueserve.engine.Expiry;
import io.keyvalueserve.engine.KeyCommand;
import io.keyvalueserve.engine.KeyMap;
import io.keyvalueserve.engine.Outcome;
import io.keyvalueserve.engine.ValueMatch;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
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

  private static final String OP = "op";
  private static final String KEY = "key";
  private static final String KEY_ENCODING = "keyEncoding";
  private static final String VALUE = "value";
  private static final String VALUE_ENCODING = "valueEncoding";
  private static final String TTL_MILLIS = "ttlMillis";
  private static final String BASE64 = "base64";
  private static final String STATUS = "status";
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
    byte[] key =
        bytes(operation, KEY, KEY_ENCODING, EntryPath.BASE64URL, Base64.getUrlDecoder(), at);
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
              bytes(operation, VALUE, VALUE_ENCODING, BASE64, Base64.getDecoder(), at),
              expiry(operation, at, now),
              ValueMatch.ANY);
      default -> throw new HttpErrors.BadRequest(at + "." + OP, "'op' is get, put or delete");
    };
  }

  /** The bytes of a text, which is in an encoding if another field says so. */
  private static byte[] bytes(
      JsonNode operation,
      String field,
      String encodingField,
      String encoding,
      Base64.Decoder decoder,
      String at) {
    JsonNode text = operation.get(field);
    if (text == null || !text.isTextual()) {
      throw new HttpErrors.BadRequest(
          at + "." + field, "the operation needs a text '" + field + "'");
    }
    if (!StandardCharsets.UTF_8.newEncoder().canEncode(text.asText())) {
      throw new HttpErrors.BadRequest(
          at + "." + field, "'" + field + "' has half a character: a surrogate without the other");
    }
    String said = operation.path(encodingField).asText("text");
    if (!said.equals("text") && !said.equals(encoding)) {
      throw new HttpErrors.BadRequest(
          at + "." + encodingField, "'" + encodingField + "' is text or " + encoding);
    }
    try {
      return said.equals(encoding)
          ? decoder.decode(text.asText())
          : text.asText().getBytes(StandardCharsets.UTF_8);
    } catch (IllegalArgumentException e) {
      throw new HttpErrors.BadRequest(at + "." + field, "'" + field + "' is not " + encoding);
    }
  }

  private static long expiry(JsonNode operation, String at, long now) {
    JsonNode millis = operation.get(TTL_MILLIS);
    if (millis == null || millis.isNull()) {
      return Expiry.NONE;
    }
    long number = millis.isIntegralNumber() && millis.canConvertToLong() ? millis.asLong() : 0;
    return TimeToLive.expiry(
        TimeToLive.requireValid(number, at + "." + TTL_MILLIS, "a number of milliseconds"), now);
  }

  // ---- the answer

  private void add(ArrayNode results, EntrySession session, @Nullable Outcome outcome) {
    ObjectNode result = results.addObject();
    switch (outcome) {
      case null ->
          add(
              result,
              new HttpErrors.Refused(
                  Status.REQUEST_ENTITY_TOO_LARGE_413,
                  "answer_too_large",
                  "the answer is full: ask for this entry by itself",
                  0));
      case Outcome.Entry entry -> add(result, entry);
      case Outcome.IntegerResult(long written) ->
          result.put(
              STATUS,
              written == KeyCommand.WriteIf.CREATED
                  ? Status.CREATED_201.code()
                  : Status.NO_CONTENT_204.code());
      case Outcome.Applied _ -> result.put(STATUS, Status.NO_CONTENT_204.code());
      case Outcome.Missing _ -> add(result, EntryRoutes.notFound());
      case Outcome.Rejected _ -> add(result, EntryRoutes.wrongType());
      case Outcome.Failure failure -> add(result, session.of(failure));
      default -> throw EntryRoutes.unexpected(outcome);
    }
  }

  private void add(ObjectNode result, Outcome.Entry entry) {
    result.put(STATUS, Status.OK_200.code());
    String text = EntryPath.utf8(entry.value());
    if (text != null) {
      result.put(VALUE, text);
    } else {
      result
          .put(VALUE, Base64.getEncoder().encodeToString(entry.value()))
          .put(VALUE_ENCODING, BASE64);
    }
    result.put("etag", Preconditions.entityTag(entry.value()));
    if (entry.expireAtMillis() != Expiry.NONE) {
      result.put(TTL_MILLIS, TimeToLive.left(entry.expireAtMillis(), services.clock().millis()));
    }
  }

  private static void add(ObjectNode result, HttpErrors.Refused refused) {
    result.put(STATUS, refused.status().code());
    result.putObject("error").put("code", refused.code()).put("message", refused.getMessage());
  }
}
