package io.keyvalueserve.bench;

import io.keyvalueserve.server.config.ConfigReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.LongSupplier;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code kvs bench peers}: the door for Redis clients beside Redis, Valkey and memcached. */
@Command(
    name = "peers",
    description = {
      "Measure the door for Redis clients beside redis-server, memcached, Infinispan and"
          + " valkey-server: keys, or Redis' types, scripts and channels.",
      "",
      "All run on core 0, tenancy on here; the load runs on core 1 and turns from one to the next,"
          + " round by round. Told are operations per second, the server's processor time for each,"
          + " latencies, and how much of its core server and load used."
    },
    mixinStandardHelpOptions = true,
    sortOptions = false)
final class PeersBench extends Bench {
  @Mixin private final RawShapes raw = new RawShapes(List.of(1, 8, 64, 128));
  @Mixin private final PeerWorkloads workloads = new PeerWorkloads();
  @Mixin private final Rounds rounds = new Rounds();

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
          "With --members: the n x m curve. More clusters of this product beside the first, each"
              + " with so many messages under way between two members; 0 is without coalescing.")
  private List<Integer> channels = List.of();

  @Option(
      names = "--without",
      split = ",",
      paramLabel = "NAME,...",
      description = "Peers to leave out: ${COMPLETION-CANDIDATES}.")
  private Set<DoorPeer> without = EnumSet.noneOf(DoorPeer.class);

  /** The memory that clusters of this product have taken off the heap, by their names. */
  private final Map<String, LongSupplier> offHeap = new HashMap<>();

  @Override
  public Integer call() throws IOException {
    check();
    Progress progress = progress();
    if (workloads.keys().isEmpty()) {
      Stream.of(DoorPeer.values()).filter(peer -> !peer.hasTypes()).forEach(without::add);
    }
    DoorPeers peers = new DoorPeers(without, Programs.here(), Launcher.own(), progress);
    Path folder = results.make();
    Cores.moveLoad();
    List<Contender> servers = new ArrayList<>();
    try {
      Map<String, Integer> clusters = startOwn(folder.resolve("logs"), servers, progress);
      peers.start(folder.resolve("logs"), rounds.valueBytes(), servers);
      List<WarmUp.Result> warmUps = new ArrayList<>();
      List<Cell> cells = new ArrayList<>();
      if (!workloads.keys().isEmpty()) {
        RawComparison comparison =
            new RawComparison(progress, rounds, raw.rate, DoorPeer.REDIS.toString());
        cells.addAll(comparison.measure(servers, raw.shapes(members, workloads.keys())));
        warmUps.addAll(comparison.warmUps());
      }
      TypeLoads types = new TypeLoads(workloads.types(), workloads.plan(rounds), offHeap);
      List<Cell> typed = measure(types, servers, progress, warmUps);
      cells.addAll(typed);
      ComparisonReport report =
          new ComparisonReport(
              conditions(peers),
              warmUps,
              cells,
              channels.isEmpty() ? List.of() : ChannelCurve.of(cells, clusters));
      if (members == 1) { // of more, copies are elements too
        report.weigh(types.memory());
      }
      report.add(TypeLoads.goals(typed));
      report.write(folder, "peers");
      tell(report.table());
      return 0;
    } finally {
      servers.reversed().forEach(Contender::close);
    }
  }

  private List<Cell> measure(
      TypeLoads loads, List<Contender> servers, Progress progress, List<WarmUp.Result> warmUps) {
    if (workloads.types().isEmpty()) {
      return List.of();
    }
    List<String> others =
        Stream.of(DoorPeer.values())
            .filter(peer -> !peer.hasTypes())
            .map(DoorPeer::toString)
            .toList();
    List<Contender> typed =
        servers.stream().filter(server -> !others.contains(server.name())).toList();
    RawComparison comparison =
        new RawComparison(progress, rounds, raw.rate, DoorPeer.REDIS.toString(), loads);
    List<Cell> cells =
        comparison.measure(
            typed, raw.shapes(spec, members, workloads.types(), workloads.plan(rounds)));
    warmUps.addAll(comparison.warmUps());
    return cells;
  }

  /**
   * Starts this product's clusters: as it comes, and with the other numbers of messages under way.
   *
   * @return those numbers by the clusters' names
   */
  private Map<String, Integer> startOwn(Path logs, List<Contender> started, Progress progress)
      throws IOException {
    int usual = ConfigReader.read(null, Map.of("dev", "true")).fastPath().channels();
    Map<String, Integer> clusters = new LinkedHashMap<>();
    clusters.put("kvs", usual);
    for (int count : channels) {
      if (count != usual) {
        clusters.put(count == 0 ? "kvs-coalescing-off" : "kvs-channels-" + count, count);
      }
    }
    for (Map.Entry<String, Integer> cluster : clusters.entrySet()) {
      String name = cluster.getKey();
      progress.say("%s: starting %d member%s", name, members, members == 1 ? "" : "s");
      List<String> arguments =
          started.isEmpty() ? List.of() : withChannels(cluster.getValue(), name, logs);
      OwnCluster own = OwnCluster.start(name, logs, members, arguments);
      started.add(own.resp(rounds.valueBytes()));
      offHeap.put(name, own::nativeBytes);
    }
    return clusters;
  }

  private static List<String> withChannels(int count, String name, Path logs) throws IOException {
    Path config = logs.resolve(name + ".yaml");
    Files.writeString(
        config,
        count == 0
            ? "fast-path:\n  coalescing: false\n"
            : "fast-path:\n  channels: " + count + "\n");
    return List.of("--config", config.toString());
  }

  private void check() {
    rounds.check(spec);
    raw.check(spec);
    workloads.check(spec);
    refuse(
        !workloads.types().isEmpty() && !(raw.rate instanceof Rate.Most),
        "--rate is not for Redis' types");
    refuse(
        members < 1 || channels.stream().anyMatch(count -> count < 0),
        "--members is positive, --channels are not negative");
    refuse(!channels.isEmpty() && members == 1, "--channels need --members 2 or more");
    refuse(
        raw.rate instanceof Rate.Share && without.contains(DoorPeer.REDIS),
        "a --rate in % is a part of what redis reaches: not --without redis");
  }

  private String conditions(DoorPeers peers) {
    return String.format(
        Locale.ROOT,
        "%s; %s%s; kvs: %d member%s, tenancy on%s; %s",
        Cores.describe(),
        rounds,
        raw.rate.describe(DoorPeer.REDIS.toString()),
        members,
        members == 1 ? "" : "s",
        peers.versions(),
        Machine.describe());
  }
}
