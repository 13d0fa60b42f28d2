package io.keyvalueserve.bench;

import java.io.IOException;
import java.nio.file.Path;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code kvs bench hostile}: peers that speak every protocol badly. */
@Command(
    name = "hostile",
    description = {
      "Let hostile peers speak all four protocols badly to a member: those of Redis clients, HTTP,"
          + " Hazelcast clients, and members.",
      "",
      "Each connection sends valid messages of a grammar, most of them changed: lengths, counts,"
          + " types, nesting, order, bytes. Some are never finished, some answers are never read."
          + " Most peers have a tenant's key. Another tenant reads and writes all the time and"
          + " checks its values. The exit code is 1 if the member ends, a peer receives another's"
          + " data, the other tenant sees an error, or heap, direct memory, descriptors or log"
          + " grow."
    },
    mixinStandardHelpOptions = true,
    sortOptions = false)
final class HostileBench extends Bench.WithJson {
  @Mixin private HostilePlan plan;

  @Override
  public Integer call() throws IOException {
    plan.check(spec);
    OpenFiles.require("the load", OpenFiles.own().limit(), plan.connections(), "--idle");
    Path folder = results.make();
    Progress progress = progress();
    progress.say("seed: %d", plan.seed);
    Cores.moveLoad();
    String conditions = Cores.describe() + "; " + plan + "; " + Machine.describe();
    HostileResult result = new HostileRun(progress, plan, folder.resolve("member")).run();
    HostileReport report = new HostileReport(conditions, plan.again(), result);
    report.write(folder);
    tell(report.table(), report::json);
    return report.isKept() ? 0 : 1;
  }
}
