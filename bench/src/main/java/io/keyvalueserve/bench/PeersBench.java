package io.keyvalueserve.bench;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code kvs bench peers}: the door for Redis clients beside Redis, Valkey and memcached. */
@Command(
    name = "peers",
    description = {
      "Measure the door for Redis clients beside redis-server, memcached and valkey-server.",
      "",
      "All run on core 0, tenancy on here; the load runs on core 1 and turns from one to the next,"
          + " round by round. Told are operations per second, the server's processor time for each,"
          + " latencies, and how much of its core server and load used."
    },
    mixinStandardHelpOptions = true,
    sortOptions = false)
final class PeersBench implements Callable<Integer> {
  @Option(
      names = "--connections",
      split = ",",
      defaultValue = "1,8,64,128",
      paramLabel = "N,...",
      description = "How many connections. Default: ${DEFAULT-VALUE}")
  private List<Integer> connections = List.of();

  @Option(
      names = "--pipeline",
      split = ",",
      defaultValue = "1,16,64",
      paramLabel = "N,...",
      description = "Requests that a connection sends at once. Default: ${DEFAULT-VALUE}")
  private List<Integer> pipelines = List.of();

  @Option(
      names = "--workloads",
      split = ",",
      defaultValue = "get,50/50",
      paramLabel = "NAME,...",
      converter = Mix.Parser.class,
      description =
          "get, set, reads/writes as 50/50, or a, b, c of YCSB (zipfian). Default: ${DEFAULT-VALUE}")
  private List<Mix> mixes = List.of();

  @Option(
      names = "--rate",
      defaultValue = "0",
      paramLabel = "OPS/S",
      description =
          "The same rate for all, kept by a timetable: latencies then count from when a request"
              + " was due. Default: as many as the server answers.")
  private long rate;

  @Mixin private Rounds rounds;

  @Option(
      names = "--members",
      defaultValue = "1",
      paramLabel = "N",
      description =
          "How many members of this product form its cluster; requests enter at the first, and the"
              + " processor time is the first's. Default: ${DEFAULT-VALUE}")
  private int members;

  @Option(
      names = "--channels",
      split = ",",
      paramLabel = "M,...",
      description =
          "With --members: more clusters of this product beside the first, each with so many"
              + " messages under way between two members; 0 is without coalescing.")
  private List<Integer> channels = List.of();

  @Option(
      names = "--without",
      split = ",",
      paramLabel = "NAME,...",
      description = "Peers to leave out: ${COMPLETION-CANDIDATES}.")
  private Set<Program> without = EnumSet.noneOf(Program.class);

  @Option(
      names = "--results",
      defaultValue = "results/peers",
      paramLabel = "DIR",
      description = "Where table, JSON and plots go. Default: ${DEFAULT-VALUE}")
  private Path results = Path.of("results");

  @Spec private CommandSpec spec;

  @Override
  public Integer call() throws IOException {
    List<Shape> shapes = shapes();
    Path folder = results.toAbsolutePath();
    PrintWriter err = spec.commandLine().getErr();
    Programs installed = Programs.here();
    Set<Program> peers = peers(installed, err);
    Files.createDirectories(folder);
    Cores.moveLoad();
    List<Contender> servers = new ArrayList<>();
    try {
      servers.add(
          OwnCluster.start("kvs", folder.resolve("logs"), members, List.of())
              .resp(rounds.valueBytes));
      for (int count : channels) {
        servers.add(withChannels(count, folder.resolve("logs")));
      }
      for (Program peer : peers) {
        Path binary = installed.find(peer).orElseThrow();
        servers.add(peer.start(folder.resolve("logs/" + peer), binary, rounds.valueBytes));
      }
      List<Cell> cells = new RawComparison(err, rounds).measure(servers, shapes);
      ComparisonReport report = new ComparisonReport(conditions(installed, peers), cells);
      report.write(folder, "peers");
      PrintWriter out = spec.commandLine().getOut();
      out.println(report.table());
      out.println("results: " + folder);
      out.flush();
      return 0;
    } finally {
      servers.reversed().forEach(Contender::close);
    }
  }

  private Contender withChannels(int count, Path logs) throws IOException {
    String name = count == 0 ? "kvs-coalescing-off" : "kvs-channels-" + count;
    Path config = logs.resolve(name + ".yaml");
    Files.writeString(
        config,
        count == 0
            ? "fast-path:\n  coalescing: false\n"
            : "fast-path:\n  channels: " + count + "\n");
    return OwnCluster.start(name, logs, members, List.of("--config", config.toString()))
        .resp(rounds.valueBytes);
  }

  /** Valkey takes part where it is installed; without the others there would be no comparison. */
  private Set<Program> peers(Programs installed, PrintWriter err) {
    Set<Program> peers = EnumSet.allOf(Program.class);
    peers.removeAll(without);
    if (peers.contains(Program.VALKEY) && installed.find(Program.VALKEY).isEmpty()) {
      err.println("valkey-server is not installed (Debian package valkey-server): left out");
      err.flush();
      peers.remove(Program.VALKEY);
    }
    installed.require(peers);
    return peers;
  }

  private List<Shape> shapes() {
    if (!channels.isEmpty() && members == 1) {
      throw new ParameterException(spec.commandLine(), "--channels need --members 2 or more");
    }
    if (rounds.rounds < 1 || rounds.nanos() < 1 || members < 1 || rate < 0) {
      throw new ParameterException(
          spec.commandLine(),
          "--rounds, --seconds and --members are positive, --rate not negative");
    }
    List<Shape> shapes = new ArrayList<>();
    for (Mix mix : mixes) {
      for (int pipeline : pipelines) {
        for (int count : connections) {
          shapes.add(new Shape(1, count, pipeline, mix, rate));
        }
      }
    }
    return shapes;
  }

  private String conditions(Programs installed, Set<Program> peers) {
    StringBuilder versions = new StringBuilder();
    for (Program peer : peers) {
      String version = Programs.version(installed.find(peer).orElseThrow());
      versions.append("; ").append(peer).append(' ').append(version);
    }
    return String.format(
        Locale.ROOT,
        "%s; %s; kvs: %d member%s, tenancy on%s; %s",
        Cores.describe(),
        rounds,
        members,
        members == 1 ? "" : "s",
        versions,
        Machine.describe());
  }
}
