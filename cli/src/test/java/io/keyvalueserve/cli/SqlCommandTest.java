package io.keyvalueserve.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import io.keyvalueserve.cli.TestServer.Answer;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.jline.terminal.Terminal;
import org.jline.terminal.impl.DumbTerminal;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code kvs sql} with a server that answers what a test says. */
class SqlCommandTest {
  private static final String ROWS =
      """
      {"columns":[{"name":"n","type":"INTEGER"},{"name":"t","type":"VARCHAR"}],
      "rows":[[1,"one"],[20,"twenty"]],"rowCount":2}""";
  private static final String REFUSED =
      """
      {"error":{"code":"sql_42703","message":"no column \\"x\\" (at character 8); name is one",
      "field":"sql"}}""";

  private static TestRun run(TestServer server, String... arguments) {
    List<String> words = new ArrayList<>(List.of("sql", "--url", server.url()));
    words.addAll(List.of(arguments));
    return TestRun.of(words.toArray(String[]::new));
  }

  private static Answer ofTenant(HttpExchange exchange, Answer answer) {
    return exchange.getRequestURI().getPath().equals("/api/v1/me")
        ? new Answer(200, "{\"tenant\":\"acme\"}")
        : answer;
  }

  @Test
  void printsRowsOfTheTenantWhoseKeyItIs() {
    try (TestServer server =
        new TestServer(exchange -> ofTenant(exchange, new Answer(200, ROWS)))) {
      TestRun ran = run(server, "-c", "SELECT 1; SELECT 2");
      assertThat(ran.code()).as(ran.err()).isZero();
      assertThat(server.asked())
          .containsExactly(
              "GET /api/v1/me", "POST /api/v1/tenants/acme/sql", "POST /api/v1/tenants/acme/sql");
      assertThat(ran.out().lines().limit(5))
          .containsExactly(" n │ t", "───┼───────", " 1 │ one", "20 │ twenty", "(2 rows)");
      assertThat(run(server, "--format", "csv", "-c", "SELECT 1").out())
          .isEqualTo("n,t\r\n1,one\r\n20,twenty\r\n");
      assertThat(run(server, "--json", "-c", "SELECT 1").out()).startsWith("{\"columns\":[");
      assertThat(run(server, "-c", "\\x", "-c", "SELECT 1").out()).contains("─ row 2 ", "t │ one");
    }
  }

  @Test
  void endsWithOneAtTheFirstFailure(@TempDir Path folder) throws IOException {
    AtomicInteger statements = new AtomicInteger();
    Path file =
        Files.writeString(folder.resolve("script.sql"), "SELECT 1;\n\nSELECT x;\nSELECT 3;");
    try (TestServer server =
        new TestServer(
            exchange ->
                statements.incrementAndGet() == 2
                    ? new Answer(400, REFUSED)
                    : new Answer(200, ROWS))) {
      TestRun ran = run(server, "acme", "-f", file.toString());
      assertThat(ran.code()).isEqualTo(1);
      assertThat(ran.err().lines())
          .containsExactly(
              "kvs: line 3: no column \"x\"; name is one [42703]", "  SELECT x", "         ^");
      assertThat(ran.out()).contains("(2 rows)");
      assertThat(server.asked()).hasSize(2);
    }
  }

  @Test
  void tellsOperatorsWhichKeyItNeeds() {
    try (TestServer server = TestServer.saying("{\"role\":\"operator\"}")) {
      TestRun ran = run(server, "-c", "SELECT 1");
      assertThat(ran.code()).isEqualTo(1);
      assertThat(ran.err()).contains("access key of a tenant", "KVS_KEY", "kvs sql dev");
    }
  }

  @Test
  void refusesWhatDoesNotGoTogether() {
    try (TestServer server = TestServer.saying("{}")) {
      assertThat(run(server, "acme", "--timeout", "soon", "-c", "SELECT 1").err())
          .contains("--timeout 'soon' is no time");
      assertThat(run(server, "acme", "--param", "1", "-c", "SELECT 1; SELECT 2").err())
          .contains("--param goes with one statement, and there are 2");
      assertThat(run(server, "acme", "-c", "\\nothing").err()).contains("\\? lists those");
    }
  }

  @Test
  void runsWhatIsTypedAtThePrompt() throws IOException {
    AtomicInteger statements = new AtomicInteger();
    ByteArrayOutputStream screen = new ByteArrayOutputStream();
    String typed = "SELECT n,\n t FROM m;\n\\timing\nSELECT x;\nSELECT 'unfinished\n\u0004\\q\n";
    try (TestServer server =
            new TestServer(
                exchange ->
                    !exchange.getRequestURI().getPath().endsWith("/sql")
                        ? new Answer(200, "{\"queries\":[]}")
                        : statements.incrementAndGet() == 3
                            ? new Answer(400, REFUSED)
                            : new Answer(200, ROWS));
        Terminal terminal =
            new DumbTerminal(
                new ByteArrayInputStream(typed.getBytes(StandardCharsets.UTF_8)), screen)) {
      AdminClient client = client(server);
      SqlShell shell =
          new SqlShell(
              new SqlClient(client, "acme", null, null),
              terminal.writer(),
              () -> Style.PLAIN,
              SqlFormatName.TABLE);
      new SqlPrompt(terminal, shell, Style.PLAIN).run(null);
      terminal.flush();
    }
    assertThat(screen.toString(StandardCharsets.UTF_8))
        .contains("Tenant acme.", "20 │ twenty", "(2 rows)", "Timing is on.");
  }

  private static AdminClient client(TestServer server) {
    AdminClient client = new AdminClient();
    new picocli.CommandLine(new Holder(client)).parseArgs("--url", server.url());
    return client;
  }

  /** A command that has a client alone. */
  @picocli.CommandLine.Command
  private record Holder(@picocli.CommandLine.Mixin AdminClient client) {}
}
