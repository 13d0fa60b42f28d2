package io.keyvalueserve.bench;

import com.hazelcast.instance.BuildInfoProvider;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code kvs bench clients}: many separate Hazelcast clients, the paper's experiment. */
@Command(
    name = "clients",
    description = {
      "Measure many separate Hazelcast clients of this product and of stock Hazelcast members.",
      "",
      "The same real Java client for both, each with a connection of its own and one operation on"
          + " its way; then many threads over one connection. On one member and on three, where all"
          + " requests enter at the first and the processor time is the first's. With --raw the"
          + " messages are made before, so that the server is what limits: --connections,"
          + " --pipeline and --rate are for that."
    },
    mixinStandardHelpOptions = true,
    sortOptions = false)
final class ClientsBench extends Bench {
  @Option(
      names = "--clients",
      split = ",",
      defaultValue = "1,2,4,8,16,32,64,128",
      paramLabel = "N,...",
      description = "How many separate clients. Default: ${DEFAULT-VALUE}")
  private List<Integer> clients = List.of();

  @Option(
      names = "--threads",
      defaultValue = "64",
      paramLabel = "N",
      description =
          "How many threads share one connection in the last step; 0 to leave it out. Default:"
              + " ${DEFAULT-VALUE}")
  private int threads;

  @Option(
      names = "--raw",
      description = "Instead of real clients: messages that are made before, over connections.")
  private boolean raw;

  @Mixin private final RawShapes rawShapes = new RawShapes(List.of(64, 128));
  @Mixin private final Workloads workloads = new Workloads();

  @Option(
      names = "--members",
      split = ",",
      defaultValue = "1,3",
      paramLabel = "N,...",
      description = "How many members form a cluster. Default: ${DEFAULT-VALUE}")
  private List<Integer> members = List.of();

  @Mixin private final Rounds rounds = new Rounds();

  @Option(
      names = "--without",
      split = ",",
      paramLabel = "NAME,...",
      description = "What to leave out: coalescing-off, stock.")
  private Set<Grids> without = EnumSet.noneOf(Grids.class);

  @Override
  public Integer call() throws IOException {
    check();
    Path folder = results.make();
    Cores.moveLoad();
    List<Grids> contenders = Grids.but(without, progress());
    List<Cell> cells = new ArrayList<>();
    List<WarmUp.Result> warmUps = new ArrayList<>();
    for (int size : members) {
      measure(contenders, size, folder.resolve("logs/" + size), cells, warmUps);
    }
    ComparisonReport report = new ComparisonReport(conditions(), warmUps, cells, List.of());
    report.write(folder, raw ? "clients-raw" : "clients");
    tell(report.table());
    return 0;
  }

  private void measure(
      List<Grids> contenders, int size, Path logs, List<Cell> cells, List<WarmUp.Result> warmUps)
      throws IOException {
    Progress progress = progress();
    List<Grid> grids = new ArrayList<>();
    try {
      for (Grids each : contenders) {
        progress.say("%s: starting %d member%s", each, size, size == 1 ? "" : "s");
        grids.add(each.start(logs, size));
      }
      if (raw) {
        RawComparison comparison =
            new RawComparison(progress, rounds, rawShapes.rate, Grids.STOCK.toString());
        List<Contender> servers =
            grids.stream().map(grid -> grid.raw(rounds.entries(), rounds.valueBytes())).toList();
        List<Mix> mixes = workloads.or("get", "50/50");
        cells.addAll(comparison.measure(servers, rawShapes.shapes(size, mixes)));
        warmUps.addAll(comparison.warmUps());
      } else {
        ClientComparison comparison = new ClientComparison(progress, rounds);
        cells.addAll(comparison.measure(grids, clientShapes(size), logs));
        warmUps.addAll(comparison.warmUps());
      }
    } finally {
      grids.reversed().forEach(Grid::close);
    }
  }

  /** Fewest clients first: later ones join them. */
  private List<ClientShape> clientShapes(int size) {
    List<ClientShape> shapes = new ArrayList<>();
    List<Mix> mixes = workloads.or("a", "b", "c");
    for (int count : clients.stream().sorted().toList()) {
      for (Mix mix : mixes) {
        shapes.add(new ClientShape(size, count, 1, mix));
      }
    }
    if (threads > 0) {
      for (Mix mix : mixes) {
        shapes.add(new ClientShape(size, 1, threads, mix));
      }
    }
    return shapes;
  }

  private void check() {
    rounds.check(spec);
    rawShapes.check(spec);
    boolean positive =
        Stream.of(clients, members).flatMap(List::stream).allMatch(count -> count > 0);
    refuse(
        !positive || threads < 0, "--clients and --members are positive, --threads not negative");
    refuse(!raw && !(rawShapes.rate instanceof Rate.Most), "--rate is for --raw");
    refuse(
        rawShapes.rate instanceof Rate.Share && without.contains(Grids.STOCK),
        "a --rate in % is a part of what stock reaches: not --without stock");
  }

  private String conditions() {
    return String.format(
        Locale.ROOT,
        "%s; Hazelcast clients' protocol, %s; %s%s; kvs: tenancy on; stock: Hazelcast %s, the same"
            + " JVM options, but a heap of 1 GiB; %s",
        Cores.describe(),
        raw ? "messages made before" : "real Java clients",
        rounds,
        rawShapes.rate.describe(Grids.STOCK.toString()),
        BuildInfoProvider.getBuildInfo().getVersion(),
        Machine.describe());
  }
}
