package io.keyvalueserve.bench;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.function.IntUnaryOperator;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code kvs bench crash}: nothing acknowledged is lost, whenever servers are killed. */
@Command(
    name = "crash",
    description = {
      "Kill servers at any moment, and check that they come back with what they acknowledged.",
      "",
      "Each round writers write and note what is acknowledged; servers are killed (SIGKILL) and"
          + " started again; then every key is read. Held to 'always', each key has what was"
          + " acknowledged last, or a later write that was not answered. Held to 'everysec', a key"
          + " may be as it was up to a second before the kill; and if a write of a connection is"
          + " lost, then all that it wrote later to the same partition. Nothing ever has a value"
          + " that was not written, is back after it was deleted or had expired, or expires at"
          + " another time. The next round goes on with the same data.",
      "",
      "The kernel keeps what a killed process wrote. With --disk unsynced-is-lost members keep what"
          + " they have not synced in their own memory, so that a kill takes from them what a power"
          + " cut takes from a machine.",
      "",
      "Ends with 1 at the first violation, tells what was written and what was found, and leaves"
          + " data and logs of the servers under the results. --of redis holds a Redis server with"
          + " a log (AOF) to the same. With --durability none, or --disk never-synced, held to"
          + " --promise always, the check has to find losses."
    },
    mixinStandardHelpOptions = true,
    sortOptions = false)
final class CrashBench implements Callable<Integer> {
  @Mixin private CrashPlan plan;

  @Mixin private NemesisPlan nemesis;

  @Mixin private final ResultsFolder results = new ResultsFolder();

  @Spec private CommandSpec spec;

  @Override
  public Integer call() throws IOException {
    plan.check(spec);
    if (nemesis.isBesidePeers()) {
      return doFaultsBesidePeers();
    }
    if (nemesis.isChosen()) {
      return doFaults();
    }
    Programs installed = Programs.here();
    if (plan.of == CrashPlan.Of.REDIS) {
      installed.require(List.of(Program.REDIS));
    }
    Path servers = results.make().resolve("servers");
    FileTree.delete(servers);
    PrintWriter err = spec.commandLine().getErr();
    String conditions = plan.of + describe(installed) + "; " + plan + "; " + Machine.describe();
    err.println(conditions);
    err.flush();
    CrashReport report;
    try (CrashCluster cluster = start(servers, installed)) {
      report = new CrashReport(conditions, new CrashRun(err, plan, cluster, partitions()).run());
    } catch (RuntimeException e) {
      throw new BenchException(e.getMessage() + "\ndata and logs: " + servers, e);
    }
    report.write(results.make());
    results.tell(spec.commandLine().getOut(), report.table());
    if (!report.violations().isEmpty()) {
      spec.commandLine().getOut().println("data and logs of the servers: " + servers);
      spec.commandLine().getOut().flush();
      return 1;
    }
    FileTree.delete(servers);
    return 0;
  }

  private int doFaultsBesidePeers() throws IOException {
    Set<NemesisKind> kinds = nemesis.kindsBesidePeers(spec);
    FaultPeersRun.require(nemesis.peers());
    Path servers = results.make().resolve("servers");
    FileTree.delete(servers);
    PrintWriter err = spec.commandLine().getErr();
    String conditions =
        "three servers each; durability everysec (Hazelcast has none); seed %d; %s"
            .formatted(plan.seed, Machine.describe());
    err.println(conditions);
    err.flush();
    List<FaultPeersRun.Row> rows;
    try {
      rows = new FaultPeersRun(err, servers, plan.seed).run(nemesis.peers(), kinds);
    } catch (RuntimeException e) {
      throw new BenchException(e.getMessage() + "\ndata and logs: " + servers, e);
    }
    FaultPeersReport.write(results.make(), conditions, rows);
    results.tell(spec.commandLine().getOut(), FaultPeersReport.table(conditions, rows));
    FileTree.delete(servers);
    return 0;
  }

  private int doFaults() throws IOException {
    nemesis.check(spec, plan);
    Path servers = results.make().resolve("servers");
    FileTree.delete(servers);
    PrintWriter err = spec.commandLine().getErr();
    String conditions =
        "%d members; durability %s; nemesis %s; seed %d; %s"
            .formatted(
                plan.members, plan.durability, nemesis.kinds(), plan.seed, Machine.describe());
    err.println(conditions);
    err.flush();
    NemesisReport report;
    try {
      report = new NemesisRun(err, plan, nemesis, servers).run(conditions);
    } catch (RuntimeException e) {
      throw new BenchException(e.getMessage() + "\ndata and logs: " + servers, e);
    }
    report.write(results.make());
    results.tell(spec.commandLine().getOut(), report.table());
    if (!report.violations().isEmpty()) {
      spec.commandLine().getOut().println("data and logs of the servers: " + servers);
      spec.commandLine().getOut().flush();
      return 1;
    }
    FileTree.delete(servers);
    return 0;
  }

  private CrashCluster start(Path servers, Programs installed) throws IOException {
    return switch (plan.of) {
      case KVS -> CrashCluster.kvs(servers, plan.members, plan.durability, plan.disk, plan.seed);
      case REDIS ->
          CrashCluster.redis(servers, installed.find(Program.REDIS).orElseThrow(), plan.durability);
    };
  }

  /** Redis has one log for everything. */
  private IntUnaryOperator partitions() {
    return switch (plan.of) {
      case KVS -> KeyPartitions.of(plan.keys);
      case REDIS -> _ -> 0;
    };
  }

  private String describe(Programs installed) {
    return switch (plan.of) {
      case KVS -> String.format(", %d member%s", plan.members, plan.members == 1 ? "" : "s");
      case REDIS -> " " + Programs.version(installed.find(Program.REDIS).orElseThrow());
    };
  }
}
