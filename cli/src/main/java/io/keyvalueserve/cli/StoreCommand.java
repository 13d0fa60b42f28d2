package io.keyvalueserve.cli;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.keyvalueserve.cli.KvsCommand.Failure;
import io.keyvalueserve.journal.FileTrouble;
import java.io.Console;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code kvs store ...} */
@Command(
    name = "store",
    description = {
      "External stores: SQL databases whose tables can be behind maps.",
      "'kvs map configure TENANT/MAP --store STORE --table TABLE' puts one there."
    },
    mixinStandardHelpOptions = true,
    subcommands = {StoreStatusCommand.class, StoreDeadCommand.class},
    synopsisSubcommandLabel = "COMMAND")
final class StoreCommand implements Runnable {
  private static final String STORES = "/api/v1/stores";

  @Spec private CommandSpec spec;

  @Override
  public void run() {
    throw new ParameterException(spec.commandLine(), "which command? See below.");
  }

  /** The store that is wanted. */
  static final class Wanted {
    @Option(
        names = "--jdbc",
        required = true,
        paramLabel = "URL",
        description = "Where the database is: jdbc:postgresql://HOST:5432/DATABASE")
    private String jdbc = "";

    @Option(names = "--user", paramLabel = "USER", description = "As whom members connect.")
    private @Nullable String user;

    @Option(
        names = "--password-file",
        paramLabel = "FILE",
        description = {
          "The file with the password. The cluster keeps it encrypted, and shows it to nobody.",
          "With --replace and without this option the store keeps the one that it has."
        })
    private @Nullable Path passwordFile;

    @Option(
        names = "--pool",
        paramLabel = "N",
        description = "The most connections of each member: 1 to 100. Default: 10")
    private @Nullable Integer pool;

    @Option(
        names = "--timeout",
        paramLabel = "TIME",
        description = "How long members wait for the database: 100ms to 5m. Default: 5s")
    private @Nullable String timeout;

    ObjectNode body() {
      ObjectNode body = AdminClient.object().put("jdbcUrl", jdbc);
      if (user != null) {
        body.put("user", user);
      }
      if (passwordFile != null) {
        body.put("password", password(passwordFile));
      }
      if (pool != null) {
        body.put("poolSize", pool);
      }
      if (timeout != null) {
        body.put("timeout", timeout);
      }
      return body;
    }

    /** Spaces may be a part of it, the line break at the end is none. */
    private static String password(Path file) {
      String password;
      try {
        password = Files.readString(file).replaceFirst("\\R\\z", "");
      } catch (IOException e) {
        throw new Failure("the password cannot be read from " + file + ": " + FileTrouble.of(e));
      }
      if (password.isEmpty()) {
        throw new Failure(file + " is empty, and should hold a password");
      }
      return password;
    }
  }

  @Command(
      name = "create",
      description = {
        "Creates an external store, or with --replace changes one, on all members.",
        "Then the member that is asked connects to the database. If that fails, the command ends"
            + " with 1 and the store stays."
      },
      mixinStandardHelpOptions = true)
  void create(
      @Parameters(paramLabel = "NAME", description = "1 to 63 of a-z, 0-9 and dashes.") String name,
      @Mixin Wanted wanted,
      @Option(
              names = "--replace",
              description = "Change the store if there is one by this name, all but its password.")
          boolean replace,
      @Option(names = "--no-check", description = "Do not connect to the database.")
          boolean noCheck,
      @Mixin AdminClient client,
      @Mixin Output out) {
    ObjectNode body = wanted.body();
    if (!replace) {
      requireNone(client, name);
    }
    JsonNode made = client.put(path(name), body);
    if (noCheck) {
      out.print(made, "store " + name + " is set; nobody has connected to it yet");
      return;
    }
    JsonNode check;
    try {
      check = check(client, name);
    } catch (Failure e) {
      out.print(made, facts(made));
      throw new Failure(
          "store "
              + name
              + " is set, but did not pass its check: "
              + e.getMessage()
              + "; mend the database and check it again with 'kvs store check "
              + name
              + "', or the store with --replace");
    }
    if (made instanceof ObjectNode object) {
      object.set("check", check);
    }
    out.print(made, "store " + name + " is set: " + inWords(check));
  }

  private static void requireNone(AdminClient client, String name) {
    for (JsonNode store : client.get(STORES).path("stores")) {
      if (store.path("name").asText().equals(name)) {
        throw new Failure("there is a store " + name + " already: --replace changes it");
      }
    }
  }

  @Command(
      name = "list",
      description = "Lists the external stores.",
      mixinStandardHelpOptions = true)
  void list(@Mixin AdminClient client, @Mixin View out) {
    out.show(() -> client.get(STORES), StoreCommand::table);
  }

  private static TextTable table(JsonNode answer) {
    TextTable table =
        new TextTable("STORE", "DATABASE", "USER", "PASSWORD", "POOL", "TIMEOUT", "MAPS");
    for (JsonNode store : answer.path("stores")) {
      table.add(
          store.path("name").asText(),
          store.path("jdbcUrl").asText(),
          store.path("user").asText("-"),
          store.path("hasPassword").asBoolean() ? "yes" : "no",
          store.path("poolSize").asText(),
          store.path("timeout").asText(),
          String.valueOf(store.path("maps").size()));
    }
    return table.shortening("DATABASE");
  }

  @Command(
      name = "show",
      description = "Shows an external store, and the maps that it is behind.",
      mixinStandardHelpOptions = true)
  void show(
      @Parameters(paramLabel = "STORE") String name, @Mixin AdminClient client, @Mixin View out) {
    out.show(() -> client.get(path(name)), StoreCommand::facts);
  }

  private static TextTable facts(JsonNode store) {
    TextTable table = TextTable.ofFacts("store", store.path("name").asText());
    table.add("database", store.path("jdbcUrl").asText());
    table.add("user", store.path("user").asText("-"));
    table.add("password", store.path("hasPassword").asBoolean() ? "yes, encrypted" : "none");
    table.add("connections", store.path("poolSize").asText() + " of each member at most");
    table.add("timeout", store.path("timeout").asText());
    for (JsonNode map : store.path("maps")) {
      table.add("behind", map.asText());
    }
    return table;
  }

  @Command(
      name = "check",
      description = {
        "Connects to the database of an external store, from the member that is asked.",
        "Ends with 1 if it does not answer as it should."
      },
      mixinStandardHelpOptions = true)
  void check(
      @Parameters(paramLabel = "STORE") String name, @Mixin AdminClient client, @Mixin Output out) {
    JsonNode check = check(client, name);
    out.print(check, "store " + name + ": " + inWords(check));
  }

  private static JsonNode check(AdminClient client, String name) {
    return client.post(path(name) + "/check", AdminClient.object());
  }

  private static String inWords(JsonNode check) {
    return check.path("product").asText()
        + " "
        + check.path("version").asText()
        + " answers in "
        + check.path("millis").asText()
        + " ms";
  }

  @Command(
      name = "delete",
      description = "Deletes an external store that is behind no map. The database stays as it is.",
      mixinStandardHelpOptions = true)
  void delete(
      @Parameters(paramLabel = "STORE") String name,
      @Option(names = "--yes", description = "Do not ask.") boolean yes,
      @Mixin AdminClient client,
      @Mixin Output out) {
    if (!yes) {
      confirm(name);
    }
    out.print(client.delete(path(name)), "store " + name + " is deleted");
  }

  private static void confirm(String name) {
    Console console = System.console();
    if (console == null || !console.isTerminal()) {
      throw new Failure("deleting a store deletes its password: confirm with --yes");
    }
    String answer = console.readLine("Delete store %s with its password? Type its name: ", name);
    if (!name.equals(answer)) {
      throw new Failure("nothing was deleted");
    }
  }

  private static String path(String store) {
    return STORES + "/" + AdminClient.part(store);
  }
}
