package io.keyvalueserve.cli;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.StringJoiner;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code kvs map index ...} */
@Command(
    name = "index",
    description = "Lists a map's indexes, or adds and drops one.",
    mixinStandardHelpOptions = true)
final class MapIndexCommand implements Runnable {
  @Parameters(arity = "0..1", paramLabel = "TENANT/MAP")
  private @Nullable String map;

  @Mixin private AdminClient client = new AdminClient();
  @Mixin private View out = new View();
  @Spec private CommandSpec spec;

  /** The type of an index. */
  enum Type {
    HASH,
    SORTED
  }

  @Override
  public void run() {
    if (map == null) {
      throw new ParameterException(spec.commandLine(), "which map? Name TENANT/MAP.");
    }
    String path = MapPath.of(map, spec.commandLine());
    out.show(() -> client.get(path), MapIndexCommand::table);
  }

  private static TextTable table(JsonNode map) {
    TextTable table = new TextTable("INDEX", "TYPE", "ATTRIBUTES");
    for (JsonNode index : map.path("indexes")) {
      StringJoiner attributes = new StringJoiner(", ");
      index.path("attributes").forEach(attribute -> attributes.add(attribute.asText()));
      table.add(index.path("name").asText(), index.path("type").asText(), attributes.toString());
    }
    return table;
  }

  @Command(
      name = "add",
      description = {
        "Adds an index to a map, and returns when it is built.",
        "It needs an access key of the tenant (KVS_KEY or --key-file): the operator key opens no"
            + " entries."
      },
      mixinStandardHelpOptions = true)
  void add(
      @Parameters(paramLabel = "TENANT/MAP") String name,
      @Parameters(
              arity = "1..*",
              paramLabel = "ATTRIBUTE",
              description = "A field of values, as city or address.city, __key, or this.")
          List<String> attributes,
      @Option(
              names = "--type",
              defaultValue = "sorted",
              paramLabel = "hash|sorted",
              description = "hash finds equal values, sorted ranges too. Default: ${DEFAULT-VALUE}")
          Type type,
      @Option(
              names = "--name",
              paramLabel = "NAME",
              description = "Default: made of the map and the attributes.")
          @Nullable String index,
      @Mixin AdminClient own,
      @Mixin Output output) {
    String[] parts = parts(name);
    String called =
        index == null
            ? (parts[1] + "_" + String.join("_", attributes) + "_idx")
                .replaceAll("[^A-Za-z0-9_]", "_")
            : index;
    run(
        own,
        parts[0],
        "CREATE INDEX "
            + SqlName.quoted(called)
            + " ON "
            + SqlName.quoted(parts[1])
            + " ("
            + attributes.stream().map(SqlName::path).collect(Collectors.joining(", "))
            + ") TYPE "
            + type);
    output.print(
        AdminClient.object().put("index", called), "index " + called + " of " + name + " is built");
  }

  @Command(
      name = "drop",
      description = "Drops an index. It needs an access key of the tenant, as 'add' does.",
      mixinStandardHelpOptions = true)
  void drop(
      @Parameters(paramLabel = "TENANT/MAP") String name,
      @Parameters(paramLabel = "INDEX") String index,
      @Mixin AdminClient own,
      @Mixin Output output) {
    String[] parts = parts(name);
    run(own, parts[0], "DROP INDEX " + SqlName.quoted(index) + " ON " + SqlName.quoted(parts[1]));
    output.print(
        AdminClient.object().put("index", index), "index " + index + " of " + name + " is dropped");
  }

  private static void run(AdminClient client, String tenant, String sql) {
    try (SqlResult _ = new SqlClient(client, tenant, null, null).run(sql, List.of())) {
      // It is carried out when its answer is there.
    }
  }

  /** Returns the tenant and the map that a name has. */
  private String[] parts(String name) {
    String _ = MapPath.of(name, spec.commandLine()); // checks it
    int slash = name.indexOf('/');
    return new String[] {name.substring(0, slash), name.substring(slash + 1)};
  }
}
