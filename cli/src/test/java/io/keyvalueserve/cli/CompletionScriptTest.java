package io.keyvalueserve.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import picocli.CommandLine;

/** The scripts in the shells themselves, as far as they are installed. */
class CompletionScriptTest {
  /** A 'kvs' that knows two tenants and a map, and keeps what it was asked. */
  private static final String PROGRAM =
      """
      #!/bin/sh
      echo "$@" >>"$(dirname "$0")/asked"
      case "$2 $3" in
      'maps acme/'*) echo acme/orders ;;
      stores*) echo erp ;;
      maps*) echo acme/; echo globex/ ;;
      *) echo acme; echo globex ;;
      esac
      """;

  /** Else a slow machine would get no answer: the server has a second for people who wait. */
  private static final String PATIENT = "--patience=60000";

  @TempDir private Path directory;

  @BeforeEach
  void makeProgram() throws IOException {
    Path program = Files.writeString(directory.resolve("kvs"), PROGRAM);
    assertThat(program.toFile().setExecutable(true)).isTrue();
    Files.writeString(directory.resolve("some file.json"), "{}");
  }

  @ParameterizedTest
  @EnumSource(CompletionScript.Shell.class)
  void completesWhatTheCommandsHave(CompletionScript.Shell shell) throws Exception {
    assumeTrue(isInstalled(shell), shell + " is not installed");
    assertThat(completed(shell, "kvs ten")).containsExactly("tenant");
    assertThat(completed(shell, "kvs tenant "))
        .contains("create", "list", "show", "delete")
        .doesNotContain("serve");
    assertThat(completed(shell, "kvs tenant list --wa")).containsExactly("--watch");
    assertThat(completed(shell, "kvs bill export acme f --format c"))
        .containsExactlyInAnyOrder("csv", "cloudevents");
    assertThat(completed(shell, "kvs map configure acme/orders --durability "))
        .containsExactlyInAnyOrder("none", "everysec", "always", "default");
    assertThat(completed(shell, "kvs completion z")).containsExactly("zsh");
    assertThat(completed(shell, "kvs nam")).as("what is hidden").isEmpty();
    assertThat(completed(shell, "kvs tenant list --json --co")).containsExactly("--color");
  }

  @ParameterizedTest
  @EnumSource(CompletionScript.Shell.class)
  void completesNamesThatTheServerKnows(CompletionScript.Shell shell) throws Exception {
    assumeTrue(isInstalled(shell), shell + " is not installed");
    assertThat(completed(shell, "kvs tenant show ")).containsExactlyInAnyOrder("acme", "globex");
    assertThat(completed(shell, "kvs tenant show gl")).containsExactly("globex");
    assertThat(completed(shell, "kvs map show ac")).containsExactly("acme/");
    assertThat(completed(shell, "kvs map show acme/o")).containsExactly("acme/orders");
    assertThat(completed(shell, "kvs grant create acme/orders --to "))
        .containsExactlyInAnyOrder("acme", "globex");
    assertThat(completed(shell, "kvs store show ")).containsExactly("erp");
    assertThat(completed(shell, "kvs map configure acme/orders --store ")).containsExactly("erp");
    Files.deleteIfExists(directory.resolve("asked"));
    assertThat(completed(shell, "kvs --help tenant show --url http://h:1 --key-file k ac"))
        .containsExactly("acme");
    assertThat(Files.readString(directory.resolve("asked")))
        .isEqualTo("names tenants ac --url http://h:1 --key-file k\n");
    assertThat(completed(shell, "kvs tenant create ac")).as("a new name").isEmpty();
  }

  @ParameterizedTest
  @EnumSource(CompletionScript.Shell.class)
  void completesFilesAndValuesThatAreJoined(CompletionScript.Shell shell) throws Exception {
    assumeTrue(isInstalled(shell), shell + " is not installed");
    assertThat(completed(shell, "kvs rates set some")).hasSize(1);
    List<String> joined = completed(shell, "kvs usage acme --by=mo");
    assertThat(joined).hasSize(1);
    assertThat(joined.getFirst()).endsWith("month");
  }

  /** A tenant chooses its maps' names, and a shell would run what is in them. */
  @Test
  void namesWithSignsAreNotOffered() {
    String answer =
        """
        {"tenant":"acme","maps":[{"map":"orders"},{"map":"$(reboot)"},{"map":"a b"},{"map":"`x`"}]}""";
    try (TestServer server = TestServer.saying(answer)) {
      TestRun maps = TestRun.of("names", "maps", "acme/", "--url", server.url(), PATIENT);
      assertThat(maps.out()).isEqualToIgnoringNewLines("acme/orders");
      assertThat(TestRun.of("names", "tenants", "a", "--url", server.url(), PATIENT).out())
          .isEqualToIgnoringNewLines("acme");
      assertThat(TestRun.of("names", "stores", "--url", server.url(), PATIENT).out()).isEmpty();
      assertThat(TestRun.of("names", "tenants", "b", "--url", server.url(), PATIENT).out())
          .isEmpty();
    }
  }

  @Test
  void saysNothingWithoutAServer() {
    TestRun none = TestRun.of("names", "tenants", "--url", "http://127.0.0.1:1");
    assertThat(none.code()).isZero();
    assertThat(none.out() + none.err()).isEmpty();
  }

  /** Every command and every option of the model is in the script of every shell. */
  @ParameterizedTest
  @EnumSource(CompletionScript.Shell.class)
  void knowsAllCommands(CompletionScript.Shell shell) {
    CommandLine kvs = KvsCommand.commandLine();
    String script = CompletionScript.of(kvs, shell);
    assertThat(script).doesNotContainPattern("@[A-Z]+@");
    kvs.getSubcommands()
        .values()
        .forEach(
            command -> {
              boolean isHidden = command.getCommandSpec().usageMessage().hidden();
              assertThat(script.contains("'kvs " + command.getCommandName() + "'"))
                  .as(command.getCommandName())
                  .isNotEqualTo(isHidden);
            });
    assertThat(TestRun.of("completion", shell.name().toLowerCase(Locale.ROOT)).out())
        .isEqualTo(script);
    assertThat(TestRun.of("completion", "tcsh").code()).isEqualTo(2);
  }

  private static boolean isInstalled(CompletionScript.Shell shell) {
    String name = shell.name().toLowerCase(Locale.ROOT);
    return Arrays.stream(System.getenv().getOrDefault("PATH", "").split(File.pathSeparator, -1))
        .anyMatch(folder -> Files.isExecutable(Path.of(folder, name)));
  }

  /** What a shell offers at the end of a line. */
  private List<String> completed(CompletionScript.Shell shell, String line)
      throws IOException, InterruptedException {
    Path script = directory.resolve("completion." + shell);
    Files.writeString(script, CompletionScript.of(KvsCommand.commandLine(), shell));
    String asked =
        switch (shell) {
          case BASH -> bash(line);
          case ZSH -> zsh(line);
          case FISH -> "source " + script + "; complete -C '" + line + "'";
        };
    if (shell != CompletionScript.Shell.FISH) {
      asked = asked.replace("SCRIPT", script.toString());
    }
    ProcessBuilder process =
        new ProcessBuilder(shell.name().toLowerCase(Locale.ROOT), "-c", asked)
            .directory(directory.toFile())
            .redirectErrorStream(true);
    process.environment().merge("PATH", directory.toString(), (old, own) -> own + ":" + old);
    process.environment().put("HOME", directory.toString());
    Process ran = process.start();
    ran.getOutputStream().close();
    String out = new String(ran.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(ran.waitFor()).as(out).isZero();
    return out.lines().map(each -> each.split("\t", -1)[0]).filter(s -> !s.isEmpty()).toList();
  }

  /** Splits words as bash does, whose COMP_WORDBREAKS hold '='. */
  private static String bash(String line) {
    List<String> words = new ArrayList<>(List.of(line.split(" ", -1)));
    String list =
        words.stream()
            .flatMap(word -> Arrays.stream(word.split("(?==)|(?<==)", -1)))
            .map(word -> "'" + word + "'")
            .collect(Collectors.joining(" "));
    return "source SCRIPT; COMP_WORDS=("
        + list
        + "); COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); _kvs; printf '%s\\n' \"${COMPREPLY[@]}\"";
  }

  /** Has no command to complete for without a terminal: the function is called as bash's is. */
  private static String zsh(String line) {
    String list =
        Arrays.stream(line.split(" ", -1))
            .map(word -> "'" + word + "'")
            .collect(Collectors.joining(" "));
    return "autoload -Uz compinit && compinit -D -u; source SCRIPT; emulate -L sh;"
        + " setopt KSH_ARRAYS; COMP_WORDS=("
        + list
        + "); COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); compgen() { for f in some*; do echo $f; done };"
        + " _kvs; printf '%s\\n' \"${COMPREPLY[@]}\"";
  }
}
