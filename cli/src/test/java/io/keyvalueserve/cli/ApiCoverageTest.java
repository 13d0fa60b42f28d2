package io.keyvalueserve.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.sun.net.httpserver.HttpExchange;
import io.keyvalueserve.server.http.HttpDoor;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Every operation of the HTTP API has a command: each is run, and what it asks for is ticked off.
 */
class ApiCoverageTest {
  /** Operations that need no command, and why. */
  private static final Map<String, String> WITHOUT =
      Map.of(
          "GET /",
          "an index for browsers: it names what has commands of its own",
          "HEAD /api/v1/tenants/{tenant}/maps/{map}/entries/{key}",
          "'entry get' shows the same, and the value");

  private static final List<String> COMMANDS =
      List.of(
          "health",
          "openapi",
          "metrics",
          "version --server",
          "whoami",
          "endpoints",
          "member list",
          "member forget 127.0.0.1:5801 --yes",
          "member acknowledge",
          "live --count 1",
          "live acme --count 1",
          "top --once",
          "tenant list",
          "tenant create acme",
          "tenant show acme",
          "tenant history acme --since 24h",
          "tenant delete acme --yes",
          "tenant suspend acme",
          "tenant resume acme",
          "key list acme",
          "key create acme",
          "key revoke acme k",
          "alert list",
          "client list acme",
          "map list acme",
          "map show acme/orders",
          "map configure acme/orders --durability none",
          "map configure acme/orders --store erp --table orders",
          "map consent acme/orders",
          "map consent acme/orders --withdraw",
          "map consent acme --all",
          "map consent acme --all --withdraw",
          "tenant configure acme --persistence durable",
          "tenant configure acme --hibernate-after 30d",
          "tenant hibernate acme",
          "tenant wake acme",
          "map locks acme/orders",
          "map unlock acme/orders k",
          "grant list acme",
          "grant list acme/orders",
          "grant create acme/orders --to globex --rights read",
          "grant revoke acme/orders g",
          "grant list acme --channels",
          "grant create acme --to globex --rights subscribe --channel news:",
          "grant revoke acme g",
          "entry list acme/orders",
          "entry get acme/orders k",
          "entry put acme/orders k v",
          "entry delete acme/orders k",
          "entry batch acme/orders BODY",
          "transaction run acme BODY",
          "sql acme --command SELECT",
          "query list",
          "query list acme",
          "query kill q",
          "query kill q acme",
          "quota show acme",
          "quota list",
          "quota set acme --maps 1",
          "quota set acme --maps 1 --replace",
          "cap show acme",
          "cap list",
          "cap set acme --amount 100",
          "cap clear acme",
          "reserve list",
          "reserve list acme",
          "reserve map acme/orders --memory 1m",
          "reserve member 127.0.0.1:5801 --for acme",
          "reserve release r",
          "store create erp --jdbc jdbc:postgresql://h/d",
          "store create erp --jdbc jdbc:postgresql://h/d --replace --no-check",
          "store list",
          "store show erp",
          "store check erp",
          "store delete erp --yes",
          "store status acme/orders",
          "store dead list acme/orders",
          "store dead retry acme/orders --all",
          "store dead discard acme/orders 57-1 --yes",
          "snapshot create acme",
          "snapshot list acme",
          "snapshot show acme s",
          "snapshot verify acme s",
          "snapshot restore acme s --as other",
          "snapshot restore acme --at 2030-01-31T14:03:07Z --as other",
          "snapshot plan set acme --every 1h --keep 7d",
          "snapshot plan show acme",
          "snapshot plan delete acme",
          "snapshot clone acme other",
          "snapshot delete acme s --yes",
          "snapshot key acme --out NEW",
          "snapshot jobs",
          "snapshot jobs j",
          "usage acme",
          "cost acme GET k",
          "bill list",
          "bill show acme --number 7",
          "bill verify acme --number 7",
          "bill export acme - --number 7",
          "bill show acme",
          "bill verify acme",
          "bill export acme -",
          "bill correct acme --entry 0 --change reads=1 --reason x",
          "rates show",
          "rates set BODY",
          "audit list",
          "audit export -",
          "memory",
          "memory --reclaimed",
          "memory --return");

  @Test
  void everyOperationHasACommand(@TempDir Path directory) throws IOException {
    Path body = Files.writeString(directory.resolve("body.json"), "{}");
    Map<String, Pattern> open = operations();
    assertThat(open).hasSizeGreaterThan(40).containsKeys(WITHOUT.keySet().toArray(String[]::new));
    WITHOUT.keySet().forEach(open::remove);
    try (TestServer server = new TestServer(ApiCoverageTest::answer)) {
      for (String command : COMMANDS) {
        List<String> words = new ArrayList<>(List.of(command.split(" ", -1)));
        words.replaceAll(word -> word.equals("BODY") ? body.toString() : word);
        words.replaceAll(word -> word.equals("NEW") ? directory.resolve("new").toString() : word);
        words.addAll(List.of("--url", server.url()));
        int before = server.asked().size();
        TestRun ran = TestRun.of(words.toArray(String[]::new));
        assertThat(ran.code()).as("%s: %s", command, ran.err()).isZero();
        List<String> asked = server.asked().subList(before, server.asked().size());
        assertThat(asked).as(command).isNotEmpty();
        asked.forEach(request -> open.values().removeIf(each -> each.matcher(request).matches()));
      }
    }
    assertThat(open.keySet()).as("operations without a command").isEmpty();
  }

  private static TestServer.Answer answer(HttpExchange exchange) {
    return exchange.getRequestURI().getPath().endsWith("/live")
            && !exchange.getRequestURI().getPath().startsWith("/health")
        ? new TestServer.Answer(200, ":\n\ndata: {}\n\n")
        : new TestServer.Answer(200, "{\"status\":\"UP\",\"valid\":true}");
  }

  /** The operations of the document, with what a request for one looks like. */
  private static Map<String, Pattern> operations() throws IOException {
    JsonNode document;
    try (InputStream in = HttpDoor.class.getResourceAsStream("openapi.json")) {
      document = new ObjectMapper().readTree(in);
    }
    Map<String, Pattern> operations = new TreeMap<>();
    for (Map.Entry<String, JsonNode> path : document.path("paths").properties()) {
      for (Map.Entry<String, JsonNode> operation : path.getValue().properties()) {
        if (!operation.getKey().equals("parameters")) {
          String request = operation.getKey().toUpperCase(Locale.ROOT) + " " + path.getKey();
          String pattern = request.replaceAll("\\{[a-z]+}", "[^/]+");
          operations.put(request, Pattern.compile(pattern));
        }
      }
    }
    return operations;
  }
}
