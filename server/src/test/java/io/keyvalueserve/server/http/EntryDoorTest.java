package io.keyvalueserve.server.http;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.keyvalueserve.server.http.HttpServerUnderTest.Answer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URLEncoder;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** Entries over HTTP: a real server, over a real socket. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class EntryDoorTest {
  private static final int MOST_VALUE_BYTES = 2 << 20;
  private static final String NONE = "00000000000000000000000000000000";

  private HttpServerUnderTest server;
  private String key;

  @BeforeAll
  void start(@TempDir Path directory) {
    server =
        HttpServerUnderTest.start(
            Map.of("data", directory.resolve("data").toString(), "resp.max-value", "2m"));
    key = server.tenant("acme");
  }

  @AfterAll
  void stop() {
    server.close();
  }

  private static String entry(String map, String entryKey) {
    return entry("acme", map, entryKey);
  }

  private static String entry(String tenant, String map, String entryKey) {
    return "/api/v1/tenants/"
        + tenant
        + "/maps/"
        + map
        + "/entries/"
        + URLEncoder.encode(entryKey, UTF_8).replace("+", "%20");
  }

  private Answer get(String path, String... headers) {
    return server.call(key, "GET", path, "", headers);
  }

  private Answer put(String path, String body, String... headers) {
    return server.call(key, "PUT", path, body, headers);
  }

  private Answer delete(String path, String... headers) {
    return server.call(key, "DELETE", path, "", headers);
  }

  @Test
  void createsReadsReplacesAndRemovesAnEntry() {
    String path = entry("people", "user:1");
    get(path).is(404, "entry_not_found");
    Answer created = put(path, "ada").is(201);
    Answer read = get(path).is(200);
    assertThat(read.text()).isEqualTo("ada");
    assertThat(read.header("Content-Type")).isEqualTo("application/octet-stream");
    assertThat(read.header("X-Content-Type-Options")).isEqualTo("nosniff");
    // The first 128 bits of SHA-256("ada"), from another implementation.
    assertThat(read.header("ETag")).isEqualTo("\"fdee430d40bd57deeac186cd9790033d\"");
    assertThat(created.header("ETag")).isEqualTo(read.header("ETag"));
    assertThat(read.header("Kvs-Ttl-Millis")).isEmpty();
    put(path, "bob").is(204);
    assertThat(get(path).text()).isEqualTo("bob");
    assertThat(delete(path).is(204).bytes()).isEmpty();
    delete(path).is(404, "entry_not_found");
  }

  @Test
  void mapsMayHaveColonsAndAtSigns() {
    put(entry("spring:session:sessions", "s1"), "ada").is(201);
    assertThat(get(entry("spring%3Asession%3Asessions", "s1")).is(200).text()).isEqualTo("ada");
    put(entry("or@ders", "s1"), "bob").is(201);
    get(entry("or", "s1")).is(404, "entry_not_found");
    JsonNode listed = get("/api/v1/tenants/acme/maps/or@ders/entries").is(200).json();
    assertThat(listed.path("entries").findValuesAsText("key")).containsExactly("s1");
    put(entry("m".repeat(255), "s1"), "x").is(201);
    put(entry("m".repeat(256), "s1"), "x").is(400, "invalid_name");
  }

  @Test
  void keysAreAnyTextAndAnyBytes() {
    for (String text :
        List.of("a/b", "a//b", "..", "a b+c", "ü€😀", "a;b", "x?y#z", "%41", "a\nb", "batch")) {
      String path = entry("keys", text);
      String shown = text.equals("..") ? path.replace("..", "%2E%2E") : path;
      put(shown, text).is(201);
      assertThat(get(shown).is(200).text()).isEqualTo(text);
    }
    byte[] binary = {(byte) 0xff, 0, '/', (byte) 0xfe};
    String coded = Base64.getUrlEncoder().withoutPadding().encodeToString(binary);
    String path = "/api/v1/tenants/acme/maps/keys/entries/" + coded + "?encoding=base64url";
    put(path, "bytes").is(201);
    assertThat(get(path).text()).isEqualTo("bytes");
    JsonNode listed = get("/api/v1/tenants/acme/maps/keys/entries?limit=1000").is(200).json();
    assertThat(listed.path("entries").findValuesAsText("key"))
        .hasSize(11)
        .contains("a/b", "a//b", "..", "ü€😀", "%41", "a\nb", coded);
    get("/api/v1/tenants/acme/maps/keys/entries/%FF").is(400, "bad_request");
    get("/api/v1/tenants/acme/maps/keys/entries/a?encoding=hex").is(400, "bad_request");
    get("/api/v1/tenants/acme/maps/keys/entries/a!?encoding=base64url").is(400, "bad_request");
    get("/api/v1/tenants/acme/maps/keys%2Fentries/entries/a").is(400, "invalid_name");
    get("/api/v1/tenants/acme/maps/keys/entries/a/b").is(404);
  }

  @Test
  void headSaysAllButTheValueAndLeavesTheConnectionGood() throws Exception {
    String path = entry("heads", "k");
    put(path, "value").is(201);
    Answer head = server.call(key, "HEAD", path, "").is(200);
    assertThat(head.header("Content-Length")).isEqualTo("5");
    assertThat(head.header("ETag")).isEqualTo(get(path).header("ETag"));
    assertThat(head.bytes()).isEmpty();
    String request = "%s %s HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer " + key + "\r\n\r\n";
    String three =
        request.formatted("HEAD", entry("heads", "none"))
            + request.formatted("HEAD", path)
            + request.formatted("GET", path);
    try (Socket socket = connect()) {
      socket.getOutputStream().write(three.getBytes(UTF_8));
      StringBuilder answers = new StringBuilder();
      while (answers.indexOf("value") < 0) {
        answers.append((char) socket.getInputStream().read());
      }
      List<String> parts = List.of(answers.toString().split("\r\n\r\n", -1));
      assertThat(parts.stream().map(part -> part.substring(0, Math.min(12, part.length()))))
          .containsExactly("HTTP/1.1 404", "HTTP/1.1 200", "HTTP/1.1 200", "value");
    }
  }

  private Socket connect() throws IOException {
    Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.server().httpPort());
    socket.setSoTimeout(60_000);
    return socket;
  }

  @Test
  void livesAsLongAsTheRequestSays() {
    String path = entry("ttl", "k");
    put(path + "?ttl=1h", "v").is(201);
    assertThat(Long.parseLong(get(path).header("Kvs-Ttl-Millis")))
        .isBetween(3_500_000L, 3_600_000L);
    put(path, "v", "Kvs-Ttl-Millis", "90000").is(204);
    assertThat(Long.parseLong(get(path).header("Kvs-Ttl-Millis"))).isBetween(60_000L, 90_000L);
    put(path + "?ttl=keep", "w").is(204);
    assertThat(Long.parseLong(get(path).header("Kvs-Ttl-Millis"))).isBetween(30_000L, 90_000L);
    put(path, "v").is(204);
    assertThat(get(path).header("Kvs-Ttl-Millis")).isEmpty();
    put(path + "?ttl=keep", "v").is(204);
    assertThat(get(path).header("Kvs-Ttl-Millis")).isEmpty();
    put(path + "?ttl=1ms", "v").is(204);
    while (get(path).status() != 404) {
      Thread.onSpinWait();
    }
    for (String ttl : List.of("0s", "soon", "-1s", "1.5s", "", "99999999d")) {
      Answer refused = put(path + "?ttl=" + ttl, "v").is(400, "bad_request");
      assertThat(refused.json().path("error").path("field").asText()).isEqualTo("ttl");
    }
    put(path, "v", "Kvs-Ttl-Millis", "0").is(400, "bad_request");
    put(path + "?ttl=1s", "v", "Kvs-Ttl-Millis", "1").is(400, "bad_request");
    put(path + "?ttl=keep", "v").is(201);
    assertThat(get(path).header("Kvs-Ttl-Millis")).isEmpty();
  }

  @Test
  void answersBytesAsWhatWasAskedForIfTheyAreSuch() {
    String json = entry("types", "json");
    put(json, " {\"a\": [1, \"ü\"]} ").is(201);
    String text = entry("types", "text");
    put(text, "grüße").is(201);
    String bytes = entry("types", "bytes");
    server.call(key, "PUT", bytes, new byte[] {(byte) 0xff}).is(201);
    String octets = "application/octet-stream";
    String plain = "text/plain;charset=utf-8";
    assertType(json, "application/json", "application/json");
    assertType(json, "text/html, application/json;q=0.9, */*;q=0.1", "application/json");
    assertType(json, "application/json;q=0.1, text/plain", plain);
    assertType(json, "*/*", octets);
    assertType(json, "application/json;q=0", octets);
    assertType(text, "application/json", octets);
    assertType(text, "application/json, text/*", plain);
    assertType(bytes, "text/plain, application/json", octets);
    assertType(bytes, ";;,,q=", octets);
    for (String almost : List.of("{} {}", "{", "\"\\x\"", "", "nul", "[1,]")) {
      assertThat(ValueType.isJson(almost.getBytes(UTF_8))).as(almost).isFalse();
    }
    for (String whole : List.of("{}", " 1 ", "\"x\"", "[[],{\"a\":{}}]", "null")) {
      assertThat(ValueType.isJson(whole.getBytes(UTF_8))).as(whole).isTrue();
    }
  }

  private void assertType(String path, String accept, String type) {
    assertThat(get(path, "Accept", accept).is(200).header("Content-Type"))
        .as("%s %s", path, accept)
        .isEqualTo(type);
  }

  @Test
  void doesWhatItsConditionsSay() {
    String path = entry("conditions", "k");
    put(path, "1", "If-Match", "*").is(412, "precondition_failed");
    put(path, "1", "If-Match", "\"" + NONE + "\"").is(412, "precondition_failed");
    String one = put(path, "1", "If-None-Match", "*").is(201).header("ETag");
    put(path, "2", "If-None-Match", "*").is(412, "precondition_failed");
    put(path, "2", "If-Match", "\"" + NONE + "\"").is(412, "precondition_failed");
    put(path, "2", "If-Match", "W/" + one).is(412, "precondition_failed");
    put(path, "2", "If-Match", "\"not-one-of-ours\"").is(412, "precondition_failed");
    assertThat(get(path).text()).isEqualTo("1");
    String two = put(path, "2", "If-Match", "\"" + NONE + "\", " + one).is(204).header("ETag");
    put(path, "3", "If-Match", one).is(412, "precondition_failed");
    put(path, "2", "If-Match", "*").is(204);

    assertThat(get(path, "If-None-Match", two).is(304).bytes()).isEmpty();
    assertThat(get(path, "If-None-Match", "\"x\", W/" + two).is(304).header("ETag")).isEqualTo(two);
    get(path, "If-None-Match", "*").is(304);
    get(path, "If-None-Match", one).is(200);
    get(path, "If-Match", two).is(200);
    get(path, "If-Match", one).is(412, "precondition_failed");

    delete(path, "If-Match", one).is(412, "precondition_failed");
    delete(path, "If-None-Match", "*").is(400, "bad_request");
    delete(path, "If-Match", two).is(204);
    delete(path, "If-Match", two).is(412, "precondition_failed");
    delete(path, "If-Match", "*").is(412, "precondition_failed");
    for (String wrong : List.of("x", "\"a\" \"b\"", "", "\"a", "*, \"a\"")) {
      put(path, "1", "If-Match", wrong).is(400, "bad_request");
    }
    put(path, "1", "If-None-Match", one).is(400, "bad_request");
    put(path, "1", "If-None-Match", "*", "If-Match", "*").is(400, "bad_request");
    get(path).is(404);
  }

  /** A counter that many clients raise by compare and set: none of their steps is lost. */
  @Test
  void comparesAndSetsAtOnce() throws Exception {
    String path = entry("counters", "c");
    put(path, "0").is(201);
    int clients = 4;
    int steps = 25;
    List<Future<?>> all = new ArrayList<>();
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      for (int i = 0; i < clients; i++) {
        all.add(
            threads.submit(
                () -> {
                  for (int step = 0; step < steps; step++) {
                    int status;
                    do {
                      Answer seen = get(path).is(200);
                      String next = String.valueOf(Integer.parseInt(seen.text()) + 1);
                      status = put(path, next, "If-Match", seen.header("ETag")).status();
                    } while (status == 412);
                    assertThat(status).isEqualTo(204);
                  }
                }));
      }
      for (Future<?> each : all) {
        each.get();
      }
    }
    assertThat(get(path).text()).isEqualTo(String.valueOf(clients * steps));
  }

  @Test
  void listsKeysPageByPage() {
    String entries = "/api/v1/tenants/acme/maps/listed/entries";
    StringBuilder puts = new StringBuilder();
    Set<String> wanted = new TreeSet<>();
    for (int i = 0; i < 300; i++) {
      puts.append(i == 0 ? "" : ",")
          .append("{\"op\":\"put\",\"key\":\"a*" + i + "\",\"value\":\"x\"}");
      wanted.add("a*" + i);
    }
    batch("listed", puts.toString());
    put(entry("listed", "ab1") + "?ttl=1h", "yy").is(201);
    Set<String> found = new TreeSet<>();
    String cursor = "";
    int pages = 0;
    do {
      JsonNode page = get(entries + "?prefix=a*&limit=50" + cursor).is(200).json();
      page.path("entries").forEach(each -> found.add(each.path("key").asText()));
      assertThat(page.path("entries").size()).isLessThan(150);
      cursor = page.has("cursor") ? "&cursor=" + page.path("cursor").asText() : "";
      pages++;
    } while (!cursor.isEmpty());
    assertThat(found).isEqualTo(wanted);
    assertThat(pages).isGreaterThan(2);
    JsonNode one = get(entries + "?prefix=ab").is(200).json().path("entries").path(0);
    assertThat(one.path("size").asInt()).isEqualTo(2);
    assertThat(one.path("kind").asText()).isEqualTo("string");
    assertThat(one.path("ttlMillis").asLong()).isBetween(1L, 3_600_000L);
    get(entries + "?limit=0").is(400, "bad_request");
    get(entries + "?limit=1001").is(400, "bad_request");
    get(entries + "?cursor=x").is(400, "bad_request");
    assertThat(get("/api/v1/tenants/acme/maps/never/entries").is(200).text())
        .isEqualTo("{\"entries\":[]}");
  }

  private JsonNode batch(String map, String operations) {
    return server
        .call(
            key,
            "POST",
            "/api/v1/tenants/acme/maps/" + map + "/entries/batch",
            "{\"operations\":[" + operations + "]}",
            "Content-Type",
            "application/json")
        .is(200)
        .json()
        .path("results");
  }

  @Test
  void doesManyOperationsAndAnswersEach() {
    String binary = Base64.getEncoder().encodeToString(new byte[] {(byte) 0xff});
    JsonNode results =
        batch(
            "batched",
            "{\"op\":\"get\",\"key\":\"k\"},{\"op\":\"put\",\"key\":\"k\",\"value\":\"v\",\"ttlMillis\":100000},"
                + "{\"op\":\"get\",\"key\":\"k\"},{\"op\":\"put\",\"key\":\"k\",\"value\":\""
                + binary
                + "\",\"valueEncoding\":\"base64\"},{\"op\":\"get\",\"key\":\"aw\",\"keyEncoding\":\"base64url\"},"
                + "{\"op\":\"delete\",\"key\":\"k\"},{\"op\":\"delete\",\"key\":\"k\"}");
    assertThat(results.findValuesAsText("status"))
        .containsExactly("404", "201", "200", "204", "200", "204", "404");
    assertThat(results.path(0).path("error").path("code").asText()).isEqualTo("entry_not_found");
    assertThat(results.path(2).path("value").asText()).isEqualTo("v");
    assertThat(results.path(2).path("ttlMillis").asLong()).isBetween(1L, 100_000L);
    assertThat(results.path(4).path("value").asText()).isEqualTo(binary);
    assertThat(results.path(4).path("valueEncoding").asText()).isEqualTo("base64");
    Map<String, String> wrong =
        Map.of(
            "{}", "operations",
            "{\"operations\":[]}", "operations",
            "{\"operations\":[{\"op\":\"get\"}]}", "operations[0].key",
            "{\"operations\":[{\"op\":\"fly\",\"key\":\"k\"}]}", "operations[0].op",
            "{\"operations\":[{\"op\":\"put\",\"key\":\"k\"}]}", "operations[0].value",
            "{\"operations\":[{\"op\":\"get\",\"key\":\"k\",\"x\":1}]}", "operations[0].x",
            "{\"operations\":[{\"op\":\"get\",\"key\":\"\\ud800\"}]}", "operations[0].key",
            "{\"operations\":[7]}", "operations[0].key",
            "not json", "body");
    wrong.forEach(
        (body, field) -> {
          Answer refused =
              server.call(key, "POST", "/api/v1/tenants/acme/maps/m/entries/batch", body);
          refused.is(400, "bad_request");
          assertThat(refused.json().path("error").path("field").asText()).isEqualTo(field);
        });
    String many = "{\"op\":\"get\",\"key\":\"k\"},".repeat(1001);
    server
        .call(
            key,
            "POST",
            "/api/v1/tenants/acme/maps/m/entries/batch",
            "{\"operations\":[" + many.substring(0, many.length() - 1) + "]}")
        .is(400, "bad_request");
  }

  @Test
  void valuesAreAsLongAsOfRedisClientsAndAnswersAreBounded() {
    byte[] longest = new byte[MOST_VALUE_BYTES];
    new Random(1).nextBytes(longest);
    String path = entry("long", "k");
    server.call(key, "PUT", path, longest).is(201);
    assertThat(get(path).is(200).bytes()).isEqualTo(longest);
    JsonNode both = batch("long", "{\"op\":\"get\",\"key\":\"k\"},{\"op\":\"get\",\"key\":\"k\"}");
    assertThat(both.path(0).path("status").asInt()).isEqualTo(200);
    assertThat(both.path(1).path("error").path("code").asText()).isEqualTo("answer_too_large");
  }

  @Test
  void refusesWhatIsTooLongHoweverItIsSent() throws Exception {
    String head = "PUT %s HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer " + key + "\r\n";
    for (String length : List.of(String.valueOf(MOST_VALUE_BYTES + 1), "99999999999")) {
      try (Socket socket = connect()) {
        String announced =
            head.formatted(entry("long", "x")) + "Content-Length: " + length + "\r\n\r\n";
        socket.getOutputStream().write(announced.getBytes(UTF_8));
        StringBuilder answer = new StringBuilder();
        while (answer.indexOf("raised") < 0) {
          int next = socket.getInputStream().read();
          assertThat(next).as(answer.toString()).isNotNegative();
          answer.append((char) next);
        }
        assertThat(answer.toString())
            .startsWith("HTTP/1.1 413")
            .contains("too_large", "2 MiB at most: send less, or have 'resp.max-value' raised");
      }
    }
    try (Socket socket = connect()) {
      String chunked = head.formatted(entry("long", "x")) + "Transfer-Encoding: chunked\r\n\r\n";
      socket.getOutputStream().write(chunked.getBytes(UTF_8));
      String chunk = "10000\r\n" + "x".repeat(0x10000) + "\r\n";
      for (int i = 0; i <= MOST_VALUE_BYTES / 0x10000; i++) {
        socket.getOutputStream().write(chunk.getBytes(UTF_8));
      }
      byte[] answer = socket.getInputStream().readNBytes(12);
      assertThat(new String(answer, UTF_8)).isEqualTo("HTTP/1.1 413");
    }
    get(entry("long", "x")).is(404, "entry_not_found");
  }

  @Test
  void servesOthersMapsAsFarAsTheyAreGranted() {
    String other = server.tenant("globex");
    String secret = entry("granted", "secret");
    String open = entry("granted", "eu:1");
    put(secret, "s").is(201);
    put(open, "o").is(201);
    server.call(other, "GET", open, "").is(403, "forbidden");
    server.call(other, "GET", entry("nobody", "none", "k"), "").is(403, "forbidden");
    grant("read", "\"prefix\":\"eu:\"");
    assertThat(server.call(other, "GET", open, "").is(200).text()).isEqualTo("o");
    server.call(other, "GET", secret, "").is(403, "forbidden");
    server.call(other, "PUT", open, "x").is(403, "forbidden");
    server.call(other, "DELETE", open, "").is(403, "forbidden");
    String entries = "/api/v1/tenants/acme/maps/granted/entries";
    assertThat(server.call(other, "GET", entries, "").is(200).json().findValuesAsText("key"))
        .containsExactly("eu:1");
    JsonNode results =
        server
            .call(
                other,
                "POST",
                entries + "/batch",
                "{\"operations\":[{\"op\":\"get\",\"key\":\"eu:1\"},{\"op\":\"get\",\"key\":\"secret\"}]}")
            .is(200)
            .json();
    assertThat(results.findValuesAsText("status")).containsExactly("200", "403");
    grant("write", "\"key\":\"only-write\"");
    String write = entry("granted", "only-write");
    server.call(other, "PUT", write, "w").is(201);
    server.call(other, "PUT", write, "w").is(204);
    server.call(other, "GET", write, "").is(403, "forbidden");
    server.call(other, "PUT", write, "w", "If-Match", "\"" + NONE + "\"").is(403, "forbidden");
    server.call(other, "PUT", write, "w", "If-Match", "\"none\"").is(403, "forbidden");
    server.call(other, "DELETE", write, "").is(204);
    JsonNode refused =
        server
            .operator("GET", "/api/v1/audit?trail=access&kind=request.refused&tenant=acme", "")
            .is(200)
            .json();
    assertThat(refused.findValuesAsText("object")).contains("acme/granted");
    assertThat(refused.findValuesAsText("detail"))
        .anyMatch(detail -> detail.startsWith("http: ") && detail.contains("globex"));
  }

  private void grant(String rights, String scope) {
    server
        .operator(
            "POST",
            "/api/v1/tenants/acme/maps/granted/grants",
            "{\"to\":\"globex\",\"rights\":\"" + rights + "\"," + scope + "}")
        .is(201);
  }

  @Test
  void opensToAccessKeysOnlyAndShutsAtOnce() {
    String path = entry("doors", "k");
    Answer operator = server.operator("GET", path, "").is(403, "forbidden");
    assertThat(operator.text()).contains("access key");
    server.call(null, "GET", path, "").is(401, "unauthorized");
    String brief = server.tenant("brief");
    String own = entry("brief", "m", "k");
    server.call(brief, "PUT", own, "v").is(201);
    server.operator("POST", "/api/v1/tenants/brief/suspend", "").is(200);
    server.call(brief, "GET", own, "").is(401, "unauthorized");
    server.operator("POST", "/api/v1/tenants/brief/resume", "").is(200);
    server.call(brief, "GET", own, "").is(200);
    String keyId = server.call(brief, "GET", "/api/v1/me", "").json().path("keyId").asText();
    server.operator("DELETE", "/api/v1/tenants/brief/keys/" + keyId, "").is(200);
    server.call(brief, "GET", own, "").is(401, "unauthorized");
  }

  @Test
  void quotasHoldAndOperationsCountOnce() {
    String limited = server.tenant("limited");
    String quota = "/api/v1/tenants/limited/quota";
    String map = "/api/v1/tenants/limited/maps/m/entries";
    server.operator("PUT", quota, "{\"entries\":1,\"valueBytes\":10}").is(200);
    server.call(limited, "PUT", map + "/a", "1").is(201);
    Answer full = server.call(limited, "PUT", map + "/b", "1").is(507, "quota_used");
    assertThat(full.text()).contains("entries");
    server.call(limited, "PUT", map + "/a", "12345678901").is(507, "quota_used");
    server.operator("PUT", quota, "{}").is(200);

    long before = operations("limited");
    server.call(limited, "GET", map + "/a", "").is(200);
    server.call(limited, "GET", map + "/none", "").is(404);
    server.call(limited, "GET", map, "").is(200);
    server
        .call(
            limited,
            "POST",
            map + "/batch",
            "{\"operations\":[{\"op\":\"get\",\"key\":\"a\"},{\"op\":\"get\",\"key\":\"b\"}]}")
        .is(200);
    server.call(limited, "PUT", map + "/a?ttl=never", "1").is(400);
    assertThat(operations("limited") - before).isEqualTo(5);

    server.operator("PUT", quota, "{\"operationsPerSecond\":5}").is(200);
    String three =
        "{\"operations\":[{\"op\":\"get\",\"key\":\"a\"},{\"op\":\"get\",\"key\":\"a\"},{\"op\":\"get\",\"key\":\"a\"}]}";
    Answer answer = server.call(limited, "POST", map + "/batch", three);
    while (answer.status() == 200) { // three of five at once, and five a second
      answer = server.call(limited, "POST", map + "/batch", three);
    }
    answer.is(429, "throttled");
    assertThat(answer.header("Retry-After")).isEqualTo("1");
    server.operator("PUT", quota, "{\"bytesOutPerSecond\":1}").is(200);
    Answer read = server.call(limited, "GET", map + "/a", "");
    while (read.status() == 200) {
      read = server.call(limited, "GET", map + "/a", "");
    }
    read.is(429, "throttled");
    assertThat(read.text()).contains("bytes of answers");
    Answer own = server.call(limited, "GET", quota, "").is(200); // who has used it up may see why
    for (int i = 0; i < 5_000 && own.status() == 200; i++) { // 200 at once, and 50 a second
      own = server.call(limited, "GET", quota, "");
    }
    own.is(429, "throttled");
    assertThat(own.text()).contains("50 requests a second that are not on entries");
    assertThat(own.header("Retry-After")).isEqualTo("1");
  }

  private long operations(String tenant) {
    return server
        .operator("GET", "/api/v1/tenants/" + tenant, "")
        .is(200)
        .json()
        .path("operations")
        .asLong();
  }

  @Test
  void letsADeveloperInToTheTenantDevAndNoPage() throws Exception {
    try (HttpServerUnderTest dev = HttpServerUnderTest.start(Map.of("dev", "true"))) {
      String path = entry("dev", "people", "user:1");
      dev.call(null, "PUT", path, "ada").is(201);
      assertThat(dev.call(null, "GET", path, "").is(200).text()).isEqualTo("ada");
      String batch = "/api/v1/tenants/dev/maps/people/entries/batch";
      String one = "{\"operations\":[{\"op\":\"get\",\"key\":\"user:1\"}]}";
      dev.call(null, "POST", batch, one, "Content-Type", "text/plain").is(415);
      dev.call(null, "POST", batch, one, "Content-Type", "application/json").is(200);
      String evil = "http://evil.example";
      dev.call(null, "PUT", path, "eve", "Origin", evil).is(403, "foreign_origin");
      dev.call(null, "DELETE", path, "", "Sec-Fetch-Site", "cross-site").is(403, "foreign_origin");
      assertThat(dev.call(null, "GET", path, "", "Origin", evil).is(200).text()).isEqualTo("ada");
      dev.tenant("acme");
      dev.call(null, "GET", entry("acme", "people", "user:1"), "").is(403, "forbidden");
      dev.call("wrong", "GET", path, "").is(401, "unauthorized");
      try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), dev.server().httpPort())) {
        String rebound =
            "GET " + path + " HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n";
        socket.getOutputStream().write(rebound.getBytes(UTF_8));
        assertThat(new String(socket.getInputStream().readNBytes(12), UTF_8))
            .isEqualTo("HTTP/1.1 401");
      }
    }
  }
}
