package io.keyvalueserve.bench;

import java.io.PrintWriter;
import java.util.concurrent.Callable;
import java.util.function.Supplier;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** A command of {@code kvs bench}: it has a folder for its results, and tells how far it is. */
abstract class Bench implements Callable<Integer> {
  @Mixin final ResultsFolder results = new ResultsFolder();
  @Spec CommandSpec spec;

  /** A bench that can print all figures. */
  abstract static class WithJson extends Bench {
    @Option(names = "--json", description = "Print JSON instead of the table.", order = 999)
    private boolean json;

    /** Prints what was asked for. */
    void tell(String table, Supplier<String> figures) {
      if (json) {
        spec.commandLine().getOut().println(figures.get());
        spec.commandLine().getOut().flush();
      } else {
        tell(table);
      }
    }
  }

  Progress progress() {
    return new Progress(spec.commandLine().getErr());
  }

  /** Shows what a person wants to see, and where all of it is. */
  void tell(String table) {
    PrintWriter out = spec.commandLine().getOut();
    out.println(table);
    out.println("results: " + results.path());
    out.flush();
  }

  void refuse(boolean wrong, String why) {
    refuse(spec, wrong, why);
  }

  /**
   * Refuses options.
   *
   * @param wrong whether they are
   * @throws ParameterException that says why, if they are
   */
  static void refuse(CommandSpec spec, boolean wrong, String why) {
    if (wrong) {
      throw new ParameterException(spec.commandLine(), why);
    }
  }
}
