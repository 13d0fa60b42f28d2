package io.keyvalueserve.bench;

import java.io.IOException;
import java.util.List;

/**
 * Three servers of one product, each in a network of its own, which suffer faults. One thread does
 * faults; others may connect meanwhile.
 */
interface PeerCluster extends AutoCloseable {
  /** How many servers there are. */
  int SIZE = 3;

  /** Its networks. */
  MemberNetwork network();

  /** The server to do a fault to, from 1: one that clients cannot do without, if not all are so. */
  int victim() throws IOException;

  /** What {@link FaultClient#of} makes a client from that is beside a server. */
  List<String> client(int member);

  /** A server's process. */
  ServerProcess process(int member);

  /** Kills a server. */
  void kill(int member);

  /** Starts it again. */
  void launch(int member);

  /**
   * Waits until all servers are one cluster.
   *
   * @throws BenchException if they are not in time
   */
  void awaitWhole();

  @Override
  void close();
}
