package io.keyvalueserve.bench;

/**
 * How hard an aggressor is.
 *
 * @param connections or threads
 * @param depth requests of a pipeline, keys of a request, locks that a thread holds at most, or the
 *     percentage of a core that peers without a key may use
 * @param bytes of a value that it writes
 */
record IsolationForce(int connections, int depth, int bytes) {
  private static final int FLOOD_BYTES = 4096;
  private static final int PEERS = 20_000;
  private static final int PEERS_CPU = 50;

  /**
   * The usual one.
   *
   * @param victims connections of the victim
   * @param hugeBytes of a huge value
   */
  static IsolationForce of(IsolationAggression kind, int victims, int hugeBytes) {
    return switch (kind) {
      case CONTROL, SNAPSHOTS -> new IsolationForce(1, 0, 0);
      case CONNECTIONS -> new IsolationForce(10 * victims, 1, 0);
      case PIPELINES -> new IsolationForce(4, 1000, 0);
      case HUGE_VALUES -> new IsolationForce(2, 1, hugeBytes);
      case MGET -> new IsolationForce(4, 10_000, 0);
      case SCANS -> new IsolationForce(4, 10_000, 0);
      case HOT_KEY -> new IsolationForce(64, 16, 0);
      case STORM -> new IsolationForce(8, 1, 0);
      case FLOOD -> new IsolationForce(8, 16, FLOOD_BYTES);
      case LOCKS -> new IsolationForce(4, 2500, 0);
      case PEERS -> new IsolationForce(PEERS, PEERS_CPU, 0);
    };
  }
}
