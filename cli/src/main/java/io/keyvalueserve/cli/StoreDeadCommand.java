package io.keyvalueserve.cli;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.keyvalueserve.cli.KvsCommand.Failure;
import java.io.Console;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code kvs store dead ...} */
@Command(
    name = "dead",
    description = {
      "Dead letters: writes of a map that its database has refused for good.",
      "An access key of the tenant will do."
    },
    mixinStandardHelpOptions = true,
    synopsisSubcommandLabel = "COMMAND")
final class StoreDeadCommand implements Runnable {
  @Spec private CommandSpec spec;

  @Override
  public void run() {
    throw new ParameterException(spec.commandLine(), "which command? See below.");
  }

  @Command(
      name = "list",
      description = {
        "Lists the dead letters of a map on all members, the oldest first: why the database has"
            + " refused each. Values are not shown."
      },
      mixinStandardHelpOptions = true)
  void list(
      @Parameters(paramLabel = "TENANT/MAP") String map,
      @Option(
              names = "--limit",
              paramLabel = "N",
              defaultValue = "100",
              description = "How many at most: up to 1000. Default: ${DEFAULT-VALUE}.")
          int limit,
      @Mixin AdminClient client,
      @Mixin View out) {
    out.show(
        () -> client.get(path(map) + "?limit=" + limit),
        answer -> StoreDeadCommand.table(answer, out));
  }

  private static TextTable table(JsonNode answer, Output out) {
    TextTable table = new TextTable("NUMBER", "KEY", "OPERATION", "BYTES", "SINCE", "REASON");
    for (JsonNode letter : answer.path("letters")) {
      table.add(
          letter.path("number").asText(),
          letter.path("key").asText("(of a type without a text)"),
          letter.path("operation").asText(),
          letter.path("valueBytes").asText(),
          letter.path("since").asText(),
          letter.path("reason").asText());
    }
    out.warnOfSilent(answer);
    long more = answer.path("total").asLong() - answer.path("letters").size();
    if (more > 0) {
      out.warn(more + " more; --limit shows up to 1000");
    }
    return table.shortening("REASON", "KEY");
  }

  private ObjectNode body(List<String> numbers, boolean all) {
    if (all != numbers.isEmpty()) {
      throw new ParameterException(
          spec.commandLine(),
          all ? "give numbers or --all, not both" : "which? Give numbers, or --all");
    }
    ObjectNode body = AdminClient.object();
    if (all) {
      return body.put("all", true);
    }
    ArrayNode list = body.putArray("numbers");
    numbers.forEach(list::add);
    return body;
  }

  @Command(
      name = "retry",
      description = {
        "Has dead letters written once more, soon. Mend the table before, or they are refused again."
      },
      mixinStandardHelpOptions = true)
  void retry(
      @Parameters(index = "0", paramLabel = "TENANT/MAP") String map,
      @Parameters(
              index = "1..*",
              arity = "0..*",
              paramLabel = "NUMBER",
              description = "Those of them, as 'kvs store dead list' shows them.")
          @Nullable List<String> numbers,
      @Option(names = "--all", description = "All of them.") boolean all,
      @Mixin AdminClient client,
      @Mixin Output out) {
    JsonNode answer = client.post(path(map) + "/retry", body(orNone(numbers), all));
    out.warnOfSilent(answer);
    out.print(answer, count(answer) + " of " + map + " will be written once more");
  }

  @Command(
      name = "discard",
      description = "Discards dead letters with their values: what the database has holds.",
      mixinStandardHelpOptions = true)
  void discard(
      @Parameters(index = "0", paramLabel = "TENANT/MAP") String map,
      @Parameters(
              index = "1..*",
              arity = "0..*",
              paramLabel = "NUMBER",
              description = "Those of them, as 'kvs store dead list' shows them.")
          @Nullable List<String> numbers,
      @Option(names = "--all", description = "All of them.") boolean all,
      @Option(names = "--yes", description = "Do not ask.") boolean yes,
      @Mixin AdminClient client,
      @Mixin Output out) {
    ObjectNode body = body(orNone(numbers), all);
    String path = path(map);
    if (!yes) {
      confirm(map, body);
    }
    JsonNode answer = client.post(path + "/discard", body);
    out.warnOfSilent(answer);
    out.print(answer, count(answer) + " of " + map + " are discarded");
  }

  private static String count(JsonNode answer) {
    return answer.path("count").asLong() + " dead letters";
  }

  private static List<String> orNone(@Nullable List<String> numbers) {
    return numbers == null ? List.of() : numbers;
  }

  private static void confirm(String map, ObjectNode body) {
    Console console = System.console();
    if (console == null || !console.isTerminal()) {
      throw new Failure("discarding dead letters deletes their values: confirm with --yes");
    }
    String which = body.has("all") ? "all" : String.valueOf(body.path("numbers").size());
    String answer =
        console.readLine("Discard %s dead letters of %s? Type the map's name: ", which, map);
    if (!map.equals(answer)) {
      throw new Failure("nothing was discarded");
    }
  }

  private String path(String map) {
    return MapPath.of(map, spec.commandLine()) + "/store/dead-letters";
  }
}
