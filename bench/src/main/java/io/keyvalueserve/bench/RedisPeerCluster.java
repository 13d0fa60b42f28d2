package io.keyvalueserve.bench;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * A Redis master with two replicas, which all write a log once a second, and a sentinel beside
 * each. Sentinels take a master for lost after the time after which this product does.
 */
final class RedisPeerCluster extends PeerProcesses {
  private static final int PORT = 6379;
  private static final int SENTINEL_PORT = 26379;
  private static final int SILENCE_MILLIS = 4_000;
  private static final int QUORUM = 2;
  private static final int PATIENCE_MILLIS = 2_000;
  private static final long WHOLE_SECONDS = 120;

  private final List<ServerProcess> sentinels = new ArrayList<>();
  private final Path folder;
  private final Path binary;

  RedisPeerCluster(Path folder, Path binary) {
    super(binary, "sentinel", SENTINEL_PORT);
    this.folder = folder;
    this.binary = binary;
    try {
      launchAll();
      for (int i = 1; i <= SIZE; i++) {
        sentinels.add(sentinel(i));
      }
      awaitWhole();
    } catch (RuntimeException e) {
      close();
      throw e;
    }
  }

  @Override
  public int victim() throws IOException {
    String master = master(1);
    for (int i = 1; i <= SIZE; i++) {
      if (master.equals(network.address(i) + ":" + PORT)) {
        return i;
      }
    }
    throw new BenchException("the sentinels have no master: " + master);
  }

  private String master(int sentinel) throws IOException {
    try (SentinelFaultClient client =
        new SentinelFaultClient(List.of(network.address(sentinel) + ":" + SENTINEL_PORT))) {
      return client.master();
    }
  }

  /** With a file that it and sentinels change: it begins as what it was last. */
  @Override
  ServerProcess start(int member) {
    Path own = folder.resolve("redis-" + member);
    Path file = own.resolve("redis.conf");
    if (!Files.exists(file)) {
      String settings =
          """
          port %d
          bind 0.0.0.0
          protected-mode no
          dir %s
          save ""
          appendonly yes
          appendfsync everysec
          """
              .formatted(PORT, own);
      FileTree.write(
          file,
          settings + (member == 1 ? "" : "replicaof " + network.address(1) + " " + PORT + "\n"));
    }
    return ServerProcess.again(
        own, network.inside(member), List.of(binary.toString(), file.toString()));
  }

  private ServerProcess sentinel(int member) {
    Path own = folder.resolve("sentinel-" + member);
    Path file = own.resolve("sentinel.conf");
    String settings =
        """
        port %1$d
        bind 0.0.0.0
        protected-mode no
        dir %2$s
        sentinel monitor %3$s %4$s %5$d %6$d
        sentinel down-after-milliseconds %3$s %7$d
        """
            .formatted(
                SENTINEL_PORT,
                own,
                SentinelFaultClient.NAME,
                network.address(1),
                PORT,
                QUORUM,
                SILENCE_MILLIS);
    FileTree.write(file, settings);
    return ServerProcess.again(
        own, network.inside(member), List.of(binary.toString(), file.toString(), "--sentinel"));
  }

  @Override
  public void awaitWhole() {
    awaitWhole("Redis", 500, WHOLE_SECONDS);
  }

  /** One master, which all sentinels name and two replicas follow; sentinels know each other. */
  @Override
  boolean isWhole() throws IOException {
    String master = master(1);
    for (int i = 1; i <= SIZE; i++) {
      String role = info(network.address(i), PORT, "replication");
      boolean isRight =
          master.equals(network.address(i) + ":" + PORT)
              ? role.contains("role:master") && role.contains("connected_slaves:" + (SIZE - 1))
              : role.contains("master_link_status:up");
      String watched = info(network.address(i), SENTINEL_PORT, "sentinel");
      if (!isRight
          || !master.equals(master(i))
          || !watched.contains(String.format(Locale.ROOT, "slaves=%d,sentinels=%d", SIZE - 1, SIZE))
          || !watched.contains("status=ok")) {
        return false;
      }
    }
    return true;
  }

  private static String info(String host, int port, String section) throws IOException {
    try (RespConnection connection =
        new RespConnection(new InetSocketAddress(host, port), PATIENCE_MILLIS)) {
      return FaultClient.done(connection.call("INFO", section)) instanceof RespReply.Bytes text
          ? new String(text.value(), StandardCharsets.UTF_8)
          : "";
    }
  }

  @Override
  public void close() {
    sentinels.forEach(ServerProcess::close);
    super.close();
  }
}
