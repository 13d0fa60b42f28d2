package io.keyvalueserve.bench;

/** An aggressor at work. Its steps are called one after the other, {@link #stop} at any time. */
interface IsolationAttack {
  /** How long it waits before it tries again what was refused. */
  long PAUSE_MILLIS = 10;

  /** Makes what takes long. */
  default void prepare() {}

  /**
   * Does it once at least, and until the tally says that it is over. What the server refuses is
   * counted.
   */
  void run(IsolationOrder order, IsolationTally tally);

  /** Removes what was written, and lets go what is held. */
  default void clean() {}

  /** Ends what hangs: {@link #run} returns soon. */
  void stop();

  /**
   * The one of a kind.
   *
   * @param order what it is told to prepare
   */
  static IsolationAttack of(IsolationOrder order) {
    return switch (order.kind()) {
      case CONTROL -> new IsolationSpin();
      case CONNECTIONS, PIPELINES -> new IsolationPipes(order.target());
      case HOT_KEY -> new IsolationPipes(order.target().ofOneKey());
      case STORM -> new IsolationStorm(order.target());
      case PEERS -> new IsolationPeers();
      case SNAPSHOTS -> new IsolationSnapshots(order);
      case HUGE_VALUES, MGET, SCANS, FLOOD ->
          order.target().resp()
              ? new IsolationCommands(order)
              : new IsolationClient(order, order.target());
      case LOCKS -> {
        IsolationTarget hoard = order.hoard();
        if (hoard == null) {
          throw new BenchException("locks need a map of Hazelcast clients");
        }
        yield new IsolationClient(order, hoard);
      }
    };
  }
}
