package io.keyvalueserve.bench;

import java.util.List;

/**
 * A server that the raw load can reach.
 *
 * @param name what the results call it
 * @param process what its processor time is read from; of a cluster the member that requests enter
 * @param companions the other members of its cluster
 * @param port of loopback
 * @param wire the protocol
 * @param end ends the server, and all others of its cluster
 */
record Contender(
    String name,
    ServerProcess process,
    List<ServerProcess> companions,
    int port,
    Wire wire,
    Runnable end)
    implements AutoCloseable {
  /** The same by another name. */
  Contender named(String other) {
    return new Contender(other, process, companions, port, wire, end);
  }

  /** Returns the same server, spoken to in another way. */
  Contender with(Wire other) {
    return new Contender(name, process, companions, port, other, end);
  }

  @Override
  public void close() {
    end.run();
  }
}
