package io.keyvalueserve.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;

/** The options that say what is written and what is started again, and how often. */
final class RestartPlan {
  private static final long USUAL_BYTES = 1L << 30;
  private static final int USUAL_SHARE_OF_MEMORY = 4;

  /** What the files of all servers take together, of the data. */
  private static final int FILES = 10;

  /** What is measured. */
  enum Part {
    RESTARTS,
    WRITES;

    @Override
    public String toString() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /** What the kernel has of the disk when a server is started again. */
  enum Cache {
    WARM,
    COLD;

    @Override
    public String toString() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /** What a member of this product does before all of its data are in memory. */
  enum Loading {
    WAIT,
    CLOSED;

    @Override
    public String toString() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /** What this product is compared with. */
  enum Peer {
    REDIS;

    @Override
    public String toString() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  @Option(
      names = "--parts",
      split = ",",
      defaultValue = "restarts,writes",
      paramLabel = "PART,...",
      description = "What is measured: ${COMPLETION-CANDIDATES}. Default: ${DEFAULT-VALUE}")
  private Set<Part> parts = EnumSet.allOf(Part.class);

  @Option(
      names = "--data",
      split = ",",
      paramLabel = "SIZE,...",
      converter = DataSize.class,
      description =
          "How much data is brought back, keys and values, as 256m or 4g. Default: 1g, or a quarter"
              + " of this machine's memory if that is less")
  private List<Long> dataBytes = List.of();

  @Option(
      names = "--value-bytes",
      split = ",",
      defaultValue = "239,495,1007",
      paramLabel = "BYTES,...",
      description = "Sizes of the values of that data. Default: ${DEFAULT-VALUE}")
  private List<Integer> valueBytes = List.of();

  @Option(
      names = "--cores",
      split = ",",
      paramLabel = "N,...",
      description =
          "How many cores a server has when it is started again; this product has as many partition"
              + " threads, and threads that read its log. Default: 1, and all")
  private List<Integer> cores = List.of();

  @Option(
      names = "--cache",
      split = ",",
      paramLabel = "STATE,...",
      description =
          "The page cache at a start: ${COMPLETION-CANDIDATES}. Cold needs root, and slows down"
              + " everybody on this machine for a while. Default: warm, and cold for root")
  private Set<Cache> caches = EnumSet.noneOf(Cache.class);

  @Option(
      names = "--durability",
      split = ",",
      defaultValue = "everysec,always",
      paramLabel = "WHEN,...",
      description =
          "When servers of this product that are started again have written to their disks:"
              + " everysec, always. Default: ${DEFAULT-VALUE}")
  private Set<Durability> durabilities = EnumSet.of(Durability.EVERYSEC);

  @Option(
      names = "--while-loading",
      split = ",",
      defaultValue = "wait,closed",
      paramLabel = "WHAT,...",
      description =
          "How servers of this product with everysec are started again: wait, they serve at once,"
              + " and bring values back meanwhile; closed, they load everything first. Default:"
              + " ${DEFAULT-VALUE}")
  private Set<Loading> loadings = EnumSet.of(Loading.WAIT);

  @Option(
      names = "--pre-touch",
      negatable = true,
      defaultValue = "true",
      fallbackValue = "true",
      description =
          "Whether, right before each start, as much memory as the server takes is touched and"
              + " given back: the host of a virtual machine may have to find it first, which takes"
              + " longer than loading. Default: it is")
  boolean preTouch;

  @Option(
      names = "--write-bytes",
      split = ",",
      defaultValue = "100,1024",
      paramLabel = "BYTES,...",
      description = "Sizes of the values whose writes are measured. Default: ${DEFAULT-VALUE}")
  List<Integer> writeBytes = List.of();

  @Option(
      names = "--connections",
      split = ",",
      defaultValue = "1,64,128",
      paramLabel = "N,...",
      description =
          "Over how many connections 'always' is written to, beside 64 with pipeline 16 for all."
              + " Default: ${DEFAULT-VALUE}")
  private List<Integer> connections = List.of();

  @Option(
      names = "--pipeline",
      split = ",",
      defaultValue = "1,16",
      paramLabel = "N,...",
      description = "Writes that each of these sends at once. Default: ${DEFAULT-VALUE}")
  private List<Integer> pipelines = List.of();

  @Option(
      names = "--entries",
      defaultValue = "100000",
      paramLabel = "N",
      description = "How many keys these writes go to. Default: ${DEFAULT-VALUE}")
  int entries;

  @Option(
      names = "--rounds",
      defaultValue = "3",
      paramLabel = "N",
      description = "How often each server has its turn. Default: ${DEFAULT-VALUE}")
  int rounds;

  @Option(
      names = "--seconds",
      defaultValue = "2",
      paramLabel = "SECONDS",
      description = "How long a turn of writing lasts. Default: ${DEFAULT-VALUE}")
  private double seconds;

  @Option(
      names = "--warm-up",
      defaultValue = "60",
      paramLabel = "SECONDS",
      description =
          "How long each server is written to before, at most: it ends when its processor time for"
              + " a write has stopped falling. Default: ${DEFAULT-VALUE}")
  private double warmUpSeconds;

  @Option(
      names = "--without",
      split = ",",
      paramLabel = "NAME,...",
      description = "Peers to leave out: ${COMPLETION-CANDIDATES}.")
  private Set<Peer> without = EnumSet.noneOf(Peer.class);

  boolean has(Part part) {
    return parts.contains(part);
  }

  boolean hasRedis() {
    return !without.contains(Peer.REDIS);
  }

  /** Every size of data with every size of values. */
  List<RestartData> data() {
    List<Long> sizes = dataBytes.isEmpty() ? List.of(usualBytes(Machine.memoryBytes())) : dataBytes;
    return sizes.stream()
        .flatMap(bytes -> valueBytes.stream().map(value -> new RestartData(bytes, value)))
        .toList();
  }

  static long usualBytes(long memoryBytes) {
    return Math.min(USUAL_BYTES, memoryBytes / USUAL_SHARE_OF_MEMORY);
  }

  List<Integer> cores() {
    return cores.isEmpty() ? Stream.of(1, Cores.count()).distinct().toList() : cores;
  }

  /** Whether the page cache is dropped before a start: not, always, or each in turn. */
  List<Boolean> caches() {
    if (caches.isEmpty()) {
      return PageCache.canBeDropped() ? List.of(false, true) : List.of(false);
    }
    return caches.stream().map(cache -> cache == Cache.COLD).toList();
  }

  /** Who is started again, this product first. */
  List<RestartKind> kinds() {
    List<RestartKind> kinds = new ArrayList<>();
    if (durabilities.contains(Durability.EVERYSEC)) {
      if (loadings.contains(Loading.WAIT)) {
        kinds.add(RestartKind.KVS_EVERYSEC);
      }
      if (loadings.contains(Loading.CLOSED)) {
        kinds.add(RestartKind.KVS_CLOSED);
      }
    }
    if (durabilities.contains(Durability.ALWAYS)) {
      kinds.add(RestartKind.KVS_ALWAYS);
    }
    kinds.add(RestartKind.KVS_EMPTY);
    if (hasRedis()) {
      kinds.addAll(
          List.of(
              RestartKind.REDIS_AOF,
              RestartKind.REDIS_REWRITTEN,
              RestartKind.REDIS_RDB,
              RestartKind.REDIS_EMPTY));
    }
    return kinds;
  }

  /** How servers are prepared before their writes count. */
  Preparation preparation() {
    Preparation preparation = new Preparation();
    preparation.entries = entries;
    preparation.warmUpSeconds = warmUpSeconds;
    return preparation;
  }

  /** The loads of those servers that write before they answer. */
  List<WriteShape> alwaysShapes(int bytes) {
    return pipelines.stream()
        .flatMap(
            pipeline -> connections.stream().map(count -> WriteShape.of(bytes, count, pipeline)))
        .toList();
  }

  long nanos() {
    return (long) (seconds * 1e9);
  }

  /** Refuses what cannot be measured. */
  void check(CommandSpec spec) {
    boolean sizes =
        Stream.of(valueBytes, writeBytes, cores, connections, pipelines)
            .flatMap(List::stream)
            .allMatch(size -> size > 0);
    Bench.refuse(
        spec,
        !sizes || entries < 1 || rounds < 1 || nanos() < 1 || warmUpSeconds < 0,
        "--value-bytes, --write-bytes, --cores, --connections, --pipeline, --entries, --rounds and"
            + " --seconds are positive, --warm-up is not negative");
    Bench.refuse(
        spec,
        cores.stream().anyMatch(count -> count > Cores.count()),
        "--cores: this machine has " + Cores.count());
    Bench.refuse(
        spec,
        caches.contains(Cache.COLD) && !PageCache.canBeDropped(),
        "--cache cold: only root may drop the page cache, outside containers");
    Bench.refuse(
        spec,
        durabilities.contains(Durability.NONE),
        "--durability none brings nothing back: everysec, always");
  }

  /**
   * Refuses data that this machine has no room for.
   *
   * @param folder where the data go
   */
  void checkRoom(CommandSpec spec, Path folder) throws IOException {
    long memory = Machine.memoryBytes();
    long disk = Files.getFileStore(folder).getUsableSpace();
    for (RestartData data : data()) {
      long needed = RestartSubject.memoryBytes(data);
      Bench.refuse(
          spec,
          data.count() > Integer.MAX_VALUE
              || needed > memory * 9 / 10
              || data.bytes() * FILES > disk,
          String.format(
              Locale.ROOT,
              "--data: %s need %,d MiB of memory and %,d MiB in %s; there are %,d and %,d",
              data,
              needed >> 20,
              (data.bytes() * FILES) >> 20,
              folder,
              memory >> 20,
              disk >> 20));
    }
  }

  /** How restarts are measured. */
  String restarts() {
    return caches().stream()
        .map(cold -> cold ? "cold" : "warm")
        .collect(
            Collectors.joining(
                " and ",
                rounds
                    + " rounds in turns; memory "
                    + (preTouch ? "touched" : "not touched")
                    + " before each start; page cache ",
                ""));
  }

  /** How writes are measured. */
  String writes() {
    return String.format(
        Locale.ROOT, "%,d keys; %d rounds of %.1f s, in turns", entries, rounds, seconds);
  }
}
