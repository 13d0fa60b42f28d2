package io.keyvalueserve.resp.command;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyvalueserve.resp.TestMember;
import io.keyvalueserve.resp.WireClient;
import io.keyvalueserve.resp.command.RedisCommands.Other;
import io.keyvalueserve.resp.command.RedisCommands.Status;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/**
 * Goal: the page of all commands is true. Method: it is made of the commands that the door has and
 * of the list of the others, compared with the page in docs, and each command is sent once.
 *
 * <p>To write the page anew: {@code mvn -pl resp -am test -Dtest=RedisCommandsPageTest
 * -Dsurefire.failIfNoSpecifiedTests=false -Dkvs.write-page=true}.
 */
class RedisCommandsPageTest {
  private static final Path PAGE = Path.of("..").resolve(RedisCommands.PAGE);

  /** Those of a refused transaction have words of their own. */
  private static final Set<String> TRANSACTION = Set.of("multi", "exec", "discard");

  private static final String HEAD =
      """
      # Redis commands

      This page lists every command and subcommand of Redis 7.0, 7.2 and 7.4, and what becomes of it here. A test compares it with the
      commands that the server has, and sends each command once.

      | status | meaning |
      |---|---|
      | works | as in Redis |
      | differs | works; the last column says what is different |
      | not yet | unknown to this server; the error says so |
      | refused | unknown to this server; the error has the reason |

      `COMMAND LIST` returns the commands that work or differ. [Differences from Redis](tenancy.md#differences-from-redis) explains
      the general ones.

      """;

  private static final String FOOT =
      """

      ## Commands that Redis does not have

      | command | what it does |
      |---|---|
      """;

  private static Map<String, Descriptor> own() {
    Map<String, Descriptor> own = new TreeMap<>();
    CommandTable.standard()
        .everyDescriptor()
        .forEach(descriptor -> own.put(descriptor.fullName(), descriptor));
    return own;
  }

  // ---- the page

  private static String page() {
    StringBuilder page = new StringBuilder(HEAD);
    Map<String, Descriptor> own = own();
    Map<String, Integer> counts = new TreeMap<>();
    StringBuilder rows = new StringBuilder();
    for (CommandFacts facts : RedisCommands.all().values()) {
      Other other = RedisCommands.others().get(facts.name());
      String status = other == null ? "works" : other.status().label();
      counts.merge(status, 1, Integer::sum);
      rows.append("| `")
          .append(facts.name().toUpperCase(Locale.ROOT).replace('|', ' '))
          .append("` | ")
          .append(facts.group())
          .append(" | ")
          .append(facts.since())
          .append(" | ")
          .append(status)
          .append(" | ")
          .append(other == null ? "" : other.words())
          .append(" |\n");
    }
    page.append("Redis has ")
        .append(RedisCommands.all().size())
        .append(" commands and subcommands. Here ")
        .append(counts.getOrDefault("works", 0))
        .append(" work, ")
        .append(counts.getOrDefault("differs", 0))
        .append(" differ, ")
        .append(counts.getOrDefault("not yet", 0))
        .append(" do not work yet, and ")
        .append(counts.getOrDefault("refused", 0))
        .append(" are refused.\n\n")
        .append("| command | group | since | status | how, or why |\n|---|---|---|---|---|\n")
        .append(rows)
        .append(FOOT);
    own.forEach(
        (name, descriptor) -> {
          if (RedisCommands.facts(name) == null) {
            page.append("| `")
                .append((name + " " + descriptor.usage()).replace('|', ' ').strip())
                .append("` | ")
                .append(descriptor.summary())
                .append(" |\n");
          }
        });
    return page.toString();
  }

  @Test
  void thePageIsWhatTheCommandsSay() throws IOException {
    if (Boolean.getBoolean("kvs.write-page")) {
      Files.writeString(PAGE, page());
    }
    assertThat(Files.readString(PAGE))
        .as("%s; see this test's comment for how to write it anew", RedisCommands.PAGE)
        .isEqualTo(page());
  }

  // ---- the lists

  @Test
  void everyCommandOfRedisEitherWorksOrIsListedAsNotWorking() {
    Set<String> wrong = new TreeSet<>();
    Map<String, Descriptor> own = own();
    for (String name : RedisCommands.all().keySet()) {
      Other other = RedisCommands.others().get(name);
      boolean isListedAsMissing = other != null && other.status() != Status.DIFFERS;
      if (own.containsKey(name) == isListedAsMissing) {
        wrong.add(
            name
                + (isListedAsMissing
                    ? ": works; delete its line from other-commands.tsv"
                    : ": neither works nor has a line in other-commands.tsv"));
      }
    }
    RedisCommands.others().keySet().stream()
        .filter(name -> RedisCommands.facts(name) == null)
        .forEach(name -> wrong.add(name + ": is no command of Redis"));
    assertThat(wrong).isEmpty();
  }

  @Test
  void bothListsAreSortedAndSayWhy() {
    assertThat(List.copyOf(RedisCommands.all().keySet())).isSorted();
    assertThat(List.copyOf(RedisCommands.others().keySet())).isSorted();
    assertThat(RedisCommands.others().values())
        .allMatch(other -> other.status() == Status.NOT_YET || !other.words().isEmpty());
  }

  /** What COMMAND tells of a command is what the door goes by. */
  @Test
  void commandsOfTheDoorHaveTheArityAndKeysAndEffectsOfRedis() {
    List<String> wrong = new ArrayList<>();
    own()
        .forEach(
            (name, own) -> {
              CommandFacts redis = RedisCommands.facts(name);
              boolean hasKeys =
                  redis == null
                      || redis.keys().isEmpty()
                      || redis.keys().stream().anyMatch(key -> !key.flags().contains("not_key"));
              if (redis != null && hasKeys) {
                String theirs =
                    "%d %d %d %d %b %b"
                        .formatted(
                            redis.arity(),
                            redis.firstKey(),
                            redis.lastKey(),
                            redis.step(),
                            redis.writes(),
                            redis.has("readonly") && !name.equals("lolwut")); // it has no keys
                String ours =
                    "%d %d %d %d %b %b"
                        .formatted(
                            own.arity(),
                            own.firstKey(),
                            own.lastKey(),
                            own.step(),
                            own.has(Descriptor.Flag.WRITE),
                            own.has(Descriptor.Flag.READONLY));
                if (!theirs.equals(ours)) {
                  wrong.add(name + ": Redis has " + theirs + ", the door " + ours);
                }
              }
            });
    assertThat(wrong).isEmpty();
  }

  // ---- what is answered

  @Test
  void whatIsListedAsWorkingIsKnownAndTheRestIsNot() throws IOException {
    List<String> wrong = new ArrayList<>();
    try (TestMember member = TestMember.startDev(config -> config)) {
      for (CommandFacts facts : RedisCommands.all().values()) {
        if (TRANSACTION.contains(facts.name())) {
          continue;
        }
        Other other = RedisCommands.others().get(facts.name());
        String reply = replies(member, request(facts));
        boolean isUnknown =
            reply.startsWith("-ERR unknown command")
                || (facts.name().contains("|") && reply.startsWith("-ERR unknown subcommand"));
        if (other == null || other.status() == Status.DIFFERS) {
          if (isUnknown) {
            wrong.add(facts.name() + " is listed as working: " + reply);
          }
          continue;
        }
        String why = other.status() == Status.REFUSED ? other.words() : "does not yet";
        boolean isInUnknownContainer =
            facts.name().contains("|") && !own().containsKey(container(facts.name()));
        if (!isUnknown
            || !reply.contains(RedisCommands.PAGE)
            || !(isInUnknownContainer || reply.contains(why))) {
          wrong.add(facts.name() + " is listed as " + other.status() + ": " + reply);
        }
      }
    }
    assertThat(wrong).isEmpty();
  }

  private static String container(String name) {
    return name.substring(0, name.indexOf('|'));
  }

  /** The request with as few arguments as the command takes; each is 1. */
  private static String[] request(CommandFacts facts) {
    String[] names = facts.name().split("\\|");
    String[] request = Arrays.copyOf(names, Math.max(names.length, Math.abs(facts.arity())));
    Arrays.fill(request, names.length, request.length, "1");
    return request;
  }

  /** All that is answered on a connection of its own, which then ends. */
  private static String replies(TestMember member, String[] request) throws IOException {
    try (WireClient client = member.connect()) {
      client.send(WireClient.request(request));
      client.shutdownOutput();
      return client.rest();
    }
  }

  @Test
  void anErrorNamesTheReasonAndWhereTheListIs() throws IOException {
    try (TestMember member = TestMember.startDev(config -> config);
        WireClient client = member.connect()) {
      assertThat(client.call("SHUTDOWN", "NOSAVE"))
          .isEqualTo(
              "-ERR unknown command 'SHUTDOWN', with args beginning with: 'NOSAVE' (Redis has this"
                  + " command, this server does not: the operator stops members; COMMAND LIST names"
                  + " those that it has, docs/redis-commands.md has all)\r\n");
      assertThat(client.call("CONFIG", "REWRITE"))
          .startsWith("-ERR unknown subcommand 'REWRITE'. Try CONFIG HELP. (Redis has this command")
          .contains("there is no file of a tenant");
      assertThat(client.call("CONFIG", "NOSUCH"))
          .isEqualTo("-ERR unknown subcommand 'NOSUCH'. Try CONFIG HELP.\r\n");
      assertThat(client.call("NOSUCH", "x"))
          .isEqualTo("-ERR unknown command 'NOSUCH', with args beginning with: 'x' \r\n");
    }
  }

  @Test
  void namesInTheTableAreUnique() {
    List<String> names =
        CommandTable.standard().everyDescriptor().stream()
            .map(Descriptor::fullName)
            .collect(Collectors.toList());
    assertThat(names).doesNotHaveDuplicates();
  }
}
