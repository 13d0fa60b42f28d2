package io.keyvalueserve.server.http;

import static io.keyvalueserve.server.http.OperationJson.KEY;
import static io.keyvalueserve.server.http.OperationJson.KEY_ENCODING;
import static io.keyvalueserve.server.http.OperationJson.OP;
import static io.keyvalueserve.server.http.OperationJson.TTL_MILLIS;
import static io.keyvalueserve.server.http.OperationJson.VALUE;
import static io.keyvalueserve.server.http.OperationJson.VALUE_ENCODING;

import com.fasterxml.jackson.databind.JsonNode;
import io.keyvalueserve.engine.ValueMatch;
import io.keyvalueserve.server.http.TransactionOperation.Action;
import io.keyvalueserve.tenancy.InvalidNameException;
import io.keyvalueserve.tenancy.MapName;
import io.keyvalueserve.tenancy.QualifiedName;
import io.keyvalueserve.tenancy.TenantName;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Reads the operations of a transaction from JSON. An error names the field that is at fault, and
 * says what to write instead.
 */
final class TransactionReader {
  /** The most operations in a transaction. */
  static final int MOST_OPERATIONS = 1_000;

  private static final String OPERATIONS = "operations";
  private static final String MAP = "map";
  private static final String EXISTS = "exists";
  private static final String IF_MATCH = "ifMatch";
  private static final String IF_NONE_MATCH = "ifNoneMatch";
  private static final String TTL = TimeToLive.PARAMETER;
  private static final String BY = "by";

  /** The fields that every operation may have. */
  private static final List<String> COMMON = List.of(OP, MAP, KEY, KEY_ENCODING);

  /** The fields that operations may have beside these, by their names. */
  private static final Map<String, List<String>> OWN =
      Map.of(
          "check", List.of(EXISTS, VALUE, VALUE_ENCODING, IF_MATCH),
          "get", List.of(),
          "put", List.of(VALUE, VALUE_ENCODING, TTL, TTL_MILLIS, IF_MATCH, IF_NONE_MATCH),
          "delete", List.of(IF_MATCH),
          "increment", List.of(BY));

  private final TenantName own;
  private final JsonNode operation;
  private final String at;

  private TransactionReader(TenantName own, JsonNode operation, String at) {
    this.own = own;
    this.operation = operation;
    this.at = at;
  }

  /**
   * Returns the operations that a body has.
   *
   * @param own the tenant that sends it: its maps are named without a tenant
   * @throws Errors.BadRequest if it is not as it should be
   */
  static List<TransactionOperation> read(TenantName own, byte[] body) {
    JsonNode list = AdminRoutes.json(body).get(OPERATIONS);
    if (list == null || !list.isArray() || list.isEmpty()) {
      throw new HttpErrors.BadRequest(
          OPERATIONS,
          "the body needs a list of operations: {\"operations\":[{\"op\":\"put\",\"map\":\"people\","
              + "\"key\":\"user:1\",\"value\":\"ada\"}]}");
    }
    if (list.size() > MOST_OPERATIONS) {
      throw new HttpErrors.BadRequest(
          OPERATIONS,
          "a transaction has up to "
              + MOST_OPERATIONS
              + " operations, and this one has "
              + list.size()
              + ": send fewer");
    }
    List<TransactionOperation> operations = new ArrayList<>(list.size());
    for (int i = 0; i < list.size(); i++) {
      operations.add(
          new TransactionReader(own, list.get(i), TransactionOperation.at(i)).operation(i));
    }
    return operations;
  }

  private TransactionOperation operation(int index) {
    if (!operation.isObject()) {
      throw new HttpErrors.BadRequest(at, "an operation is a JSON object with 'op', 'map', 'key'");
    }
    String op = operation.path(OP).asText();
    List<String> fields = OWN.get(op);
    if (fields == null || !operation.path(OP).isTextual()) {
      throw bad(OP, "'op' is check, get, put, delete or increment");
    }
    for (String field : (Iterable<String>) operation::fieldNames) {
      if (!COMMON.contains(field) && !fields.contains(field)) {
        throw bad(
            field,
            op
                + " has no '"
                + field
                + "'; there are: "
                + String.join(", ", Stream.concat(COMMON.stream(), fields.stream()).toList()));
      }
    }
    return new TransactionOperation(index, map(), OperationJson.key(operation, at), action(op));
  }

  private QualifiedName map() {
    JsonNode name = operation.path(MAP);
    if (!name.isTextual()) {
      throw bad(MAP, "the operation needs a text 'map': a map of the tenant, or OWNER/MAP");
    }
    String text = name.asText();
    int slash = text.indexOf('/');
    try {
      return new QualifiedName(
          slash < 0 ? own : new TenantName(text.substring(0, slash)),
          new MapName(text.substring(slash + 1)));
    } catch (InvalidNameException e) {
      throw bad(MAP, e.getMessage());
    }
  }

  private Action action(String op) {
    return switch (op) {
      case "check" -> check();
      case "put" -> new Action.Put(OperationJson.value(operation, at), timeToLive(), match());
      case "delete" -> new Action.Delete(match());
      case "increment" -> new Action.Increment(by());
      default -> new Action.Get();
    };
  }

  private Action check() {
    long conditions = Stream.of(EXISTS, VALUE, IF_MATCH).filter(operation::has).count();
    if (conditions != 1) {
      throw new HttpErrors.BadRequest(at, "a check needs one of 'exists', 'value' and 'ifMatch'");
    }
    if (operation.has(VALUE)) {
      return new Action.CheckValue(OperationJson.value(operation, at));
    }
    Preconditions tags = tags(IF_MATCH);
    if (tags != null) {
      return new Action.CheckTag(tags);
    }
    if (!operation.path(EXISTS).isBoolean()) {
      throw bad(EXISTS, "'exists' is true or false");
    }
    return new Action.CheckExists(operation.path(EXISTS).asBoolean());
  }

  private ValueMatch match() {
    Preconditions match = tags(IF_MATCH);
    if (!operation.has(IF_NONE_MATCH)) {
      return match == null ? ValueMatch.ANY : match.asMatch();
    }
    if (match != null || !operation.path(IF_NONE_MATCH).asText().equals("*")) {
      throw bad(
          IF_NONE_MATCH,
          "a put takes \"ifNoneMatch\":\"*\" (there is no entry yet) or 'ifMatch', one of them");
    }
    return ValueMatch.ABSENT;
  }

  private @Nullable Preconditions tags(String field) {
    JsonNode tags = operation.get(field);
    if (tags == null) {
      return null;
    }
    if (!tags.isTextual()) {
      throw bad(field, "'" + field + "' is a text: * or entity tags in quotes, as etag has them");
    }
    return Preconditions.parse(tags.asText(), at + "." + field);
  }

  private long timeToLive() {
    JsonNode text = operation.get(TTL);
    if (text == null) {
      return OperationJson.timeToLive(operation, at);
    }
    if (operation.has(TTL_MILLIS)) {
      throw bad(TTL, "'ttl' and 'ttlMillis' say the same: give one of them");
    }
    return TimeToLive.parse(text.isTextual() ? text.asText() : "", at + "." + TTL);
  }

  private long by() {
    JsonNode by = operation.get(BY);
    if (by == null) {
      return 1;
    }
    if (!by.isIntegralNumber() || !by.canConvertToLong()) {
      throw bad(BY, "'by' is an integer of 64 bits; without it, 1 is added");
    }
    return by.asLong();
  }

  private HttpErrors.BadRequest bad(String field, @Nullable String message) {
    return new HttpErrors.BadRequest(at + "." + field, String.valueOf(message));
  }
}
