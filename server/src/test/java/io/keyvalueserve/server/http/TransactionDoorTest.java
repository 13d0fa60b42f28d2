package io.keyvalueserve.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.keyvalueserve.server.http.HttpServerUnderTest.Answer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import redis.clients.jedis.Jedis;
import redis.clients.jedis.Protocol;
import redis.clients.jedis.Response;
import redis.clients.jedis.Transaction;

/** Transactions over HTTP: a real server, over a real socket. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class TransactionDoorTest {
  private static final int MOST_VALUE_BYTES = 2 << 20;
  private static final int PATIENCE_MILLIS = 60_000;
  private static final String NONE = "\\\"00000000000000000000000000000000\\\"";

  private HttpServerUnderTest server;
  private String key;

  @BeforeAll
  void start(@TempDir Path directory) {
    server =
        HttpServerUnderTest.start(
            Map.of(
                "data",
                directory.resolve("data").toString(),
                "resp.max-value",
                "2m",
                "usage.interval-seconds",
                "1"));
    key = server.tenant("acme");
  }

  @AfterAll
  void stop() {
    server.close();
  }

  private Answer run(String operations) {
    return run(key, "acme", operations);
  }

  private Answer run(@Nullable String accessKey, String tenant, String operations) {
    return server.by(
        accessKey,
        "POST",
        "/api/v1/tenants/" + tenant + "/transactions",
        "{\"operations\":[" + operations + "]}");
  }

  /** Operations are written with simple quotes here. */
  private static String op(String text) {
    return text.replace('\'', '"');
  }

  private JsonNode results(String operations) {
    JsonNode answer = run(op(operations)).is(200).json();
    assertThat(answer.path("committed").asBoolean()).isTrue();
    return answer.path("results");
  }

  private Answer entry(String method, String map, String entryKey, String body, String... headers) {
    return server.call(key, method, path("acme", map, entryKey), body, headers);
  }

  private static String path(String tenant, String map, String entryKey) {
    return "/api/v1/tenants/" + tenant + "/maps/" + map + "/entries/" + entryKey;
  }

  private String value(String map, String entryKey) {
    return entry("GET", map, entryKey, "").is(200).text();
  }

  private static String field(Answer answer) {
    return answer.json().path("error").path("field").asText();
  }

  private static String message(Answer answer) {
    return answer.json().path("error").path("message").asText();
  }

  @Test
  void doesAllOperationsInTheirOrder() {
    JsonNode results =
        results(
            "{'op':'get','map':'a','key':'k'},"
                + "{'op':'check','map':'a','key':'k','exists':false},"
                + "{'op':'put','map':'a','key':'k','value':'v','ttlMillis':100000},"
                + "{'op':'get','map':'a','key':'k'},"
                + "{'op':'check','map':'a','key':'k','value':'v'},"
                + "{'op':'put','map':'a','key':'k','value':'w','ttl':'keep'},"
                + "{'op':'get','map':'a','key':'k'},"
                + "{'op':'increment','map':'b','key':'n','by':-3},"
                + "{'op':'increment','map':'b','key':'n'},"
                + "{'op':'put','map':'b','key':'gone','value':'x'},"
                + "{'op':'delete','map':'b','key':'gone'},"
                + "{'op':'delete','map':'b','key':'gone'}");
    assertThat(results.findValuesAsText("status"))
        .containsExactly(
            "404", "204", "201", "200", "204", "204", "200", "200", "200", "201", "204", "404");
    assertThat(results.path(0).at("/error/code").asText()).isEqualTo("entry_not_found");
    assertThat(results.path(3).path("value").asText()).isEqualTo("v");
    assertThat(results.path(6).path("value").asText()).isEqualTo("w");
    assertThat(results.path(6).path("ttlMillis").asLong()).isBetween(1L, 100_000L);
    assertThat(results.path(7).path("value").asText()).isEqualTo("-3");
    assertThat(results.path(8).path("value").asText()).isEqualTo("-2");
    Answer counter = entry("GET", "b", "n", "").is(200);
    assertThat(counter.text()).isEqualTo("-2");
    assertThat(results.path(8).path("etag").asText()).isEqualTo(counter.header("ETag"));
    assertThat(results.path(5).path("etag").asText())
        .isEqualTo(entry("GET", "a", "k", "").header("ETag"));
    entry("GET", "b", "gone", "").is(404);
  }

  @Test
  void takesKeysAndValuesOfAnyBytes() {
    byte[] bytes = {(byte) 0xff, 0, (byte) 0xfe};
    String coded = Base64.getEncoder().encodeToString(bytes);
    String url = Base64.getUrlEncoder().encodeToString(bytes);
    String keyed = "'map':'binary','key':'" + url + "','keyEncoding':'base64url'";
    String valued = "'value':'" + coded + "','valueEncoding':'base64'";
    JsonNode results =
        results(
            ("{'op':'put',%1$s,%2$s},{'op':'get',%1$s},{'op':'check',%1$s,%2$s},"
                    + "{'op':'put','map':'binary','key':'a/b','value':'ü€😀'},"
                    + "{'op':'get','map':'binary','key':'a/b'}")
                .formatted(keyed, valued));
    assertThat(results.path(1).path("value").asText()).isEqualTo(coded);
    assertThat(results.path(1).path("valueEncoding").asText()).isEqualTo("base64");
    assertThat(results.path(4).path("value").asText()).isEqualTo("ü€😀");
    assertThat(value("binary", "a%2Fb")).isEqualTo("ü€😀");
  }

  /** Each condition is the last of a transaction that changes something before. */
  @Test
  void changesNothingIfAConditionDoesNotHold() {
    entry("PUT", "conditions", "k", "1").is(201);
    String tag = entry("GET", "conditions", "k", "").header("ETag").replace("\"", "\\\"");
    String change = "{'op':'put','map':'conditions','key':'changed','value':'x'},";
    String on = "'map':'conditions','key':'k'";
    String absent = "'map':'conditions','key':'none'";
    for (String unmet :
        List.of(
            "{'op':'check'," + on + ",'exists':false}",
            "{'op':'check'," + absent + ",'exists':true}",
            "{'op':'check'," + on + ",'value':'2'}",
            "{'op':'check'," + absent + ",'value':'2'}",
            "{'op':'check'," + on + ",'ifMatch':'" + NONE + "'}",
            "{'op':'check'," + absent + ",'ifMatch':'*'}",
            "{'op':'put'," + on + ",'value':'2','ifNoneMatch':'*'}",
            "{'op':'put'," + on + ",'value':'2','ifMatch':'" + NONE + "'}",
            "{'op':'put'," + absent + ",'value':'2','ifMatch':'*'}",
            "{'op':'delete'," + on + ",'ifMatch':'" + NONE + "'}",
            "{'op':'delete'," + absent + ",'ifMatch':'*'}")) {
      Answer refused = run(op(change + unmet)).is(412, "precondition_failed");
      assertThat(field(refused)).as(unmet).isEqualTo("operations[1]");
      assertThat(message(refused)).contains("operation 1 (", "'conditions'", "nothing was changed");
      entry("GET", "conditions", "changed", "").is(404);
      entry("GET", "conditions", "none", "").is(404);
      assertThat(value("conditions", "k")).isEqualTo("1");
    }
    JsonNode met =
        results(
            ("{'op':'check',%1$s,'exists':true},{'op':'check',%1$s,'ifMatch':'*'},"
                    + "{'op':'check',%1$s,'ifMatch':'%2$s'},{'op':'check',%1$s,'value':'1'},"
                    + "{'op':'put',%1$s,'value':'2','ifMatch':'%2$s'},"
                    + "{'op':'put',%3$s,'value':'2','ifNoneMatch':'*'},"
                    + "{'op':'delete',%3$s,'ifMatch':'*'}")
                .formatted(on, tag, absent));
    assertThat(met.findValuesAsText("status"))
        .containsExactly("204", "204", "204", "204", "204", "201", "204");
  }

  @Test
  void changesNothingIfAValueDoesNotFit() {
    entry("PUT", "fit", "text", "many").is(201);
    entry("PUT", "fit", "most", String.valueOf(Long.MAX_VALUE)).is(201);
    try (Jedis redis = redis("fit")) {
      redis.hset("hash", "f", "v");
    }
    String change = "{'op':'put','map':'fit','key':'changed','value':'x'},";
    Map<String, String> codes =
        Map.of(
            "{'op':'increment','map':'fit','key':'text'}",
            "not_an_integer",
            "{'op':'increment','map':'fit','key':'most'}",
            "out_of_range",
            "{'op':'increment','map':'fit','key':'hash'}",
            "wrong_type",
            "{'op':'get','map':'fit','key':'hash'}",
            "wrong_type",
            "{'op':'check','map':'fit','key':'hash','value':'v'}",
            "wrong_type",
            "{'op':'put','map':'fit','key':'hash','value':'v','ifMatch':'" + NONE + "'}",
            "wrong_type");
    codes.forEach(
        (operation, code) -> {
          Answer refused = run(op(change + operation)).is(409, code);
          assertThat(field(refused)).isEqualTo("operations[1]");
          entry("GET", "fit", "changed", "").is(404);
        });
    assertThat(results("{'op':'put','map':'fit','key':'hash','value':'v'}").path(0).path("status"))
        .hasToString("204");
  }

  @Test
  void namesTheFieldThatIsWrong() {
    String get = "'op':'get','map':'m'";
    String put = "'op':'put','map':'m','key':'k','value':'v'";
    String check = "'op':'check','map':'m','key':'k'";
    Map<String, String> fields =
        Map.ofEntries(
            Map.entry("7", "operations[1]"),
            Map.entry("{'map':'m','key':'k'}", "operations[1].op"),
            Map.entry("{'op':'fly','map':'m','key':'k'}", "operations[1].op"),
            Map.entry("{'op':'get','key':'k'}", "operations[1].map"),
            Map.entry("{'op':'get','map':'','key':'k'}", "operations[1].map"),
            Map.entry("{'op':'get','map':'a/b/c','key':'k'}", "operations[1].map"),
            Map.entry("{" + get + "}", "operations[1].key"),
            Map.entry("{" + get + ",'key':7}", "operations[1].key"),
            Map.entry("{" + get + ",'key':'!','keyEncoding':'base64url'}", "operations[1].key"),
            Map.entry("{" + get + ",'key':'k','value':'v'}", "operations[1].value"),
            Map.entry("{'op':'put','map':'m','key':'k'}", "operations[1].value"),
            Map.entry("{" + put + ",'ttlMillis':0}", "operations[1].ttlMillis"),
            Map.entry("{" + put + ",'ttl':'soon'}", "operations[1].ttl"),
            Map.entry("{" + put + ",'ttl':'1s','ttlMillis':1}", "operations[1].ttl"),
            Map.entry("{" + put + ",'ifMatch':'x'}", "operations[1].ifMatch"),
            Map.entry("{" + put + ",'ifMatch':7}", "operations[1].ifMatch"),
            Map.entry("{" + put + ",'ifNoneMatch':'x'}", "operations[1].ifNoneMatch"),
            Map.entry("{" + put + ",'ifMatch':'*','ifNoneMatch':'*'}", "operations[1].ifNoneMatch"),
            Map.entry("{" + check + "}", "operations[1]"),
            Map.entry("{" + check + ",'exists':true,'value':'v'}", "operations[1]"),
            Map.entry("{" + check + ",'exists':'yes'}", "operations[1].exists"),
            Map.entry(
                "{'op':'delete','map':'m','key':'k','ifNoneMatch':'*'}",
                "operations[1].ifNoneMatch"),
            Map.entry("{'op':'increment','map':'m','key':'k','by':1.5}", "operations[1].by"));
    String good = "{'op':'put','map':'m','key':'never','value':'v'},";
    fields.forEach(
        (operation, field) ->
            assertThat(field(run(op(good + operation)).is(400, "bad_request")))
                .as(operation)
                .isEqualTo(field));
    for (String body : List.of("{}", "{\"operations\":[]}", "{\"operations\":{}}")) {
      Answer refused = server.by(key, "POST", "/api/v1/tenants/acme/transactions", body);
      assertThat(field(refused.is(400, "bad_request"))).isEqualTo("operations");
    }
    entry("GET", "m", "never", "").is(404);
  }

  @Test
  void boundsOperationsAndBytes() {
    String get = "{\"op\":\"get\",\"map\":\"m\",\"key\":\"k\"}";
    run(String.join(",", Collections.nCopies(1_000, get))).is(200);
    Answer many = run(String.join(",", Collections.nCopies(1_001, get))).is(400, "bad_request");
    assertThat(field(many)).isEqualTo("operations");
    assertThat(message(many)).contains("1000", "1001");
    byte[] longest = new byte[MOST_VALUE_BYTES];
    new Random(1).nextBytes(longest);
    server.call(key, "PUT", path("acme", "long", "k"), longest).is(201);
    String one = "{'op':'get','map':'long','key':'k'}";
    assertThat(results(one).path(0).path("value").asText())
        .isEqualTo(Base64.getEncoder().encodeToString(longest));
    String change = "{'op':'put','map':'long','key':'changed','value':'x'},";
    Answer much = run(op(change + one + "," + one)).is(413, "answer_too_large");
    assertThat(field(much)).isEqualTo("operations[2]");
    entry("GET", "long", "changed", "").is(404);
  }

  @Test
  void opensToTheTenantsOwnKeysOnly() {
    String other = server.tenant("stranger");
    String read = op("{'op':'get','map':'acme/a','key':'k'}");
    Answer foreign = run(other, "acme", read).is(403, "forbidden");
    assertThat(message(foreign)).contains("/api/v1/tenants/stranger/transactions");
    assertThat(field(foreign)).isEqualTo("tenant");
    Answer refused = run(other, "stranger", read).is(403, "forbidden");
    assertThat(field(refused)).isEqualTo("operations[0].map");
    Answer nobody =
        run(other, "stranger", op("{'op':'get','map':'nobody/a','key':'k'}")).is(403, "forbidden");
    assertThat(message(nobody).replace("nobody", "acme")).isEqualTo(message(refused));
    run(server.operatorKey(), "acme", read).is(403, "forbidden");
    run(null, "acme", read).is(401, "unauthorized");
    // A map of the same name is the tenant's own.
    assertThat(
            run(other, "stranger", op("{'op':'get','map':'a','key':'k'}"))
                .is(200)
                .json()
                .at("/results/0/status")
                .asInt())
        .isEqualTo(404);
  }

  /** A row for each operation: the rights that it needs on another tenant's key. */
  @Test
  void needsTheRightsOfItsOperationsOnMapsOfOthers() {
    String other = server.tenant("guest");
    List<Map.Entry<String, List<String>>> needs =
        List.of(
            Map.entry("{'op':'get',%s}", List.of("read")),
            Map.entry("{'op':'check',%s,'exists':false}", List.of("read")),
            Map.entry("{'op':'check',%s,'value':'v'}", List.of("read")),
            Map.entry("{'op':'check',%s,'ifMatch':'" + NONE + "'}", List.of("read")),
            Map.entry("{'op':'put',%s,'value':'1'}", List.of("write")),
            Map.entry("{'op':'put',%s,'value':'1','ifNoneMatch':'*'}", List.of("write")),
            Map.entry(
                "{'op':'put',%s,'value':'1','ifMatch':'" + NONE + "'}", List.of("read", "write")),
            Map.entry("{'op':'delete',%s}", List.of("write")),
            Map.entry("{'op':'delete',%s,'ifMatch':'" + NONE + "'}", List.of("read", "write")),
            Map.entry("{'op':'increment',%s}", List.of("read", "write")));
    int number = 0;
    for (List<String> given :
        List.of(List.<String>of(), List.of("read"), List.of("write"), List.of("read", "write"))) {
      String map = "rights" + number++;
      grant(map, "guest", "lock,admin", "\"prefix\":\"open:\"");
      if (!given.isEmpty()) {
        grant(map, "guest", String.join(",", given), "\"prefix\":\"open:\"");
      }
      needs.forEach(
          need -> {
            String operation = need.getKey();
            List<String> needed = need.getValue();
            String own = op("{'op':'put','map':'own','key':'k" + map + "','value':'v'},");
            String on = "'map':'acme/" + map + "','key':'open:k'";
            Answer answer = run(other, "guest", own + op(operation.formatted(on)));
            if (given.containsAll(needed)) {
              assertThat(answer.status()).as("%s %s", operation, answer.text()).isIn(200, 412);
            } else {
              answer.is(403, "forbidden");
              assertThat(field(answer)).isEqualTo("operations[1]");
              Answer untouched = server.call(other, "DELETE", path("guest", "own", "k" + map), "");
              assertThat(untouched.status()).isIn(404, 204);
            }
            String beyond = "'map':'acme/" + map + "','key':'shut:k'";
            run(other, "guest", own + op(operation.formatted(beyond))).is(403, "forbidden");
          });
    }
    JsonNode audit =
        server
            .operator("GET", "/api/v1/audit?trail=access&kind=request.refused&tenant=acme", "")
            .is(200)
            .json();
    assertThat(audit.findValuesAsText("object")).contains("acme/rights0");
  }

  @Test
  void changesNothingOfItsOwnIfAGrantIsMissing() {
    String other = server.tenant("partner");
    grant("shared", "partner", "read,write", "\"key\":\"open\"");
    String both =
        op(
            "{'op':'put','map':'mine','key':'k','value':'v'},"
                + "{'op':'increment','map':'acme/shared','key':'%s'}");
    run(other, "partner", both.formatted("shut")).is(403, "forbidden");
    server.call(other, "GET", path("partner", "mine", "k"), "").is(404);
    run(other, "partner", both.formatted("open")).is(200);
    assertThat(server.call(other, "GET", path("partner", "mine", "k"), "").is(200).text())
        .isEqualTo("v");
    assertThat(value("shared", "open")).isEqualTo("1");
  }

  private void grant(String map, String to, String rights, String scope) {
    server
        .operator(
            "POST",
            "/api/v1/tenants/acme/maps/" + map + "/grants",
            "{\"to\":\"" + to + "\",\"rights\":\"" + rights + "\"," + scope + "}")
        .is(201);
  }

  @Test
  void holdsQuotasAndChangesNothingBeyondThem() {
    String limited = server.tenant("limited");
    String quota = "/api/v1/tenants/limited/quota";
    server.call(limited, "PUT", path("limited", "other", "k"), "1").is(201);
    server.operator("PUT", quota, "{\"entries\":1,\"valueBytes\":10}").is(200);
    String three =
        op(
            "{'op':'put','map':'m','key':'1','value':'v'},"
                + "{'op':'put','map':'m','key':'2','value':'v'},"
                + "{'op':'delete','map':'other','key':'k'}");
    Answer full = run(limited, "limited", three).is(507, "quota_used");
    assertThat(message(full)).contains("entries", "nothing was changed");
    server.call(limited, "GET", path("limited", "m", "1"), "").is(404);
    server.call(limited, "GET", path("limited", "other", "k"), "").is(200);
    server.operator("PUT", quota, "{\"operationsPerSecond\":5}").is(200);
    Answer answer = run(limited, "limited", three);
    while (answer.status() == 200) { // three of five at once, and five a second
      answer = run(limited, "limited", three);
    }
    answer.is(429, "throttled");
    assertThat(answer.header("Retry-After")).isEqualTo("1");
  }

  @Test
  void chargesEachOperationToItsMapIfItIsCarriedOut() {
    String metered = server.tenant("metered");
    String failing =
        op(
            "{'op':'put','map':'one','key':'k','value':'v'},"
                + "{'op':'check','map':'two','key':'k','exists':true}");
    run(metered, "metered", failing).is(412, "precondition_failed");
    run(
            metered,
            "metered",
            op(
                "{'op':'put','map':'one','key':'k','value':'v'},"
                    + "{'op':'get','map':'one','key':'k'},"
                    + "{'op':'increment','map':'two','key':'n'},"
                    + "{'op':'check','map':'two','key':'k','exists':false},"
                    + "{'op':'delete','map':'two','key':'k'}"))
        .is(200);
    Awaitility.await()
        .atMost(Duration.ofMinutes(1))
        .untilAsserted(
            () -> {
              assertThat(used("metered", "one", "reads")).isEqualTo(1);
              assertThat(used("metered", "one", "writes")).isEqualTo(1);
              assertThat(used("metered", "two", "reads")).isEqualTo(1);
              assertThat(used("metered", "two", "writes")).isEqualTo(1);
              assertThat(used("metered", "two", "deletes")).isEqualTo(1);
            });
    long operations =
        server.operator("GET", "/api/v1/tenants/metered", "").json().path("operations").asLong();
    assertThat(operations).isEqualTo(7);
  }

  private long used(String tenant, String map, String measure) {
    JsonNode usage =
        server.operator("GET", "/api/v1/tenants/" + tenant + "/usage?by=map", "").is(200).json();
    for (JsonNode group : usage.path("usage")) {
      if (group.path("group").asText().equals(tenant + "/" + map)) {
        return group.path("quantities").path(measure).asLong();
      }
    }
    return 0;
  }

  private Jedis redis(String map) {
    Jedis redis = new Jedis("127.0.0.1", server.server().respPort(), PATIENCE_MILLIS);
    redis.auth("acme", key);
    redis.sendCommand(Protocol.Command.SELECT, map);
    return redis;
  }

  /** Transfers from both doors keep the sum, and no reader ever sees a part of one. */
  @Test
  void transfersFromHttpAndRedisClientsKeepTheSum() throws Exception {
    int accounts = 6;
    int transfers = 60;
    for (int i = 0; i < accounts; i++) {
      entry("PUT", i % 2 == 0 ? "even" : "odd", "a" + i, "100").is(201);
    }
    AtomicBoolean over = new AtomicBoolean();
    List<Future<?>> writers = new ArrayList<>();
    List<Future<?>> readers = new ArrayList<>();
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      for (int seed = 0; seed < 2; seed++) {
        Random random = new Random(seed);
        writers.add(threads.submit(() -> overHttp(random, accounts, transfers)));
        writers.add(threads.submit(() -> overRedis(random, accounts, transfers)));
      }
      readers.add(
          threads.submit(
              () -> {
                while (!over.get()) {
                  assertThat(sum(accounts)).isEqualTo(100L * accounts);
                }
              }));
      for (Future<?> each : writers) {
        each.get();
      }
      over.set(true);
      for (Future<?> each : readers) {
        each.get();
      }
    }
    assertThat(sum(accounts)).isEqualTo(100L * accounts);
  }

  private void overHttp(Random random, int accounts, int transfers) {
    for (int done = 0; done < transfers; done++) {
      int from = random.nextInt(accounts);
      int to = random.nextInt(accounts);
      int amount = random.nextInt(10);
      results(add(from, -amount) + "," + add(to, amount));
    }
  }

  private static String add(int account, int amount) {
    String map = account % 2 == 0 ? "even" : "odd";
    return "{'op':'increment','map':'%s','key':'a%d','by':%d}".formatted(map, account, amount);
  }

  private void overRedis(Random random, int accounts, int transfers) {
    try (Jedis redis = redis("even")) {
      for (int done = 0; done < transfers; done++) {
        int amount = random.nextInt(10);
        String from = "a" + random.nextInt(accounts) / 2 * 2;
        String to = "a" + random.nextInt(accounts) / 2 * 2;
        try (Transaction block = redis.multi()) {
          Response<Long> _ = block.decrBy(from, amount);
          Response<Long> _ = block.incrBy(to, amount);
          assertThat(block.exec()).hasSize(2);
        }
      }
    }
  }

  private long sum(int accounts) {
    StringBuilder gets = new StringBuilder();
    for (int i = 0; i < accounts; i++) {
      gets.append(i == 0 ? "" : ",")
          .append("{'op':'get','map':'%s','key':'a%d'}".formatted(i % 2 == 0 ? "even" : "odd", i));
    }
    long sum = 0;
    for (JsonNode each : results(gets.toString())) {
      sum += Long.parseLong(each.path("value").asText());
    }
    return sum;
  }
}
