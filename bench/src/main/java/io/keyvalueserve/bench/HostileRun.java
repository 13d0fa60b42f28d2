package io.keyvalueserve.bench;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongSupplier;

/**
 * Runs hostile peers at a member: measures it, has them send for a while, lets it come to rest and
 * measures it again. Another tenant reads and writes all the time.
 */
final class HostileRun {
  private static final long WATCH_MILLIS = 100;
  private static final long TOLD_NANOS = TimeUnit.SECONDS.toNanos(10);
  private static final long REST_NANOS = TimeUnit.SECONDS.toNanos(90);
  private static final long REST_STEP_MILLIS = 2_000;
  private static final long JOIN_MILLIS = 60_000;
  private static final int MOST_TOLD = 40;

  private final Progress progress;
  private final HostilePlan plan;
  private final Path folder;
  private final HostileTally tally = new HostileTally();
  private final List<String> failures = Collections.synchronizedList(new ArrayList<>());
  private final List<String> last = new ArrayList<>();
  private final AtomicInteger told = new AtomicInteger();
  private final long begin = System.nanoTime();
  private long idleClosed;
  private long hostileNanos;

  /**
   * Makes a run.
   *
   * @param progress where it tells how far it is
   * @param folder of the member's data and log
   */
  HostileRun(Progress progress, HostilePlan plan, Path folder) {
    this.progress = progress;
    this.plan = plan;
    this.folder = folder;
  }

  /** Starts the member, runs, and ends the member. */
  HostileResult run() throws IOException {
    try (OwnServer server =
        OwnServer.found(folder, plan.jvm(), List.of("--memory", (plan.memoryBytes >> 20) + "m"))) {
      OpenFiles.require(
          "the member", server.process().openFilesLimit(), plan.connections(), "--idle");
      return run(server);
    }
  }

  private HostileResult run(OwnServer server) throws IOException {
    String mark = HostileSecrets.newMark();
    HostileVictim victim =
        new HostileVictim(
            server.respPort(), server.key(), mark, what -> tellSome("victim: " + what));
    Thread reading = start("victim", victim);
    try {
      HostileFootprint fresh = atRest(server, Optional.empty());
      tell("at first: " + describe(fresh));
      HostileSecrets secrets = secrets(server, mark);
      HostileFootprint before = fresh;
      if (plan.rehearsalNanos() > 0) {
        attack(server, victim, secrets, "rehearsal", plan.rehearsalNanos());
        if (server.process().isAlive()) {
          before = atRest(server, Optional.of(fresh));
          tell("after the rehearsal: " + describe(before));
        }
      }
      if (server.process().isAlive() && !isToStop()) {
        attack(server, victim, secrets, "hostile", plan.nanos());
      }
      long rest = System.nanoTime();
      Optional<HostileFootprint> after = Optional.empty();
      if (server.process().isAlive()) {
        after = Optional.of(atRest(server, Optional.of(before)));
        tell("at last: " + describe(after.get()));
      }
      double restSeconds = (System.nanoTime() - rest) / 1e9;
      victim.stop();
      join(reading, victim);
      return new HostileResult(
          hostileNanos / 1e9,
          ended(server.process()),
          server.process().isAlive() && isReady(server),
          fresh,
          before,
          after,
          restSeconds,
          victim.seen(),
          tally.doors(),
          tally.kinds(),
          tally.refusedConnections(),
          idleClosed,
          tally.leaks(),
          HostileLog.read(folder.resolve(ServerProcess.OUTPUT)),
          List.copyOf(failures),
          List.copyOf(last));
    } finally {
      victim.stop();
    }
  }

  private static Optional<String> ended(ServerProcess process) {
    try {
      process.requireAlive();
      return Optional.empty();
    } catch (BenchException e) {
      return Optional.of(String.valueOf(e.getMessage()));
    }
  }

  private static boolean isReady(OwnServer server) {
    try {
      return server.isReady();
    } catch (BenchException e) {
      return false;
    }
  }

  /** The texts that no peer may receive. */
  private static HostileSecrets secrets(OwnServer server, String mark) throws IOException {
    return new HostileSecrets(
        Map.of(
            "the victim's data",
            mark,
            "the victim's key",
            server.key(),
            "the operator's key",
            text(server.data().resolve("operator.key")),
            "the cluster's secret",
            text(server.data().resolve("cluster.secret"))));
  }

  private static String text(Path file) throws IOException {
    return Files.readString(file, StandardCharsets.ISO_8859_1).strip();
  }

  /** Has peers send for a while; the tenant whose key they have is deleted afterwards. */
  private void attack(
      OwnServer server, HostileVictim victim, HostileSecrets secrets, String tenant, long nanos) {
    String key = server.api().newTenant(tenant);
    List<HostileGrammar> grammars = grammars(server, tenant, key);
    List<Map<HostileDoor, Integer>> ports = List.of(server.doors());
    long started = System.nanoTime();
    long end = started + nanos;
    SplittableRandom random = new SplittableRandom(plan.seed ^ tenant.hashCode());
    List<HostilePeer> peers = new ArrayList<>();
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < plan.peers; i++) {
      HostilePeer peer =
          new HostilePeer(
              seeds(random.split(), i),
              HostileConnection.from(i + 1),
              plan.force,
              ports,
              grammars,
              plan.wanted(),
              secrets,
              tally,
              end);
      peers.add(peer);
      threads.add(start(tenant + " peer " + i, peer));
    }
    HostileIdlers idlers =
        new HostileIdlers(
            new HostileDice(random.nextLong(), plan.force),
            HostileConnection.from(0),
            ports,
            grammars,
            secrets,
            tally,
            plan.idle);
    threads.add(start(tenant + " idlers", idlers));
    watch(server, victim, tenant, end);
    peers.forEach(HostilePeer::stop);
    idlers.stop();
    threads.forEach(thread -> join(thread, victim));
    hostileNanos += System.nanoTime() - started;
    idleClosed += idlers.closedByServer();
    last.clear();
    for (int i = 0; i < peers.size(); i++) {
      String name = "peer " + i + ": ";
      peers.get(i).last().forEach(line -> last.add(name + line));
    }
    if (server.process().isAlive()) {
      delete(server, tenant);
    }
  }

  private void delete(OwnServer server, String tenant) {
    try {
      server.api().deleteTenant(tenant);
    } catch (BenchException e) {
      failures.add("the hostile tenant could not be deleted: " + e.getMessage());
    }
  }

  private LongSupplier seeds(SplittableRandom random, int peer) {
    if (plan.replay.isEmpty()) {
      return random::nextLong;
    }
    AtomicInteger next = new AtomicInteger(peer);
    return () -> plan.replay.get(next.getAndIncrement() % plan.replay.size());
  }

  private List<HostileGrammar> grammars(OwnServer server, String tenant, String key) {
    String other = OwnServer.TENANT;
    List<String> names =
        List.of(
            other,
            "default",
            other + "/default",
            other + ":default",
            other + "@default",
            "@" + other + "/default",
            "../" + other + "/default",
            tenant);
    Login login = new Login(server.clientPort(), OwnServer.CLUSTER, tenant, key);
    return List.of(
        new HostileResp(List.of(tenant, key), names),
        new HostileHazelcast(login, plan.force, names),
        new HostileHttp(tenant, key, names),
        new HostileMember());
  }

  /** Waits until a moment, or until the member has ended. */
  private void watch(OwnServer server, HostileVictim victim, String name, long end) {
    long next = System.nanoTime() + TOLD_NANOS;
    while (System.nanoTime() < end && server.process().isAlive() && !isToStop()) {
      Clock.sleepMillis(WATCH_MILLIS);
      victim.watch();
      if (System.nanoTime() >= next && server.process().isAlive()) {
        next += TOLD_NANOS;
        tell(
            String.format(
                Locale.ROOT,
                "%s: %,d inputs, %,d files, %,d MiB resident",
                name,
                tally.doors().values().stream().mapToLong(sums -> sums.sent.sum()).sum(),
                server.process().openFiles(),
                server.process().residentBytes() >> 20));
      }
    }
  }

  /** Waits, for a bounded time, until a member is back where it was, and measures it. */
  private HostileFootprint atRest(OwnServer server, Optional<HostileFootprint> before) {
    long end = System.nanoTime() + REST_NANOS;
    long _ = AtRest.of(server.process(), plan.nanos()).await();
    HostileFootprint now = HostileFootprint.of(server.process());
    while (before.isPresent() && !now.isBackAt(before.get()) && System.nanoTime() < end) {
      Clock.sleepMillis(REST_STEP_MILLIS);
      now = HostileFootprint.of(server.process());
    }
    return now;
  }

  private Thread start(String name, Runnable task) {
    return Thread.ofPlatform()
        .name(name)
        .daemon()
        .start(
            () -> {
              try {
                task.run();
              } catch (RuntimeException | OutOfMemoryError e) {
                failures.add(name + ": " + e);
              }
            });
  }

  private void join(Thread thread, HostileVictim victim) {
    long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(JOIN_MILLIS);
    try {
      while (thread.isAlive() && System.nanoTime() < end) {
        thread.join(WATCH_MILLIS);
        victim.watch();
      }
    } catch (InterruptedException e) {
      throw Clock.interrupted(e);
    }
    if (thread.isAlive()) {
      failures.add(thread.getName() + " did not end");
    }
  }

  private boolean isToStop() {
    return plan.stopsAtError && told.get() > 0;
  }

  private void tellSome(String what) {
    if (told.incrementAndGet() <= MOST_TOLD) {
      tell(what);
    }
  }

  private void tell(String what) {
    progress.say("%6.1f s  %s", (System.nanoTime() - begin) / 1e9, what);
  }

  private static String describe(HostileFootprint footprint) {
    return String.format(
        Locale.ROOT,
        "%.1f MiB alive on the heap, %.1f MiB direct, %d files, %d threads, %d MiB resident",
        footprint.heapBytes() / (double) (1 << 20),
        footprint.directBytes() / (double) (1 << 20),
        footprint.openFiles(),
        footprint.threads(),
        footprint.residentBytes() >> 20);
  }
}
