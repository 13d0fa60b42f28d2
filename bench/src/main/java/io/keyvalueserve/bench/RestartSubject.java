package io.keyvalueserve.bench;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A server with data that is killed and started again, any number of times. Not thread-safe. */
final class RestartSubject implements AutoCloseable {
  private static final long LONGEST_SECONDS = 600;
  private static final long POLL_MILLIS = 1;

  /** Each question takes processor time that loading needs. */
  private static final long LOADED_POLL_MILLIS = 100;

  private static final long SMALLEST_MEMORY = 256L << 20;
  private static final int OVERHEAD_BYTES = 100; // generous, for each entry

  private final RestartKind kind;
  private final RestartData data;
  private final Path folder;
  private final CrashServer server;
  private List<String> login = List.of();

  /**
   * @param folder for its data and its output
   * @param redis where Redis is installed
   */
  RestartSubject(RestartKind kind, RestartData data, Path folder, Path redis) {
    this.kind = kind;
    this.data = data;
    this.folder = folder;
    if (kind.isOwn()) {
      OwnCrashServer own = new OwnCrashServer(folder, JvmOptions.usual(), kind.durability());
      own.memory(memoryBytes(data));
      own.with(kind.ownArguments());
      server = own;
    } else {
      server = new RedisCrashServer(folder, redis, kind.redisArguments());
    }
  }

  /** Room for the entries: what they need, a fifth more, and something for small runs. */
  static long memoryBytes(RestartData data) {
    long each = (long) Load.KEY_BYTES + data.valueBytes() + OVERHEAD_BYTES;
    return data.count() * each * 6 / 5 + SMALLEST_MEMORY;
  }

  RestartKind kind() {
    return kind;
  }

  /** Starts it for the first time on one core, fills it from the others, and kills it. */
  Fill fill() throws IOException {
    server.runOn(1);
    server.launch();
    Clock.await(server::isReady, POLL_MILLIS, LONGEST_SECONDS, kind + " did not serve");
    if (server instanceof OwnCrashServer own) {
      login = List.of("AUTH", OwnServer.TENANT, own.newTenant());
    }
    long begin = System.nanoTime();
    long cpu = server.process().cpuNanos();
    if (!kind.isEmpty()) {
      data.fill(this::connect);
    }
    long nanos = System.nanoTime() - begin;
    long cpuNanos = server.process().cpuNanos() - cpu;
    try (RespConnection connection = connect()) {
      kind.settle(connection);
    }
    server.kill();
    return new Fill(data, kind, nanos, cpuNanos, FileTree.bytes(server.data()));
  }

  /**
   * Has the kernel read what it will read through the page cache: all of a Redis server's files, as
   * measuring the disk drops the cache. A member reads its log past it.
   */
  void warm() {
    if (!kind.isOwn()) {
      PageCache.warm(server.data());
    }
  }

  /**
   * Starts it, waits for its first answer and until it has all of its data in memory, checks them,
   * and kills it.
   *
   * @param cores how many it has
   */
  Restart restart(int cores) throws IOException {
    Path output = folder.resolve(ServerProcess.OUTPUT);
    long said = Files.size(output);
    server.runOn(cores);
    CoreTimes before = CoreTimes.now();
    long begin = System.nanoTime();
    server.launch();
    awaitFirstGet(begin);
    long firstNanos = System.nanoTime() - begin;
    Clock.await(
        server::hasLoaded, LOADED_POLL_MILLIS, LONGEST_SECONDS, kind + " has not loaded its data");
    long allNanos = System.nanoTime() - begin;
    long cpuNanos = server.process().cpuNanos();
    CoreTimes busy = CoreTimes.now().since(before);
    if (!kind.isEmpty()) {
      try (RespConnection connection = connect()) {
        data.check(connection);
      }
    }
    server.kill();
    LoadStatement loading = LoadStatement.in(output, said).orElse(LoadStatement.NONE);
    if (!kind.isEmpty() && loading.equals(LoadStatement.NONE)) {
      throw new BenchException(kind + " does not say how long it loaded its data: see " + output);
    }
    return new Restart(firstNanos, allNanos, cpuNanos, busy, loading);
  }

  private void awaitFirstGet(long begin) {
    int last = data.entries() - 1;
    String answer = "none";
    while (System.nanoTime() - begin < TimeUnit.SECONDS.toNanos(LONGEST_SECONDS)) {
      server.process().requireAlive();
      try (RespConnection connection = connect()) {
        RespReply reply = connection.call("GET", Load.key(last));
        if (kind.isEmpty() ? reply instanceof RespReply.Nil : data.isValue(last, reply)) {
          return;
        }
        if (!(reply instanceof RespReply.Failure loading)) {
          throw new BenchException(kind + " has come back without " + Load.key(last));
        }
        answer = loading.text();
      } catch (IOException notYet) {
        answer = String.valueOf(notYet.getMessage());
      }
      Clock.sleepMillis(POLL_MILLIS);
    }
    throw new BenchException(
        kind + " has not answered a GET for " + LONGEST_SECONDS + " s, at last: " + answer);
  }

  /** A connection that may read and write; an {@code IOException} if it is not let in. */
  private RespConnection connect() throws IOException {
    return RespConnection.open(server.port(), login);
  }

  @Override
  public void close() {
    server.close();
    try {
      FileTree.delete(server.data());
    } catch (IOException e) {
      throw new UncheckedIOException("a server's data could not be deleted", e);
    }
  }
}
