package io.keyvalueserve.cli;

import com.fasterxml.jackson.databind.JsonNode;
import io.keyvalueserve.server.config.Sizes;
import java.time.Duration;
import java.time.Instant;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code kvs query ...} */
@Command(
    name = "query",
    description = {
      "Shows the SQL statements that run, and ends them.",
      "With the operator key: those of all tenants, or of one. With an access key: the tenant's own."
    },
    mixinStandardHelpOptions = true,
    synopsisSubcommandLabel = "COMMAND")
final class QueryCommand implements Runnable {
  private static final int MILLIS = 1_000;

  @Spec private CommandSpec spec;

  @Override
  public void run() {
    throw new ParameterException(spec.commandLine(), "which command? See below.");
  }

  @Command(
      name = "list",
      description = "Lists the statements that run on all members, the longest running first.",
      mixinStandardHelpOptions = true)
  void list(
      @Parameters(arity = "0..1", paramLabel = "TENANT") @Nullable String tenant,
      @Mixin AdminClient client,
      @Mixin View out) {
    String path = path(client, tenant);
    out.show(
        () -> client.get(path),
        answer -> {
          out.warnOfSilent(answer);
          return table(answer);
        });
  }

  private static TextTable table(JsonNode answer) {
    TextTable table =
        new TextTable(
            "ID", "TENANT", "DOOR", "CLIENT", "FOR", "EXAMINED", "RETURNED", "HEAP", "STATEMENT");
    for (JsonNode query : answer.path("queries")) {
      table.add(
          query.path("id").asText(),
          query.path("tenant").asText(),
          query.path("door").asText(),
          query.path("client").asText(),
          age(query.path("started").asText()),
          query.path("rowsExamined").asText(),
          query.path("rowsReturned").asText(),
          Sizes.text(query.path("heldBytes").asLong()),
          query.path("sql").asText().strip().replaceAll("\\s+", " "));
    }
    return table.shortening("STATEMENT", "CLIENT");
  }

  private static String age(String started) {
    if (started.isEmpty()) {
      return "";
    }
    long millis = Math.max(0, Duration.between(Instant.parse(started), Instant.now()).toMillis());
    return String.format(Locale.ROOT, "%.1f s", (double) millis / MILLIS);
  }

  @Command(
      name = "kill",
      description = "Ends a statement, on whichever member it runs: its client gets an error.",
      mixinStandardHelpOptions = true)
  void kill(
      @Parameters(paramLabel = "ID", description = "As 'kvs query list' shows it.") String id,
      @Parameters(arity = "0..1", paramLabel = "TENANT") @Nullable String tenant,
      @Mixin AdminClient client,
      @Mixin Output out) {
    JsonNode answer = client.delete(path(client, tenant) + "/" + AdminClient.part(id));
    out.print(answer, "query " + id + " is ended");
  }

  /** Returns the path of a tenant's queries; of all if no tenant is named and it is an operator. */
  private static String path(AdminClient client, @Nullable String tenant) {
    JsonNode me = tenant == null ? client.get("/api/v1/me") : AdminClient.object();
    String whose = tenant == null && me.has("tenant") ? me.path("tenant").asText() : tenant;
    return whose == null
        ? "/api/v1/queries"
        : "/api/v1/tenants/" + AdminClient.part(whose) + "/queries";
  }
}
