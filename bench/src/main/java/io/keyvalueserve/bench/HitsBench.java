package io.keyvalueserve.bench;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code kvs bench hits}: who keeps what in memory that is too small for all. */
@Command(
    name = "hits",
    description = {
      "Measure what active tenants still find in a cache that they share with quiet ones, here, at"
          + " redis-server and at a stock Hazelcast member, with the same memory.",
      "",
      "Each tenant asks for keys of its own by Zipf's distribution, and writes what it does not find."
          + " The active ones are alone first, then beside the quiet ones, at a new server each time"
          + " and with the same requests."
    },
    mixinStandardHelpOptions = true,
    sortOptions = false)
final class HitsBench implements Callable<Integer> {
  @Mixin private HitsPlan plan;

  @Option(names = "--json", description = "Print JSON instead of the table.")
  private boolean json;

  @Mixin private final ResultsFolder results = new ResultsFolder();

  @Spec private CommandSpec spec;

  @Override
  public Integer call() throws IOException {
    plan.check(spec);
    Programs installed = Programs.here();
    Path folder = results.make();
    plan.keepIn(folder.resolve("logs"));
    Cores.moveLoad();
    List<HitsResult> measured = new ArrayList<>();
    for (HitsSubject subject : plan.measured(installed)) {
      measured.add(
          new HitsResult(
              subject,
              plan.active,
              run(subject, installed, "alone", 0),
              run(subject, installed, "beside", plan.quiet)));
    }
    HitsReport report = new HitsReport(conditions(installed), measured);
    report.write(folder);
    PrintWriter out = spec.commandLine().getOut();
    if (json) {
      out.println(report.json());
      out.flush();
    } else {
      results.tell(out, report.table());
    }
    return 0;
  }

  private HitsLoad.Ratios run(HitsSubject subject, Programs installed, String name, int quiet) {
    PrintWriter err = spec.commandLine().getErr();
    err.printf("%s, %s: starting%n", subject, name);
    err.flush();
    try (HitsServer server = subject.start(plan, installed, name)) {
      return new HitsLoad(plan.active, quiet, plan.keys, plan.requests)
          .run(
              server.clients(),
              part -> {
                err.printf(Locale.ROOT, "%s, %s: %.0f%%%n", subject, name, 100 * part);
                err.flush();
              });
    }
  }

  private String conditions(Programs installed) {
    return Cores.describe()
        + "; "
        + plan
        + (plan.subjects.isEmpty() && installed.find(Program.REDIS).isEmpty()
            ? "; redis is not measured: redis-server is not installed"
            : "")
        + "; "
        + Machine.describe();
  }
}
