package io.keyvalueserve.server.http;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.keyvalueserve.billing.metering.Measure;
import io.keyvalueserve.billing.metering.UsageEvent;
import io.keyvalueserve.billing.pricing.RateCard;
import io.keyvalueserve.billing.pricing.RateCards;
import io.keyvalueserve.billing.pricing.RateCardsCodec;
import io.keyvalueserve.server.Server;
import io.keyvalueserve.server.TestUse;
import io.keyvalueserve.server.config.ConfigReader;
import java.io.IOException;
import java.math.BigDecimal;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Usage, bills and prices at the HTTP door of a real server, whose ledgers are filled directly. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class BillDoorTest {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final String MONDAY = "2026-03-02T08:00:00Z";
  private static final String PAPER = RateCardsCodec.encode(RateCards.of(RateCard.paper()));

  private final HttpClient http = HttpClient.newHttpClient();
  private @Nullable Server server;
  private String operator = "";

  /** A tenant, and what it used. */
  private record Payer(String name, String key, TestUse use) {
    String path(String rest) {
      return "/api/v1/tenants/" + name + "/" + rest;
    }
  }

  @BeforeAll
  void start(@TempDir Path directory) throws IOException {
    server =
        Server.start(
            ConfigReader.read(
                null,
                Map.of(
                    "data", directory.resolve("data").toString(),
                    "resp-port", "0",
                    "http-port", "0",
                    "client-port", "0",
                    "member-port", "0",
                    "memory.size", "64m",
                    "log-level", "warn")));
    operator = Files.readString(Objects.requireNonNull(server.operatorKey())).strip();
  }

  @AfterAll
  void stop() {
    if (server != null) {
      server.close();
    }
  }

  private Payer tenant(String name) throws Exception {
    JsonNode made = json(call("POST", "/api/v1/tenants", "{\"name\":\"" + name + "\"}"));
    return new Payer(
        name, made.path("key").asText(), new TestUse(name, made.path("number").asInt()));
  }

  private void post(List<UsageEvent> events) {
    assertThat(Objects.requireNonNull(server).ledger().post(events).taken())
        .isEqualTo(events.size());
  }

  /** A tenant that had a gigabyte in memory for three peak hours: the paper's example. */
  private Payer paper(String name) throws Exception {
    Payer payer = tenant(name);
    post(payer.use().gigabyte("orders", MONDAY, 180));
    return payer;
  }

  @Test
  void billsThePapersExample() throws Exception {
    Payer payer = paper("paper");
    JsonNode bill = json(get(payer.path("bill?month=2026-03")));
    assertThat(bill.path("total").asText()).isEqualTo("0.355000");
    assertThat(bill.path("currency").asText()).isEqualTo("USD");
    assertThat(bill.path("forecast").path("total").asText()).isEqualTo("0.355000");
    assertThat(bill.path("lines")).hasSize(2);
    JsonNode amount = bill.path("lines").get(0);
    assertThat(amount.path("quantity").asText()).isEqualTo("1000000000");
    assertThat(amount.path("per").asLong()).isEqualTo(500_000_000);
    assertThat(amount.path("amount").asText()).isEqualTo("0.160000");
    assertThat(bill.path("head").path("entries").asInt()).isEqualTo(180);
    JsonNode schema = json(get("/openapi")).at("/components/schemas/Bill");
    schema
        .path("required")
        .forEach(field -> assertThat(bill.has(field.asText())).as(field.asText()).isTrue());
    bill.fieldNames()
        .forEachRemaining(
            field -> assertThat(schema.path("properties").has(field)).as(field).isTrue());

    post(payer.use().gigabyte("orders", "2026-03-08T08:00:00Z", 180)); // a Sunday
    assertThat(json(get(payer.path("bill?month=2026-03"))).path("total").asText())
        .isEqualTo("0.550000");
  }

  /** The same figures as KVS.COST gives, and as the rate card says. */
  @Test
  void quotesACommandAsRedisClientsAreQuoted() throws Exception {
    Payer payer = tenant("quoted");
    String prices =
        """
        "rates":[{"measure":"writes","basis":"amount","per":1000,"peak":"3","offPeak":"3"},
          {"measure":"bytesIn","basis":"amount","per":1000000,"peak":"2","offPeak":"2"}]""";
    String rates = PAPER.replaceFirst("\"rates\":\\[[^]]*]", prices).replace("paper-2018", "dear");
    assertThat(call("PUT", "/api/v1/rates", rates).statusCode()).isEqualTo(200);
    try {
      String body = "{\"command\":[\"MSET\",\"a\",\"1\",\"b\",\"2\"]}";
      JsonNode cost = json(call("POST", payer.path("cost"), body, payer.key()));
      assertThat(cost.path("operation").asText()).isEqualTo("writes");
      assertThat(cost.path("operations").asInt()).isEqualTo(2);
      long bytes = cost.path("bytesIn").asLong();
      assertThat(new BigDecimal(cost.path("amount").asText()))
          .isEqualByComparingTo(BigDecimal.valueOf(2 * 3, 3).add(BigDecimal.valueOf(bytes * 2, 6)));
      assertThat(cost.path("currency").asText()).isEqualTo("USD");
      assertThat(cost.path("card").asText()).isEqualTo("dear");
      assertThat(cost.path("parts")).hasSize(2);
      assertThat(json(call("POST", payer.path("cost"), body)).path("amount"))
          .isEqualTo(cost.path("amount"));
      // The doors look prices up once a second.
      org.awaitility.Awaitility.await()
          .until(() -> redis(payer.key(), "KVS.COST", "MSET", "a", "1", "b", "2").contains("dear"));
      String redis = redis(payer.key(), "KVS.COST", "MSET", "a", "1", "b", "2");
      for (String field : List.of("amount", "minute", "currency", "card", "operation")) {
        assertThat(redis).contains("\r\n" + cost.path(field).asText() + "\r\n");
      }
      assertThat(redis).endsWith(":" + bytes + "\r\n");
      assertThat(redis(payer.key(), "EXISTS", "a")).endsWith(":0\r\n");
    } finally {
      assertThat(call("PUT", "/api/v1/rates", PAPER).statusCode()).isEqualTo(200);
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      value = {
        "{} | 'command' is a Redis command",
        "{\"command\":[]} | 'command' is a Redis command",
        "{\"command\":\"GET k\"} | 'command' is a Redis command",
        "{\"command\":[1]} | 'command' is a Redis command",
        "{\"command\":[\"NONSENSE\"]} | unknown command",
        "{\"command\":[\"GET\"]} | wrong number of arguments",
        "{\"command\":[\"\"]} | unknown command",
        "{\"command\":[\"GET\",\"k\"],\"dry\":true} | 'dry'"
      })
  void saysWhatIsWrongWithACommand(String body, String message) throws Exception {
    // There from the first case on.
    assertThat(call("POST", "/api/v1/tenants", "{\"name\":\"asker\"}").statusCode()).isIn(201, 409);
    HttpResponse<String> refused = call("POST", "/api/v1/tenants/asker/cost", body);
    assertThat(refused.statusCode()).isEqualTo(400);
    assertThat(refused.body()).contains(message);
  }

  /** What the door for Redis clients answers, after AUTH. */
  private String redis(String key, String... words) throws IOException {
    try (java.net.Socket socket =
        new java.net.Socket(
            java.net.InetAddress.getLoopbackAddress(), Objects.requireNonNull(server).respPort())) {
      StringBuilder sent = new StringBuilder("AUTH " + key + "\r\n*" + words.length + "\r\n");
      for (String word : words) {
        sent.append("$").append(word.length()).append("\r\n").append(word).append("\r\n");
      }
      socket.getOutputStream().write(sent.append("QUIT\r\n").toString().getBytes(UTF_8));
      String all = new String(socket.getInputStream().readAllBytes(), UTF_8);
      assertThat(all).startsWith("+OK\r\n").endsWith("+OK\r\n");
      return all.substring(5, all.length() - 5);
    }
  }

  /** A ledger is its tenant's by number: a later tenant of the name has another one. */
  @Test
  void aDeletedTenantsBillStaysAndIsNoneOfItsSuccessors() throws Exception {
    Payer former = paper("phoenix");
    int number = former.use().tenantNumber();
    assertThat(call("DELETE", "/api/v1/tenants/phoenix", "").statusCode()).isEqualTo(200);
    assertThat(get(former.path("bill")).statusCode()).isEqualTo(404);

    Payer next = tenant("phoenix");
    assertThat(next.use().tenantNumber()).isNotEqualTo(number);
    post(List.of(next.use().of("orders", MONDAY, Map.of(Measure.READS, 1L))));
    assertThat(json(get(next.path("bill?month=2026-03"))).path("total").asText())
        .isEqualTo("0.000000");
    HttpResponse<String> own = call("GET", next.path("ledger?format=json"), "", next.key());
    assertThat(own.body().lines()).hasSize(1);
    assertThat(json(get(next.path("usage?from=2026-03-01T00:00:00Z"))).toString())
        .doesNotContain("residentByteSeconds");

    String old = "/api/v1/bills/phoenix/" + number;
    assertThat(json(get(old + "?month=2026-03")).path("total").asText()).isEqualTo("0.355000");
    assertThat(json(get(old + "/verify?month=2026-03")).path("valid").asBoolean()).isTrue();
    assertThat(get(old + "/ledger?format=json").body().lines()).hasSize(180);
    for (String path : List.of("", "/verify", "/ledger")) {
      assertThat(call("GET", old + path, "", next.key()).statusCode()).isEqualTo(403);
    }

    JsonNode deleted = json(get("/api/v1/bills?month=2026-03&deleted=true")).path("bills");
    assertThat(deleted.findValuesAsText("state")).containsOnly("deleted");
    assertThat(deleted.findValuesAsText("number"))
        .contains(String.valueOf(number))
        .doesNotContain(String.valueOf(next.use().tenantNumber()));
    JsonNode all = json(get("/api/v1/bills?month=2026-03")).path("bills");
    for (JsonNode bill : all) {
      if (bill.path("number").asInt() == number) {
        assertThat(bill.path("tenant").asText()).isEqualTo("phoenix");
        assertThat(bill.path("total").asText()).isEqualTo("0.355000");
        assertThat(bill.path("head").path("entries").asInt()).isEqualTo(180);
      }
    }
    assertThat(all.findValuesAsText("number"))
        .contains(String.valueOf(number), String.valueOf(next.use().tenantNumber()))
        .doesNotHaveDuplicates();

    assertThat(get("/api/v1/bills/globex/" + number).statusCode()).isEqualTo(404);
    assertThat(get("/api/v1/bills/phoenix/999999").body()).contains("no_such_ledger");
    assertThat(get("/api/v1/bills/phoenix/x").statusCode()).isEqualTo(400);
    assertThat(get("/api/v1/bills?deleted=maybe").statusCode()).isEqualTo(400);
  }

  @Test
  void exportsAMonthAsOpenMetricsAndTheRunningOneAmongTheMetrics() throws Exception {
    Payer payer = paper("measured");
    HttpResponse<String> march =
        call("GET", payer.path("ledger?format=openmetrics&month=2026-03"), "", payer.key());
    assertThat(march.headers().firstValue("Content-Type").orElse(""))
        .startsWith("application/openmetrics-text; version=1.0.0");
    assertThat(march.body())
        .contains("kvs_bill_spend{tenant=\"measured\",currency=\"USD\"} 0.355000\n")
        .contains(
            "kvs_usage_byte_seconds_total{tenant=\"measured\",measure=\"residentBytes\"}"
                + " 10800000000000\n")
        .endsWith("\n# EOF\n");
    HttpResponse<String> metrics = get("/metrics");
    assertThat(metrics.body()).endsWith("\n# EOF\n").containsOnlyOnce("# EOF");
    assertThat(metrics.body()).containsOnlyOnce("# TYPE kvs_usage_requests counter");
    org.awaitility.Awaitility.await()
        .until(() -> get("/metrics").body().contains("kvs_bill_spend{tenant="));
  }

  @Test
  void aMonthWithoutUseCostsNothing() throws Exception {
    Payer payer = tenant("idle");
    for (String month : List.of("", "?month=2026-03", "?month=1970-01", "?month=9999-12")) {
      JsonNode bill = json(get(payer.path("bill" + month)));
      assertThat(bill.path("total").asText()).isEqualTo("0.000000");
      assertThat(bill.path("lines")).isEmpty();
      assertThat(bill.path("forecast").path("total").asText()).isEqualTo("0.000000");
    }
    assertThat(json(get(payer.path("bill/verify"))).path("valid").asBoolean()).isTrue();
    assertThat(json(get(payer.path("usage"))).path("usage")).isEmpty();
  }

  @Test
  void addsUpUsage() throws Exception {
    Payer payer = tenant("user");
    post(
        List.of(
            payer.use().of("a", "2026-03-02T08:00:00Z", Map.of(Measure.READS, 1L)),
            payer.use().of("b", "2026-03-02T08:59:00Z", Map.of(Measure.READS, 10L)),
            payer.use().of("a", "2026-03-03T09:00:00Z", Map.of(Measure.WRITES, 100L))));
    String march = "usage?from=2026-03-01T00:00:00Z&to=2026-04-01T00:00:00Z&by=";
    assertThat(json(get(payer.path(march + "map"))).path("usage").toString())
        .isEqualTo(
            "[{\"group\":\"user/a\",\"quantities\":{\"reads\":\"1\",\"writes\":\"100\"}},"
                + "{\"group\":\"user/b\",\"quantities\":{\"reads\":\"10\"}}]");
    assertThat(json(get(payer.path(march + "hour"))).path("usage").toString())
        .startsWith("[{\"group\":\"2026-03-02T08:00:00Z\",\"quantities\":{\"reads\":\"11\"}},");
    assertThat(json(get(payer.path(march + "day"))).path("usage").findValuesAsText("group"))
        .containsExactly("2026-03-02", "2026-03-03");
    JsonNode month = json(get(payer.path(march + "month")));
    assertThat(month.path("usage").findValuesAsText("group")).containsExactly("2026-03");
    json(get("/openapi"))
        .at("/components/schemas/Usage/required")
        .forEach(field -> assertThat(month.has(field.asText())).as(field.asText()).isTrue());
    assertThat(json(get(payer.path("usage"))).path("usage")).isEmpty(); // this month
    assertThat(json(get(payer.path("usage?to=2026-03-02T08:59:00Z"))).path("usage")).hasSize(1);
    String minutes = "usage?by=minute&from=2026-03-02T08:00:00Z&to=2026-03-02T08:59:00Z";
    assertThat(json(get(payer.path(minutes))).path("usage")).hasSize(1);
  }

  @Test
  void showsUsageThatAFastClockDatedInTheFuture() throws Exception {
    Payer payer = tenant("early");
    Instant now = Instant.now();
    String inAnHour = now.plusSeconds(3600).toString();
    post(List.of(payer.use().of("a", inAnHour, Map.of(Measure.WRITES, 100L))));
    assertThat(json(get(payer.path("usage"))).at("/usage/0/quantities/writes").asText())
        .isEqualTo("100");
    assertThat(json(get(payer.path("usage?to=" + now))).path("usage")).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({
    "usage?by=week, by",
    "usage?from=yesterday, from",
    "usage?from=2026-03-02T08:00:00Z&to=2026-03-02T08:00:00Z, from",
    "usage?from=2026-03-01T00:00:00Z&to=2026-04-01T00:00:00Z&by=minute, by",
    "usage?to=2026-03-31T08:00:00Z&by=minute, by",
    "usage?since=2026-03-01T00:00:00Z, since",
    "bill?month=march, month",
    "bill?month=2026-13, month",
    "bill/verify?entries=1, hash",
    "bill/verify?total=1.5, entries",
    "bill/verify?entries=1&hash=abc, hash",
    "bill/verify?entries=-1&hash=abc, entries",
    "ledger?format=xml, format",
    "ledger?issuer=me, issuer",
  })
  void namesTheParameterThatIsWrong(String path, String field) throws Exception {
    HttpResponse<String> answer = get("/api/v1/tenants/nobody/" + path);
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(400);
    assertThat(json(answer).path("error").path("field").asText()).isEqualTo(field);
  }

  @Test
  void checksBillsThatWereKept() throws Exception {
    Payer payer = paper("careful");
    JsonNode bill = json(get(payer.path("bill?month=2026-03")));
    String hash = bill.path("head").path("hash").asText();
    String kept = "bill/verify?month=2026-03&entries=180&hash=" + hash;
    post(payer.use().gigabyte("orders", "2026-03-03T08:00:00Z", 1)); // the ledger goes on
    assertValid(payer.path("bill/verify?month=2026-03"));
    assertValid(payer.path(kept));
    assertValid(payer.path(kept + "&total=0.355"));
    assertDiffers(payer.path(kept + "&total=0.36"), "total");
    String other = (hash.startsWith("0") ? "1" : "0") + hash.substring(1);
    assertDiffers(payer.path(kept.replace(hash, other)), other);
    assertDiffers(payer.path(kept.replace("=180", "=182")), "entry 181 is missing");
    assertDiffers(payer.path(kept.replace("=180", "=179")), hash);
  }

  private void assertValid(String path) throws Exception {
    HttpResponse<String> answer = get(path);
    assertThat(answer.body()).isEqualTo("{\"valid\":true}");
  }

  private void assertDiffers(String path, String what) throws Exception {
    JsonNode answer = json(get(path));
    assertThat(answer.path("valid").asBoolean(true)).isFalse();
    assertThat(answer.path("difference").asText()).contains(what);
  }

  @Test
  void correctsOnceAndLeavesATrace() throws Exception {
    Payer payer = paper("wronged");
    String corrections = payer.path("ledger/corrections");
    String body =
        "{\"id\":\"00000000-0000-0001-0000-000000000002\",\"entry\":0,"
            + "\"changes\":{\"residentByteSeconds\":-60000000000},\"reason\":\"never there\"}";
    HttpResponse<String> made = call("POST", corrections, body);
    assertThat(made.statusCode()).as(made.body()).isEqualTo(201);
    assertThat(json(made).path("entry").asInt()).isEqualTo(180);
    HttpResponse<String> again = call("POST", corrections, body);
    assertThat(again.statusCode()).isEqualTo(200);
    assertThat(json(again)).isEqualTo(json(made));
    assertThat(json(get(payer.path("bill?month=2026-03"))).path("lines").get(1).path("quantity"))
        .hasToString("\"179\"");
    assertRefused(call("POST", corrections, body.replace("never", "not")), 409, "wrong_correction");
    assertRefused(call("POST", corrections, body.replace("0002", "0003")), 409, "wrong_correction");
    assertRefused(call("POST", corrections, body.replace(":0,", ":\"0\",")), 400, "bad_request");
    assertRefused(call("POST", corrections, body.replace("-6", "-6.5")), 400, "bad_request");
    assertRefused(call("POST", corrections, body.replace("resident", "r")), 400, "bad_request");
    assertRefused(call("POST", corrections, body.replace("\"id\"", "\"i\"")), 400, "bad_request");
    assertRefused(call("POST", corrections, body.replace("never there", "")), 400, "bad_request");
    assertRefused(call("POST", corrections, body, payer.key()), 403, "forbidden");
    JsonNode events = json(get("/api/v1/audit?kind=ledger.corrected&tenant=wronged"));
    assertThat(events.path("events")).hasSize(1);
    assertThat(events.path("events").get(0).path("detail").asText()).contains("never there");
  }

  @Test
  void exportsInEveryFormat() throws Exception {
    Payer payer = paper("exporter");
    post(payer.use().gigabyte("orders", "2026-04-01T08:00:00Z", 2));
    String march = payer.path("ledger?month=2026-03");
    List<String> entries = lines(get(march));
    assertThat(entries).hasSize(180);
    assertThat(JSON.readTree(entries.get(3)).path("entry").asInt()).isEqualTo(3);
    assertThat(lines(get(payer.path("ledger")))).hasSize(182);
    List<String> csv = lines(get(march + "&format=csv"));
    assertThat(csv).hasSize(181);
    assertThat(csv.getFirst()).startsWith("member,incarnation,interval,tenant");
    List<String> events = lines(get(march + "&format=cloudevents"));
    assertThat(events).hasSize(180);
    assertThat(JSON.readTree(events.getFirst()).path("subject").asText())
        .isEqualTo("exporter/orders");
    List<String> invoice = lines(get(march + "&format=invoice"));
    assertThat(invoice.getLast()).contains(",total,").endsWith("0.355000,USD");
    HttpResponse<String> focus = get(march + "&format=focus&issuer=Cloud%20GmbH");
    assertThat(focus.headers().firstValue("Content-Type")).hasValue("text/csv");
    List<String> rows = lines(focus);
    assertThat(rows.get(1)).contains("Cloud GmbH");
    assertThat(
            rows.subList(1, rows.size()).stream()
                .map(row -> new BigDecimal(row.substring(0, row.indexOf(','))))
                .reduce(BigDecimal.ZERO, BigDecimal::add))
        .isEqualByComparingTo("0.355");
  }

  private static List<String> lines(HttpResponse<String> answer) {
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
    return answer.body().lines().toList();
  }

  @Test
  void changesPricesAsAWhole() throws Exception {
    int before = json(get("/api/v1/audit?kind=rates.changed")).path("events").size();
    Payer payer = paper("priced");
    assertThat(get("/api/v1/rates").body()).isEqualTo(PAPER);
    String dearer = PAPER.replace("\"0.08\"", "0.16");
    try {
      assertThat(call("PUT", "/api/v1/rates", dearer).statusCode()).isEqualTo(200);
      assertThat(get("/api/v1/rates").body()).contains("\"peak\":\"0.16\"");
      assertThat(json(get(payer.path("bill?month=2026-03"))).path("total").asText())
          .isEqualTo("0.515000");
      HttpResponse<String> wrong =
          call("PUT", "/api/v1/rates", PAPER.replace("\"per\":60,", "\"per\":0,"));
      assertRefused(wrong, 400, "invalid_rates");
      assertThat(json(wrong).path("error").path("field").asText())
          .isEqualTo("cards[0].rates[1].per");
      assertRefused(call("PUT", "/api/v1/rates", ""), 400, "invalid_rates");
      assertThat(get("/api/v1/rates").body()).contains("\"peak\":\"0.16\"");

      String late = PAPER.replace("2000-01-01", "2027-01-01");
      assertThat(call("PUT", "/api/v1/rates", late).statusCode()).isEqualTo(200);
      assertRefused(get(payer.path("bill?month=2026-03")), 409, "no_rate_card");
      assertRefused(get(payer.path("bill/verify?month=2026-03")), 409, "no_rate_card");
    } finally {
      assertThat(call("PUT", "/api/v1/rates", PAPER).statusCode()).isEqualTo(200);
    }
    assertThat(call("PUT", "/api/v1/rates", PAPER).statusCode()).isEqualTo(200); // no change
    assertThat(json(get("/api/v1/audit?kind=rates.changed")).path("events")).hasSize(before + 3);
  }

  @Test
  void showsTenantsTheirOwn() throws Exception {
    Payer payer = paper("own");
    Payer other = tenant("other");
    for (String path : List.of("usage", "bill", "bill/verify", "ledger")) {
      assertThat(call("GET", payer.path(path), "", payer.key()).statusCode()).isEqualTo(200);
      assertRefused(call("GET", payer.path(path), "", other.key()), 403, "forbidden");
      assertRefused(call("POST", payer.path(path), "{}", payer.key()), 403, "forbidden");
      assertRefused(get("/api/v1/tenants/nobody/" + path), 404, "no_such_tenant");
    }
    assertRefused(call("GET", "/api/v1/rates", "", payer.key()), 403, "forbidden");
    assertRefused(call("PUT", "/api/v1/rates", PAPER, payer.key()), 403, "forbidden");
  }

  private void assertRefused(HttpResponse<String> answer, int status, String code)
      throws IOException {
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(status);
    assertThat(json(answer).path("error").path("code").asText()).isEqualTo(code);
    assertThat(json(answer).path("error").path("message").asText()).isNotEmpty();
  }

  private static JsonNode json(HttpResponse<String> answer) throws IOException {
    return JSON.readTree(answer.body());
  }

  private HttpResponse<String> get(String path) throws Exception {
    return call("GET", path, "");
  }

  private HttpResponse<String> call(String method, String path, String body) throws Exception {
    return call(method, path, body, operator);
  }

  private HttpResponse<String> call(String method, String path, String body, String key)
      throws Exception {
    int port = Objects.requireNonNull(server).httpPort();
    return http.send(
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
            .header("Content-Type", "application/json")
            .header("Authorization", "Bearer " + key)
            .method(method, HttpRequest.BodyPublishers.ofString(body))
            .build(),
        HttpResponse.BodyHandlers.ofString());
  }
}
