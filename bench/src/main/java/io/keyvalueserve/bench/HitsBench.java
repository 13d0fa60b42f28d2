package io.keyvalueserve.bench;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code kvs bench hits}: who keeps what in memory that is too small for all. */
@Command(
    name = "hits",
    description = {
      "Measure what active tenants still find in a cache that they share with quiet ones, here, at"
          + " redis-server and at a stock Hazelcast member, with the same memory.",
      "",
      "Each tenant asks for keys of its own by Zipf's distribution, and writes what it does not"
          + " find. The active ones are alone first, then beside the quiet ones, at a new server"
          + " each time and with the same requests."
    },
    mixinStandardHelpOptions = true,
    sortOptions = false)
final class HitsBench extends Bench.WithJson {
  @Mixin private HitsPlan plan;

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
    tell(report.table(), report::json);
    return 0;
  }

  private HitsLoad.Ratios run(HitsSubject subject, Programs installed, String name, int quiet) {
    Progress progress = progress();
    progress.say("%s, %s: starting", subject, name);
    try (HitsServer server = subject.start(plan, installed, name)) {
      return new HitsLoad(plan.active, quiet, plan.keys, plan.requests)
          .run(server.clients(), part -> progress.say("%s, %s: %.0f%%", subject, name, 100 * part));
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
