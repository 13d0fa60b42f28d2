package io.keyvalueserve.cli;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.keyvalueserve.cli.KvsCommand.Failure;
import io.keyvalueserve.server.config.Sizes;
import java.io.Console;
import java.nio.file.Path;
import java.util.StringJoiner;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code kvs snapshot ...} */
@Command(
    name = "snapshot",
    description = {
      "Snapshots of one tenant: create them, check them, and put them back.",
      "A snapshot has the tenant's maps as they were at one instant. It is encrypted with a key of"
          + " the tenant."
    },
    mixinStandardHelpOptions = true,
    subcommands = SnapshotPlanCommand.class,
    synopsisSubcommandLabel = "COMMAND")
final class SnapshotCommand implements Runnable {
  private static final String JOBS = "/api/v1/snapshot-jobs";
  private static final String REPOSITORY = "repository";

  @Spec private CommandSpec spec;

  @Override
  public void run() {
    throw new ParameterException(spec.commandLine(), "which command? See below.");
  }

  /** The repository that a snapshot is read from. */
  static final class From {
    @Option(
        names = "--from",
        paramLabel = "ADDRESS",
        description =
            "The repository: file:/directory or s3://bucket/prefix?region=REGION. Default: what"
                + " members were started with")
    private @Nullable String address;

    /** Returns the query of the path that names the address; an empty string if none is given. */
    String parameter() {
      StringJoiner parameters = new StringJoiner("&", "?", "").setEmptyValue("");
      AdminClient.add(parameters, REPOSITORY, address);
      return parameters.toString();
    }

    ObjectNode body() {
      return SnapshotCommand.body(address);
    }
  }

  /** The repository that a snapshot is written to. */
  static final class To {
    @Option(
        names = "--to",
        paramLabel = "ADDRESS",
        description =
            "The repository: file:/directory or s3://bucket/prefix?region=REGION. Default: what"
                + " members were started with")
    private @Nullable String address;

    ObjectNode body() {
      return SnapshotCommand.body(address);
    }
  }

  private static ObjectNode body(@Nullable String address) {
    ObjectNode body = AdminClient.object();
    return address == null ? body : body.put(REPOSITORY, address);
  }

  @Command(
      name = "create",
      description = "Creates a snapshot of a tenant, while its clients go on.",
      mixinStandardHelpOptions = true)
  void create(
      @Parameters(paramLabel = "TENANT") String tenant,
      @Mixin To to,
      @Mixin SnapshotWait wait,
      @Mixin AdminClient client,
      @Mixin Output out) {
    JsonNode job = wait.until(client.post(path(tenant), to.body()), client);
    out.print(
        job,
        wait.isOver(job)
            ? "snapshot " + job.path("snapshot").asText() + " of " + tenant + ": " + sizes(job)
            : wait.begun(job));
  }

  private static String sizes(JsonNode job) {
    JsonNode result = job.path("result");
    return result.path("entries").asText()
        + " entries, "
        + bytes(result, "bytes")
        + ", "
        + bytes(result, "newBytes")
        + " new in the repository";
  }

  private static String bytes(JsonNode node, String field) {
    return Sizes.text(node.path(field).asLong());
  }

  @Command(
      name = "list",
      description = "Lists the snapshots of a tenant, the newest first.",
      mixinStandardHelpOptions = true)
  void list(
      @Parameters(paramLabel = "TENANT") String tenant,
      @Mixin From from,
      @Mixin AdminClient client,
      @Mixin View out) {
    out.show(() -> client.get(path(tenant) + from.parameter()), SnapshotCommand::table);
  }

  private static TextTable table(JsonNode answer) {
    TextTable table = new TextTable("SNAPSHOT", "TAKEN AT", "ENTRIES", "BYTES", "STORED", "DAMAGE");
    for (JsonNode each : answer.path("snapshots")) {
      boolean isDamaged = each.has("damage");
      table.add(
          each.path("id").asText(),
          each.path("takenAt").asText("-"),
          each.path("entries").asText("-"),
          isDamaged ? "-" : bytes(each, "bytes"),
          isDamaged ? "-" : bytes(each, "storedBytes"),
          each.path("damage").asText("-"));
    }
    return table.shortening("DAMAGE");
  }

  @Command(
      name = "show",
      description = "Shows a snapshot and its maps.",
      mixinStandardHelpOptions = true)
  void show(
      @Parameters(index = "0", paramLabel = "TENANT") String tenant,
      @Parameters(index = "1", paramLabel = "SNAPSHOT") String snapshot,
      @Mixin From from,
      @Mixin AdminClient client,
      @Mixin View out) {
    out.show(() -> client.get(path(tenant, snapshot) + from.parameter()), SnapshotCommand::facts);
  }

  private static TextTable facts(JsonNode snapshot) {
    TextTable table = TextTable.ofFacts("snapshot", snapshot.path("id").asText());
    table.add("tenant", snapshot.path("tenant").asText());
    table.add("cluster", snapshot.path("cluster").asText());
    table.add(
        "taken at",
        snapshot.path("takenAt").asText()
            + ", exact to "
            + snapshot.path("clockDifferenceMillis").asText()
            + " ms");
    table.add("entries", snapshot.path("entries").asText());
    table.add("bytes", bytes(snapshot, "bytes"));
    table.add("stored", bytes(snapshot, "storedBytes"));
    table.add("repository", snapshot.path(REPOSITORY).asText());
    table.add("key", snapshot.path("keyId").asText());
    for (JsonNode map : snapshot.path("maps")) {
      table.add(
          "map",
          map.path("map").asText()
              + ": "
              + map.path("entries").asText()
              + " entries, "
              + bytes(map, "bytes"));
    }
    return table;
  }

  @Command(
      name = "verify",
      description = {
        "Reads all of a snapshot, and says whether it is whole.",
        "Ends with 1 if a part of it is missing or damaged."
      },
      mixinStandardHelpOptions = true)
  void verify(
      @Parameters(index = "0", paramLabel = "TENANT") String tenant,
      @Parameters(index = "1", paramLabel = "SNAPSHOT") String snapshot,
      @Mixin From from,
      @Mixin SnapshotWait wait,
      @Mixin AdminClient client,
      @Mixin Output out) {
    JsonNode job = wait.until(client.post(path(tenant, snapshot) + "/verify", from.body()), client);
    out.print(
        job,
        wait.isOver(job)
            ? "snapshot "
                + snapshot
                + " is whole; chunks read: "
                + job.path("progress").path("chunks").asText()
            : wait.begun(job));
  }

  /** The tenant that gets the entries. */
  static final class Target {
    @Option(
        names = "--as",
        paramLabel = "NEW",
        description = {
          "Restore as a new tenant. It has the quota of TENANT, and an access key that is shown once."
        })
    private @Nullable String as;

    @Option(
        names = "--into",
        paramLabel = "TENANT2",
        description = "Restore into a tenant that exists, with --replace.")
    private @Nullable String into;
  }

  @Command(
      name = "restore",
      description = {
        "Puts a snapshot back, as a new tenant or into one that exists; with --at what the tenant had"
            + " at an instant, if its plan archives changes.",
        "A tenant that exists is suspended meanwhile, and loses the maps that it has."
      },
      mixinStandardHelpOptions = true)
  void restore(
      @Parameters(index = "0", paramLabel = "TENANT") String tenant,
      @Parameters(
              index = "1",
              arity = "0..1",
              paramLabel = "SNAPSHOT",
              description = "The snapshot, unless --at is given.")
          @Nullable String snapshot,
      @Option(
              names = "--at",
              paramLabel = "TIME",
              description = {
                "The instant to restore, in UTC: 2030-01-31T14:03:07Z. What was written in that"
                    + " millisecond is restored, too."
              })
          @Nullable String at,
      @ArgGroup(multiplicity = "1") Target target,
      @Option(
              names = "--replace",
              description = "With --into: destroy the maps that the tenant has.")
          boolean replace,
      @Option(
              names = "--snapshot-key",
              paramLabel = "FILE",
              description =
                  "The key of the snapshot, if it is of another cluster: what 'kvs snapshot key'"
                      + " wrote there.")
          @Nullable Path keyFile,
      @Mixin From from,
      @Mixin SnapshotWait wait,
      @Mixin AdminClient client,
      @Mixin Output out) {
    if (replace != (target.into != null)) {
      throw new ParameterException(
          spec.commandLine(),
          replace
              ? "--replace is for --into: a new tenant has nothing to lose"
              : "--into destroys the maps that the tenant has: say --replace");
    }
    if ((snapshot == null) == (at == null)) {
      throw new ParameterException(
          spec.commandLine(),
          at == null
              ? "which? Name a snapshot, or an instant with --at"
              : "name a snapshot or an instant, not both");
    }
    ObjectNode body = from.body();
    if (at != null) {
      body.put("at", at);
    }
    if (target.as != null) {
      body.put("as", target.as);
    } else {
      body.put("into", target.into).put("replace", true);
    }
    if (keyFile != null) {
      body.set("key", SnapshotKeyFile.read(keyFile));
    }
    String path = snapshot == null ? tenantPath(tenant) : path(tenant, snapshot);
    restored(client.post(path + "/restore", body), wait, client, out);
  }

  @Command(
      name = "clone",
      description = {
        "Creates a snapshot of a tenant and restores it as a new tenant, which has an access key"
            + " that is shown once.",
        "The snapshot stays."
      },
      mixinStandardHelpOptions = true)
  void copy(
      @Parameters(index = "0", paramLabel = "TENANT") String tenant,
      @Parameters(index = "1", paramLabel = "NEW", description = "The new tenant.") String name,
      @Mixin To to,
      @Mixin SnapshotWait wait,
      @Mixin AdminClient client,
      @Mixin Output out) {
    restored(
        client.post(tenantPath(tenant) + "/clone", to.body().put("as", name)), wait, client, out);
  }

  private static void restored(
      JsonNode started, SnapshotWait wait, AdminClient client, Output out) {
    String key = started.path("key").asText("");
    if (!key.isEmpty() && !out.isJson()) { // now, as the command may be ended while it waits
      out.print(
          started,
          "access key  "
              + key
              + "\n\nThe key of tenant "
              + started.path("target").asText()
              + " is shown once: keep it now. It opens the tenant when all is restored.");
    }
    JsonNode job = wait.until(started, client);
    if (job instanceof ObjectNode object && !key.isEmpty()) {
      object.put("keyId", started.path("keyId").asText()).put("key", key);
    }
    out.print(
        job,
        wait.isOver(job)
            ? "tenant "
                + job.path("target").asText()
                + " has "
                + job.path("progress").path("entries").asText()
                + " entries of snapshot "
                + job.path("snapshot").asText()
                + ", as of "
                + job.path("result").path("takenAt").asText()
            : wait.begun(job));
  }

  @Command(
      name = "delete",
      description = "Deletes a snapshot. The others of the tenant stay whole.",
      mixinStandardHelpOptions = true)
  void delete(
      @Parameters(index = "0", paramLabel = "TENANT") String tenant,
      @Parameters(index = "1", paramLabel = "SNAPSHOT") String snapshot,
      @Option(names = "--yes", description = "Do not ask.") boolean yes,
      @Mixin From from,
      @Mixin AdminClient client,
      @Mixin Output out) {
    if (!yes) {
      confirm(snapshot);
    }
    out.print(
        client.delete(path(tenant, snapshot) + from.parameter()),
        "snapshot " + snapshot + " is deleted");
  }

  private static void confirm(String snapshot) {
    Console console = System.console();
    if (console == null || !console.isTerminal()) {
      throw new Failure("a snapshot that is deleted cannot be restored: confirm with --yes");
    }
    String answer = console.readLine("Delete snapshot %s? Type its id: ", snapshot);
    if (!snapshot.equals(answer)) {
      throw new Failure("nothing was deleted");
    }
  }

  @Command(
      name = "key",
      description = {
        "Writes the key of a tenant's snapshots to a new file, which only its owner may read.",
        "Whoever has the key and the repository can read every snapshot of the tenant. The audit"
            + " trail has who asked for it."
      },
      mixinStandardHelpOptions = true)
  void key(
      @Parameters(paramLabel = "TENANT") String tenant,
      @Option(names = "--out", required = true, paramLabel = "FILE", description = "A new file.")
          Path file,
      @Mixin AdminClient client) {
    SnapshotKeyFile.requireNew(file); // the trail would have that somebody has the key
    SnapshotKeyFile.write(file, client.get(tenantPath(tenant) + "/snapshot-key"));
    spec.commandLine()
        .getOut()
        .println("the key of the snapshots of " + tenant + " is in " + file + ": keep it secret");
    spec.commandLine().getOut().flush();
  }

  @Command(
      name = "jobs",
      description = {
        "Lists what members do with snapshots, the newest first, or shows one job.",
        "A job is forgotten after a day, and when its member ends."
      },
      mixinStandardHelpOptions = true)
  void jobs(
      @Parameters(arity = "0..1", paramLabel = "JOB", description = "Only this one.")
          @Nullable String job,
      @Mixin AdminClient client,
      @Mixin View out) {
    if (job == null) {
      out.show(() -> client.get(JOBS), answer -> jobs(answer, out));
    } else {
      out.show(() -> client.get(SnapshotWait.path(job)), SnapshotCommand::job);
    }
  }

  private static TextTable jobs(JsonNode answer, Output out) {
    out.warnOfSilent(answer);
    TextTable table =
        new TextTable("JOB", "KIND", "TENANT", "TARGET", "STATE", "ENTRIES", "ASKED AT", "PROBLEM");
    for (JsonNode job : answer.path("jobs")) {
      table.add(
          job.path("id").asText(),
          job.path("kind").asText(),
          job.path("tenant").asText(),
          job.path("target").asText("-"),
          job.path("state").asText(),
          job.path("progress").path("entries").asText(),
          job.path("askedAt").asText(),
          job.path("problem").asText("-"));
    }
    return table.shortening("PROBLEM");
  }

  private static TextTable job(JsonNode job) {
    TextTable table = TextTable.ofFacts("job", job.path("id").asText());
    table.add("kind", job.path("kind").asText());
    table.add("state", job.path("state").asText());
    table.add("tenant", job.path("tenant").asText());
    table.add("target", job.path("target").asText("-"));
    table.add("snapshot", job.path("snapshot").asText("-"));
    table.add("repository", job.path(REPOSITORY).asText());
    table.add("member", job.path("member").asText());
    table.add("progress", SnapshotWait.progress(job));
    table.add("asked at", job.path("askedAt").asText());
    table.add("ended at", job.path("endedAt").asText("-"));
    if (job.has("problem")) {
      table.add("problem", job.path("problem").asText());
    }
    return table;
  }

  static String tenantPath(String tenant) {
    return "/api/v1/tenants/" + AdminClient.part(tenant);
  }

  private static String path(String tenant) {
    return tenantPath(tenant) + "/snapshots";
  }

  private static String path(String tenant, String snapshot) {
    return path(tenant) + "/" + AdminClient.part(snapshot);
  }
}
