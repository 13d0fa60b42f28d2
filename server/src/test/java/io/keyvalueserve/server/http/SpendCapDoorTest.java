package io.keyvalueserve.server.http;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.keyvalueserve.billing.metering.Measure;
import io.keyvalueserve.billing.pricing.Basis;
import io.keyvalueserve.billing.pricing.Rate;
import io.keyvalueserve.billing.pricing.RateCard;
import io.keyvalueserve.billing.pricing.RateCards;
import io.keyvalueserve.billing.pricing.RateCardsCodec;
import io.keyvalueserve.server.TestUse;
import io.keyvalueserve.server.http.HttpServerUnderTest.Answer;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.math.BigDecimal;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.YearMonth;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Currency;
import java.util.HashMap;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** Spend caps at the doors of a real server: what is admitted, told, warned of, and kept. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class SpendCapDoorTest {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final String SECRET = "0123456789abcdef";

  private @Nullable HttpServerUnderTest started;
  private Map<String, String> settings = Map.of();

  @BeforeAll
  void start(@TempDir Path directory) {
    settings =
        Map.of(
            "data",
            directory.toString(),
            "usage.interval-seconds",
            "1",
            "webhook.allow-http",
            "true");
    started = HttpServerUnderTest.start(settings);
    server().operator("PUT", "/api/v1/rates", rates("USD")).is(200);
    String key = server().tenant("probe");
    cap("probe", "0.001");
    await() // for the prices to hold
        .atMost(PATIENCE)
        .untilAsserted(() -> assertThat(write("probe", key).status()).isEqualTo(402));
  }

  @AfterAll
  void stop() {
    server().close();
  }

  private HttpServerUnderTest server() {
    return requireNonNull(started);
  }

  /** A cent for each write, and a dollar for the most bytes of a day but the first 10 MB. */
  private static String rates(String currency) {
    RateCard paper = RateCard.paper();
    return RateCardsCodec.encode(
        RateCards.of(
            new RateCard(
                "test",
                paper.from(),
                null,
                paper.calendar(),
                Currency.getInstance(currency),
                6,
                List.of(
                    Rate.of(Measure.WRITES, Basis.AMOUNT, 1, "0.01", "0.01"),
                    Rate.of(Measure.RESIDENT_BYTES, Basis.AMOUNT, 1_000_000_000, "1", "1")
                        .freeOf("0.01")),
                paper.sharing(),
                BigDecimal.ZERO)));
  }

  private static String path(String tenant) {
    return "/api/v1/tenants/" + tenant + "/spend-cap";
  }

  private Answer cap(String tenant, String amount) {
    return server().operator("PUT", path(tenant), "{\"cap\":\"" + amount + "\"}").is(200);
  }

  private Answer write(String tenant, String key) {
    return server().call(key, "PUT", "/api/v1/tenants/" + tenant + "/maps/m/entries/k", "v");
  }

  private JsonNode shown(String tenant) {
    return server().operator("GET", path(tenant), "").is(200).json();
  }

  private String redis(String tenant, String key, String... commands) throws IOException {
    StringBuilder replies = new StringBuilder();
    try (Socket socket =
            new Socket(InetAddress.getLoopbackAddress(), server().server().respPort());
        Writer out = new OutputStreamWriter(socket.getOutputStream(), UTF_8);
        BufferedReader in =
            new BufferedReader(new InputStreamReader(socket.getInputStream(), UTF_8))) {
      out.write("AUTH " + tenant + " " + key + "\r\n");
      for (String command : commands) {
        out.write(command + "\r\n");
      }
      out.flush();
      for (int i = 0; i <= commands.length; i++) {
        replies.append(in.readLine()).append('\n');
      }
    }
    return replies.toString();
  }

  @Test
  void whatIsWrittenIsPaidUntilTheCapAndTheBillComesToTheSame() throws Exception {
    String key = server().tenant("payer");
    cap("payer", "0.05");
    for (int i = 0; i < 3; i++) {
      assertThat(write("payer", key).status()).isIn(201, 204);
    }
    assertThat(redis("payer", key, "SET k v", "SET k v", "SET k v", "PING"))
        .startsWith("+OK\n+OK\n+OK\n-QUOTA spend cap: the tenant's 0.05 USD a month are used up")
        .endsWith("+PONG\n");
    assertThat(write("payer", key).is(402, "spend_cap").header("retry-after")).isEmpty();
    await()
        .atMost(PATIENCE)
        .untilAsserted(
            () ->
                assertThat(
                        new BigDecimal(
                            server()
                                .operator("GET", "/api/v1/tenants/payer/bill", "")
                                .json()
                                .path("total")
                                .asText()))
                    .isEqualByComparingTo("0.05"));
    JsonNode shown = shown("payer");
    assertThat(shown.path("spent").asText()).isEqualTo("0.05");
    assertThat(shown.path("left").asText()).isEqualTo("0");
    assertThat(shown.path("admits").asBoolean()).isFalse();
    assertThat(shown.path("roomAt").asText()).isEqualTo(shown.path("monthEnds").asText());
    cap("payer", "0.06");
    assertThat(write("payer", key).status()).as("it was raised").isEqualTo(204);
    write("payer", key).is(402, "spend_cap");
    Answer throttled =
        server()
            .operator(
                "PUT",
                path("payer"),
                "{\"cap\":\"0.06\",\"action\":\"throttle\",\"burstPercent\":1}");
    assertThat(throttled.is(200).json().path("action").asText()).isEqualTo("throttle");
    assertThat(write("payer", key).is(429, "throttled").header("retry-after")).isNotEmpty();
    server().operator("DELETE", path("payer"), "").is(200);
    assertThat(write("payer", key).status()).isEqualTo(204);
    server().operator("GET", path("payer"), "").is(404, "no_spend_cap");
    assertThat(
            server()
                .operator("GET", "/api/v1/audit?trail=changes&kind=cap.changed&tenant=payer", "")
                .text())
        .contains("to 0.06 USD a month, throttle, burst 1%")
        .contains("to none");
  }

  @Test
  void whatIsHeldCountsAsSoonAsTheLedgerHasIt() throws Exception {
    String key = server().tenant("holder");
    cap("holder", "1.5");
    write("holder", key).is(201);
    int number =
        server().operator("GET", "/api/v1/tenants/holder", "").json().path("number").asInt();
    server()
        .server()
        .ledger()
        .post(new TestUse("holder", number).gigabyte("m", Instant.now().toString(), 1));
    await()
        .atMost(PATIENCE)
        .untilAsserted(
            () ->
                assertThat(new BigDecimal(shown("holder").path("spent").asText()))
                    .isGreaterThanOrEqualTo(BigDecimal.ONE));
    cap("holder", "1");
    write("holder", key).is(402, "spend_cap");
  }

  @Test
  void aTenantSeesItsOwnAndChangesNothing() {
    String key = server().tenant("reader");
    String other = server().tenant("stranger");
    server()
        .operator(
            "PUT",
            path("reader"),
            "{\"cap\":\"7.250\",\"webhook\":{\"url\":\"http://127.0.0.1:1/h\",\"secret\":\""
                + SECRET
                + "\"}}")
        .is(200);
    JsonNode own = server().call(key, "GET", path("reader"), "").is(200).json();
    assertThat(own.path("cap").asText()).isEqualTo("7.250");
    assertThat(own.path("spent").asText()).isEqualTo("0");
    assertThat(own.has("webhook")).isFalse();
    assertThat(shown("reader").path("webhook").toString())
        .isEqualTo("{\"url\":\"http://127.0.0.1:1/h\"}");
    server().call(other, "GET", path("reader"), "").is(403);
    server().call(key, "DELETE", path("reader"), "", "Content-Type", "application/json").is(403);
    server().call(key, "GET", "/api/v1/spend-caps", "").is(403);
    assertThat(server().operator("GET", "/api/v1/spend-caps", "").is(200).text())
        .contains("\"tenant\":\"reader\"");
    assertThat(server().operator("PUT", "/api/v1/rates", rates("EUR")).is(400).text())
        .contains("clear the spend cap of");
  }

  @Test
  void wrongCapsAreNamedWithTheirField() {
    server().tenant("wrong");
    for (String[] each :
        new String[][] {
          {"{}", "cap"},
          {"{\"cap\":5}", "cap"},
          {"{\"cap\":\"1e9\"}", "cap"},
          {"{\"cap\":\"0\"}", "cap"},
          {"{\"cap\":\"1\",\"action\":\"stop\"}", "action"},
          {"{\"cap\":\"1\",\"burstPercent\":5}", "burstPercent"},
          {"{\"cap\":\"1\",\"warnPercents\":[0]}", "warnPercents"},
          {"{\"cap\":\"1\",\"webhook\":{\"url\":\"file:///x\",\"secret\":\"x\"}}", "webhook.url"},
          {"{\"cap\":\"1\",\"amount\":5}", "amount"}
        }) {
      Answer answer = server().operator("PUT", path("wrong"), each[0]).is(400);
      assertThat(answer.json().path("error").path("field").asText())
          .as(each[0] + answer.text())
          .isEqualTo(each[1]);
    }
    server().operator("PUT", path("nobody"), "{\"cap\":\"1\"}").is(404, "no_such_tenant");
  }

  /** What came to a webhook. */
  private record Call(String signature, String type, String body) {
    static Call of(HttpExchange exchange) throws IOException {
      return new Call(
          exchange.getRequestHeaders().getFirst("Kvs-Signature"),
          exchange.getRequestHeaders().getFirst("Content-Type"),
          new String(exchange.getRequestBody().readAllBytes(), UTF_8));
    }

    JsonNode event() {
      try {
        return JSON.readTree(body);
      } catch (IOException e) {
        throw new AssertionError(body, e);
      }
    }

    void assertIsSigned() throws Exception {
      String[] parts = signature.split("[=,]", -1);
      Mac mac = Mac.getInstance("HmacSHA256");
      mac.init(new SecretKeySpec(SECRET.getBytes(US_ASCII), "HmacSHA256"));
      byte[] signed = mac.doFinal((parts[1] + "." + body).getBytes(UTF_8));
      assertThat(parts[3]).isEqualTo(HexFormat.of().formatHex(signed));
      assertThat(Long.parseLong(parts[1])).isGreaterThan(1_700_000_000);
    }
  }

  @Test
  void warnsOnceAndTellsTheWebhookUntilItIsTaken() throws Exception {
    BlockingQueue<Call> calls = new LinkedBlockingQueue<>();
    AtomicInteger count = new AtomicInteger();
    HttpServer hook =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    hook.createContext(
        "/hook",
        exchange -> {
          calls.add(Call.of(exchange));
          exchange.sendResponseHeaders(count.getAndIncrement() == 0 ? 500 : 204, -1);
          exchange.close();
        });
    hook.start();
    try {
      String key = server().tenant("warned");
      server()
          .operator(
              "PUT",
              path("warned"),
              "{\"cap\":\"0.1\",\"warnPercents\":[40,100],\"webhook\":{\"url\":\"http://127.0.0.1:"
                  + hook.getAddress().getPort()
                  + "/hook\",\"secret\":\""
                  + SECRET
                  + "\"}}")
          .is(200);
      for (int i = 0; i < 4; i++) {
        write("warned", key);
      }
      Call failed = requireNonNull(calls.poll(60, TimeUnit.SECONDS));
      Call taken = requireNonNull(calls.poll(60, TimeUnit.SECONDS));
      for (Call call : List.of(failed, taken)) {
        call.assertIsSigned();
        assertThat(call.type()).startsWith("application/cloudevents+json");
        assertThat(call.event().path("specversion").asText()).isEqualTo("1.0");
        assertThat(call.event().path("type").asText()).isEqualTo("io.keyvalueserve.spend.warned");
        assertThat(call.event().path("data").path("percent").asInt()).isEqualTo(40);
        assertThat(call.event().path("data").path("cap").asText()).isEqualTo("0.1");
      }
      assertThat(taken.body()).as("the same event, with the same id").isEqualTo(failed.body());
      for (int i = 0; i < 6; i++) {
        write("warned", key);
      }
      Call reached = requireNonNull(calls.poll(60, TimeUnit.SECONDS));
      assertThat(reached.event().path("type").asText()).isEqualTo("io.keyvalueserve.spend.reached");
      assertThat(reached.event().path("id")).isNotEqualTo(taken.event().path("id"));
      await().atMost(PATIENCE).until(() -> told("warned").equals(List.of("40 true", "100 true")));
      String audit = "/api/v1/audit?trail=changes&tenant=warned&kind=";
      assertThat(events(audit + "spend.warned")).isEqualTo(1);
      assertThat(events(audit + "spend.reached")).isEqualTo(1);
      assertThat(server().operator("GET", "/metrics", "").text())
          .contains("kvs_spend_cap{currency=\"USD\",tenant=\"warned\"} 0.1")
          .contains("kvs_spend_spent{currency=\"USD\",tenant=\"warned\"} 0.1")
          .contains("kvs_spend_warned{currency=\"USD\",tenant=\"warned\"} 100.0");
      assertThat(calls).as("what was taken is not told again").isEmpty();
    } finally {
      hook.stop(0);
    }
  }

  @Test
  void theServersOwnWebhookHearsOfCapsThatHaveNone(@TempDir Path directory) throws Exception {
    BlockingQueue<Call> calls = new LinkedBlockingQueue<>();
    HttpServer hook =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    hook.createContext(
        "/all",
        exchange -> {
          calls.add(Call.of(exchange));
          exchange.sendResponseHeaders(200, -1);
          exchange.close();
        });
    hook.start();
    Path secret = Files.writeString(directory.resolve("secret"), SECRET + "\n");
    try (HttpServerUnderTest other =
        HttpServerUnderTest.start(
            Map.of(
                "data",
                directory.resolve("data").toString(),
                "usage.interval-seconds",
                "1",
                "webhook.allow-http",
                "true",
                "webhook.url",
                "http://127.0.0.1:" + hook.getAddress().getPort() + "/all",
                "webhook.secret-file",
                secret.toString()))) {
      other.tenant("plain");
      other.operator("PUT", path("plain"), "{\"cap\":\"0.5\"}").is(200);
      int number = other.operator("GET", "/api/v1/tenants/plain", "").json().path("number").asInt();
      // by the paper's card: 0.16 at peak hours, and 0.065 for each hour in which there was any
      other.server().ledger().post(new TestUse("plain", number).gigabyte("m", startOfMonth(), 600));
      Set<Integer> percents = new HashSet<>();
      while (percents.size() < 3) {
        Call call = requireNonNull(calls.poll(60, TimeUnit.SECONDS), "a call");
        call.assertIsSigned();
        assertThat(call.event().path("subject").asText()).isEqualTo("plain");
        percents.add(call.event().path("data").path("percent").asInt());
      }
      assertThat(percents).containsExactlyInAnyOrder(50, 80, 100);
    } finally {
      hook.stop(0);
    }
  }

  private static String startOfMonth() {
    return YearMonth.now(ZoneOffset.UTC)
        .atDay(1)
        .atStartOfDay(ZoneOffset.UTC)
        .toInstant()
        .toString();
  }

  private List<String> told(String tenant) {
    List<String> told = new ArrayList<>();
    shown(tenant)
        .path("warnings")
        .forEach(
            each -> told.add(each.path("percent").asInt() + " " + each.path("told").asBoolean()));
    return told;
  }

  private int events(String path) {
    return server().operator("GET", path, "").is(200).json().path("events").size();
  }

  @Test
  void theCapAndWhatWasSpentOutliveTheServer() {
    String key = server().tenant("keeper");
    cap("keeper", "0.02");
    write("keeper", key).is(201);
    write("keeper", key).is(204);
    server().tenant("hooked");
    String hooked =
        "{\"cap\":\"1\",\"webhook\":{\"url\":\"http://hooks.example/h\",\"secret\":\""
            + SECRET
            + "\"}}";
    server().operator("PUT", path("hooked"), hooked).is(200);
    assertThat(shown("hooked").path("webhook").has("notCalled")).isFalse();
    server().close();
    Map<String, String> strict = new HashMap<>(settings);
    strict.remove("webhook.allow-http");
    started = HttpServerUnderTest.start(strict);
    assertThat(shown("hooked").path("webhook").path("notCalled").asText())
        .as("what was kept before")
        .contains("use https", "webhook.allow-http");
    Answer again = server().operator("PUT", path("hooked"), hooked).is(400, "invalid_spend_cap");
    assertThat(again.json().path("error").path("field").asText()).isEqualTo("webhook.url");
    server().close();
    started = HttpServerUnderTest.start(settings);
    write("keeper", key).is(402, "spend_cap");
    JsonNode shown = shown("keeper");
    assertThat(shown.path("cap").asText()).isEqualTo("0.02");
    assertThat(shown.path("spent").asText()).isEqualTo("0.02");
  }
}
