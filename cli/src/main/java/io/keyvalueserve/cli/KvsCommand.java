package io.keyvalueserve.cli;

import io.keyvalueserve.server.StartException;
import io.keyvalueserve.server.config.ConfigException;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.ServiceLoader;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The command {@code kvs}, of which all others are parts. */
@Command(
    name = "kvs",
    description = "KeyValueServe: a multi-tenant in-memory data grid.",
    mixinStandardHelpOptions = true,
    versionProvider = VersionCommand.Provider.class,
    synopsisSubcommandLabel = "COMMAND",
    footer = {
      "",
      "Also: 'kvs check' runs every test, 'kvs format' formats the sources,",
      "'kvs microbench' measures parts.",
      "Exit codes: 0 done, 1 failed, 2 bad usage."
    })
public final class KvsCommand implements Runnable {
  private static final String DEBUG = "KVS_DEBUG";

  /** The commands, in the order in which help lists them. */
  private static final List<Class<?>> COMMANDS =
      List.of(
          ServeCommand.class,
          DemoCommand.class,
          TenantCommand.class,
          KeyCommands.class,
          GrantCommand.class,
          QuotaCommand.class,
          ReserveCommand.class,
          CapCommand.class,
          UsageCommand.class,
          BillCommand.class,
          CostCommand.class,
          RatesCommand.class,
          TopCommand.class,
          LiveCommand.class,
          MemberCommand.class,
          HealthCommand.class,
          EndpointsCommand.class,
          WhoAmICommand.class,
          DocumentCommands.Metrics.class,
          DocumentCommands.OpenApi.class,
          AuditCommand.class,
          AlertCommand.class,
          ClientCommand.class,
          MapCommand.class,
          StoreCommand.class,
          SnapshotCommand.class,
          EntryCommand.class,
          SqlCommand.class,
          QueryCommand.class,
          TransactionCommand.class,
          MemoryCommand.class,
          DataCommand.class,
          TrainCommand.class,
          VersionCommand.class,
          CompletionCommand.class,
          NamesCommand.class);

  @Spec private CommandSpec spec;
  private final Screen screen;

  private KvsCommand(Screen screen) {
    this.screen = screen;
  }

  /** Runs one command line and returns the exit code. */
  public static int run(String... arguments) {
    return commandLine(Screen.ofProcess(), arguments.length == 0 ? "" : arguments[0])
        .execute(arguments);
  }

  static CommandLine commandLine() {
    return commandLine(Screen.ofProcess());
  }

  static CommandLine commandLine(Screen screen) {
    return commandLine(screen, "");
  }

  /**
   * Returns a command line with the named command alone, or with all commands if no command has the
   * name. Reading the options of all takes longer than most commands do.
   */
  private static CommandLine commandLine(Screen screen, String name) {
    CommandLine kvs = new CommandLine(new KvsCommand(screen));
    Object wanted = find(name);
    if (wanted == null) {
      COMMANDS.forEach(kvs::addSubcommand);
      provided().forEach(kvs::addSubcommand);
    } else {
      kvs.addSubcommand(wanted);
    }
    CommandLine cost = kvs.getSubcommands().get("cost");
    if (cost != null) { // a command of Redis may have words that begin with a minus
      cost.setUnmatchedOptionsArePositionalParams(true);
    }
    return kvs.setCaseInsensitiveEnumValuesAllowed(true)
        .setExecutionExceptionHandler(KvsCommand::tell);
  }

  /** Returns a command, or its class, by its name; null if none has it, or it needs all others. */
  private static @Nullable Object find(String name) {
    for (Class<?> each : COMMANDS) {
      if (isNamed(each, name)) {
        return each == CompletionCommand.class ? null : each;
      }
    }
    return provided().stream()
        .filter(each -> isNamed(each.getClass(), name))
        .findFirst()
        .orElse(null);
  }

  private static boolean isNamed(Class<?> command, String name) {
    return command.getAnnotation(Command.class).name().equals(name);
  }

  private static List<Object> provided() {
    List<Object> commands = new ArrayList<>();
    for (CommandProvider provider : ServiceLoader.load(CommandProvider.class)) {
      commands.add(provider.command());
    }
    return commands;
  }

  /** Returns the screen on which commands print. */
  Screen screen() {
    return screen;
  }

  @Override
  public void run() {
    throw new ParameterException(spec.commandLine(), "which command? See below.");
  }

  private static int tell(Exception e, CommandLine command, CommandLine.ParseResult parsed) {
    PrintWriter err = command.getErr();
    OptionSpec color = command.getCommandSpec().findOption("--color");
    Style style =
        Screen.of(command.getCommandSpec())
            .errStyle(color != null && color.getValue() instanceof Color said ? said : Color.AUTO);
    err.println(
        style.error("kvs:") + " " + (e.getMessage() == null ? e.toString() : e.getMessage()));
    if (System.getenv(DEBUG) != null) {
      e.printStackTrace(err);
    } else if (!isExpected(e)) {
      err.println(
          "kvs: set " + DEBUG + "=1 for the details of this " + e.getClass().getSimpleName());
    }
    err.flush();
    return CommandLine.ExitCode.SOFTWARE;
  }

  private static boolean isExpected(Exception e) {
    return e instanceof Failure
        || e instanceof SqlRefusal
        || e instanceof StartException
        || e instanceof ConfigException;
  }

  /** A command could not do what it was asked. The message says why and what to do. */
  static final class Failure extends RuntimeException {
    Failure(String message) {
      super(message, null, false, false);
    }
  }
}
