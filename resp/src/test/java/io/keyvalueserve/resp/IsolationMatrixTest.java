package io.keyvalueserve.resp;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.keyvalueserve.resp.command.Command;
import io.keyvalueserve.resp.command.CommandTable;
import io.keyvalueserve.resp.command.KeyedCommand;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Every command that there is, sent by one tenant with every combination of words that could mean
 * another tenant's keys and maps. What the other has must be untouched, and nothing that is told
 * may hold what only the other knows.
 */
@ParameterizedClass
@EnumSource(Way.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class IsolationMatrixTest {
  private static final String KEY = "ledger";
  private static final String VALUE = "treasure7431";
  private static final String HIDDEN_KEY = "hidden7431";
  private static final String HIDDEN_MAP = "vault7431";
  private static final int MOST_ARGUMENTS = 3;

  /** What an intruder would try: guessed keys, qualified names, patterns, numbers. */
  private static final List<String> WORDS = List.of(KEY, "acme/default", "acme", "*", "0", "10");

  private static final List<String> SUBCOMMANDS =
      List.of(
          "CLIENT ID",
          "CLIENT INFO",
          "CLIENT LIST",
          "CLIENT KILL",
          "CLIENT KILL USER",
          "CLIENT GETNAME",
          "CLIENT SETNAME",
          "COMMAND DOCS",
          "COMMAND INFO",
          "COMMAND LIST",
          "CONFIG GET",
          "INFO everything",
          "SCAN 0 COUNT 1000 MATCH");

  @Parameter private Way way = Way.DIRECT;

  private TestMember member;
  private WireClient acme;

  @BeforeAll
  void fill() throws IOException {
    member = TestMember.start(way);
    acme = member.connect("acme");
    acme.call("SET", KEY, VALUE);
    acme.call("SET", HIDDEN_KEY, VALUE);
    acme.call("SELECT", HIDDEN_MAP);
    acme.call("SET", KEY, VALUE);
    acme.call("SELECT", "0");
    acme.call("CLIENT", "SETNAME", HIDDEN_KEY);
  }

  @AfterAll
  void end() throws IOException {
    acme.close();
    member.close();
  }

  static Set<String> commands() {
    Set<String> names = new TreeSet<>();
    for (Command command : CommandTable.standard().commands()) {
      names.add(command.descriptor().name());
    }
    names.addAll(SUBCOMMANDS);
    return names;
  }

  @ParameterizedTest
  @MethodSource("commands")
  void reachesNothingOfAnotherTenant(String command) throws IOException {
    List<List<String>> requests = new ArrayList<>();
    for (List<String> arguments : combinations()) {
      List<String> words = new ArrayList<>(List.of(command.split(" ", -1)));
      words.addAll(arguments);
      requests.add(words);
    }
    if (CommandTable.standard().find(command.getBytes(UTF_8)) instanceof KeyedCommand) {
      tryAll(requests); // they leave the connection as it is
    } else {
      for (List<String> words : requests) {
        tryAll(List.of(words));
      }
    }
    assertThat(acme.call("GET", KEY)).contains(VALUE);
    assertThat(acme.call("PTTL", KEY)).isEqualTo(":-1\r\n");
    assertThat(acme.call("DBSIZE")).isEqualTo(":2\r\n");
    assertThat(acme.call("SELECT", HIDDEN_MAP)).isEqualTo("+OK\r\n");
    assertThat(acme.call("GET", KEY)).contains(VALUE);
    assertThat(acme.call("SELECT", "0")).isEqualTo("+OK\r\n");
  }

  /** Sends requests on one connection, and looks at all that comes back. */
  private void tryAll(List<List<String>> requests) throws IOException {
    try (WireClient globex = member.connect("globex")) {
      for (List<String> words : requests) {
        globex.send(WireClient.request(words.toArray(String[]::new)));
      }
      globex.shutdownOutput();
      String replies = globex.rest();
      if (requests.size() > 1) { // each is answered, or nothing would have been tried
        assertThat(replies.split("\r\n", -1)).hasSizeGreaterThan(requests.size());
      }
      assertThat(replies)
          .as("%s", requests)
          .doesNotContain(VALUE)
          .doesNotContain(HIDDEN_KEY)
          .doesNotContain(HIDDEN_MAP);
    }
  }

  private static List<List<String>> combinations() {
    List<List<String>> all = new ArrayList<>();
    all.add(List.of());
    List<List<String>> longest = all;
    for (int length = 1; length <= MOST_ARGUMENTS; length++) {
      List<List<String>> next = new ArrayList<>();
      for (List<String> shorter : longest) {
        for (String word : length == MOST_ARGUMENTS ? WORDS.subList(0, 2) : WORDS) {
          List<String> longer = new ArrayList<>(shorter);
          longer.add(word);
          next.add(longer);
        }
      }
      longest = next;
      all = new ArrayList<>(all);
      all.addAll(next);
    }
    return all;
  }
}
