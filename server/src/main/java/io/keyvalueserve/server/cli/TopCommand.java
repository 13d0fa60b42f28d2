package io.keyvalueserve.server.cli;

import com.fasterxml.jackson.databind.JsonNode;
import io.keyvalueserve.server.config.Sizes;
import java.io.Console;
import java.util.Locale;
import java.util.StringJoiner;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code kvs top} */
@Command(
    name = "top",
    description = {
      "Shows which tenants use most, on all members, and who waits for whom, until Ctrl-C.",
      "WAITED is how long a tenant's Redis sessions wait to be served, in ms a second; BEHIND names"
          + " the tenants that were served meanwhile, and for how much of it."
    },
    mixinStandardHelpOptions = true)
final class TopCommand implements Callable<Integer> {
  private static final String CLEAR = "\u001b[H\u001b[2J";
  private static final int MOST_NAMED = 3;

  @Option(
      names = "--interval",
      defaultValue = "2",
      paramLabel = "SECONDS",
      description = "How often: 1 to 3600. Default: ${DEFAULT-VALUE}")
  private int seconds;

  @Option(names = "--once", description = "Once, and no more. Usual where there is no terminal.")
  private boolean once;

  @Mixin private AdminClient client = new AdminClient();
  @Mixin private Output out = new Output();
  @Spec private CommandSpec spec;

  @Override
  public Integer call() throws InterruptedException {
    if (seconds < 1 || seconds > 3600) {
      throw new ParameterException(
          spec.commandLine(), "--interval '" + seconds + "': use 1 to 3600 seconds");
    }
    Console console = System.console();
    boolean goesOn = !once && console != null && console.isTerminal();
    do {
      JsonNode top = client.get("/api/v1/top");
      if (goesOn) {
        spec.commandLine().getOut().print(CLEAR);
      }
      out.print(top, table(top));
      spec.commandLine().getOut().flush();
      if (goesOn) {
        Thread.sleep(seconds * 1000L);
      }
    } while (goesOn);
    return 0;
  }

  private Table table(JsonNode top) {
    Table table =
        new Table(
            "TENANT",
            "OPS/S",
            "IN/S",
            "OUT/S",
            "THROTTLED",
            "MEMORY",
            "CONNS",
            "WAITED",
            "LONGEST",
            "BEHIND");
    for (JsonNode tenant : top.path("tenants")) {
      table.add(
          tenant.path("tenant").asText(),
          tenant.path("operationsPerSecond").asText(),
          Sizes.text(tenant.path("bytesInPerSecond").asLong()),
          Sizes.text(tenant.path("bytesOutPerSecond").asLong()),
          tenant.path("throttled").asText(),
          Sizes.text(tenant.path("memoryBytes").asLong()),
          tenant.path("connections").asText(),
          millis(tenant.path("waitedMillisPerSecond")),
          millis(tenant.path("longestWaitMillis")),
          behind(tenant.path("behindMillisPerSecond")));
    }
    for (JsonNode member : top.path("silent")) {
      spec.commandLine().getErr().println("member " + member.asText() + " gave no answer");
    }
    return table;
  }

  private static String behind(JsonNode others) {
    StringJoiner names = new StringJoiner(", ");
    int named = 0;
    for (var other : others.properties()) {
      if (named++ == MOST_NAMED) {
        break;
      }
      names.add(other.getKey() + " " + millis(other.getValue()));
    }
    return names.toString();
  }

  private static String millis(JsonNode millis) {
    return String.format(Locale.ROOT, "%.1f", millis.asDouble());
  }
}
