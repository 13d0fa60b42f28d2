package io.keyvalueserve.bench;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import org.HdrHistogram.Histogram;

/**
 * What was seen of a server and of its load in a time.
 *
 * @param operations that were answered, of each client; one sum if they are not told apart
 * @param nanos how long it took
 * @param costs processor times
 * @param loadCores how many cores the load can use
 * @param latencies of batches, in nanoseconds; every request of a batch waits for all of it
 * @param offer the rate that the load kept, if it had one
 */
record Window(
    List<Long> operations,
    long nanos,
    Costs costs,
    int loadCores,
    Histogram latencies,
    Offer offer) {
  private static final double SATURATED = 0.95;
  private static final double DISTURBED = 0.1;
  private static final double KEPT = 0.98;

  /** Makes the window of a load without a rate. */
  Window(List<Long> operations, long nanos, Costs costs, int loadCores, Histogram latencies) {
    this(operations, nanos, costs, loadCores, latencies, Offer.MOST);
  }

  long allOperations() {
    return operations.stream().mapToLong(Long::longValue).sum();
  }

  double operationsPerSecond() {
    return perSecond(allOperations());
  }

  /** Returns the operations a second of the client that did the fewest. */
  double slowestPerSecond() {
    return perSecond(operations.stream().mapToLong(Long::longValue).min().orElse(0));
  }

  /** The server's processor time for each operation, with what it left to do, in microseconds. */
  double serverCpuMicros() {
    return (costs.serverNanos() + costs.laterNanos()) / 1e3 / allOperations();
  }

  /** How much of that was for what it had left to do when the load had ended. */
  double laterCpuMicros() {
    return costs.laterNanos() / 1e3 / allOperations();
  }

  /** How much of one core the server used, from 0 to 1. */
  double serverBusy() {
    return (double) costs.serverNanos() / nanos;
  }

  /** How many cores the load used. */
  double loadBusy() {
    return (double) costs.loadNanos() / nanos;
  }

  /** How much of the server's core others used, but for its cluster, from 0 to 1. */
  double others() {
    long known = costs.serverNanos() + costs.companionNanos();
    return Math.max(0, (double) (costs.cores().serverNanos() - known) / nanos);
  }

  /** The processor time for each operation of the other members of its cluster, in microseconds. */
  double companionsCpuMicros() {
    return costs.companionNanos() / 1e3 / allOperations();
  }

  double micros(double percentile) {
    return latencies.getValueAtPercentile(percentile) / 1e3;
  }

  /** How much of what was offered was answered, from 0 to 1; 1 if there was no rate. */
  double kept() {
    return offer.hasRate() ? operationsPerSecond() / offer.perSecond() : 1;
  }

  /** Whether the server answered less than was offered, and not because of the load. */
  boolean isRateMissed() {
    return kept() < KEPT && !isLoadBound();
  }

  /**
   * Whether the server's core had time left, but the load used up what it has. A load with a rate
   * looks for replies all the time, so it has used up its core only if less was answered, too.
   */
  boolean isLoadBound() {
    return loadBusy() >= SATURATED * loadCores
        && (double) costs.cores().serverNanos() / nanos < SATURATED
        && (!offer.hasRate() || kept() < KEPT);
  }

  /** Whether others used so much of the cores of server or load that figures suffer. */
  boolean isDisturbed() {
    double atLoad =
        (double) (costs.cores().loadNanos() - costs.loadNanos()) / nanos / Cores.ofLoad();
    return others() >= DISTURBED || atLoad >= DISTURBED;
  }

  /** With the server's processor time for what it had left to do. */
  Window later(long nanosOfServer) {
    return new Window(operations, nanos, costs.later(nanosOfServer), loadCores, latencies, offer);
  }

  private double perSecond(long count) {
    return count * 1e9 / nanos;
  }

  /** What results say of any window. */
  ObjectNode json() {
    return Json.object()
        .put("operationsPerSecond", operationsPerSecond())
        .put("serverCpuMicros", serverCpuMicros())
        .put("p50Micros", micros(50))
        .put("p99Micros", micros(99))
        .put("p999Micros", micros(99.9))
        .put("longestMicros", micros(100))
        .put("serverBusy", serverBusy())
        .put("othersOnServerCore", others())
        .put("loadBusy", loadBusy());
  }
}
