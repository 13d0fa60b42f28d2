package io.keyvalueserve.cli;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code kvs snapshot plan ...} */
@Command(
    name = "plan",
    description = {
      "The plan of a tenant: when snapshots are taken, for how long they are kept, and whether all"
          + " changes are archived."
    },
    mixinStandardHelpOptions = true,
    synopsisSubcommandLabel = "COMMAND")
final class SnapshotPlanCommand implements Runnable {
  @Spec private CommandSpec spec;

  @Override
  public void run() {
    throw new ParameterException(spec.commandLine(), "which command? See below.");
  }

  @Command(
      name = "show",
      description = "Shows the plan of a tenant, and how it goes.",
      mixinStandardHelpOptions = true)
  void show(
      @Parameters(paramLabel = "TENANT") String tenant,
      @Mixin AdminClient client,
      @Mixin View out) {
    out.show(() -> client.get(path(tenant)), SnapshotPlanCommand::facts);
  }

  private static TextTable facts(JsonNode plan) {
    TextTable table = TextTable.ofFacts("tenant", plan.path("tenant").asText());
    table.add("every", plan.path("every").asText());
    table.add("keep", plan.path("keep").asText());
    table.add("repository", plan.path("repository").asText());
    table.add("archive of changes", plan.path("archive").asBoolean() ? "on" : "off");
    if (plan.path("archive").asBoolean()) {
      table.add("archived until", plan.path("archivedUntil").asText("nothing yet"));
    }
    table.add("problem", plan.path("problem").asText("-"));
    return table;
  }

  @Command(
      name = "set",
      description = {
        "Sets the plan of a tenant.",
        "The first snapshot is taken at once. With --archive any instant after it can be restored:"
            + " see kvs snapshot restore --at."
      },
      mixinStandardHelpOptions = true)
  void set(
      @Parameters(paramLabel = "TENANT") String tenant,
      @Option(
              names = "--every",
              required = true,
              paramLabel = "TIME",
              description = "The time from one snapshot to the next: 1m to 31d.")
          String every,
      @Option(
              names = "--keep",
              required = true,
              paramLabel = "TIME",
              description = "The time for which snapshots are kept, such as 7d.")
          String keep,
      @Option(names = "--archive", description = "Archive all changes, about every second.")
          boolean archive,
      @Option(
              names = "--to",
              paramLabel = "ADDRESS",
              description =
                  "The repository: file:/directory or s3://bucket/prefix?region=REGION. Default:"
                      + " what members were started with")
          @Nullable String address,
      @Mixin AdminClient client,
      @Mixin Output out) {
    ObjectNode body =
        AdminClient.object().put("every", every).put("keep", keep).put("archive", archive);
    if (address != null) {
      body.put("repository", address);
    }
    out.print(
        client.put(path(tenant), body),
        "snapshots of "
            + tenant
            + " are taken every "
            + every
            + " and kept for "
            + keep
            + (archive ? "; all changes are archived" : ""));
  }

  @Command(
      name = "delete",
      description = "Deletes the plan of a tenant. Its snapshots stay.",
      mixinStandardHelpOptions = true)
  void delete(
      @Parameters(paramLabel = "TENANT") String tenant,
      @Mixin AdminClient client,
      @Mixin Output out) {
    out.print(client.delete(path(tenant)), "the plan of " + tenant + " is deleted");
  }

  private static String path(String tenant) {
    return SnapshotCommand.tenantPath(tenant) + "/snapshot-plan";
  }
}
