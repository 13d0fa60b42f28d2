package io.keyvalueserve.bench;

import java.util.List;

/**
 * Processor times.
 *
 * @param serverNanos of the server under test
 * @param companionNanos of the other members of its cluster, which share its core
 * @param loadNanos of the load
 * @param cores how long the cores of both were busy
 * @param laterNanos of the server, for work that it had left to do when the load had ended
 */
record Costs(
    long serverNanos, long companionNanos, long loadNanos, CoreTimes cores, long laterNanos) {
  /** Makes the costs of a server that leaves nothing to do. */
  Costs(long serverNanos, long companionNanos, long loadNanos, CoreTimes cores) {
    this(serverNanos, companionNanos, loadNanos, cores, 0);
  }

  /** As of now. */
  static Costs now(ServerProcess server, List<ServerProcess> companions, long loadNanos) {
    return new Costs(
        server.cpuNanos(),
        companions.stream().mapToLong(ServerProcess::cpuNanos).sum(),
        loadNanos,
        CoreTimes.now());
  }

  Costs since(Costs before) {
    return new Costs(
        serverNanos - before.serverNanos,
        companionNanos - before.companionNanos,
        loadNanos - before.loadNanos,
        cores.since(before.cores),
        laterNanos - before.laterNanos);
  }

  /** With work that was left. */
  Costs later(long nanos) {
    return new Costs(serverNanos, companionNanos, loadNanos, cores, laterNanos + nanos);
  }

  /** A part of them. */
  Costs times(double part) {
    return new Costs(
        (long) (serverNanos * part),
        (long) (companionNanos * part),
        (long) (loadNanos * part),
        new CoreTimes((long) (cores.serverNanos() * part), (long) (cores.loadNanos() * part)),
        (long) (laterNanos * part));
  }
}
