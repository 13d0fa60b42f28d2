package io.keyvalueserve.bench;

import io.keyvalueserve.bench.IsolationPlan.Part;
import io.keyvalueserve.bench.IsolationServer.Subject;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code kvs bench isolation}: what one tenant does to another. */
@Command(
    name = "isolation",
    description = {
      "Measure what tenants do to each other, here, at redis-server and at a stock Hazelcast"
          + " member.",
      "",
      "A victim asks at a fixed rate, whatever the server does; latencies count from when a request"
          + " was due. It runs alone, then beside an aggressor, in turns, for each aggressor: many"
          + " connections, deep pipelines, huge values, MGET of 10,000 keys, scans, a hot key, a"
          + " storm of connections, a flood of new keys, a hoarder of locks, very many peers"
          + " without a key. With --limits each aggressor also has a quota, but for the peers.",
      "",
      "Equal tenants with unequal loads then saturate the server: told is the ratio of what the"
          + " least and the most served one were served. Last comes what tenancy costs the server"
          + " for an operation.",
      "",
      "Servers run on core 0. Victim and aggressors share the other cores, the aggressors in a"
          + " process that is scheduled as idle work. Run it as root, or with CAP_SYS_NICE: the"
          + " victim then runs before all others, and does not take for the server's what else the"
          + " machine does on its core."
    },
    mixinStandardHelpOptions = true,
    sortOptions = false)
final class IsolationBench extends Bench.WithJson {
  @Mixin private IsolationPlan plan;

  @Override
  public Integer call() throws IOException {
    plan.check(spec);
    Programs installed = Programs.here();
    Path folder = results.make();
    Path logs = folder.resolve("logs");
    Cores.moveLoad();
    Measured measured = new Measured();
    try {
      measure(measured, logs, installed);
    } catch (BenchException e) {
      if (measured.isEmpty()) {
        throw e;
      }
      tell(measured, folder, installed);
      throw new BenchException(
          e.getMessage() + "\nwhat was measured before is in " + folder.toAbsolutePath(), e);
    }
    tell(measured, folder, installed);
    return 0;
  }

  /** What there is by now. */
  private static final class Measured {
    private final List<WarmUp.Result> warmUps = new ArrayList<>();
    private final List<IsolationResult> victims = new ArrayList<>();
    private final List<IsolationFairness> fairness = new ArrayList<>();
    private @Nullable IsolationCost cost;

    boolean isEmpty() {
      return victims.isEmpty() && fairness.isEmpty() && cost == null;
    }
  }

  private void measure(Measured measured, Path logs, Programs installed) {
    Progress progress = progress();
    boolean victims = plan.parts.contains(Part.AGGRESSORS);
    boolean fairness = plan.parts.contains(Part.FAIRNESS);
    for (Subject subject : victims || fairness ? plan.subjects() : List.<Subject>of()) {
      try (IsolationRun run = new IsolationRun(progress, plan, subject, setting(logs, installed))) {
        measured.warmUps.addAll(run.warmUps());
        if (victims) {
          run.aggressors(measured.victims::add);
        }
        if (fairness) {
          measured.fairness.add(run.fairness());
        }
      }
    }
    if (plan.parts.contains(Part.COST) && plan.subjects().contains(Subject.KVS)) {
      measured.cost = IsolationCost.measure(progress, plan, logs);
    }
  }

  private void tell(Measured measured, Path folder, Programs installed) throws IOException {
    IsolationReport report =
        new IsolationReport(
            conditions(installed),
            measured.warmUps,
            measured.victims,
            measured.fairness,
            measured.cost);
    report.write(folder);
    tell(report.table(), () -> IsolationJson.of(report));
  }

  private IsolationServer.Setting setting(Path logs, Programs installed) {
    return new IsolationServer.Setting(
        logs,
        plan.tenants,
        plan.entries(),
        plan.rounds.valueBytes(),
        plan.memoryBytes,
        plan.loopsApart,
        plan.keyless(),
        plan.files(),
        installed);
  }

  private String conditions(Programs installed) {
    return Cores.describe()
        + "; "
        + plan
        + (IsolationVictim.COMES_FIRST
            ? ", before all others"
            : ", NOT before all others, which needs root")
        + "; "
        + plan.subjects().stream()
            .map(subject -> subject + ": " + IsolationServer.version(subject, installed))
            .collect(Collectors.joining("; "))
        + (plan.subjects.isEmpty() && installed.find(Program.REDIS).isEmpty()
            ? "; redis is not measured: redis-server is not installed"
            : "")
        + "; "
        + Machine.describe();
  }
}
