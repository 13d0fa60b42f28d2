package io.keyvalueserve.bench;

import com.hazelcast.instance.BuildInfoProvider;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code kvs bench storm}: very many connections at once, and what each costs. */
@Command(
    name = "storm",
    description = {
      "Measure very many connections at once: to the door for Redis clients beside redis-server, to"
          + " that for Hazelcast clients beside a stock member.",
      "",
      "Each storm opens all as fast as it can, every one with its login and a first request; then"
          + " each is active at a low rate, by a timetable, latencies counted from when a request"
          + " was due; then all are closed at once. Told are how long the opening took and who was"
          + " refused, latencies, the server's processor time, its memory for each connection, and"
          + " what it is like afterwards. Needs a limit of open files above the number of"
          + " connections (ulimit -n)."
    },
    mixinStandardHelpOptions = true,
    sortOptions = false)
final class StormBench extends Bench {
  /** Who can be left out. */
  enum Peer {
    REDIS,
    STOCK;

    @Override
    public String toString() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  @Mixin private StormPlan plan;

  @Option(
      names = "--without",
      split = ",",
      paramLabel = "NAME,...",
      description = "Peers to leave out: ${COMPLETION-CANDIDATES}.")
  private Set<Peer> without = EnumSet.noneOf(Peer.class);

  @Override
  public Integer call() throws IOException {
    plan.check(spec);
    for (StormShape shape : List.of(plan.resp(), plan.hazelcast())) {
      OpenFiles.require(
          "the load", OpenFiles.own().limit(), shape.connections(), plan.option(shape));
    }
    Programs installed = Programs.here();
    if (hasRedis()) {
      installed.require(List.of(Program.REDIS));
    }
    Path folder = results.make();
    Cores.moveLoad();
    List<StormResult> all = new ArrayList<>();
    if (plan.connections > 0) {
      all.addAll(resp(installed, folder.resolve("logs/resp")));
    }
    if (plan.hazelcastConnections > 0) {
      all.addAll(hazelcast(folder.resolve("logs/hazelcast")));
    }
    StormReport report = new StormReport(conditions(installed), all);
    report.write(folder);
    tell(report.table());
    return 0;
  }

  private List<StormResult> resp(Programs installed, Path logs) {
    List<StormServer> servers = new ArrayList<>();
    try {
      servers.add(StormServer.resp(logs, plan.connections, plan.rounds.valueBytes()));
      if (hasRedis()) {
        Path binary = installed.find(Program.REDIS).orElseThrow();
        servers.add(StormServer.redis(logs, binary, plan.connections, plan.rounds.valueBytes()));
      }
      return new Storm(progress(), plan).measure(servers, plan.resp());
    } finally {
      servers.reversed().forEach(StormServer::close);
    }
  }

  private List<StormResult> hazelcast(Path logs) {
    List<StormServer> servers = new ArrayList<>();
    try {
      servers.add(StormServer.hazelcast(logs, plan.rounds.entries(), plan.rounds.valueBytes()));
      if (hasStock()) {
        servers.add(StormServer.stock(logs, plan.rounds.entries(), plan.rounds.valueBytes()));
      }
      return new Storm(progress(), plan).measure(servers, plan.hazelcast());
    } finally {
      servers.reversed().forEach(StormServer::close);
    }
  }

  private boolean hasRedis() {
    return plan.connections > 0 && !without.contains(Peer.REDIS);
  }

  private boolean hasStock() {
    return plan.hazelcastConnections > 0 && !without.contains(Peer.STOCK);
  }

  private String conditions(Programs installed) {
    StringBuilder peers = new StringBuilder();
    if (hasRedis()) {
      peers
          .append("; redis ")
          .append(Programs.version(installed.find(Program.REDIS).orElseThrow()))
          .append(" with a password");
    }
    if (hasStock()) {
      peers
          .append("; stock: Hazelcast ")
          .append(BuildInfoProvider.getBuildInfo().getVersion())
          .append(", the same JVM options, but a heap of 1 GiB");
    }
    return String.format(
        Locale.ROOT,
        "%s; %s; kvs: 1 member, tenancy on%s; %s",
        Cores.describe(),
        plan,
        peers,
        Machine.describe());
  }
}
