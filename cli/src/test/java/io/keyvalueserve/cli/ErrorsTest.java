package io.keyvalueserve.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Every error says what is wrong and what to do, and ends with the code that is documented. */
class ErrorsTest {
  /** What a server answers to a path, what the command says then, and with which code it ends. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      value = {
        "tenant list      | 401 | {} | refused the key (from | give the right one with --key-file",
        "tenant show acmee | 404 | {\"error\":{\"code\":\"no_such_tenant\",\"message\":\"tenant"
            + " 'acmee' does not exist\"}} | 'acmee' does not exist | did you mean acme?",
        "tenant show other | 404 | {\"error\":{\"code\":\"no_such_tenant\",\"message\":\"tenant"
            + " 'other' does not exist\"}} | 'other' does not exist | does not exist",
        "cost acme GET k  | 404 | {\"error\":{\"code\":\"not_found\",\"message\":\"no such"
            + " path\"}} | it has version 0.0.1, this command is of | use that of its version",
        "quota list       | 503 | {\"error\":{\"code\":\"loading\",\"message\":\"it is loading\"}} |"
            + " it is loading | try again in 3 s",
        "entry put a/m k v | 503 | {\"error\":{\"code\":\"timeout\",\"message\":\"no answer in"
            + " time\"}} | no answer in time | look before trying again",
        "quota list       | 500 | {} | status 500 | kvs:",
        "quota list       | 200 | <html> | is not a KeyValueServe server | --url",
        "quota list       | 403 | {\"error\":{\"code\":\"forbidden\",\"message\":\"that is for"
            + " operators\"}} | that is for operators | kvs:"
      })
  void saysWhatToDo(
      String command, int status, String answer, String what, String remedy, @TempDir Path folder)
      throws IOException {
    Path key = Files.writeString(folder.resolve("key"), "kvs_wrong");
    try (TestServer server =
        new TestServer(
            exchange -> {
              exchange.getResponseHeaders().add("Retry-After", "3");
              return switch (exchange.getRequestURI().getPath()) {
                case "/api/v1/version" -> new TestServer.Answer(200, "{\"version\":\"0.0.1\"}");
                case "/api/v1/tenants" ->
                    new TestServer.Answer(
                        status == 401 ? 401 : 200, "{\"tenants\":[{\"tenant\":\"acme\"}]}");
                default -> new TestServer.Answer(status, answer);
              };
            })) {
      List<String> words = new ArrayList<>(List.of(command.strip().split(" ", -1)));
      words.addAll(List.of("--url", server.url(), "--key-file", key.toString()));
      TestRun ran = TestRun.of(words.toArray(String[]::new));
      assertThat(ran.err()).startsWith("kvs: ").contains(what, remedy).doesNotContain("\tat ");
      assertThat(ran.code()).isEqualTo(1);
      assertThat(ran.out()).isEmpty();
      if (command.contains("other")) {
        assertThat(ran.err()).doesNotContain("did you mean");
      }
    }
  }

  /** Before anybody was reached, or without. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      value = {
        "tenant list --url http://127.0.0.1:1 | 1 | no server answers at | 'kvs serve'",
        "tenant list --url http://no-such-host.invalid | 1 | nobody knows the host of | --url",
        "tenant list --url ftp:/x | 1 | is not an address | http://HOST:PORT",
        "tenant list --url http://127.0.0.1:1 --key-file /none | 1 | cannot be read | --key-file",
        "map show orders | 2 | names no map | TENANT/MAP",
        "tenant sho acme | 2 | Unmatched argument | show",
        "tenant | 2 | which command? | list",
        "tenant list --jsn | 2 | Unknown option: '--jsn' | --json",
        "quota set acme | 2 | which limit? | --operations",
        "quota set acme --memory much | 2 | --memory 'much' | 2g",
        "audit list --from soon | 2 | --from 'soon' is no time | 12h",
        "top --interval 0 | 2 | --interval '0' | 1 to 3600",
        "rates set /none.json | 1 | /none.json cannot be read | kvs:",
        "data verify /none | 1 | no log is in /none | kvs serve --data",
        "entry batch acme/m /none.json | 1 | /none.json cannot be read: there is no such file | kvs:",
        "serve --config /none.yaml | 1 | --config: /none.yaml cannot be read: there is no such file |"
            + " leave --config out",
        "serve --config / | 1 | --config: / cannot be read: it is a directory | leave --config out",
        "serve --data /dev/null | 1 | data: needs a directory that the server may write to, and not"
            + " /dev/null: at /dev/null a file is there | another directory with --data",
        "serve --data /dev/null/x | 1 | not /dev/null/x: at /dev/null a file is there | --data",
        "serve --spill /dev/null | 1 | spill.directory: needs a directory | with --spill",
        "serve --resp-port 0 --http-port 0 --cluster-secret-file /none | 1 | cluster-secret-file:"
            + " /none cannot be read: there is no such file | name another file"
      })
  void saysWhatToDoBeforeItAsks(String command, int code, String what, String remedy) {
    TestRun ran = TestRun.of(command.strip().split(" ", -1));
    assertThat(ran.code()).as(ran.err()).isEqualTo(code);
    assertThat(ran.err())
        .contains(what, remedy)
        .doesNotContain("\tat ")
        .doesNotContain("Exception");
  }

  @Test
  void whatCouldNotBeExportedLeavesNoFile(@TempDir Path folder) {
    Path file = folder.resolve("ledger.json");
    try (TestServer server = new TestServer(exchange -> new TestServer.Answer(409, "{}"))) {
      String[] export = {"bill", "export", "acme", file.toString(), "--url", server.url()};
      assertThat(TestRun.of(export).code()).isEqualTo(1);
      assertThat(file).doesNotExist();
    }
    try (TestServer server = TestServer.saying("{\"entry\":0}")) {
      String[] export = {"bill", "export", "acme", file.toString(), "--url", server.url()};
      assertThat(TestRun.of(export).code()).isZero();
      assertThat(file).hasContent("{\"entry\":0}");
      TestRun again = TestRun.of(export);
      assertThat(again.code()).isEqualTo(1);
      assertThat(again.err()).contains("is there already");
      assertThat(file).hasContent("{\"entry\":0}");
    }
  }

  @Test
  void whatIsNoHttpServerIsTold() throws Exception {
    try (ServerSocket socket = new ServerSocket(0)) {
      Thread mute =
          Thread.ofVirtual()
              .start(
                  () -> {
                    try (var connection = socket.accept()) {
                      connection
                          .getOutputStream()
                          .write(
                              "-ERR unknown command\r\n"
                                  .getBytes(java.nio.charset.StandardCharsets.US_ASCII));
                    } catch (IOException e) {
                      // the test fails by what it expects
                    }
                  });
      TestRun ran =
          TestRun.of("quota", "list", "--url", "http://127.0.0.1:" + socket.getLocalPort());
      assertThat(ran.code()).isEqualTo(1);
      assertThat(ran.err()).contains("did not answer", "HTTP port");
      mute.join();
    }
  }

  @Test
  void colouredIsOnlyTheNameOnATerminal() {
    TestRun ran =
        TestRun.on(
            TestRun.screen(true, 80, seconds -> false),
            "quota",
            "list",
            "--url",
            "http://127.0.0.1:1");
    assertThat(ran.err()).startsWith("\u001b[31mkvs:\u001b[0m no server answers");
    TestRun never =
        TestRun.on(
            TestRun.screen(true, 80, seconds -> false),
            "quota",
            "list",
            "--color",
            "never",
            "--url",
            "http://127.0.0.1:1");
    assertThat(never.err()).startsWith("kvs: no server answers");
  }

  @Test
  void noMessageHasAKeyInIt(@TempDir Path folder) throws IOException {
    Path key = Files.writeString(folder.resolve("two-lines"), "kvs_secret\nof-two-lines");
    TestRun ran =
        TestRun.of("tenant", "list", "--url", "http://127.0.0.1:1", "--key-file", key.toString());
    assertThat(ran.code()).isEqualTo(1);
    assertThat(ran.err()).contains("is not one word").doesNotContain("secret", "of-two-lines");
  }
}
