package io.keyvalueserve.bench;

import com.hazelcast.instance.BuildInfoProvider;
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
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code kvs bench clients}: many separate Hazelcast clients, the paper's experiment. */
@Command(
    name = "clients",
    description = {
      "Measure many separate Hazelcast clients of this product and of stock Hazelcast members.",
      "",
      "The same real Java client for both, each with a connection of its own and one operation on"
          + " its way; then many threads over one connection. On one member and on three, where all"
          + " requests enter at the first and the processor time is the first's. With --raw the"
          + " messages are made before, so that the server is what limits."
    },
    mixinStandardHelpOptions = true,
    sortOptions = false)
final class ClientsBench implements Callable<Integer> {
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

  @Option(
      names = "--connections",
      split = ",",
      defaultValue = "64,128",
      paramLabel = "N,...",
      description = "With --raw: how many connections. Default: ${DEFAULT-VALUE}")
  private List<Integer> connections = List.of();

  @Option(
      names = "--pipeline",
      split = ",",
      defaultValue = "1,16,64",
      paramLabel = "N,...",
      description =
          "With --raw: requests that a connection sends at once. Default: ${DEFAULT-VALUE}")
  private List<Integer> pipelines = List.of();

  @Option(
      names = "--rate",
      defaultValue = "0",
      paramLabel = "OPS/S",
      description =
          "With --raw: the same rate for all, kept by a timetable: latencies then count from when"
              + " a request was due. Default: as many as the server answers.")
  private long rate;

  @Option(
      names = "--workloads",
      split = ",",
      paramLabel = "NAME,...",
      converter = Mix.Parser.class,
      description =
          "get, set, reads/writes as 50/50, or a (50/50), b (95/5), c (get) of YCSB, with zipfian"
              + " keys. Default: a,b,c; with --raw: get,50/50")
  private List<Mix> mixes = List.of();

  @Option(
      names = "--members",
      split = ",",
      defaultValue = "1,3",
      paramLabel = "N,...",
      description = "How many members form a cluster. Default: ${DEFAULT-VALUE}")
  private List<Integer> members = List.of();

  @Mixin private Rounds rounds;

  @Option(
      names = "--without",
      split = ",",
      paramLabel = "NAME,...",
      description = "What to leave out: coalescing-off, stock.")
  private Set<Grids> without = EnumSet.noneOf(Grids.class);

  @Option(
      names = "--results",
      defaultValue = "results/clients",
      paramLabel = "DIR",
      description = "Where table, JSON and plots go. Default: ${DEFAULT-VALUE}")
  private Path results = Path.of("results");

  @Spec private CommandSpec spec;

  @Override
  public Integer call() throws IOException {
    check();
    Path folder = results.toAbsolutePath();
    Files.createDirectories(folder);
    Cores.moveLoad();
    PrintWriter err = spec.commandLine().getErr();
    List<Grids> contenders = Grids.but(without, err);
    List<Cell> cells = new ArrayList<>();
    for (int size : members) {
      cells.addAll(measure(contenders, size, folder.resolve("logs/" + size)));
    }
    ComparisonReport report = new ComparisonReport(conditions(), cells);
    report.write(folder, raw ? "clients-raw" : "clients");
    PrintWriter out = spec.commandLine().getOut();
    out.println(report.table());
    out.println("results: " + folder);
    out.flush();
    return 0;
  }

  private List<Cell> measure(List<Grids> contenders, int size, Path logs) throws IOException {
    PrintWriter err = spec.commandLine().getErr();
    List<Grid> grids = new ArrayList<>();
    try {
      for (Grids each : contenders) {
        err.println(each + ": starting " + size + (size == 1 ? " member" : " members"));
        err.flush();
        grids.add(each.start(logs, size));
      }
      if (raw) {
        List<Contender> servers =
            grids.stream().map(grid -> grid.raw(rounds.entries, rounds.valueBytes)).toList();
        return new RawComparison(err, rounds).measure(servers, rawShapes(size));
      }
      return new ClientComparison(err, rounds).measure(grids, clientShapes(size), logs);
    } finally {
      grids.reversed().forEach(Grid::close);
    }
  }

  private List<Shape> rawShapes(int size) {
    List<Shape> shapes = new ArrayList<>();
    for (Mix mix : mixes("get", "50/50")) {
      for (int pipeline : pipelines) {
        for (int count : connections) {
          shapes.add(new Shape(size, count, pipeline, mix, rate));
        }
      }
    }
    return shapes;
  }

  /** Fewest clients first: later ones join them. */
  private List<ClientShape> clientShapes(int size) {
    List<ClientShape> shapes = new ArrayList<>();
    for (int count : clients.stream().sorted().toList()) {
      for (Mix mix : mixes("a", "b", "c")) {
        shapes.add(new ClientShape(size, count, 1, mix));
      }
    }
    if (threads > 0) {
      for (Mix mix : mixes("a", "b", "c")) {
        shapes.add(new ClientShape(size, 1, threads, mix));
      }
    }
    return shapes;
  }

  private List<Mix> mixes(String... unasked) {
    return mixes.isEmpty() ? Stream.of(unasked).map(Mix::of).toList() : mixes;
  }

  private void check() {
    rounds.check(spec);
    boolean positive =
        Stream.of(clients, connections, pipelines, members)
            .flatMap(List::stream)
            .allMatch(count -> count > 0);
    if (!positive || threads < 0 || rate < 0) {
      throw new ParameterException(
          spec.commandLine(),
          "--clients, --connections, --pipeline and --members are positive, --threads and --rate"
              + " not negative");
    }
    if (!raw && rate > 0) {
      throw new ParameterException(spec.commandLine(), "--rate is for --raw");
    }
  }

  private String conditions() {
    return String.format(
        Locale.ROOT,
        "%s; Hazelcast clients' protocol, %s; %s; kvs: tenancy on; stock: Hazelcast %s, the same JVM"
            + " options, but a heap of 1 GiB; %s",
        Cores.describe(),
        raw ? "messages made before" : "real Java clients",
        rounds,
        BuildInfoProvider.getBuildInfo().getVersion(),
        Machine.describe());
  }
}
