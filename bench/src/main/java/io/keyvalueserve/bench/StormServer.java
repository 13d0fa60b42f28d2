package io.keyvalueserve.bench;

import java.nio.file.Path;
import java.util.List;
import java.util.UUID;
import java.util.function.BooleanSupplier;

/**
 * A server that a storm of connections can reach.
 *
 * @param contender how
 * @param ready whether it says that it can serve; always, if it cannot say
 * @param java whether it runs on a JVM
 */
record StormServer(Contender contender, BooleanSupplier ready, boolean java)
    implements AutoCloseable {
  /** What servers take without being asked to: Redis would take 10,000. */
  private static final int USUAL = 20_000;

  private static final int BESIDES = 1000;

  /** This product, as Redis clients reach it. */
  static StormServer resp(Path folder, int connections, int valueBytes) {
    Path config =
        FileTree.write(
            folder.resolve("storm.yaml"), "resp:\n  max-clients: " + most(connections) + "\n");
    OwnCluster cluster = OwnCluster.start("kvs", folder, 1, List.of("--config", config.toString()));
    return new StormServer(cluster.resp(valueBytes), cluster::isReady, true);
  }

  /** This product, as Hazelcast clients reach it. */
  static StormServer hazelcast(Path folder, int entries, int valueBytes) {
    OwnCluster cluster = OwnCluster.start("kvs", folder, 1, List.of());
    return new StormServer(cluster.raw(entries, valueBytes), cluster::isReady, true);
  }

  /** Redis with a password, as this product always has one. */
  static StormServer redis(Path folder, Path binary, int connections, int valueBytes) {
    String password = UUID.randomUUID().toString();
    List<String> arguments =
        List.of("--maxclients", Integer.toString(most(connections)), "--requirepass", password);
    Contender redis =
        Program.REDIS.start(
            folder.resolve("redis"), binary, arguments, RespWire.of(password, valueBytes));
    return new StormServer(redis, () -> true, false);
  }

  /** A Hazelcast member as it comes. */
  static StormServer stock(Path folder, int entries, int valueBytes) {
    Contender stock = StockCluster.start(folder, 1).raw(entries, valueBytes);
    return new StormServer(stock, () -> true, true);
  }

  private static int most(int connections) {
    return Math.max(USUAL, connections + BESIDES);
  }

  String name() {
    return contender.name();
  }

  ServerProcess process() {
    return contender.process();
  }

  Footprint footprint() {
    return Footprint.of(process(), java);
  }

  /** Whether it says that it can serve, and a new connection is answered. */
  boolean isHealthy(StormShape shape, int entries) {
    StormShape one = new StormShape(shape.protocol(), 1, shape.perSecond(), shape.mix());
    try (StormLoad load = new StormLoad(contender, one, entries, 0)) {
      return load.open().answered() == 1 && ready.getAsBoolean();
    } catch (BenchException e) {
      return false;
    }
  }

  @Override
  public void close() {
    contender.close();
  }
}
