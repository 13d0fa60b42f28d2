package io.keyvalueserve.cli;

import io.keyvalueserve.cli.KvsCommand.Failure;
import io.keyvalueserve.journal.Disk;
import io.keyvalueserve.journal.FileDisk;
import io.keyvalueserve.journal.FileTrouble;
import io.keyvalueserve.journal.JournalException;
import io.keyvalueserve.journal.JournalInspection;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code kvs data ...} */
@Command(
    name = "data",
    description = "Looks at the log of a member that is stopped, on its disk, and compacts it.",
    mixinStandardHelpOptions = true,
    synopsisSubcommandLabel = "COMMAND")
final class DataCommand implements Runnable {
  private static final String DIRECTORY =
      "What 'kvs serve --data' named, or the log's own directory in it.";

  @Spec private CommandSpec spec;

  @Override
  public void run() {
    throw new ParameterException(spec.commandLine(), "which command? See below.");
  }

  @Command(
      name = "verify",
      description = {
        "Reads all of a log and checks it. Changes nothing.",
        "Each damage is told with its file, its offset, its kind and what to do about it."
      },
      exitCodeListHeading = "Exit codes:%n",
      exitCodeList = {
        "0:the log is whole; what a crash cut off at its end is told, and is no damage",
        "1:there is damage, or the log cannot be looked at",
        "2:bad usage"
      },
      mixinStandardHelpOptions = true)
  int verify(
      @Parameters(paramLabel = "DIR", description = DIRECTORY) Path directory, @Mixin Output out) {
    Path log = logIn(directory);
    DataReport report =
        attempt(
            log, progress -> new DataReport(log, JournalInspection.verify(reading(log), progress)));
    out.print(report.json(), report.verification());
    return report.isWhole() ? CommandLine.ExitCode.OK : CommandLine.ExitCode.SOFTWARE;
  }

  @Command(
      name = "inspect",
      description = {
        "Tells what is in a log: chunks, live and dead bytes, maps, whose it is. Changes nothing.",
        "Reads the chunks' indexes where they have any; 'kvs data verify' reads everything."
      },
      mixinStandardHelpOptions = true)
  void inspect(
      @Parameters(paramLabel = "DIR", description = DIRECTORY) Path directory,
      @Option(names = "--chunks", description = "Also a line for each chunk.") boolean chunks,
      @Option(names = "--maps", description = "Also a line for each map.") boolean maps,
      @Mixin Output out) {
    Path log = logIn(directory);
    DataReport report =
        attempt(
            log,
            progress -> new DataReport(log, JournalInspection.inspect(reading(log), progress)));
    out.print(report.json(), report.text(chunks, maps));
  }

  @Command(
      name = "compact",
      description = {
        "Writes what is needed of a log anew and removes the rest, as a member does in time.",
        "It may be interrupted at any moment. It needs the free space of two chunks, 128 MiB."
      },
      mixinStandardHelpOptions = true)
  void compact(
      @Parameters(paramLabel = "DIR", description = DIRECTORY) Path directory, @Mixin Output out) {
    Path log = logIn(directory);
    CompactionReport report =
        attempt(
            log,
            progress ->
                new CompactionReport(log, JournalInspection.compact(FileDisk.at(log), progress)));
    out.print(report.json(), report.text());
  }

  /** Something that is done with a log. */
  private interface Attempt<T> {
    T with(DataProgress progress) throws IOException, InterruptedException;
  }

  private <T> T attempt(Path log, Attempt<T> attempt) {
    try (Progress progress = new Progress(spec)) {
      return attempt.with(new DataProgress(progress));
    } catch (JournalException e) {
      throw new Failure(String.valueOf(e.getMessage()));
    } catch (IOException e) {
      throw new Failure("the log in " + log + " cannot be read or written: " + FileTrouble.of(e));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new Failure("interrupted; what was done so far holds");
    }
  }

  private static Disk reading(Path log) throws IOException {
    return FileDisk.readingAt(log);
  }

  /** The log of a data directory, or the directory if it is one itself. */
  private static Path logIn(Path directory) {
    Path inside = directory.resolve("log");
    for (Path candidate : new Path[] {inside, directory}) {
      if (Files.exists(candidate.resolve("identity"))
          || Files.isDirectory(candidate.resolve("chunks"))) {
        return candidate;
      }
    }
    throw new Failure(
        "no log is in %s: neither %s nor %s is there; name what 'kvs serve --data' named"
            .formatted(directory, inside.resolve("identity"), directory.resolve("identity")));
  }
}
