package io.keyvalueserve.cli;

import io.keyvalueserve.cli.KvsCommand.Failure;
import io.keyvalueserve.journal.FileTrouble;
import io.keyvalueserve.server.config.Durations;
import java.io.BufferedReader;
import java.io.Console;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jline.terminal.Terminal;
import org.jline.terminal.TerminalBuilder;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code kvs sql} */
@Command(
    name = "sql",
    description = {
      "Runs SQL statements on a tenant's maps: those of -c and -f, else those of standard input. On"
          + " a terminal it asks for them.",
      "It needs an access key of the tenant (KVS_KEY or --key-file): the operator key opens no"
          + " entries. The tenant dev of a server with --dev needs none on the same machine.",
      "It ends with 1 at the first statement that fails."
    },
    mixinStandardHelpOptions = true)
final class SqlCommand implements Callable<Integer> {
  @Parameters(
      arity = "0..1",
      paramLabel = "TENANT",
      description = "Default: the tenant whose access key it is.")
  private @Nullable String tenant;

  @Option(
      names = {"-c", "--command"},
      paramLabel = "STATEMENT",
      description = "Run this; may be given again. Several statements have ; between them.")
  private List<String> commands = new ArrayList<>();

  @Option(
      names = {"-f", "--file"},
      paramLabel = "FILE",
      description = "Run the statements of a file, after those of -c; - for standard input.")
  private @Nullable String file;

  @Option(
      names = "--format",
      paramLabel = "table|vertical|csv|json|ndjson",
      description = "How rows are printed; ndjson: an object a line. Default: table")
  private @Nullable SqlFormatName format;

  @Option(
      names = "--param",
      paramLabel = "VALUE",
      description = "A value for the next ? of the statement, as text; may be given again.")
  private List<String> parameters = new ArrayList<>();

  @Option(
      names = "--timeout",
      paramLabel = "TIME",
      description = "How long a statement may take: 500ms, 30s, 5m. Default: the server's limit.")
  private @Nullable String timeout;

  @Option(
      names = "--zone",
      paramLabel = "ZONE",
      description = "The time zone of statements, as Europe/Berlin. Default: UTC")
  private @Nullable String zone;

  @Mixin private AdminClient client = new AdminClient();
  @Mixin private Output out = new Output();
  @Spec private CommandSpec spec;

  @Override
  public Integer call() {
    Duration limit = timeout == null ? null : limit(timeout);
    SqlFormatName usual = out.isJson() ? SqlFormatName.JSON : SqlFormatName.TABLE;
    SqlClient sql = new SqlClient(client, tenant, limit, zone);
    SqlShell shell = new SqlShell(sql, out.out(), out::style, format == null ? usual : format);
    if (commands.isEmpty() && file == null && isTerminal()) {
      return ask(shell);
    }
    Thread cancel = Thread.ofPlatform().unstarted(() -> cancelQuietly(shell));
    Runtime.getRuntime().addShutdownHook(cancel); // Ctrl-C
    try {
      return runAll(shell);
    } finally {
      removeHook(cancel);
    }
  }

  private Duration limit(String text) {
    return Durations.parse(text)
        .filter(Duration::isPositive)
        .orElseThrow(
            () ->
                new ParameterException(
                    spec.commandLine(), "--timeout '" + text + "' is no time: use 500ms, 30s, 5m"));
  }

  private static boolean isTerminal() {
    Console console = System.console();
    return console != null && console.isTerminal();
  }

  private static void cancelQuietly(SqlShell shell) {
    try {
      shell.cancel();
    } catch (RuntimeException e) {
      // The process ends; a statement has a limit at the server.
    }
  }

  private static void removeHook(Thread hook) {
    try {
      boolean _ = Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException e) {
      // It is carried out.
    }
  }

  private int ask(SqlShell shell) {
    if (!parameters.isEmpty()) {
      throw new ParameterException(spec.commandLine(), "--param goes with -c or -f");
    }
    try (Terminal terminal = TerminalBuilder.builder().system(true).dumb(true).build()) {
      new SqlPrompt(terminal, shell.on(terminal.writer()), out.style()).run(SqlHistory.file());
      return 0;
    } catch (IOException e) {
      throw new Failure("the terminal cannot be used: " + e.getMessage() + "; use -c or -f");
    }
  }

  private int runAll(SqlShell shell) {
    SqlMeta meta = new SqlMeta(shell);
    if (commands.isEmpty() && file == null) {
      return runInput(shell, meta);
    }
    List<List<SqlSplitter.Statement>> sources = new ArrayList<>();
    commands.forEach(each -> sources.add(SqlSplitter.split(each)));
    if (file != null) {
      sources.add(SqlSplitter.split(EntryCommand.textOf(file)));
    }
    long statements =
        sources.stream().flatMap(List::stream).filter(each -> !each.isCommand()).count();
    if (!parameters.isEmpty() && statements != 1) {
      throw new ParameterException(
          spec.commandLine(), "--param goes with one statement, and there are " + statements);
    }
    for (List<SqlSplitter.Statement> source : sources) {
      for (SqlSplitter.Statement each : source) {
        if (!run(shell, meta, each, source.size() > 1 || each.line() > 1)) {
          return 1;
        }
      }
    }
    return 0;
  }

  /** Runs the statements of standard input, each when it is complete. */
  private int runInput(SqlShell shell, SqlMeta meta) {
    if (!parameters.isEmpty()) {
      throw new ParameterException(spec.commandLine(), "--param goes with -c or -f");
    }
    SqlSplitter splitter = new SqlSplitter();
    try {
      BufferedReader in =
          new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
      for (String line = in.readLine(); line != null; line = in.readLine()) {
        for (SqlSplitter.Statement each : splitter.add(line + "\n")) {
          if (!run(shell, meta, each, true)) {
            return 1;
          }
        }
      }
      for (SqlSplitter.Statement each : splitter.end()) {
        if (!run(shell, meta, each, true)) {
          return 1;
        }
      }
      return 0;
    } catch (IOException e) {
      throw new Failure("standard input cannot be read: " + FileTrouble.of(e));
    }
  }

  /** Runs a statement, and returns whether it was carried out. */
  private boolean run(
      SqlShell shell, SqlMeta meta, SqlSplitter.Statement statement, boolean namesLine) {
    String place = namesLine ? "line " + statement.line() + ": " : "";
    try {
      if (statement.isCommand()) {
        boolean _ = meta.run(statement.text());
      } else {
        shell.run(statement.text(), parameters);
      }
      return true;
    } catch (SqlRefusal e) {
      PrintWriter err = spec.commandLine().getErr();
      String name = out.screen().errStyle(Color.AUTO).error("kvs:");
      err.println(name + " " + place + e.under(statement.text()));
      err.flush();
      return false;
    }
  }
}
