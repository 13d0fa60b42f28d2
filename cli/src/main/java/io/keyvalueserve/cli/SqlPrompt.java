package io.keyvalueserve.cli;

import io.keyvalueserve.cli.KvsCommand.Failure;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicInteger;
import org.jline.reader.Candidate;
import org.jline.reader.EndOfFileException;
import org.jline.reader.LineReader;
import org.jline.reader.LineReader.Option;
import org.jline.reader.LineReaderBuilder;
import org.jline.reader.ParsedLine;
import org.jline.reader.UserInterruptException;
import org.jline.terminal.Terminal;
import org.jspecify.annotations.Nullable;

/** Statements and commands that a person types. Ends with Ctrl-D or {@code \q}. */
final class SqlPrompt {
  private static final int HISTORY_LINES = 5_000;

  private final Terminal terminal;
  private final SqlShell shell;
  private final SqlMeta meta;
  private final Style style;
  private final AtomicInteger interrupts = new AtomicInteger();
  private volatile SqlNames names = SqlNames.NONE;

  SqlPrompt(Terminal terminal, SqlShell shell, Style style) {
    this.terminal = terminal;
    this.shell = shell;
    this.style = style;
    this.meta = new SqlMeta(shell);
    shell.pageBy(() -> new SqlPager(terminal));
  }

  /**
   * Reads and runs until the end.
   *
   * @param history where lines are kept; null for nowhere
   */
  void run(@Nullable Path history) {
    LineReader reader = reader(history);
    String tenant = shell.client().tenant();
    terminal.handle(Terminal.Signal.INT, _ -> interrupt());
    terminal
        .writer()
        .println("Tenant " + tenant + ". A statement ends with ; and \\? lists commands.");
    learnNames();
    while (true) {
      String line;
      try {
        line = reader.readLine(tenant + "=> ");
      } catch (UserInterruptException e) {
        continue; // what was typed is given up
      } catch (EndOfFileException e) {
        return;
      }
      if (!take(line)) {
        return;
      }
    }
  }

  private LineReader reader(@Nullable Path history) {
    LineReaderBuilder builder =
        LineReaderBuilder.builder()
            .terminal(terminal)
            .appName("kvs")
            .parser(new SqlLineParser())
            .completer((_, line, candidates) -> complete(line, candidates))
            .history(new SqlHistory())
            .variable(LineReader.SECONDARY_PROMPT_PATTERN, "%P -> ")
            .variable(LineReader.HISTORY_SIZE, HISTORY_LINES)
            .variable(LineReader.HISTORY_FILE_SIZE, HISTORY_LINES)
            .option(Option.DISABLE_EVENT_EXPANSION, true)
            .option(Option.CASE_INSENSITIVE, true)
            .option(Option.HISTORY_TIMESTAMPED, false);
    if (history != null) {
      builder.variable(LineReader.HISTORY_FILE, history);
    }
    return builder.build();
  }

  /** Carries out what was typed. Returns false if it ends the prompt. */
  private boolean take(String line) {
    switch (line.strip()) {
      case "exit", "quit" -> {
        return false;
      }
      case "help", "?" -> {
        return meta.run("\\?");
      }
      default -> {
        // Statements.
      }
    }
    for (SqlSplitter.Statement each : SqlSplitter.split(line)) {
      interrupts.set(0);
      try {
        if (each.isCommand()) {
          if (!meta.run(each.text())) {
            return false;
          }
        } else {
          shell.run(each.text(), List.of());
          if (isDefinition(each.text())) {
            learnNames();
          }
        }
      } catch (SqlRefusal e) {
        tell(e.under(each.text()));
        return true;
      } catch (Failure e) {
        tell(interrupts.get() > 0 ? "the statement was ended" : String.valueOf(e.getMessage()));
        return true;
      }
    }
    return true;
  }

  private void tell(String error) {
    PrintWriter out = terminal.writer();
    out.println(style.error("error:") + " " + error);
    out.flush();
  }

  private static boolean isDefinition(String sql) {
    String begin = sql.stripLeading().toUpperCase(Locale.ROOT);
    return begin.startsWith("CREATE") || begin.startsWith("DROP");
  }

  /** Ends the statement that runs, by the server; the second time by leaving it alone too. */
  private void interrupt() {
    boolean isFirst = interrupts.getAndIncrement() == 0;
    Thread _ =
        Thread.ofVirtual()
            .start(
                () -> {
                  try {
                    shell.cancel();
                    if (!isFirst) {
                      shell.abandon();
                    }
                  } catch (Failure e) {
                    shell.abandon();
                  }
                });
  }

  /** Asks for the names of tables while the person types on. */
  private void learnNames() {
    Thread _ =
        Thread.ofVirtual()
            .start(
                () -> {
                  try {
                    names = SqlNames.ask(shell.client());
                  } catch (SqlRefusal | Failure e) {
                    names = SqlNames.NONE; // completion has keywords alone
                  }
                });
  }

  private void complete(ParsedLine line, List<Candidate> candidates) {
    String before = line.words().getFirst();
    if (before.isBlank() && line.word().startsWith("\\")) {
      SqlMeta.WORDS.forEach(word -> candidates.add(new Candidate(word)));
      return;
    }
    String word = line.word().substring(0, line.wordCursor());
    String after = line.line().substring(line.cursor());
    for (String each : SqlCompletion.candidates(before, word, after, names)) {
      candidates.add(new Candidate(each));
    }
  }
}
