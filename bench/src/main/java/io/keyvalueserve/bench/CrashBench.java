package io.keyvalueserve.bench;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.function.IntUnaryOperator;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

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
final class CrashBench extends Bench {
  @Mixin private CrashPlan plan;

  @Mixin private NemesisPlan nemesis;

  /** The outcome for servers. */
  interface Report {
    /** Lines for a person. */
    String table();

    /** Writes table and JSON. */
    void write(Path folder) throws IOException;

    List<?> violations();
  }

  /** Ends servers, whose data and output are in a folder, again and again. */
  private interface Test {
    Report run(Path servers, String conditions) throws IOException;
  }

  @Override
  public Integer call() throws IOException {
    plan.check(spec);
    if (nemesis.isBesidePeers()) {
      Set<NemesisKind> kinds = nemesis.kindsBesidePeers(spec);
      FaultPeersRun.require(nemesis.peers());
      return run(
          "three servers each; durability everysec (Hazelcast has none); seed %d; %s"
              .formatted(plan.seed, Machine.describe()),
          (servers, conditions) ->
              new FaultPeersReport(
                  conditions,
                  new FaultPeersRun(progress(), servers, plan.seed).run(nemesis.peers(), kinds)));
    }
    if (nemesis.isChosen()) {
      nemesis.check(spec, plan);
      return run(
          "%d members; durability %s; %s; nemesis %s; seed %d; %s"
              .formatted(
                  plan.members,
                  plan.durability,
                  nemesis.workName(),
                  nemesis.kinds(),
                  plan.seed,
                  Machine.describe()),
          (servers, conditions) ->
              new NemesisRun(progress(), plan, nemesis, servers).run(conditions));
    }
    Programs installed = Programs.here();
    if (plan.of == CrashPlan.Of.REDIS) {
      installed.require(List.of(Program.REDIS));
    }
    return run(
        plan.of + describe(installed) + "; " + plan + "; " + Machine.describe(),
        (servers, conditions) -> {
          try (CrashCluster cluster = start(servers, installed)) {
            return new CrashReport(
                conditions, new CrashRun(progress(), plan, cluster, partitions()).run());
          }
        });
  }

  private int run(String conditions, Test test) throws IOException {
    Path servers = results.make().resolve("servers");
    FileTree.delete(servers);
    progress().say("%s", conditions);
    Report report;
    try {
      report = test.run(servers, conditions);
    } catch (RuntimeException e) {
      throw new BenchException(e.getMessage() + "\ndata and logs: " + servers, e);
    }
    report.write(results.make());
    tell(report.table());
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
