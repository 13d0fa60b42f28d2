package io.keyvalueserve.cli;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.keyvalueserve.tenancy.TenantName;
import java.util.StringJoiner;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code kvs grant ...} */
@Command(
    name = "grant",
    description = {
      "Lets tenants use each other's maps, down to single keys, and each other's channels.",
      "With KVS_KEY an access key of the map's owner will do in the place of the operator's key."
    },
    mixinStandardHelpOptions = true,
    synopsisSubcommandLabel = "COMMAND")
final class GrantCommand implements Runnable {
  @Spec private CommandSpec spec;

  @Override
  public void run() {
    throw new ParameterException(spec.commandLine(), "which command? See below.");
  }

  @Command(
      name = "create",
      description =
          "Gives a tenant rights on a map, which need not exist yet, or on channels. Replaces a grant"
              + " to the same tenant on the same keys or channels.",
      mixinStandardHelpOptions = true)
  void create(
      @Parameters(
              paramLabel = "TENANT/MAP|TENANT",
              description = "The map; with --channel, the tenant whose channels they are.")
          String map,
      @Option(names = "--to", required = true, paramLabel = "TENANT", description = "Who may.")
          String to,
      @Option(
              names = "--rights",
              required = true,
              paramLabel = "RIGHTS",
              description =
                  "On a map: read, write, lock, admin, joined by commas. On channels: subscribe,"
                      + " publish. Or all.")
          String rights,
      @Option(
              names = "--prefix",
              paramLabel = "TEXT",
              description = "On keys that begin with this text. Default: the whole map.")
          @Nullable String prefix,
      @Option(names = "--key", paramLabel = "TEXT", description = "On this key alone.")
          @Nullable String key,
      @Option(
              names = "--channel",
              paramLabel = "TEXT",
              description = "On the channels of TENANT that begin with this text.")
          @Nullable String channel,
      @Option(
              names = "--expires",
              paramLabel = "TIME",
              description =
                  "When it ends: after 90s, 30m, 12h, 7d, or at 2030-01-31T12:00:00Z. Default:"
                      + " never.")
          @Nullable String expires,
      @Mixin AdminClient client,
      @Mixin Output out) {
    if (channel != null && (prefix != null || key != null)) {
      throw new ParameterException(
          spec.commandLine(), "--channel: a grant on channels has no --prefix and no --key");
    }
    if (prefix != null && key != null) {
      throw new ParameterException(
          spec.commandLine(), "--prefix and --key: a grant is on one of them");
    }
    ObjectNode wanted = AdminClient.object().put("to", to).put("rights", rights);
    if (prefix != null) {
      wanted.put("prefix", prefix);
    }
    if (key != null) {
      wanted.put("key", key);
    }
    if (channel != null) {
      wanted.put("prefix", channel);
    }
    if (expires != null) {
      wanted.put("expiresAt", TimeText.after(expires, "--expires", spec.commandLine()).toString());
    }
    JsonNode grant = client.post(channel == null ? path(map) : channels(map), wanted);
    out.print(
        grant,
        "grant "
            + grant.path("id").asText()
            + ": tenant "
            + to
            + " may "
            + rights(grant)
            + " "
            + scope(grant)
            + " of "
            + map
            + (grant.has("expiresAt") ? " until " + grant.path("expiresAt").asText() : ""));
  }

  @Command(
      name = "list",
      description = "Lists the grants on a map, or all that a tenant has given and been given.",
      mixinStandardHelpOptions = true)
  void list(
      @Parameters(paramLabel = "TENANT/MAP|TENANT") String name,
      @Option(names = "--channels", description = "Lists the grants on channels of TENANT alone.")
          boolean ofChannels,
      @Mixin AdminClient client,
      @Mixin View out) {
    String path =
        ofChannels
            ? channels(name)
            : TenantName.isValid(name)
                ? "/api/v1/tenants/" + AdminClient.part(name) + "/grants"
                : path(name);
    out.show(() -> client.get(path), GrantCommand::table);
  }

  private static TextTable table(JsonNode answer) {
    TextTable table = new TextTable("GRANT", "MAP", "TO", "RIGHTS", "ON", "EXPIRES", "BY");
    addAll(table, answer.path("given"));
    addAll(table, answer.path("received"));
    addAll(table, answer.path("grants"));
    return table.shortening("BY", "ON");
  }

  private static void addAll(TextTable table, JsonNode grants) {
    for (JsonNode grant : grants) {
      table.add(
          grant.path("id").asText(),
          grant.has("channels")
              ? grant.path("channels").asText() + "//"
              : grant.path("map").asText(),
          grant.path("to").asText(),
          rights(grant),
          scope(grant),
          grant.path("expiresAt").asText("never"),
          grant.path("by").asText());
    }
  }

  private static String rights(JsonNode grant) {
    StringJoiner rights = new StringJoiner(",");
    grant.path("rights").forEach(right -> rights.add(right.asText()));
    return rights.toString();
  }

  private static String scope(JsonNode grant) {
    if (grant.has("channels")) {
      return "channels " + grant.path("prefix").asText() + "...";
    }
    if (grant.has("prefix")) {
      return "keys " + grant.path("prefix").asText() + "...";
    }
    return grant.has("key") ? "key " + grant.path("key").asText() : "all keys";
  }

  @Command(
      name = "revoke",
      description = "Takes a grant back, on every member and from sessions that are open.",
      mixinStandardHelpOptions = true)
  void revoke(
      @Parameters(
              paramLabel = "TENANT/MAP|TENANT",
              description = "The map; or the tenant, for a grant on its channels.")
          String map,
      @Parameters(paramLabel = "GRANT", description = "As 'kvs grant list' shows it.") String id,
      @Mixin AdminClient client,
      @Mixin Output out) {
    String grants = TenantName.isValid(map) ? channels(map) : path(map);
    JsonNode grant = client.delete(grants + "/" + AdminClient.part(id));
    out.print(
        grant,
        "grant "
            + id
            + " on "
            + (grant.has("channels") ? "channels of " : "")
            + map
            + " to "
            + grant.path("to").asText()
            + " is revoked");
  }

  private String channels(String tenant) {
    if (!TenantName.isValid(tenant)) {
      throw new ParameterException(
          spec.commandLine(), "'" + tenant + "' names no tenant: use TENANT --channel TEXT");
    }
    return "/api/v1/tenants/" + AdminClient.part(tenant) + "/channels/grants";
  }

  private String path(String name) {
    return MapPath.of(name, spec.commandLine()) + "/grants";
  }
}
