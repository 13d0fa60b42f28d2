package io.keyvalueserve.bench;

import java.util.function.Consumer;

/**
 * Where a tenant's load goes, as it can be told to another process.
 *
 * @param resp whether Redis' protocol is spoken, or else that of Hazelcast clients
 * @param login whose cluster matters to Hazelcast clients only
 * @param database of Redis' protocol: the number of the logical database, or map
 * @param map of Hazelcast clients: its name as they say it
 * @param entries how many keys there are
 * @param valueBytes the size of a value
 */
record IsolationTarget(
    boolean resp, Login login, int database, String map, int entries, int valueBytes) {
  static IsolationTarget resp(Login login, int database, int entries, int valueBytes) {
    return new IsolationTarget(true, login, database, "", entries, valueBytes);
  }

  static IsolationTarget hazelcast(Login login, String map, int entries, int valueBytes) {
    return new IsolationTarget(false, login, 0, map, entries, valueBytes);
  }

  /** The protocol, which throws what the server refuses. */
  Wire wire() {
    return resp
        ? RespWire.of(login, database, valueBytes)
        : new HazelcastWire(login, map, entries, valueBytes);
  }

  /**
   * The protocol for one connection, which tells what the server refuses and goes on.
   *
   * @param wire of {@link #wire}, which connections may share
   */
  TolerantWire tolerant(Wire wire, Consumer<String> failures) {
    return resp
        ? TolerantWire.resp(wire, failures)
        : new TolerantWire(wire, HazelcastWire::length, failures);
  }

  /** The same with a single key. */
  IsolationTarget ofOneKey() {
    return new IsolationTarget(resp, login, database, map, 1, valueBytes);
  }

  /** A place beside, which can be emptied. */
  IsolationTarget beside() {
    return new IsolationTarget(
        resp, login, database + 1, map.isEmpty() ? "" : map + "-beside", entries, valueBytes);
  }
}
