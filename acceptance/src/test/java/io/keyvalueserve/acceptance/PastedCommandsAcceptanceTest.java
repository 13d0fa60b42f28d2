package io.keyvalueserve.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * Goal: a newcomer who pastes the blocks of the tutorial and of the README's quick start gets the
 * answers that the text promises. Method: the blocks themselves, in a shell, against a {@code
 * --dev} server. Its ports take the place of the usual ones. A script stands for {@code redis-cli},
 * because not every machine has one; clients of other languages have tests of their own.
 */
class PastedCommandsAcceptanceTest {
  private static final Duration PATIENCE = Duration.ofMinutes(2);
  private static final String FENCE = "```";
  private static final String END_OF_BLOCK = "---- end of block";

  private static final String REDIS_CLI =
      """
      #!/usr/bin/env bash
      # redis-cli on a terminal, as far as documents use it.
      set -eu
      export LC_ALL=C
      user= pass=
      while [ $# -gt 0 ]; do
        case $1 in
          --user) user=$2; shift 2 ;;
          --pass) pass=$2; shift 2 ;;
          --no-auth-warning) shift ;;
          *) break ;;
        esac
      done
      exec 3<>"/dev/tcp/127.0.0.1/$KVS_TEST_RESP_PORT"
      send() {
        local argument
        printf '*%d\\r\\n' $# >&3
        for argument in "$@"; do printf '$%d\\r\\n%s\\r\\n' "${#argument}" "$argument" >&3; done
      }
      reply() {
        local line value i
        IFS= read -r line <&3
        line=${line%$'\\r'}
        case $line in
          +*) echo "${line:1}" ;;
          -*) echo "(error) ${line:1}" ;;
          :*) echo "(integer) ${line:1}" ;;
          '$-1') echo '(nil)' ;;
          '$'*) IFS= read -r -N "${line:1}" value <&3; read -r _ <&3; echo "\\"$value\\"" ;;
          '*'*) for ((i = 1; i <= ${line:1}; i++)); do printf '%d) ' "$i"; reply; done ;;
        esac
      }
      if [ -n "$user" ]; then send AUTH "$user" "$pass"; [ "$(reply)" = OK ]; fi
      send "$@"
      reply
      """;

  private static final KvsProcess SERVER = new KvsProcess("pasted");
  private static final Path HERE = Scratch.newFolder("pasted-shell");

  @BeforeAll
  static void start() throws IOException {
    SERVER.launch("--dev");
    SERVER.awaitReady();
    executable("redis-cli", REDIS_CLI);
    executable(
        "kvs",
        ServerJvm.command().stream()
            .map(word -> "'" + word + "'")
            .collect(Collectors.joining(" ", "#!/bin/sh\nexec ", " \"$@\"\n")));
  }

  @AfterAll
  static void end() {
    SERVER.close();
    Scratch.delete(HERE);
  }

  @Test
  void theTutorialAnswersAsItSays() throws IOException {
    List<String> blocks = blocks("docs/tutorial.md", "# Tutorial", "## Next");
    assertThat(blocks.removeFirst()).isEqualTo("./kvs serve --dev\n");
    List<String> answers = run(blocks);
    assertThat(answers.get(0)).contains("acme").contains("globex");
    assertThat(answers.get(1).lines()).containsExactly("OK", "\"17\"", "(nil)");
    assertThat(answers.get(2).strip()).isEqualTo("17");
    assertThat(answers.get(3)).contains("\"17\"").contains("(error) NOPERM");
    assertThat(answers.get(4)).contains("(integer) ").contains("(error) THROTTLED");
    assertThat(answers.get(5)).contains("MEASURE").contains("bill ").contains("total ");
    assertThat(answers).hasSize(7);
    assertThat(SERVER.kvs("tenant", "list")).doesNotContain("acme").doesNotContain("globex");
  }

  @Test
  void theQuickStartAnswersAsItSays() throws IOException {
    List<String> blocks = blocks("README.md", "## Quick start", "**With the Python client.**");
    assertThat(blocks.removeFirst()).isEqualTo("./kvs demo\n./kvs check\n");
    assertThat(blocks.removeFirst()).isEqualTo("./kvs serve --dev\n");
    List<String> answers = run(blocks);
    assertThat(answers.get(0).lines())
        .containsSequence("OK", "\"ada\"", "OK", "(integer) 42")
        .contains("(integer) 3600");
    assertThat(answers.get(1)).contains("ada").contains("201").contains("(integer) 3600");
    assertThat(answers.get(2)).contains("OK\n(nil)\n").contains("acme").contains("globex");
    assertThat(answers.get(3)).endsWith("\"1\"\n");
    assertThat(answers.get(4)).contains("10000");
    assertThat(answers).hasSize(5);
    String _ =
        run(List.of("./kvs tenant delete acme --yes\n./kvs tenant delete globex --yes\n"))
            .getFirst();
  }

  @Test
  void applicationsForRedisAnswerAsTheirPageSays() throws IOException {
    List<String> blocks = blocks("docs/redis-applications.md", "# Redis applications", "no end");
    assertThat(blocks.removeFirst()).isEqualTo("./kvs serve --dev\n");
    List<String> answers = run(blocks);
    assertThat(answers.get(0).lines())
        .containsExactly(
            "(integer) 2",
            "\"resize cat.png\"",
            "1) \"resize cat.png\"",
            "(integer) 1",
            "(integer) 1");
    assertThat(answers.get(1).lines())
        .containsExactly(
            "(integer) 3",
            "\"80\"",
            "1) \"ada\"",
            "2) \"80\"",
            "3) \"bob\"",
            "4) \"70\"",
            "(integer) 2",
            "(integer) 2");
    assertThat(answers.get(2).lines())
        .containsExactly(
            "(integer) 2",
            "(integer) 1",
            "(integer) 2",
            "1) \"ada\"",
            "2) \"2\"",
            "(integer) 1",
            "(integer) 0");
    assertThat(answers.get(3).lines())
        .containsExactly("\"let in\"", "\"let in\"", "\"let in\"", "\"refused\"");
    assertThat(answers).hasSize(4);
  }

  /** Runs blocks in one shell, one after the other; returns what each has printed. */
  private static List<String> run(List<String> blocks) {
    StringBuilder script = new StringBuilder("set -eu -o pipefail\n");
    for (String block : blocks) {
      script.append(block).append("echo '").append(END_OF_BLOCK).append("'\n");
    }
    String address = SERVER.httpAddress();
    String printed =
        Commands.run(
            HERE,
            Map.of(
                "PATH",
                HERE + ":" + System.getenv("PATH"),
                "KVS_URL",
                address,
                "KVS_TEST_RESP_PORT",
                Integer.toString(SERVER.respPort())),
            PATIENCE,
            List.of("bash", "-c", script.toString().replace("http://127.0.0.1:8080", address)));
    List<String> answers = new ArrayList<>(List.of(printed.split(END_OF_BLOCK + "\n", -1)));
    assertThat(answers.removeLast()).isEmpty();
    return answers;
  }

  /** The fenced blocks of a document between two lines, by how these begin. */
  private static List<String> blocks(String document, String from, String to) throws IOException {
    Path file = Scratch.probeSources().resolve("../../../..").resolve(document).normalize();
    List<String> blocks = new ArrayList<>();
    boolean isIn = false;
    StringBuilder block = null;
    for (String line : Files.readAllLines(file)) {
      if (line.startsWith(to)) {
        break;
      }
      isIn |= line.startsWith(from);
      if (isIn && line.startsWith(FENCE)) {
        if (block == null) {
          block = new StringBuilder();
        } else {
          blocks.add(block.toString());
          block = null;
        }
      } else if (block != null) {
        block.append(line).append('\n');
      }
    }
    return blocks;
  }

  private static void executable(String name, String text) throws IOException {
    Path file = HERE.resolve(name);
    Files.writeString(file, text);
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
  }
}
