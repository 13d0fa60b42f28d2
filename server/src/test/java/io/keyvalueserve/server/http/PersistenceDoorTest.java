package io.keyvalueserve.server.http;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.keyvalueserve.grid.settings.Keeping;
import io.keyvalueserve.server.http.HttpServerUnderTest.Answer;
import io.keyvalueserve.tenancy.Persistence;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** How maps are kept, in words: set by operators, consented to by tenants, kept, and priced. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class PersistenceDoorTest {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final int VALUE_BYTES = 32 * 1024;
  private static final long QUOTA_BYTES = 2L << 20;

  private HttpServerUnderTest server;

  @BeforeAll
  void start(@TempDir Path directory) {
    server = start(directory.resolve("data"), Map.of("usage.interval-seconds", "1"));
  }

  private static HttpServerUnderTest start(Path data, Map<String, String> more) {
    Map<String, String> settings = new HashMap<>(more);
    settings.put("data", data.toString());
    return HttpServerUnderTest.start(settings);
  }

  @AfterAll
  void stop() {
    server.close();
  }

  private static String map(String tenant, String map) {
    return "/api/v1/tenants/" + tenant + "/maps/" + map;
  }

  private static JsonNode set(HttpServerUnderTest at, String map, String persistence) {
    return at.operator("PUT", map, "{\"persistence\":\"" + persistence + "\"}").is(200).json();
  }

  private static String idOf(String key) {
    return key.split("_", -1)[1];
  }

  private static void assertKept(JsonNode map, String word, String durability, String overMemory) {
    assertThat(map.path("persistence").asText()).as(map.toString()).isEqualTo(word);
    assertThat(map.path("durability").asText()).as(map.toString()).isEqualTo(durability);
    assertThat(map.path("overMemory").asText()).as(map.toString()).isEqualTo(overMemory);
    ApiSchema.of("Map").assertIsThatOf(map);
  }

  @Test
  void eachWordMeansWhatTheTableSays() throws IOException {
    String _ = server.tenant("words");
    JsonNode before = server.operator("GET", map("words", "m"), "").json();
    assertKept(before, "default", "everysec", "spill");
    assertThat(before.path("persistenceFrom").asText()).isEqualTo("member");
    List<String> rows = new ArrayList<>();
    for (Persistence word : Persistence.values()) {
      if (word != Persistence.DEFAULT) {
        String durability = String.valueOf(Keeping.durabilityOf(word)).toLowerCase(Locale.ROOT);
        String overMemory = String.valueOf(Keeping.overMemoryOf(word)).toLowerCase(Locale.ROOT);
        rows.add("| `%s` | `%s` | `%s` |".formatted(word.text(), durability, overMemory));
        if (word != Persistence.CONSENTED) {
          JsonNode set = set(server, map("words", "m"), word.text());
          assertKept(set, word.text(), durability, overMemory);
          assertThat(set.path("persistenceFrom").asText()).isEqualTo("map");
          assertThat(set.path("persistenceDoes").asText()).isNotBlank();
        }
      }
    }
    String page = Files.readString(Path.of("..", "docs", "tenancy.md"));
    assertThat(rows).allSatisfy(row -> assertThat(page).contains(row));
    assertThat(set(server, map("words", "m"), "default")).isEqualTo(before);
  }

  @Test
  void theTenantAloneConsents() {
    String key = server.tenant("keeper");
    String guest = server.tenant("guest");
    String orders = map("keeper", "orders");
    server
        .operator("POST", orders + "/grants", "{\"to\":\"guest\",\"rights\":[\"read\",\"admin\"]}")
        .is(201);
    JsonNode waiting = set(server, orders, "consented");
    assertKept(waiting, "consented", "none", "evict");
    assertThat(waiting.path("consent").toString()).isEqualTo("{\"state\":\"none\"}");
    assertThat(waiting.path("persistenceDoes").asText()).contains("has not consented");

    for (String method : List.of("PUT", "DELETE")) {
      assertThat(server.operator(method, orders + "/consent", "").is(403, "forbidden").text())
          .contains("an operator cannot consent for a tenant");
      assertThat(server.operator(method, "/api/v1/tenants/keeper/consent", "").is(403).text())
          .contains("an operator cannot consent for a tenant");
      server.by(guest, method, orders + "/consent", "").is(403, "forbidden");
    }
    assertKept(server.operator("GET", orders, "").json(), "consented", "none", "evict");

    assertThat(
            server
                .by(key, "PUT", map("keeper", "nothing") + "/consent", "{}")
                .is(404, "no_such_map")
                .text())
        .contains("consent for all maps");

    JsonNode given = server.by(key, "PUT", orders + "/consent", "{}").is(200).json();
    assertKept(given, "consented", "everysec", "spill");
    assertThat(given.path("consent").path("state").asText()).isEqualTo("given");
    assertThat(given.path("consent").path("key").asText()).isEqualTo(idOf(key));
    assertThat(given.path("consent").path("for").asText()).isEqualTo("map");
    assertThat(Instant.parse(given.path("consent").path("at").asText()))
        .isBetween(Instant.now().minusSeconds(60), Instant.now().plusSeconds(1));
    assertThat(server.by(key, "PUT", orders + "/consent", "{}").is(200).json())
        .as("the first time stays")
        .isEqualTo(given);

    JsonNode withdrawn = server.by(key, "DELETE", orders + "/consent", "").is(200).json();
    assertKept(withdrawn, "consented", "none", "evict");
    assertThat(withdrawn.path("consent").path("state").asText()).isEqualTo("withdrawn");

    JsonNode events =
        server
            .operator("GET", "/api/v1/audit?tenant=keeper&kind=consent.given,consent.withdrawn", "")
            .json()
            .path("events");
    assertThat(events.findValuesAsText("kind"))
        .containsExactly("consent.withdrawn", "consent.given");
    assertThat(events.findValuesAsText("actor")).containsOnly("tenant:keeper/" + idOf(key));
    assertThat(events.findValuesAsText("object")).containsOnly("keeper/orders");
    assertThat(events.findValuesAsText("detail"))
        .containsExactly("before: given by key " + idOf(key), "before: nothing said");
    JsonNode set =
        server
            .operator("GET", "/api/v1/audit?tenant=keeper&kind=map.configured", "")
            .json()
            .path("events")
            .path(0);
    assertThat(set.path("detail").asText()).isEqualTo("persistence=consented (before: default)");
    assertThat(set.path("actor").asText()).startsWith("operator");
  }

  @Test
  void theLastWordOfATenantCountsForOneMapAndForAll() {
    String key = server.tenant("sayer");
    String all = "/api/v1/tenants/sayer/consent";
    for (String map : List.of("a", "b")) {
      JsonNode _ = set(server, map("sayer", map), "consented");
    }
    JsonNode given = server.by(key, "PUT", all, "{}").is(200).json();
    ApiSchema.of("TenantPersistence").assertIsThatOf(given);
    assertThat(given.path("consent").path("for").asText()).isEqualTo("tenant");
    assertThat(stateOf("sayer", "a")).isEqualTo("given for tenant: everysec");
    server.by(key, "DELETE", map("sayer", "a") + "/consent", "").is(200);
    assertThat(stateOf("sayer", "a")).isEqualTo("withdrawn for map: none");
    assertThat(stateOf("sayer", "b")).isEqualTo("given for tenant: everysec");
    server.by(key, "PUT", all, "{}").is(200);
    assertThat(stateOf("sayer", "a")).isEqualTo("given for tenant: everysec");
    server.by(key, "PUT", map("sayer", "b") + "/consent", "{}").is(200);
    server.by(key, "DELETE", all, "").is(200);
    assertThat(stateOf("sayer", "a")).isEqualTo("withdrawn for tenant: none");
    assertThat(stateOf("sayer", "b")).isEqualTo("withdrawn for tenant: none");
  }

  private String stateOf(String tenant, String map) {
    JsonNode shown = server.operator("GET", map(tenant, map), "").json();
    return "%s for %s: %s"
        .formatted(
            shown.path("consent").path("state").asText(),
            shown.path("consent").path("for").asText(),
            shown.path("durability").asText());
  }

  @Test
  void theWordOfATenantHoldsForMapsWithoutOneOfTheirOwn() {
    String key = server.tenant("chooser");
    String path = "/api/v1/tenants/chooser/persistence";
    server.by(key, "PUT", map("chooser", "old") + "/entries/k", "v");
    server.operator("PUT", map("chooser", "own"), "{\"durability\":\"none\"}").is(200);
    server.by(key, "PUT", path, "{\"persistence\":\"durable\"}").is(403, "forbidden");
    JsonNode set = server.operator("PUT", path, "{\"persistence\":\"durable\"}").is(200).json();
    assertThat(set.path("persistence").asText()).isEqualTo("durable");
    ApiSchema.of("TenantPersistence").assertIsThatOf(set);
    assertThat(server.by(key, "GET", path, "").is(200).json()).isEqualTo(set);
    for (String map : List.of("old", "new")) {
      JsonNode shown = server.by(key, "GET", map("chooser", map), "").json();
      assertKept(shown, "durable", "always", "spill");
      assertThat(shown.path("persistenceFrom").asText()).isEqualTo("tenant");
    }
    assertKept(
        server.operator("GET", map("chooser", "own"), "").json(), "default", "none", "spill");
    JsonNode word = set(server, map("chooser", "old"), "memory");
    assertKept(word, "memory", "none", "evict");
    assertThat(
            server
                .operator("GET", "/api/v1/audit?tenant=chooser&kind=tenant.configured", "")
                .json()
                .path("events")
                .findValuesAsText("detail"))
        .containsExactly("persistence=durable (before: default)");
    for (String wrong : List.of("{}", "{\"persistence\":\"forever\"}", "{\"persistence\":7}")) {
      assertThat(server.operator("PUT", path, wrong).is(400, "bad_request").text())
          .contains("default, memory, rarely-used, consented, durable");
    }
  }

  @Test
  void whatContradictsItselfIsRefusedWithBothFieldsAndTheRemedy() {
    String _ = server.tenant("contrary");
    String map = map("contrary", "m");
    JsonNode durable = set(server, map, "durable");
    Answer refused = server.operator("PUT", map, "{\"durability\":\"none\"}").is(409);
    assertThat(refused.code()).isEqualTo("contradiction");
    assertThat(refused.text())
        .contains("persistence 'durable'", "durability 'none'", "set durability to 'default'");
    server.operator("PUT", map, "{\"overMemory\":\"evict\"}").is(409, "contradiction");
    server
        .operator("PUT", map, "{\"persistence\":\"memory\",\"overMemory\":\"spill\"}")
        .is(409, "contradiction");
    assertThat(server.operator("GET", map, "").json()).isEqualTo(durable);
    JsonNode refusing =
        server
            .operator("PUT", map, "{\"persistence\":\"memory\",\"overMemory\":\"refuse\"}")
            .is(200)
            .json();
    assertKept(refusing, "memory", "none", "refuse");
  }

  @Test
  void whatNeedsADiskIsRefusedWhereThereIsNone() {
    try (HttpServerUnderTest none = HttpServerUnderTest.start(Map.of("dev", "true"))) {
      String map = map("dev", "m");
      assertThat(
              none.by(null, "PUT", map, "{\"persistence\":\"durable\"}")
                  .is(409, "nothing_on_disk")
                  .text())
          .contains("persistence", "--data");
      JsonNode set = none.by(null, "PUT", map, "{\"persistence\":\"memory\"}").is(200).json();
      assertKept(set, "memory", "none", "evict");
    }
  }

  @Test
  void wordsAndConsentOutliveTheMemberAndWithdrawnDataDoesNot(@TempDir Path directory)
      throws IOException {
    Path data = directory.resolve("data");
    String key;
    try (HttpServerUnderTest first = start(data, Map.of())) {
      key = first.tenant("acme");
      JsonNode _ = set(first, map("acme", "orders"), "consented");
      JsonNode _ = set(first, map("acme", "invoices"), "consented");
      first.by(key, "PUT", map("acme", "orders") + "/consent", "{}").is(200);
      first.by(key, "PUT", "/api/v1/tenants/acme/consent", "{}").is(200);
      first
          .operator("PUT", "/api/v1/tenants/acme/persistence", "{\"persistence\":\"durable\"}")
          .is(200);
      JsonNode _ = set(first, map("acme", "cache"), "memory");
      for (String map : List.of("orders", "invoices", "others", "cache")) {
        write(first, key, map, "k", canary(map));
      }
    }
    try (HttpServerUnderTest second = start(data, Map.of())) {
      for (String map : List.of("orders", "invoices", "others")) {
        assertThat(read(second, key, map)).isEqualTo(canary(map));
      }
      second.by(key, "GET", map("acme", "cache") + "/entries/k", "").is(404);
      assertThat(files(data, canary("orders"))).isNotEmpty();
      assertThat(files(data, canary("cache"))).isEmpty();
      JsonNode orders = second.operator("GET", map("acme", "orders"), "").json();
      assertKept(orders, "consented", "everysec", "spill");
      assertThat(orders.path("consent").path("key").asText()).isEqualTo(idOf(key));
      JsonNode others = second.operator("GET", map("acme", "others"), "").json();
      assertKept(others, "durable", "always", "spill");
      second.by(key, "DELETE", map("acme", "orders") + "/consent", "").is(200);
      assertThat(read(second, key, "orders")).as("it stays in memory").isEqualTo(canary("orders"));
    }
    try (HttpServerUnderTest third = start(data, Map.of())) {
      third.by(key, "GET", map("acme", "orders") + "/entries/k", "").is(404);
      assertThat(read(third, key, "invoices")).isEqualTo(canary("invoices"));
      assertThat(read(third, key, "others")).isEqualTo(canary("others"));
      JsonNode orders = third.operator("GET", map("acme", "orders"), "").json();
      assertThat(orders.path("consent").path("state").asText()).isEqualTo("withdrawn");
      third.by(key, "PUT", map("acme", "orders") + "/consent", "{}").is(200);
      write(third, key, "orders", "new", "after consent");
    }
    try (HttpServerUnderTest fourth = start(data, Map.of())) {
      fourth.by(key, "GET", map("acme", "orders") + "/entries/new", "").is(200);
      fourth.by(key, "GET", map("acme", "orders") + "/entries/k", "").is(404);
    }
  }

  private static String canary(String map) {
    return "canary of " + map + " 5d1c7e0b";
  }

  private static void write(
      HttpServerUnderTest at, String key, String map, String entry, String value) {
    Answer answer = at.call(key, "PUT", map("acme", map) + "/entries/" + entry, value);
    assertThat(answer.status()).as(answer.text()).isIn(201, 204);
  }

  private static String read(HttpServerUnderTest at, String key, String map) {
    return at.by(key, "GET", map("acme", map) + "/entries/k", "").is(200).text();
  }

  /** Returns the files below a directory that have a text somewhere. */
  private static List<Path> files(Path directory, String text) throws IOException {
    List<Path> found = new ArrayList<>();
    try (Stream<Path> all = Files.walk(directory)) {
      for (Path file : all.filter(Files::isRegularFile).toList()) {
        if (new String(Files.readAllBytes(file), US_ASCII).contains(text)) {
          found.add(file);
        }
      }
    }
    return found;
  }

  /** The other map shows that memory is short, and that the canary would be found. */
  @Test
  void inMemoryAloneNothingIsOnTheDiskEvenWhenMemoryIsShort(@TempDir Path directory)
      throws IOException {
    Path data = directory.resolve("data");
    try (HttpServerUnderTest under = start(data, Map.of("memory.size", "96m"))) {
      String key = under.tenant("acme");
      under
          .operator("PATCH", "/api/v1/tenants/acme/quota", "{\"memoryBytes\":" + QUOTA_BYTES + "}")
          .is(200);
      JsonNode _ = set(under, map("acme", "cache"), "memory");
      JsonNode _ = set(under, map("acme", "archive"), "rarely-used");
      for (String map : List.of("cache", "archive")) {
        for (int i = 0; i < 4 * QUOTA_BYTES / VALUE_BYTES; i++) {
          write(under, key, map, "k" + i, filled(map, i));
        }
      }
      await()
          .atMost(PATIENCE)
          .untilAsserted(() -> assertThat(files(data, canary("archive"))).isNotEmpty());
      JsonNode reclaimed = under.operator("GET", "/api/v1/memory/reclaimed", "").json();
      assertThat(reclaimed.path("totals").findValuesAsText("action")).contains("spill", "delete");
      assertThat(files(data, canary("cache"))).isEmpty();
      assertThat(under.operator("GET", "/api/v1/tenants/acme/maps", "").json().toString())
          .contains("\"persistence\":\"memory\"", "\"persistence\":\"rarely-used\"");
    }
    assertThat(files(data, canary("cache"))).as("and none when it has ended").isEmpty();
  }

  /** A transaction is recorded before it is carried out: not what it does to a map in memory. */
  @Test
  void aTransactionLeavesNothingOfAMapInMemoryOnTheDisk(@TempDir Path directory)
      throws IOException {
    Path data = directory.resolve("data");
    try (HttpServerUnderTest under = start(data, Map.of())) {
      String key = under.tenant("acme");
      JsonNode _ = set(under, map("acme", "cache"), "memory");
      JsonNode _ = set(under, map("acme", "ledger"), "durable");
      for (String maps : List.of("cache,cache,cache", "ledger,cache,ledger,cache")) {
        under.by(key, "POST", "/api/v1/tenants/acme/transactions", transaction(maps)).is(200);
      }
      assertThat(files(data, canary("ledger"))).isNotEmpty();
      assertThat(files(data, canary("cache"))).isEmpty();
      for (int i = 0; i < 4; i++) {
        assertThat(
                under
                    .by(
                        key,
                        "GET",
                        map("acme", i % 2 == 0 ? "ledger" : "cache") + "/entries/k" + i,
                        "")
                    .is(200)
                    .text())
            .isEqualTo(canary(i % 2 == 0 ? "ledger" : "cache"));
      }
    }
    try (HttpServerUnderTest again = start(data, Map.of())) {
      String key =
          again.operator("POST", "/api/v1/tenants/acme/keys", "{}").json().path("key").asText();
      again.by(key, "GET", map("acme", "ledger") + "/entries/k0", "").is(200);
      again.by(key, "GET", map("acme", "cache") + "/entries/k1", "").is(404);
    }
  }

  private static String transaction(String maps) {
    List<String> operations = new ArrayList<>();
    for (String map : maps.split(",", -1)) {
      operations.add(
          "{\"op\":\"put\",\"map\":\"%s\",\"key\":\"k%d\",\"value\":\"%s\"}"
              .formatted(map, operations.size(), canary(map)));
    }
    return "{\"operations\":[" + String.join(",", operations) + "]}";
  }

  /** A value with the canary in it that cannot be made smaller. */
  private static String filled(String map, int number) {
    StringBuilder value = new StringBuilder(canary(map));
    Random random = new Random(number);
    while (value.length() < VALUE_BYTES) {
      value.append(Long.toHexString(random.nextLong()));
    }
    return value.toString();
  }

  @Test
  void billsAndQuotesHaveTheFactorsOfTheRateCard() throws IOException {
    ObjectNode rates = (ObjectNode) server.operator("GET", "/api/v1/rates", "").json();
    ObjectNode card = (ObjectNode) rates.path("cards").path(0);
    card.putObject("persistence").put("durable", "1.5").put("memory", "0.5");
    server.operator("PUT", "/api/v1/rates", rates.toString()).is(200);
    String key = server.tenant("payer");
    JsonNode _ = set(server, map("payer", "ledger"), "durable");
    JsonNode _ = set(server, map("payer", "cache"), "memory");
    for (String map : List.of("ledger", "cache", "usual")) {
      assertThat(
              server
                  .call(key, "PUT", map("payer", map) + "/entries/k", "v".repeat(10_000))
                  .status())
          .isEqualTo(201);
    }
    await()
        .atMost(PATIENCE)
        .untilAsserted(
            () -> assertThat(prices("payer")).containsOnlyKeys("durable", "memory", "default"));
    Map<String, BigDecimal> prices = prices("payer");
    assertThat(prices.get("default")).isEqualByComparingTo("0.065");
    assertThat(prices.get("durable")).isEqualByComparingTo("0.0975");
    assertThat(prices.get("memory")).isEqualByComparingTo("0.0325");
    server.by(key, "GET", "/api/v1/tenants/payer/bill/verify", "").is(200);

    JsonNode quote =
        server
            .by(key, "POST", "/api/v1/tenants/payer/cost", "{\"command\":[\"SET\",\"k\",\"v\"]}")
            .is(200)
            .json();
    ApiSchema.of("Cost").assertIsThatOf(quote);
    Map<String, BigDecimal> quoted = new HashMap<>();
    for (JsonNode price : quote.path("storage")) {
      if (price.path("basis").asText().equals("duration")) {
        quoted.put(
            price.path("persistence").asText(), new BigDecimal(price.path("unitPrice").asText()));
      }
    }
    assertThat(quoted).containsOnlyKeys("default", "memory", "rarely-used", "consented", "durable");
    assertThat(quoted.get("durable")).isEqualByComparingTo("0.0975");
    assertThat(
            JSON.readTree(server.operator("GET", "/api/v1/rates", "").text())
                .at("/cards/0/persistence"))
        .isEqualTo(JSON.readTree("{\"memory\":\"0.5\",\"durable\":\"1.5\"}"));
  }

  /** The prices of an hour of memory in a tenant's bill, by persistence. */
  private Map<String, BigDecimal> prices(String tenant) {
    JsonNode bill = server.operator("GET", "/api/v1/tenants/" + tenant + "/bill", "").json();
    Map<String, BigDecimal> prices = new HashMap<>();
    for (JsonNode line : bill.path("lines")) {
      if (line.path("measure").asText().equals("residentBytes")
          && line.path("basis").asText().equals("duration")) {
        prices.put(
            line.path("persistence").asText(), new BigDecimal(line.path("unitPrice").asText()));
      }
    }
    return prices;
  }
}
