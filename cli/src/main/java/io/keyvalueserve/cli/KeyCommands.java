package io.keyvalueserve.cli;

import com.fasterxml.jackson.databind.JsonNode;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code kvs key ...} */
@Command(
    name = "key",
    description = {
      "Makes, lists and revokes access keys.",
      "With KVS_KEY an access key of the tenant will do in the place of the operator's key."
    },
    mixinStandardHelpOptions = true,
    synopsisSubcommandLabel = "COMMAND")
final class KeyCommands implements Runnable {
  @Spec private CommandSpec spec;

  @Override
  public void run() {
    throw new ParameterException(spec.commandLine(), "which command? See below.");
  }

  @Command(
      name = "create",
      description = "Makes another access key, which is shown once.",
      mixinStandardHelpOptions = true)
  void create(
      @Parameters(paramLabel = "TENANT") String tenant,
      @Option(names = "--label", defaultValue = "", description = "What you call it.") String label,
      @Mixin AdminClient client,
      @Mixin Output out) {
    JsonNode key = client.post(path(tenant), AdminClient.object().put("label", label));
    out.print(
        key, "access key  " + key.path("key").asText() + "\n\nThe key is shown once: keep it now.");
  }

  @Command(
      name = "list",
      description = "Lists the access keys of a tenant, without their secrets.",
      mixinStandardHelpOptions = true)
  void list(
      @Parameters(paramLabel = "TENANT") String tenant,
      @Mixin AdminClient client,
      @Mixin View out) {
    out.show(() -> client.get(path(tenant)), KeyCommands::table);
  }

  private static TextTable table(JsonNode answer) {
    TextTable table = new TextTable("KEY", "CREATED", "LABEL");
    for (JsonNode key : answer.path("keys")) {
      table.add(
          key.path("id").asText(), key.path("createdAt").asText(), key.path("label").asText());
    }
    return table;
  }

  @Command(
      name = "revoke",
      description = "Takes an access key back; the sessions it opened end.",
      mixinStandardHelpOptions = true)
  void revoke(
      @Parameters(paramLabel = "TENANT") String tenant,
      @Parameters(paramLabel = "KEY", description = "As 'kvs key list' shows it.") String key,
      @Option(
              names = "--force",
              description =
                  "With an access key: also the one that is shown, and the tenant's last one.")
          boolean force,
      @Mixin AdminClient client,
      @Mixin Output out) {
    JsonNode answer =
        client.delete(path(tenant) + "/" + AdminClient.part(key) + (force ? "?force=true" : ""));
    out.print(answer, "access key " + key + " is revoked; its sessions have ended");
  }

  private static String path(String tenant) {
    return "/api/v1/tenants/" + AdminClient.part(tenant) + "/keys";
  }
}
