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
 * @param keys of a request; more than one are of Redis' protocol only, and asked whether they exist
 */
record IsolationTarget(
    boolean resp, Login login, int database, String map, int entries, int valueBytes, int keys) {
  static IsolationTarget resp(Login login, int database, int entries, int valueBytes) {
    return new IsolationTarget(true, login, database, "", entries, valueBytes, 1);
  }

  static IsolationTarget hazelcast(Login login, String map, int entries, int valueBytes) {
    return new IsolationTarget(false, login, 0, map, entries, valueBytes, 1);
  }

  /** The protocol, which throws what the server refuses. */
  Wire wire() {
    if (!resp) {
      return new HazelcastWire(login, map, entries, valueBytes);
    }
    Wire wire = RespWire.of(login, database, valueBytes);
    return keys == 1 ? wire : new ManyKeysWire(wire, keys);
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

  /** The same, asked for so many keys at once where the protocol has a short answer to that. */
  IsolationTarget asking(int number) {
    return new IsolationTarget(resp, login, database, map, entries, valueBytes, resp ? number : 1);
  }

  /** The same with a single key. */
  IsolationTarget ofOneKey() {
    return new IsolationTarget(resp, login, database, map, 1, valueBytes, keys);
  }

  /** A place beside, which can be emptied. */
  IsolationTarget beside() {
    return new IsolationTarget(
        resp, login, database + 1, map.isEmpty() ? "" : map + "-beside", entries, valueBytes, keys);
  }
}
