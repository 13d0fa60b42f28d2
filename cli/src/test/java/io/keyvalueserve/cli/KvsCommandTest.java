package io.keyvalueserve.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.sun.net.httpserver.HttpServer;
import io.keyvalueserve.server.Server;
import io.keyvalueserve.server.TestUse;
import io.keyvalueserve.server.config.ConfigReader;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** The commands against a real server. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class KvsCommandTest {
  private Path directory = Path.of("");
  private @Nullable Server server;

  private record Ran(int code, String out, String err) {}

  @BeforeAll
  void start(@TempDir Path temporary) {
    directory = temporary;
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
  }

  @AfterAll
  void stop() {
    if (server != null) {
      server.close();
    }
  }

  @Test
  void administersTenantsAndKeys() throws Exception {
    Ran created = client("tenant", "create", "cli", "--json");
    assertThat(created.code()).as(created.err()).isZero();
    assertThat(new ObjectMapper().readTree(created.out()).path("tenant").asText()).isEqualTo("cli");
    assertThat(new ObjectMapper().readTree(created.out()).path("key").asText()).startsWith("kvs_");

    assertThat(client("tenant", "list").out()).contains("TENANT", "cli", "active");
    assertThat(client("tenant", "suspend", "cli").out()).contains("is suspended");
    assertThat(client("tenant", "show", "cli").out()).contains("suspended");
    assertThat(client("tenant", "resume", "cli").code()).isZero();

    String key =
        new ObjectMapper()
            .readTree(client("key", "create", "cli", "--label", "ci", "--json").out())
            .path("keyId")
            .asText();
    assertThat(client("key", "list", "cli").out()).contains(key, "ci");
    assertThat(client("key", "revoke", "cli", key).out()).contains("is revoked");
    assertThat(client("key", "list", "cli").out()).doesNotContain(key);

    Ran unconfirmed = client("tenant", "delete", "cli");
    assertThat(unconfirmed.code()).isEqualTo(1);
    assertThat(unconfirmed.err()).contains("--yes");
    assertThat(client("tenant", "delete", "cli", "--yes").out()).contains("is deleted");
    Ran gone = client("tenant", "show", "cli");
    assertThat(gone.code()).isEqualTo(1);
    assertThat(gone.err()).contains("does not exist").doesNotContain("\tat ");
  }

  @Test
  void setsUpMaps() throws Exception {
    assertThat(client("tenant", "create", "mapped").code()).isZero();
    Ran set = client("map", "configure", "mapped/my orders", "--durability", "none");
    assertThat(set.code()).as(set.err()).isZero();
    assertThat(set.out()).contains("map mapped/my orders has durability none, over memory: ");
    assertThat(client("map", "list", "mapped").out())
        .containsPattern(
            "MAP +ENTRIES +MEMORY +READS/S +WRITES/S +PERSISTENCE +DURABILITY +OVER MEMORY +CHARGED TO +STORE"
                + " +INDEXES")
        .containsPattern(
            "my orders +0 +0 B +0\\.0 +0\\.0 +default +none +(spill|refuse) \\(default\\) +owner \\(default\\) +- +0");
    JsonNode shown =
        new ObjectMapper().readTree(client("map", "show", "mapped/my orders", "--json").out());
    assertThat(shown.path("durability").asText()).isEqualTo("none");
    assertThat(client("map", "configure", "mapped/my orders", "--durability", "default").out())
        .contains("everysec (default)");
    assertThat(client("map", "show", "mapped/my orders").out())
        .containsPattern("durability +everysec \\(default\\)");

    Ran often = client("map", "configure", "mapped/orders", "--durability", "often");
    assertThat(often.code()).isEqualTo(1);
    assertThat(often.err()).contains("durability: \"often\" is none of them; use none, everysec");
    Ran nameless = client("map", "show", "orders");
    assertThat(nameless.code()).isEqualTo(2);
    assertThat(nameless.err()).contains("'orders' names no map: use TENANT/MAP");
    assertThat(client("map", "configure", "mapped/orders").code()).isEqualTo(2);
  }

  @Test
  void keepsMapsByWordsWithTheConsentOfTheTenant() throws Exception {
    String key = Objects.requireNonNull(server).createTenant("kept");
    Path keyFile = Files.writeString(directory.resolve("kept.key"), key);
    String[] own = {"--url", url(), "--key-file", keyFile.toString()};
    assertThat(client("map", "configure", "kept/orders", "--persistence", "consented").out())
        .contains("durability none", "persistence: consented");
    Ran operator = client("map", "consent", "kept/orders");
    assertThat(operator.code()).isEqualTo(1);
    assertThat(operator.err()).contains("an operator cannot consent for a tenant");
    Ran given = run(with(own, "map", "consent", "kept/orders"));
    assertThat(given.code()).as(given.err()).isZero();
    assertThat(run(with(own, "map", "show", "kept/orders")).out())
        .containsPattern("persistence +consented")
        .containsPattern("consent +given at .* with key " + key.split("_", -1)[1])
        .containsPattern("durability +everysec");
    assertThat(run(with(own, "map", "consent", "kept/orders", "--withdraw")).out())
        .contains("consent for map kept/orders is withdrawn");
    assertThat(client("map", "show", "kept/orders").out()).containsPattern("durability +none");

    assertThat(client("tenant", "configure", "kept", "--persistence", "durable").out())
        .contains("tenant kept has persistence durable");
    assertThat(client("tenant", "show", "kept").out()).containsPattern("persistence +durable");
    assertThat(client("map", "show", "kept/others").out())
        .containsPattern("persistence +durable \\(of the tenant\\)");
    Ran contrary = client("map", "configure", "kept/orders", "--durability", "always");
    assertThat(contrary.code()).isEqualTo(1);
    assertThat(contrary.err()).contains("persistence 'consented'", "durability 'always'");
    assertThat(client("audit", "list", "--tenant", "kept").out())
        .contains("consent.given", "consent.withdrawn", "tenant.configured");
    assertThat(client("cost", "kept", "SET", "k", "v").out())
        .contains("to hold", "500000000 B of residentBytes");
  }

  @Test
  void runsStatements() throws Exception {
    String key = Objects.requireNonNull(server).createTenant("queried");
    Path keyFile = Files.writeString(directory.resolve("queried.key"), key);
    String[] own = {"--url", url(), "--key-file", keyFile.toString()};
    Ran made =
        run(
            with(
                own,
                "sql",
                "-c",
                "CREATE MAPPING stock (__key VARCHAR, this INTEGER) TYPE IMap"
                    + " OPTIONS ('keyFormat'='varchar', 'valueFormat'='int');"
                    + "INSERT INTO stock VALUES ('ham', 7), ('eggs; more', 12)"));
    assertThat(made.code()).as(made.err()).isZero();
    assertThat(made.out().lines()).containsExactly("Done.", "2 rows written.");
    Ran rows = run(with(own, "sql", "queried", "-c", "SELECT * FROM stock ORDER BY this DESC"));
    assertThat(rows.out().lines())
        .containsExactly(
            "__key      │ this",
            "───────────┼─────",
            "eggs; more │   12",
            "ham        │    7",
            "(2 rows)");
    Ran parameter =
        run(
            with(
                own,
                "sql",
                "--format",
                "csv",
                "--timeout",
                "1m",
                "--param",
                "10",
                "-c",
                "SELECT this FROM stock WHERE this > ?"));
    assertThat(parameter.out()).isEqualTo("this\r\n12\r\n");
    assertThat(run(with(own, "map", "index", "add", "queried/stock", "this")).out())
        .contains("index stock_this_idx of queried/stock is built");
    assertThat(run(with(own, "map", "index", "queried/stock")).out())
        .containsPattern("stock_this_idx +sorted +");
    assertThat(run(with(own, "sql", "-c", "\\d stock")).out())
        .contains("Columns of stock", "__key", "integer", "Indexes of stock", "stock_this_idx");
    assertThat(run(with(own, "query", "list")).out()).contains("STATEMENT");

    Ran wrong = run(with(own, "sql", "-c", "SELECT *\nFROM nowhere"));
    assertThat(wrong.code()).isEqualTo(1);
    assertThat(wrong.err())
        .contains("'nowhere' not found", "[42P01]", "  FROM nowhere", "       ^");
    Ran operator = client("sql", "queried", "-c", "SELECT 1");
    assertThat(operator.code()).isEqualTo(1);
    assertThat(operator.err()).contains("access key");
    Ran none = client("query", "kill", "none");
    assertThat(none.code()).isEqualTo(1);
    assertThat(none.err()).contains("no query of this id runs");
  }

  @Test
  void readsAndWritesEntries() throws Exception {
    String key = Objects.requireNonNull(server).createTenant("entries");
    Path keyFile = Files.writeString(directory.resolve("entries.key"), key);
    String[] own = {"--url", url(), "--key-file", keyFile.toString()};
    Ran put = run(with(own, "entry", "put", "entries/people", "user/1", "ada", "--ttl", "1h"));
    assertThat(put.code()).as(put.err()).isZero();
    assertThat(put.out()).contains("user/1 of entries/people is created");
    assertThat(run(with(own, "entry", "get", "entries/people", "user/1")).out())
        .isEqualTo("ada" + System.lineSeparator());
    JsonNode shown =
        new ObjectMapper()
            .readTree(run(with(own, "entry", "get", "entries/people", "user/1", "--json")).out());
    assertThat(shown.path("value").asText()).isEqualTo("ada");
    assertThat(shown.path("ttlMillis").asLong()).isPositive();
    assertThat(run(with(own, "entry", "list", "entries/people", "--prefix", "user")).out())
        .containsPattern("KEY +KIND +SIZE +TTL")
        .containsPattern("user/1 +string +3 +[0-9]+ ms");

    String etag = shown.path("etag").asText().replace("\"", "");
    String[] compare = {"entry", "put", "entries/people", "user/1", "bob", "--if-match", etag};
    assertThat(run(with(own, compare)).out()).contains("is replaced");
    Ran again = run(with(own, compare));
    assertThat(again.code()).isEqualTo(1);
    assertThat(again.err()).contains("the entry is not as If-Match");
    assertThat(
            run(with(own, "entry", "put", "entries/people", "user/1", "x", "--if-absent")).code())
        .isEqualTo(1);
    assertThat(run(with(own, "entry", "put", "entries/people", "k", "x", "--ttl", "soon")).err())
        .contains("'ttl' is keep, or a time such as");

    Path file = directory.resolve("value");
    assertThat(
            run(with(own, "entry", "get", "entries/people", "user/1", "--output", file.toString()))
                .out())
        .contains("3 bytes");
    assertThat(file).hasContent("bob");
    assertThat(run(with(own, "entry", "delete", "entries/people", "user/1")).out())
        .contains("is deleted");
    Ran gone = run(with(own, "entry", "get", "entries/people", "user/1"));
    assertThat(gone.code()).isEqualTo(1);
    assertThat(gone.err()).contains("there is no such entry").doesNotContain("\tat ");
    Ran operator = client("entry", "get", "entries/people", "user/1");
    assertThat(operator.code()).isEqualTo(1);
    assertThat(operator.err()).contains("access key of the tenant");
    assertThat(run(with(own, "entry", "get", "people", "user/1")).code()).isEqualTo(2);

    String keyId = key.split("_", -1)[1];
    assertThat(run(with(own, "key", "revoke", "entries", keyId)).err()).contains("last access key");
    assertThat(run(with(own, "key", "revoke", "entries", keyId, "--force")).code()).isZero();
  }

  private static String[] with(String[] last, String... first) {
    String[] all = java.util.Arrays.copyOf(first, first.length + last.length);
    System.arraycopy(last, 0, all, first.length, last.length);
    return all;
  }

  /** A server that needs long for it: twice it says that it has not done it everywhere. */
  @Test
  void waitsUntilAMapIsSetUpEverywhere() throws IOException {
    AtomicInteger asked = new AtomicInteger();
    HttpServer slow =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    slow.createContext(
        "/api/v1/tenants/acme/maps/orders",
        exchange -> {
          boolean pending =
              exchange.getRequestMethod().equals("GET") || asked.incrementAndGet() % 3 != 0;
          byte[] answer =
              ("{\"durability\":\"always\",\"pending\":["
                      + (pending ? "{\"member\":\"10.0.0.7:5701\",\"error\":\"no memory\"}" : "")
                      + "]}")
                  .getBytes(StandardCharsets.UTF_8);
          exchange.sendResponseHeaders(pending ? 202 : 200, answer.length);
          exchange.getResponseBody().write(answer);
          exchange.close();
        });
    slow.start();
    try {
      String url = "http://127.0.0.1:" + slow.getAddress().getPort();
      Ran set = run("map", "configure", "acme/orders", "--durability", "always", "--url", url);
      assertThat(set.code()).as(set.err()).isZero();
      assertThat(asked).hasValue(3);
      assertThat(set.out()).contains("map acme/orders has durability always,");
      assertThat(set.err()).contains("under way on 10.0.0.7:5701", "'kvs map show acme/orders'");

      Ran begun =
          run(
              "map",
              "configure",
              "acme/orders",
              "--durability",
              "always",
              "--no-wait",
              "--url",
              url);
      assertThat(begun.code()).as(begun.err()).isZero();
      assertThat(asked).hasValue(4);
      assertThat(begun.out()).contains("under way on 10.0.0.7:5701");
      assertThat(run("map", "show", "acme/orders", "--url", url).out())
          .containsPattern("not yet on +10.0.0.7:5701 +\\(no memory\\)");
    } finally {
      slow.stop(0);
    }
  }

  @Test
  void printsTopOnceWhereThereIsNoTerminal() throws Exception {
    assertThat(client("tenant", "create", "busy").code()).isZero();
    Ran tenants = client("top");
    assertThat(tenants.code()).as(tenants.err()).isZero();
    assertThat(tenants.out())
        .containsPattern("TENANT +OPS/S +P50 +P99 +IN/S +OUT/S +MEMORY +CONNS +THROTTLED")
        .containsPattern("busy +0 +- +- +0 B")
        .doesNotContain("\u001b");
    assertThat(client("top", "--members").out())
        .containsPattern("MEMBER +STATE +PARTITIONS +OPS/S +P99 +MEMORY")
        .containsPattern("active +271 +0 ");
    JsonNode json = new ObjectMapper().readTree(client("top", "--json").out());
    assertThat(json.path("members")).hasSize(1);
    Ran never = client("top", "--interval", "0");
    assertThat(never.code()).isNotZero();
    assertThat(never.err()).contains("--interval '0': use 1 to 3600 seconds");
  }

  @Test
  void showsMemoryAndGivesItBack() throws Exception {
    Ran shown = client("memory");
    assertThat(shown.code()).as(shown.err()).isZero();
    assertThat(shown.out())
        .contains("member 127.0.0.1:")
        .containsPattern("TIER +POOL +KIND +CAPACITY +USED +RESIDENT +FRAGMENTED +WHERE")
        .containsPattern("memory +dram +(thp|dram) +64 MiB")
        .contains("internal fragmentation", "waiting for readers", "0 times since")
        .containsPattern("TENANT +MAP +ENTRIES +BACKUPS +MEMORY");
    JsonNode json = new ObjectMapper().readTree(client("memory", "--json").out());
    assertThat(json.path("tiers").get(0).path("pools").get(0).path("capacityBytes").asLong())
        .isEqualTo(64L << 20);
    assertThat(client("memory", "--return").out()).contains("back to the operating system");
    assertThat(client("memory", "--return", "--json").out()).contains("\"returnedBytes\" :");
  }

  @Test
  void saysWhichPoolCannotBeOpened() throws IOException {
    Path file =
        Files.writeString(
            directory.resolve("tiers.yaml"),
            "memory:\n  tiers:\n    - {name: far, pools: [{kind: numa, nodes: [77], size: 1m}]}\n");
    Ran ran =
        run(
            "serve",
            "--dev",
            "--exit-when-ready",
            "--config",
            file.toString(),
            "--resp-port",
            "0",
            "--http-port",
            "0");
    assertThat(ran.code()).isEqualTo(1);
    assertThat(ran.err())
        .contains("the memory for maps cannot be had: pool 'far-1' names NUMA node 77")
        .doesNotContain("\tat ");
  }

  @Test
  void saysWhatIsWrongAndWithWhichCode() {
    assertThat(run("no-such-command").code()).isEqualTo(2);
    assertThat(run("tenant").code()).isEqualTo(2);
    assertThat(run("tenant", "create").code()).isEqualTo(2);
    assertThat(run("--help").code()).isZero();
    assertThat(run("version", "--json").out()).contains("\"hazelcast\" : \"5.7.0\"");

    Ran nobody = run("tenant", "list", "--url", "http://127.0.0.1:1");
    assertThat(nobody.code()).isEqualTo(1);
    assertThat(nobody.err()).contains("no server answers at http://127.0.0.1:1", "kvs serve");

    Ran noKey =
        run("tenant", "list", "--url", url(), "--key-file", directory.resolve("none").toString());
    assertThat(noKey.code()).isEqualTo(1);
    assertThat(noKey.err()).contains("cannot be read");

    Ran mistaken = run("serve", "--resp-port", "x", "--bind", "", "--memory", "much");
    assertThat(mistaken.code()).isEqualTo(1);
    assertThat(mistaken.err())
        .contains(
            "resp-port: 'x' is not a port",
            "bind: '' is not a name",
            "memory.size: 'much' is not a size");
  }

  @Test
  void showsChecksExportsAndCorrectsBills() throws Exception {
    JsonNode made =
        new ObjectMapper().readTree(client("tenant", "create", "payer", "--json").out());
    TestUse use = new TestUse("payer", made.path("number").asInt());
    assertThat(
            Objects.requireNonNull(server)
                .ledger()
                .post(use.gigabyte("orders", "2026-03-02T08:00:00Z", 180))
                .isComplete())
        .isTrue();
    assertThat(client("usage", "payer", "--from", "2026-03-01T00:00:00Z", "--by", "day").out())
        .containsPattern("DAY +residentByteSeconds")
        .containsPattern("2026-03-02 +10800000000000");
    Ran shown = client("bill", "show", "payer", "--month", "2026-03");
    assertThat(shown.code()).as(shown.err()).isZero();
    assertThat(shown.out())
        .containsPattern(
            "residentBytes +amount +shared +default +peak +1000000000 +0 +B +0.08 +500000000")
        .containsPattern("total +0.355000 USD");
    JsonNode bill =
        new ObjectMapper()
            .readTree(client("bill", "show", "payer", "--month", "2026-03", "--json").out());
    String hash = bill.path("head").path("hash").asText();
    assertThat(verify(hash, "0.355").code()).isZero();

    Ran corrected =
        client(
            "bill",
            "correct",
            "payer",
            "--entry",
            "0",
            "--reason",
            "it was not there",
            "--change",
            "residentByteSeconds=-60000000000");
    assertThat(corrected.code()).as(corrected.err()).isZero();
    assertThat(corrected.out()).contains("entry 0 is corrected by entry 180");
    assertThat(verify(hash, "0.355").out()).contains("the ledger is whole");
    Ran wrong = verify(hash, "0.4");
    assertThat(wrong.code()).isEqualTo(1);
    assertThat(wrong.out()).contains("the bill does not hold: ", "total");

    assertThat(check(hash, "0.355").out()).contains("the ledger is whole");
    Ran other = check(hash, "0.4");
    assertThat(other.code()).isEqualTo(1);
    assertThat(other.out()).contains("the bill does not hold: ", "total");
    Path ledger = directory.resolve("ledger.json");
    Files.write(ledger, Files.readAllLines(ledger).subList(0, 170));
    assertThat(check(hash, "0.355").out()).contains("entry 170 is missing");
    Files.writeString(ledger, "[]");
    assertThat(check(hash, "0.355").err()).contains("ledger.json, line 1", "'bytes'");

    String number = made.path("number").asText();
    assertThat(client("bill", "list", "--month", "2026-03").out())
        .containsPattern("payer +" + number + " +active +0[.]35[0-9]+ +USD +181 ");
    assertThat(client("tenant", "delete", "payer", "--yes").code()).isZero();
    assertThat(client("bill", "show", "payer", "--month", "2026-03").code()).isEqualTo(1);
    assertThat(client("bill", "list", "--deleted").out())
        .containsPattern("payer +" + number + " +deleted");
    assertThat(client("bill", "show", "payer", "--month", "2026-03", "--number", number).out())
        .containsPattern("residentBytes +amount");
    Ran nobodys = client("bill", "verify", "other", "--number", number);
    assertThat(nobodys.code()).isEqualTo(1);
    assertThat(nobodys.err()).contains("no tenant 'other' had the number", "kvs bill list");
  }

  @Test
  void exportsBillsAndSaysWhatTheyCost() throws Exception {
    assertThat(client("tenant", "create", "exporter").code()).isZero();
    assertThat(client("cost", "exporter", "SET", "user:1", "-1").out())
        .containsPattern("counted as +1 writes")
        .containsPattern("bytes in +33");
    Ran nonsense = client("cost", "exporter", "NONSENSE");
    assertThat(nonsense.code()).isEqualTo(1);
    assertThat(nonsense.err()).contains("unknown command");
    Path file = directory.resolve("bill.csv");
    assertThat(client("bill", "export", "exporter", file.toString(), "--format", "focus").code())
        .isZero();
    assertThat(Files.readString(file)).startsWith("BilledCost,");
    assertThat(client("bill", "export", "exporter", file.toString()).err())
        .contains("there already");
    assertThat(client("bill", "show", "exporter", "--month", "soon").err()).contains("'month'");
  }

  private Ran verify(String hash, String total) {
    return client(
        "bill",
        "verify",
        "payer",
        "--month",
        "2026-03",
        "--entries",
        "180",
        "--hash",
        hash,
        "--total",
        total);
  }

  /** Without the server, from what it has exported. */
  private Ran check(String hash, String total) throws IOException {
    Path ledger = directory.resolve("ledger.json");
    Path rates = directory.resolve("old-rates.json");
    if (!Files.exists(ledger)) {
      assertThat(client("bill", "export", "payer", ledger.toString()).code()).isZero();
      Files.writeString(rates, client("rates", "show", "--json").out());
    }
    return run(
        "bill",
        "check",
        "payer",
        ledger.toString(),
        "--rates",
        rates.toString(),
        "--month",
        "2026-03",
        "--entries",
        "180",
        "--hash",
        hash,
        "--total",
        total);
  }

  @Test
  void showsAndSetsPrices() throws Exception {
    assertThat(client("rates", "show").out())
        .containsPattern("paper-2018 +2000-01-01 +residentBytes +amount +500000000 +0.08 +0 +USD");
    String rates = client("rates", "show", "--json").out();
    Path file = directory.resolve("rates.json");
    Files.writeString(file, rates.replace("\"0.08\"", "0.080000000001"));
    Ran set = client("rates", "set", file.toString());
    assertThat(set.code()).as(set.err()).isZero();
    assertThat(set.out()).contains("0.080000000001");
    Files.writeString(file, rates.replace("\"0.08\"", "\"8 cents\""));
    Ran wrong = client("rates", "set", file.toString());
    assertThat(wrong.code()).isEqualTo(1);
    assertThat(wrong.err()).contains("cards[0].rates[0].peak", "8 cents");
    Files.writeString(file, rates);
    assertThat(client("rates", "set", file.toString()).code()).isZero();
    assertThat(client("rates", "set", "nowhere.json").err()).contains("cannot be read");
  }

  @Test
  void capsWhatATenantMaySpend() throws Exception {
    assertThat(client("tenant", "create", "capped").code()).isZero();
    Path secret = Files.writeString(directory.resolve("hook.secret"), "0123456789abcdef\n");
    Ran set =
        client(
            "cap",
            "set",
            "capped",
            "--amount",
            "100.50",
            "--action",
            "throttle",
            "--burst",
            "20%",
            "--warn",
            "70, 90%",
            "--webhook",
            "https://127.0.0.1:1/hook",
            "--webhook-secret-file",
            secret.toString());
    assertThat(set.code()).as(set.err()).isZero();
    assertThat(set.out())
        .contains("100.50 USD a month", "throttle", "20%", "[70,90]", "https://127.0.0.1:1/hook")
        .doesNotContain("0123456789abcdef");
    assertThat(client("cap", "show", "capped").out()).containsPattern("left +100.5 USD");
    assertThat(client("cap", "list").out()).containsPattern("capped +\\d{4}-\\d\\d +0 +100.5");
    assertThat(client("cap", "set", "capped").code()).isEqualTo(2);
    assertThat(client("cap", "set", "capped", "--amount", "much").err())
        .contains("amount of money");
    assertThat(client("cap", "set", "capped", "--amount", "1", "--webhook", "http://h/").err())
        .contains("go together");
    String[] plain = {
      "cap",
      "set",
      "capped",
      "--amount",
      "1",
      "--webhook",
      "http://h.example/",
      "--webhook-secret-file",
      secret.toString()
    };
    assertThat(client(plain).err())
        .contains("webhook.url is http", "use https", "webhook.allow-http");
    assertThat(client("cap", "set", "capped", "--amount", "1", "--warn", "half").err())
        .contains("--warn 'half'");
    assertThat(client("cap", "clear", "capped").out()).contains("no spend cap any more");
    assertThat(client("cap", "show", "capped").err()).contains("kvs cap set");
  }

  @Test
  void namesThePortThatIsInUse() {
    int taken = Objects.requireNonNull(server).respPort();
    Ran ran =
        run(
            "serve",
            "--dev",
            "--exit-when-ready",
            "--resp-port",
            String.valueOf(taken),
            "--http-port",
            "0",
            "--client-port",
            "0",
            "--member-port",
            "0");
    assertThat(ran.code()).isEqualTo(1);
    assertThat(ran.err()).contains("resp-port " + taken, "--resp-port").doesNotContain("\tat ");
  }

  private String url() {
    return "http://127.0.0.1:" + Objects.requireNonNull(server).httpPort();
  }

  private Ran client(String... arguments) {
    String[] all = java.util.Arrays.copyOf(arguments, arguments.length + 4);
    all[arguments.length] = "--url";
    all[arguments.length + 1] = url();
    all[arguments.length + 2] = "--key-file";
    all[arguments.length + 3] =
        Objects.requireNonNull(Objects.requireNonNull(server).operatorKey()).toString();
    return run(all);
  }

  private static Ran run(String... arguments) {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    CommandLine command =
        KvsCommand.commandLine().setOut(new PrintWriter(out)).setErr(new PrintWriter(err));
    int code = command.execute(arguments);
    return new Ran(code, out.toString(), err.toString());
  }
}
