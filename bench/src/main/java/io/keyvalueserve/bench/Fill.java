package io.keyvalueserve.bench;

/**
 * How a server took the data that it was to bring back.
 *
 * @param data that it took
 * @param kind the server
 * @param nanos until all was acknowledged
 * @param cpuNanos the server's processor time until then
 * @param diskBytes what its files have when it is killed
 */
record Fill(RestartData data, RestartKind kind, long nanos, long cpuNanos, long diskBytes) {
  double writesPerSecond() {
    return data.entries() * 1e9 / nanos;
  }

  double mibPerSecond() {
    return data.bytes() * 1e9 / nanos / (1 << 20);
  }

  double cpuMicros() {
    return cpuNanos / 1e3 / data.entries();
  }
}
