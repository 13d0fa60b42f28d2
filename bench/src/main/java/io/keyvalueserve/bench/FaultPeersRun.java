package io.keyvalueserve.bench;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;

/**
 * Does the same faults to this product and to peers: a server is cut off, stopped, and killed. A
 * writer beside each server, in the server's network, writes all the time. A fault ends when the
 * writers of the other servers have gone on. When the servers are one cluster again, it is counted
 * which acknowledged writes are gone.
 */
final class FaultPeersRun {
  /** The faults that can be done to all. */
  static final Set<NemesisKind> KINDS =
      EnumSet.of(NemesisKind.CUT, NemesisKind.PAUSE, NemesisKind.KILL);

  private static final long CALM_MILLIS = 3_000;
  private static final long LEAST_MILLIS = 6_000;
  private static final long MOST_MILLIS = 120_000;
  private static final long POLL_MILLIS = 500;
  private static final long START_SECONDS = 60;
  private static final long READ_SECONDS = 60;

  /** A writer has gone on when each of so many writes, all its keys, took less than a second. */
  private static final int GOING = FaultWriter.KEYS;

  /** Writes with which a writer has written all keys once. */
  private static final int FILLED = FaultWriter.KEYS * FaultWriter.Phase.values().length;

  private static final long GOING_NANOS = TimeUnit.SECONDS.toNanos(1);

  private final Progress progress;
  private final Path folder;
  private final SplittableRandom random;

  /**
   * One fault.
   *
   * @param downNanos how long it lasted
   * @param othersNanos the longest time in which a writer of the other servers had nothing
   *     acknowledged
   * @param returnNanos from the end of the fault until the writer of its server had something
   *     acknowledged
   * @param wholeNanos from the end of the fault until the servers were one cluster
   * @param acknowledged writes of all writers
   * @param lost those of them that are gone: their keys have older values
   */
  record Row(
      FaultPeer peer,
      NemesisKind kind,
      long downNanos,
      long othersNanos,
      long returnNanos,
      long wholeNanos,
      long acknowledged,
      long lost) {}

  /**
   * @param folder for data and logs
   */
  FaultPeersRun(Progress progress, Path folder, long seed) {
    this.progress = progress;
    this.folder = folder;
    this.random = new SplittableRandom(seed);
  }

  /** Does all faults to all, each to a new cluster. */
  List<Row> run(Collection<FaultPeer> peers, Collection<NemesisKind> kinds) throws IOException {
    List<Row> rows = new ArrayList<>();
    for (FaultPeer peer : peers) {
      for (NemesisKind kind : kinds) {
        progress.say("%s: %s", peer, kind);
        Path own = folder.resolve(peer + "-" + kind);
        try (PeerCluster cluster = start(peer, own)) {
          rows.add(suffer(peer, kind, cluster, own));
        }
        progress.say("%s", FaultPeersReport.line(rows.getLast()));
      }
    }
    return rows;
  }

  private PeerCluster start(FaultPeer peer, Path own) throws IOException {
    return switch (peer) {
      case KVS -> new OwnPeerCluster(own, random);
      case REDIS -> new RedisPeerCluster(own, Programs.here().find(Program.REDIS).orElseThrow());
      case HAZELCAST -> new StockPeerCluster(own, random);
    };
  }

  private Row suffer(FaultPeer peer, NemesisKind kind, PeerCluster cluster, Path own)
      throws IOException {
    Writers writers = new Writers(cluster, own);
    int victim = cluster.victim();
    long begin;
    long end;
    long whole;
    try {
      writers.awaitAll();
      Clock.sleepMillis(CALM_MILLIS);
      begin = System.nanoTime();
      hurt(kind, cluster, victim);
      writers.begin(FaultWriter.Phase.DURING);
      writers.awaitGoingOn(victim, begin);
      writers.begin(FaultWriter.Phase.AFTER);
      heal(kind, cluster, victim);
      end = System.nanoTime();
      cluster.awaitWhole();
      whole = System.nanoTime();
      writers.awaitGoingOn(0, whole);
    } finally {
      writers.close();
    }
    return new Row(
        peer,
        kind,
        end - begin,
        writers.longestGap(victim, begin),
        writers.firstAfter(victim, end),
        whole - end,
        writers.acknowledged(),
        writers.lost(cluster));
  }

  private static void hurt(NemesisKind kind, PeerCluster cluster, int victim) {
    switch (kind) {
      case CUT -> cluster.network().cut(victim);
      case PAUSE -> cluster.process(victim).signal("STOP");
      case KILL -> cluster.kill(victim);
      case CLOCK, SLOW, MIXED -> throw new IllegalArgumentException("not beside peers: " + kind);
    }
  }

  private static void heal(NemesisKind kind, PeerCluster cluster, int victim) {
    switch (kind) {
      case CUT -> cluster.network().heal(victim);
      case PAUSE -> cluster.process(victim).signal("CONT");
      case KILL -> cluster.launch(victim);
      case CLOCK, SLOW, MIXED -> throw new IllegalArgumentException("not beside peers: " + kind);
    }
  }

  /** The writers, one beside each server. */
  private static final class Writers implements AutoCloseable {
    private static final List<String> JVM =
        List.of("-Xmx64m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1");

    private final List<ServerProcess> processes = new ArrayList<>();
    private final List<Path> notes = new ArrayList<>();

    Writers(PeerCluster cluster, Path own) {
      for (int i = 1; i <= PeerCluster.SIZE; i++) {
        Path folder = own.resolve("writer-" + i);
        notes.add(folder.resolve("acknowledged.txt"));
        List<String> arguments =
            new ArrayList<>(List.of(notes.getLast().toString(), Integer.toString(i)));
        arguments.addAll(cluster.client(i));
        processes.add(
            ServerProcess.again(
                folder,
                cluster.network().inside(i),
                Children.java(JVM, FaultWriter.class.getName(), arguments)));
      }
    }

    private List<FaultWriter.Acknowledged> of(int writer) {
      try {
        return FaultWriter.read(notes.get(writer - 1));
      } catch (IOException e) {
        throw new UncheckedIOException("the notes of a writer cannot be read", e);
      }
    }

    void begin(FaultWriter.Phase phase) throws IOException {
      for (Path each : notes) {
        FaultWriter.begin(phase, each);
      }
    }

    /** Waits until all write. */
    void awaitAll() {
      for (int i = 1; i <= PeerCluster.SIZE; i++) {
        int writer = i;
        processes
            .get(i - 1)
            .await(
                () -> of(writer).size() > FILLED,
                POLL_MILLIS,
                START_SECONDS,
                "a writer did not begin");
      }
    }

    /** Waits until all but one have gone on since a moment, or for two minutes. */
    void awaitGoingOn(int butOne, long since) {
      Clock.sleepUntil(since + TimeUnit.MILLISECONDS.toNanos(LEAST_MILLIS));
      long deadline = since + TimeUnit.MILLISECONDS.toNanos(MOST_MILLIS);
      for (int i = 1; i <= PeerCluster.SIZE; i++) {
        while (i != butOne && !goesOn(of(i), since) && System.nanoTime() < deadline) {
          processes.get(i - 1).requireAlive();
          Clock.sleepMillis(POLL_MILLIS);
        }
      }
    }

    private static boolean goesOn(List<FaultWriter.Acknowledged> all, long since) {
      int from = all.size() - GOING;
      if (from < 0
          || all.get(from).nanos() < since
          || System.nanoTime() - all.getLast().nanos() > GOING_NANOS) {
        return false;
      }
      for (int i = from + 1; i < all.size(); i++) {
        if (all.get(i).nanos() - all.get(i - 1).nanos() > GOING_NANOS) {
          return false;
        }
      }
      return true;
    }

    long longestGap(int butOne, long since) {
      long longest = 0;
      for (int i = 1; i <= PeerCluster.SIZE; i++) {
        List<FaultWriter.Acknowledged> all = i == butOne ? List.of() : of(i);
        for (int j = 1; j < all.size(); j++) {
          if (all.get(j).nanos() > since) {
            longest = Math.max(longest, all.get(j).nanos() - all.get(j - 1).nanos());
          }
        }
      }
      return longest;
    }

    /** How long after a moment a writer had something acknowledged. */
    long firstAfter(int writer, long moment) {
      return of(writer).stream()
          .mapToLong(each -> each.nanos() - moment)
          .filter(nanos -> nanos >= 0)
          .findFirst()
          .orElse(Long.MAX_VALUE);
    }

    long acknowledged() {
      long all = 0;
      for (int i = 1; i <= PeerCluster.SIZE; i++) {
        all += of(i).size();
      }
      return all;
    }

    /** How many acknowledged writes are newer than what their keys have. */
    long lost(PeerCluster cluster) {
      long lost = 0;
      try (FaultClient client = FaultClient.of(cluster.client(1))) {
        for (int i = 1; i <= PeerCluster.SIZE; i++) {
          Map<String, Long> there = new HashMap<>();
          for (FaultWriter.Acknowledged each : of(i)) {
            long value = there.computeIfAbsent(each.key(), key -> value(client, key));
            lost += each.value() > value ? 1 : 0;
          }
        }
      }
      return lost;
    }

    private static long value(FaultClient client, String key) {
      long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(READ_SECONDS);
      while (true) {
        try {
          String text = client.get(key);
          return text.isEmpty() ? 0 : Long.parseLong(text);
        } catch (IOException e) {
          if (System.nanoTime() > deadline) {
            throw new BenchException("a key cannot be read: " + key, e);
          }
          Clock.sleepMillis(POLL_MILLIS);
        }
      }
    }

    @Override
    public void close() {
      processes.forEach(ServerProcess::close);
    }
  }

  /** Names those that are not installed. */
  static void require(Collection<FaultPeer> peers) {
    if (peers.contains(FaultPeer.REDIS)) {
      Programs.here().require(List.of(Program.REDIS));
    }
  }
}
