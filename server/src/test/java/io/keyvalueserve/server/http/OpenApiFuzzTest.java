package io.keyvalueserve.server.http;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URLEncoder;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.StringJoiner;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/**
 * Requests that {@code openapi.json} describes, and many that it almost describes, in the manner of
 * Hatfield-Dodds and Dygalo, "Deriving Semantics-Aware Fuzzers from Web API Schemas" (ICSE 2022):
 * whatever comes, the server answers as documented, with an error that has a code and a message,
 * and never fails. {@code -Dkvs.seed=N} repeats a run, {@code -Dkvs.fuzz.requests=N} makes it
 * longer.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class OpenApiFuzzTest {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final int REQUESTS = Integer.getInteger("kvs.fuzz.requests", 500);
  private static final int PATIENCE_MILLIS = 60_000;
  private static final List<String> METHODS =
      List.of("GET", "HEAD", "PUT", "POST", "PATCH", "DELETE", "OPTIONS", "TRACE", "BREW");

  /** What any request may be answered that no operation describes. */
  private static final Set<Integer> OF_NO_OPERATION = Set.of(400, 401, 403, 404, 405, 415, 429);

  private HttpServerUnderTest server;
  private String accessKey;

  private record Operation(String method, String path, JsonNode of, JsonNode parameters) {
    /** Whether another operation's path is one of this: an entry's key may be called "batch". */
    boolean isFor(String other) {
      return other.matches(path.replaceAll("\\{[^}]*}", "[^/]+"));
    }
  }

  /**
   * A request as it goes over the wire.
   *
   * @param isElsewhere whether its path, read as a router does, is that of no or another operation
   */
  private record Sent(String line, String headers, byte[] body, boolean isElsewhere) {
    @Override
    public String toString() {
      return line + " | " + headers.replace("\r\n", " | ") + " | " + new String(body, ISO_8859_1);
    }
  }

  private record Answer(int status, String headers, String body) {}

  @BeforeAll
  void start(@TempDir Path directory) {
    server = HttpServerUnderTest.start(Map.of("data", directory.resolve("data").toString()));
    accessKey = server.tenant("acme");
    server.tenant("globex");
  }

  @AfterAll
  void stop() {
    server.close();
  }

  @Test
  void whateverComesIsAnsweredAsDocumented() throws IOException {
    long seed = Long.getLong("kvs.seed", System.nanoTime());
    Random random = new Random(seed);
    List<Operation> operations = operations();
    Map<Integer, Integer> counts = new TreeMap<>();
    for (int i = 0; i < REQUESTS; i++) {
      Operation operation = operations.get(random.nextInt(operations.size()));
      boolean isAnother = random.nextInt(12) == 0;
      String method = isAnother ? METHODS.get(random.nextInt(METHODS.size())) : operation.method();
      Sent sent = request(operation, method, random);
      Answer answer = send(sent);
      String what = "seed " + seed + " request " + i + ": " + sent + " -> " + answer;
      check(operation, method, sent, answer, what);
      counts.merge(answer.status() / 100, 1, Integer::sum);
      if (operation.path().endsWith("/quota")) {
        server.operator("PUT", "/api/v1/tenants/acme/quota", "{}").is(200);
      }
    }
    assertThat(counts.get(2))
        .as("requests that were good: %s", counts)
        .isGreaterThan(REQUESTS / 20);
    assertThat(counts.get(4)).as("requests that were not: %s", counts).isGreaterThan(REQUESTS / 20);
    server.call(null, "GET", "/health/ready", "").is(200);
  }

  private static List<Operation> operations() {
    List<Operation> all = new ArrayList<>();
    for (Map.Entry<String, JsonNode> path :
        HttpServerUnderTest.openApi().path("paths").properties()) {
      for (Map.Entry<String, JsonNode> one : path.getValue().properties()) {
        if (!one.getKey().equals("parameters")) {
          all.add(
              new Operation(
                  one.getKey().toUpperCase(Locale.ROOT),
                  path.getKey(),
                  one.getValue(),
                  path.getValue().path("parameters")));
        }
      }
    }
    return all;
  }

  // ---- answers

  private static void check(
      Operation operation, String method, Sent sent, Answer answer, String what) {
    Set<Integer> documented = new HashSet<>();
    if (method.equals(operation.method())) {
      operation
          .of()
          .path("responses")
          .fieldNames()
          .forEachRemaining(status -> documented.add(Integer.parseInt(status)));
    } else {
      documented.addAll(OF_NO_OPERATION);
      for (Operation other : operations()) {
        if (other.isFor(operation.path()) && other.method().equals(method)) {
          other
              .of()
              .path("responses")
              .fieldNames()
              .forEachRemaining(status -> documented.add(Integer.parseInt(status)));
        }
      }
    }
    if (sent.isElsewhere()) {
      documented.addAll(OF_NO_OPERATION);
    }
    assertThat(documented).as(what).contains(answer.status());
    boolean isWithoutBody = method.equals("HEAD") || answer.status() < 400;
    if (!isWithoutBody) {
      assertThat(answer.headers()).as(what).contains("application/json");
      JsonNode error = json(answer.body(), what).path("error");
      assertThat(error.path("code").asText()).as(what).matches("[a-z0-9_]+");
      assertThat(error.path("message").asText()).as(what).isNotBlank();
    }
    if (answer.status() == 429) {
      assertThat(answer.headers()).as(what).containsPattern("retry-after: [1-9]");
    }
    assertThat(answer.body())
        .as(what)
        .doesNotContain("\tat ", "Exception", "io.keyvalueserve", "io.helidon", "java.lang");
  }

  private static JsonNode json(String text, String what) {
    try {
      return JSON.readTree(text);
    } catch (IOException e) {
      throw new AssertionError(what, e);
    }
  }

  // ---- requests

  private Sent request(Operation operation, String method, Random random) {
    boolean isPermanent =
        operation.path().endsWith("/suspend")
            || operation.path().equals("/api/v1/tenants/{tenant}");
    String path = operation.path();
    boolean isElsewhere = false;
    for (JsonNode parameter : operation.parameters()) {
      String name = parameter.path("name").asText();
      String value = parameter.path("example").asText();
      String part = random.nextInt(4) > 0 ? encoded(value) : junkPart(random);
      isElsewhere |= part.isEmpty() || part.contains("%2F");
      if (isPermanent && name.equals("tenant") && part.equals("acme")) {
        part = "nobody";
      }
      path = path.replace("{" + name + "}", part);
    }
    StringJoiner query = new StringJoiner("&", "?", "").setEmptyValue("");
    StringBuilder headers = new StringBuilder("Host: localhost\r\n");
    for (JsonNode parameter : operation.of().path("parameters")) {
      String name = parameter.path("name").asText();
      if (random.nextInt(3) == 0) {
        boolean isInQuery = parameter.path("in").asText().equals("query");
        String value = random.nextInt(3) > 0 ? valid(parameter, random) : junk(random, isInQuery);
        if (isInQuery) {
          query.add(name + "=" + encoded(value));
        } else {
          headers.append(name).append(": ").append(value).append("\r\n");
        }
      }
    }
    switch (random.nextInt(12)) {
      case 0 -> {}
      case 1 -> headers.append("Authorization: Bearer ").append(junk(random, false)).append("\r\n");
      case 2, 3, 4, 5, 6 -> bearer(headers, accessKey);
      default -> {
        boolean isOfEntries =
            operation.path().contains("/entries") || operation.path().endsWith("/transactions");
        boolean isForTenants = isOfEntries && random.nextInt(5) > 0;
        bearer(headers, isForTenants ? accessKey : server.operatorKey());
      }
    }
    byte[] body = body(operation, random);
    if (random.nextBoolean()) {
      headers.append("Content-Type: application/json\r\n");
    }
    if (body.length > 0 || random.nextBoolean()) {
      headers.append("Content-Length: ").append(body.length).append("\r\n");
    }
    return new Sent(
        method + " " + path + query + " HTTP/1.1", headers.toString(), body, isElsewhere);
  }

  private static void bearer(StringBuilder headers, String key) {
    headers.append("Authorization: Bearer ").append(key).append("\r\n");
  }

  private static String encoded(String text) {
    return URLEncoder.encode(text, UTF_8).replace("+", "%20");
  }

  /** A part of a path as it may come: also with percents that are none. */
  private static String junkPart(Random random) {
    return switch (random.nextInt(7)) {
      case 0 -> "%";
      case 1 -> "%zz";
      case 2 -> "%FF%00";
      case 3 -> "a%2Fb%2F..%2Fc";
      case 4 -> "%2E%2E";
      case 5 -> "x".repeat(1 + random.nextInt(300));
      default -> encoded(junk(random, true));
    };
  }

  private static String valid(JsonNode parameter, Random random) {
    JsonNode schema = parameter.path("schema");
    if (schema.has("enum")) {
      return schema.path("enum").path(random.nextInt(schema.path("enum").size())).asText();
    }
    if (schema.path("type").asText().equals("integer")) {
      int least = schema.path("minimum").asInt(0);
      return String.valueOf(least + random.nextInt(schema.path("maximum").asInt(100_000)));
    }
    return parameter.has("example") ? parameter.path("example").asText() : "*";
  }

  /** A text of few letters, or of any characters; for headers of printable ones. */
  private static String junk(Random random, boolean anyCharacter) {
    int length = random.nextInt(20);
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < length; i++) {
      text.append(
          anyCharacter && random.nextInt(3) == 0
              ? Character.toString(random.nextInt(0xd800))
              : Character.toString(' ' + random.nextInt(95)));
    }
    return random.nextInt(4) == 0 ? String.valueOf(random.nextLong()) : text.toString();
  }

  private static byte[] body(Operation operation, Random random) {
    JsonNode example = null;
    for (JsonNode media : operation.of().path("requestBody").path("content")) {
      example = media.path("example");
    }
    if (example == null) {
      return random.nextInt(4) == 0 ? junk(random, true).getBytes(UTF_8) : new byte[0];
    }
    return switch (random.nextInt(6)) {
      case 0 -> junk(random, true).getBytes(UTF_8);
      case 1 -> new byte[0];
      case 2, 3 -> mutated(example, random).toString().getBytes(UTF_8);
      default -> (example.isTextual() ? example.asText() : example.toString()).getBytes(UTF_8);
    };
  }

  /** The same with something in it changed. */
  private static JsonNode mutated(JsonNode node, Random random) {
    JsonNode copy = node.deepCopy();
    JsonNode at = copy;
    while (at.isContainerNode() && !at.isEmpty()) {
      if (at instanceof ArrayNode array) {
        int index = random.nextInt(array.size());
        if (random.nextInt(3) == 0 || !array.get(index).isContainerNode()) {
          array.set(index, junkNode(random));
          return copy;
        }
        at = array.get(index);
      } else {
        ObjectNode object = (ObjectNode) at;
        List<String> names = new ArrayList<>();
        object.fieldNames().forEachRemaining(names::add);
        String name = names.get(random.nextInt(names.size()));
        if (random.nextInt(3) == 0 || !object.get(name).isContainerNode()) {
          switch (random.nextInt(3)) {
            case 0 -> object.remove(name);
            case 1 -> object.set(junk(random, true), junkNode(random));
            default -> object.set(name, junkNode(random));
          }
          return copy;
        }
        at = object.get(name);
      }
    }
    return junkNode(random);
  }

  private static JsonNode junkNode(Random random) {
    JsonNodeFactory nodes = JsonNodeFactory.instance;
    return switch (random.nextInt(8)) {
      case 0 -> nodes.nullNode();
      case 1 -> nodes.numberNode(random.nextLong());
      case 2 -> nodes.numberNode(random.nextDouble() * 1e300);
      case 3 -> nodes.booleanNode(random.nextBoolean());
      case 4 -> nodes.arrayNode().add(1);
      case 5 -> nodes.objectNode().put("a", "b");
      case 6 -> nodes.textNode("\ud800" + junk(random, true));
      default -> nodes.textNode(junk(random, true));
    };
  }

  // ---- the wire

  /** By hand: a client that minds its requests would not send most of these. */
  private Answer send(Sent sent) throws IOException {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.server().httpPort())) {
      socket.setSoTimeout(PATIENCE_MILLIS);
      ByteArrayOutputStream request = new ByteArrayOutputStream();
      request.writeBytes((sent.line() + "\r\n" + sent.headers() + "\r\n").getBytes(UTF_8));
      request.writeBytes(sent.body());
      socket.getOutputStream().write(request.toByteArray());
      InputStream in = socket.getInputStream();
      String head = until(in, "\r\n\r\n");
      String headers = head.toLowerCase(Locale.ROOT);
      int status = Integer.parseInt(head.split(" ", 3)[1]);
      String length = header(headers, "content-length");
      boolean isHead = sent.line().startsWith("HEAD ");
      String body = "";
      if (headers.contains("content-type: text/event-stream")) {
        return new Answer(status, headers, body); // events come without an end
      }
      if (!isHead && length != null) {
        body = new String(in.readNBytes(Integer.parseInt(length)), UTF_8);
      } else if (!isHead && header(headers, "transfer-encoding") != null) {
        body = until(in, "\r\n0\r\n\r\n");
      }
      return new Answer(status, headers, body);
    }
  }

  private static @Nullable String header(String headers, String name) {
    for (String line : headers.split("\r\n", -1)) {
      if (line.startsWith(name + ": ")) {
        return line.substring(name.length() + 2).strip();
      }
    }
    return null;
  }

  private static String until(InputStream in, String end) throws IOException {
    StringBuilder text = new StringBuilder();
    while (text.length() < end.length() || text.indexOf(end, text.length() - end.length()) < 0) {
      int next = in.read();
      if (next < 0) {
        throw new AssertionError("the connection ended after: " + text);
      }
      text.append((char) next);
    }
    return text.toString();
  }
}
