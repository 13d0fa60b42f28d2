package io.keyvalueserve.bench;

/**
 * One start of a server that had been killed.
 *
 * @param nanos from the start of its process until a connection was answered its first GET
 * @param cpuNanos the server's processor time until then
 * @param loading what it says itself of having loaded its data; none of a server without
 */
record Restart(long nanos, long cpuNanos, LoadStatement loading) {
  double seconds() {
    return nanos / 1e9;
  }

  double cpuSeconds() {
    return cpuNanos / 1e9;
  }
}
