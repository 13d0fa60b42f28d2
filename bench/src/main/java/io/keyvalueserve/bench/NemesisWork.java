package io.keyvalueserve.bench;

import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/**
 * The work of clients while faults are done to their cluster, and how it is checked. One thread
 * calls it; its workers have threads of their own.
 */
abstract class NemesisWork implements AutoCloseable {
  /** The tenant's map that they use. */
  static final String MAP = "nemesis";

  /** How long a read after the faults may fail, as a member may just join again. */
  static final long READ_PATIENCE_SECONDS = 60;

  /** How long is waited between two tries. */
  static final long READ_PAUSE_MILLIS = 100;

  /**
   * Findings of a check.
   *
   * @param undecided keys whose check took too many steps
   * @param seenUnacknowledged keys where a read saw a write that nobody acknowledged, and that was
   *     gone later
   * @param violations what contradicts the promise, each in several lines
   */
  record Found(int undecided, int seenUnacknowledged, List<String> violations) {
    Found {
      violations = List.copyOf(violations);
    }
  }

  /** Connects clients, and returns what they will do. Called once. */
  abstract List<NemesisWorker<?>> connect(NemesisCluster cluster, SplittableRandom random);

  /**
   * How many operations each client has to have carried out before a fault is done, and again after
   * all members serve.
   */
  abstract int fewestOperations();

  /** Begins a round: from now on the clients work. */
  abstract NemesisRound begin(int number);

  /** Checks the round that has begun last, and is over. */
  abstract Found check(NemesisCluster cluster);

  /** Closes what clients share; their workers are closed before. */
  @Override
  public abstract void close();

  /** Where a Hazelcast client finds the members. */
  static List<String> clientAddresses(NemesisCluster cluster) {
    List<String> addresses = new ArrayList<>();
    for (int i = 1; i <= cluster.size(); i++) {
      addresses.add(cluster.member(i).host() + ":" + cluster.member(i).clientPort());
    }
    return addresses;
  }

  /** Where a Redis client finds a member. */
  static InetSocketAddress redisAddress(NemesisCluster cluster, int member) {
    OwnCrashServer server = cluster.member(member);
    return new InetSocketAddress(server.host(), server.port());
  }

  /** Where an HTTP client finds a member. */
  static String httpAddress(NemesisCluster cluster, int member) {
    OwnCrashServer server = cluster.member(member);
    return "http://" + server.host() + ":" + server.httpPort();
  }
}
