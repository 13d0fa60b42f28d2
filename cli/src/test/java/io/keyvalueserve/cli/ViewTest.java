package io.keyvalueserve.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;

class ViewTest {
  private static final String TENANTS =
      """
      {"tenants":[{"tenant":"acme","state":"suspended","sessions":3,"operations":12}]}""";

  private final TestServer server = TestServer.saying(TENANTS);
  private final List<Integer> pauses = new ArrayList<>();

  @AfterEach
  void stop() {
    server.close();
  }

  /** Goes on twice. */
  private boolean pause(int seconds) {
    pauses.add(seconds);
    return pauses.size() < 3;
  }

  private TestRun run(boolean isTerminal, String... arguments) {
    List<String> all = new ArrayList<>(List.of(arguments));
    all.addAll(List.of("--url", server.url()));
    return TestRun.on(TestRun.screen(isTerminal, 80, this::pause), all.toArray(String[]::new));
  }

  @Test
  void asksOnceUnlessItIsWatched() {
    TestRun once = run(true, "tenant", "list");
    assertThat(once.code()).as(once.err()).isZero();
    assertThat(server.asked()).containsExactly("GET /api/v1/tenants");
    assertThat(pauses).isEmpty();
    assertThat(once.out()).contains("acme").doesNotContain("\u001b[H");
  }

  @Test
  void printsAgainWhereNobodyLooks() {
    TestRun watched = run(false, "tenant", "list", "--watch");
    assertThat(watched.code()).as(watched.err()).isZero();
    assertThat(pauses).containsExactly(2, 2, 2);
    assertThat(watched.out().split("TENANT", -1)).hasSize(4);
    assertThat(watched.out()).doesNotContain("\u001b");
  }

  @Test
  void printsAnObjectALineAsJson() throws Exception {
    TestRun watched = run(true, "tenant", "list", "--json", "--watch=7");
    assertThat(pauses).containsExactly(7, 7, 7);
    assertThat(watched.out().lines()).hasSize(3);
    ObjectMapper json = new ObjectMapper();
    for (String line : watched.out().lines().toList()) {
      assertThat(json.readTree(line)).isEqualTo(json.readTree(TENANTS));
    }
  }

  @Test
  void drawsInPlaceOnATerminal() {
    TestRun watched = run(true, "tenant", "list", "--watch");
    assertThat(watched.out().split("\u001b\\[H", -1)).hasSize(4);
    assertThat(watched.out().split("\u001b\\[2J", -1)).as("cleared once").hasSize(2);
    assertThat(watched.out()).contains("acme").endsWith("\u001b[J");
  }

  @Test
  void whatDoesNotFitIsCountedAndWhatIsToBeKnownIsOnTheScreenToo() {
    StringBuilder many = new StringBuilder("{\"silent\":[\"10.0.0.7:5801\"],\"locks\":[");
    for (int i = 0; i < 30; i++) {
      many.append(i == 0 ? "" : ",").append("{\"key\":\"k").append(i).append("\"}");
    }
    try (TestServer locks = TestServer.saying(many + "]}")) {
      TestRun watched =
          TestRun.on(
              TestRun.screen(true, 80, seconds -> false),
              "map",
              "locks",
              "a/b",
              "--watch",
              "--url",
              locks.url());
      assertThat(watched.out()).contains("k20").doesNotContain("k21").contains("(10 lines more)");
      assertThat(watched.err()).isEmpty();
    }
    try (TestServer none = TestServer.saying("{\"silent\":[\"10.0.0.7:5801\"]}")) {
      TestRun watched =
          TestRun.on(
              TestRun.screen(true, 80, seconds -> false),
              "map",
              "locks",
              "a/b",
              "--watch",
              "--color",
              "never",
              "--url",
              none.url());
      assertThat(watched.out()).contains("member 10.0.0.7:5801 gave no answer");
    }
  }

  /** The seconds are optional: what follows without '=' is the command's own. */
  @Test
  void whatFollowsIsNotTakenForTheSeconds() {
    TestRun watched = run(false, "tenant", "show", "--watch", "7");
    assertThat(watched.code()).as(watched.err()).isZero();
    assertThat(pauses).containsExactly(2, 2, 2);
    assertThat(server.asked()).contains("GET /api/v1/tenants/7");
  }

  @Test
  void saysWhichPausesThereAre() {
    assertThat(run(false, "tenant", "list", "--watch=0").err()).contains("1 to 3600 seconds");
    assertThat(run(false, "tenant", "list", "--watch=3601").code()).isEqualTo(2);
    assertThat(run(false, "tenant", "list", "--watch=soon").code()).isEqualTo(2);
  }

  @Test
  void everyCommandThatListsOrShowsCanBeWatched() {
    List<String> looked = new ArrayList<>();
    requireWatch(KvsCommand.commandLine(), looked);
    assertThat(looked).contains("tenant list", "bill show", "member list").hasSizeGreaterThan(12);
  }

  private static void requireWatch(CommandLine command, List<String> looked) {
    CommandSpec spec = command.getCommandSpec();
    if (spec.name().equals("list") || spec.name().equals("show")) {
      assertThat(spec.findOption("--watch")).as(spec.qualifiedName()).isNotNull();
      assertThat(spec.findOption("--json")).as(spec.qualifiedName()).isNotNull();
      looked.add(spec.qualifiedName().substring("kvs ".length()));
    }
    command.getSubcommands().values().forEach(part -> requireWatch(part, looked));
  }

  @Test
  void coloursAreForTerminalsUnlessItIsSaid() {
    assertThat(run(true, "tenant", "list").out()).contains("\u001b[33msuspended\u001b[0m");
    assertThat(run(false, "tenant", "list").out()).doesNotContain("\u001b");
    assertThat(run(true, "tenant", "list", "--color", "never").out()).doesNotContain("\u001b");
    assertThat(run(false, "tenant", "list", "--color", "always").out()).contains("\u001b[33m");
    assertThat(run(true, "tenant", "list", "--json").out()).doesNotContain("\u001b");
    assertThat(run(true, "tenant", "list", "--color", "pink").code()).isEqualTo(2);
    assertThat(Screen.allowsColors("1", "xterm")).isFalse();
    assertThat(Screen.allowsColors("", "xterm")).isTrue();
    assertThat(Screen.allowsColors(null, "dumb")).isFalse();
  }

  @Test
  void readsTheSizeOfTheTerminal() {
    assertThat(Screen.parse("50 132\n")).isEqualTo(new Screen.Size(50, 132));
    assertThat(Screen.parse("0 0\n")).isEqualTo(new Screen.Size(24, 80));
    assertThat(Screen.parse("stty: no tty")).isEqualTo(new Screen.Size(24, 80));
  }
}
