package io.keyvalueserve.cli;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.StringJoiner;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code kvs audit ...} */
@Command(
    name = "audit",
    description = "Shows who changed what, who came, and who was turned away.",
    mixinStandardHelpOptions = true,
    synopsisSubcommandLabel = "COMMAND")
final class AuditCommand implements Runnable {
  @Spec private CommandSpec spec;

  @Override
  public void run() {
    throw new ParameterException(spec.commandLine(), "which command? See below.");
  }

  /** The filter for events. */
  static final class Filter {
    @Option(names = "--access", description = "Logins and refusals. Default: what was changed.")
    private boolean access;

    @Option(names = "--tenant", paramLabel = "TENANT", description = "Concerning this tenant.")
    private @Nullable String tenant;

    @Option(
        names = "--kind",
        paramLabel = "KIND",
        description = "Of these kinds, joined by commas: grant.created,grant.revoked")
    private @Nullable String kind;

    @Option(
        names = "--actor",
        paramLabel = "ACTOR",
        description = "By this one: operator, tenant:acme, tenant:acme/KEY, client@ADDRESS.")
    private @Nullable String actor;

    @Option(
        names = "--object",
        paramLabel = "TEXT",
        description = "On objects whose names hold this text.")
    private @Nullable String object;

    @Option(
        names = "--from",
        paramLabel = "TIME",
        description = "Since then: 90s, 30m, 12h, 7d ago, or 2030-01-31T12:00:00Z.")
    private @Nullable String from;

    @Option(names = "--to", paramLabel = "TIME", description = "Until then; as --from.")
    private @Nullable String to;

    String parameters(CommandSpec spec) {
      StringJoiner parameters = new StringJoiner("&", "?", "");
      parameters.add("trail=" + (access ? "access" : "changes"));
      AdminClient.add(parameters, "tenant", tenant);
      AdminClient.add(parameters, "kind", kind);
      AdminClient.add(parameters, "actor", actor);
      AdminClient.add(parameters, "object", object);
      CommandLine command = spec.commandLine();
      AdminClient.add(parameters, "from", TimeText.agoIfGiven(from, "--from", command));
      AdminClient.add(parameters, "to", TimeText.agoIfGiven(to, "--to", command));
      return parameters.toString();
    }
  }

  @Command(
      name = "list",
      description = "Lists the newest events of all members, the newest first.",
      mixinStandardHelpOptions = true)
  void list(
      @Mixin Filter filter,
      @Option(
              names = "--limit",
              defaultValue = "100",
              paramLabel = "N",
              description = "How many, up to 1000. Default: ${DEFAULT-VALUE}")
          int limit,
      @Mixin AdminClient client,
      @Mixin View out) {
    out.show(
        () -> client.get("/api/v1/audit" + filter.parameters(spec) + "&limit=" + limit),
        answer -> table(answer, out));
  }

  private static TextTable table(JsonNode answer, Output out) {
    TextTable table = new TextTable("TIME", "KIND", "ACTOR", "TENANT", "OBJECT", "COUNT", "DETAIL");
    for (JsonNode event : answer.path("events")) {
      table.add(
          event.path("time").asText(),
          event.path("kind").asText(),
          event.path("actor").asText(),
          event.path("tenant").asText(),
          event.path("object").asText(),
          event.path("count").asText(),
          event.path("detail").asText());
    }
    out.warnOfSilent(answer);
    return table.shortening("DETAIL", "OBJECT");
  }

  @Command(
      name = "export",
      description = {
        "Writes all events that the server asked has, as lines of JSON, the oldest first.",
        "Each member has its own: ask each by its --url."
      },
      mixinStandardHelpOptions = true)
  void export(
      @Parameters(paramLabel = "FILE", description = "A file to be made; - for standard output.")
          String file,
      @Mixin Filter filter,
      @Mixin AdminClient client) {
    client.download("/api/v1/audit/export" + filter.parameters(spec), file);
  }
}
