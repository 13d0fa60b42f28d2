package io.keyvalueserve.bench;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Servers of every durability under the same writes, in turns: A, B, A, B. All run; one at a time
 * is loaded, and all are at rest before the next one is.
 */
final class WriteRun {
  private static final String KVS = "kvs ";
  private static final String REDIS = "redis ";
  private static final String MEMORY = "1g";

  /** Redis writes its log anew between turns when it is as long, which costs its turns nothing. */
  private static final long LONGEST_LOG_BYTES = 512L << 20;

  private final Progress progress;
  private final RestartPlan plan;
  private final Path folder;
  private final Path redis;
  private final List<WarmUp.Result> warmUps = new ArrayList<>();
  private final List<Cell> cells = new ArrayList<>();

  /** How often a time is doubled in which a server has answered nothing: its disk may be slow. */
  private static final int MOST_DOUBLINGS = 6;

  /** A server, and how it is waited for. */
  private record Target(Contender server, Durability durability, AtRest rest) {
    boolean isRedis() {
      return server.name().startsWith(REDIS);
    }
  }

  /** What was seen: the results of a shape follow each other. */
  record Results(List<WarmUp.Result> warmUps, List<Cell> cells) {}

  /**
   * @param progress gets a line for each step
   * @param folder for data and output of the servers
   * @param redis where Redis is installed
   */
  WriteRun(Progress progress, RestartPlan plan, Path folder, Path redis) {
    this.progress = progress;
    this.plan = plan;
    this.folder = folder;
    this.redis = redis;
  }

  /** The name of a server of this product in the results. */
  static String kvs(Durability durability) {
    return KVS + durability;
  }

  /** The name of a Redis server in the results. */
  static String redis(Durability durability) {
    return REDIS + durability;
  }

  Results run() throws IOException {
    Cores.moveLoad();
    try {
      for (int valueBytes : plan.writeBytes) {
        measure(valueBytes);
      }
    } finally {
      Cores.spreadLoad();
    }
    return new Results(warmUps, cells);
  }

  private void measure(int valueBytes) throws IOException {
    Map<Durability, Contender> own = new LinkedHashMap<>();
    Map<Durability, Contender> peers = new LinkedHashMap<>();
    try {
      for (Durability durability :
          List.of(Durability.EVERYSEC, Durability.NONE, Durability.ALWAYS)) {
        own.put(durability, startOwn(durability, valueBytes));
        if (plan.hasRedis()) {
          peers.put(durability, startRedis(durability, valueBytes));
        }
      }
      WriteShape usual = WriteShape.of(valueBytes, 64, 16);
      List<Target> targets = new ArrayList<>();
      for (Map<Durability, Contender> servers : List.of(own, peers)) {
        for (Map.Entry<Durability, Contender> server : servers.entrySet()) {
          targets.add(warmedUp(server.getValue(), server.getKey(), usual));
        }
      }
      measure(targets, usual);
      targets.removeIf(target -> target.durability != Durability.ALWAYS);
      for (WriteShape shape : plan.alwaysShapes(valueBytes)) {
        if (!shape.equals(usual)) {
          measure(targets, shape);
        }
      }
    } finally {
      own.values().forEach(Contender::close);
      peers.values().forEach(Contender::close);
      FileTree.delete(folder);
    }
  }

  private Contender startOwn(Durability durability, int valueBytes) {
    List<String> arguments = List.of("--durability", durability.toString(), "--memory", MEMORY);
    return OwnCluster.start(kvs(durability), folder, 1, arguments).resp(valueBytes);
  }

  private Contender startRedis(Durability durability, int valueBytes) {
    Path own = folder.resolve(redis(durability));
    List<String> arguments =
        List.of(
            "--dir",
            own.toString(),
            "--appendonly",
            durability == Durability.NONE ? "no" : "yes",
            "--appendfsync",
            durability.redis);
    return Program.REDIS
        .start(own, redis, arguments, new RespWire("", valueBytes))
        .named(redis(durability));
  }

  private Target warmedUp(Contender server, Durability durability, WriteShape shape)
      throws IOException {
    warmUps.add(new WarmUp(progress, plan.preparation()).of(server, List.of(shape.load())));
    Target target = new Target(server, durability, AtRest.of(server.process(), plan.nanos()));
    if (target.isRedis() && durability != Durability.NONE) {
      try (RespConnection connection = new RespConnection(server.port())) {
        new RedisControl(connection).rewriteWhenToldOnly();
      }
    }
    return target;
  }

  private void measure(List<Target> targets, WriteShape shape) throws IOException {
    List<String> names = targets.stream().map(target -> target.server.name()).toList();
    cells.addAll(
        Turns.take(
            progress,
            "",
            shape,
            names,
            plan.rounds,
            (i, round) -> turn(targets.get(i), shape.load(), round)));
  }

  private Window turn(Target target, Shape shape, int seed) throws IOException {
    Window window = turn(target, shape, seed, plan.nanos());
    for (int i = 1; window.allOperations() == 0 && i <= MOST_DOUBLINGS; i++) {
      progress.say("%s answered nothing in that time: once more, for longer", target.server.name());
      window = turn(target, shape, seed, plan.nanos() << i);
    }
    if (window.allOperations() == 0) {
      throw new BenchException(target.server.name() + " answers no writes: is its disk well?");
    }
    return window;
  }

  private Window turn(Target target, Shape shape, int seed, long nanos) throws IOException {
    long lead = nanos / 10; // connections are new, buffers small
    Window window = RawLoad.once(target.server, shape, plan.entries, seed, lead, nanos);
    double counted = (double) nanos / (lead + nanos);
    long later = (long) (target.rest.await() * counted);
    if (target.isRedis() && target.durability != Durability.NONE) {
      try (RespConnection connection = new RespConnection(target.server.port())) {
        RedisControl control = new RedisControl(connection);
        if (control.logBytes() > LONGEST_LOG_BYTES) {
          control.rewrite();
        }
      }
    }
    return window.later(later);
  }
}
