package io.keyvalueserve.bench;

/**
 * One start of a server that had been killed.
 *
 * @param firstNanos from the start of its process until a connection was answered its first GET
 * @param allNanos the same until it had all of its data in memory; no less
 * @param cpuNanos the server's processor time until then
 * @param cores how long all cores were busy meanwhile
 * @param loading what it says itself of having loaded its data; none of a server without
 */
record Restart(
    long firstNanos, long allNanos, long cpuNanos, CoreTimes cores, LoadStatement loading) {
  private static final double DISTURBED = 0.1;

  /** Until the first GET was answered. */
  double firstSeconds() {
    return firstNanos / 1e9;
  }

  /** Until all data were in memory. */
  double allSeconds() {
    return allNanos / 1e9;
  }

  double cpuSeconds() {
    return cpuNanos / 1e9;
  }

  /** How much of the whole machine others used, from 0 to 1; who waits for the answer is small. */
  double others() {
    long used = cores.serverNanos() + cores.loadNanos() - cpuNanos;
    return Math.max(0, (double) used / allNanos / Cores.count());
  }

  /** Whether others used so much of the machine that times suffer. */
  boolean isDisturbed() {
    return others() >= DISTURBED;
  }
}
