package io.keyvalueserve.bench;

import java.util.List;

/** Servers that are measured in turns: A, B, A, B. */
final class Turns {
  private Turns() {}

  /**
   * Measures one server once.
   *
   * @param <E> what it throws
   */
  interface Turn<E extends Exception> {
    /**
     * @param server its place in the list, from 0
     * @param round from 1
     */
    Window take(int server, int round) throws E;
  }

  /**
   * Gives each server its turn in each round, and tells what came of it.
   *
   * @param at what a line of progress begins with
   * @param shape of the load
   * @param servers their names
   * @return what was seen of each server, in their order
   */
  static <E extends Exception> List<Cell> take(
      Progress progress, String at, Record shape, List<String> servers, int rounds, Turn<E> turn)
      throws E {
    List<Cell> cells = servers.stream().map(server -> new Cell(shape, server)).toList();
    for (int round = 1; round <= rounds; round++) {
      for (int i = 0; i < cells.size(); i++) {
        Window seen = turn.take(i, round);
        cells.get(i).rounds().add(seen);
        progress.say(
            "%s%s, round %d/%d: %s %,.0f ops/s, %.2f us of CPU, %.2f of it later",
            at,
            shape,
            round,
            rounds,
            servers.get(i),
            seen.operationsPerSecond(),
            seen.serverCpuMicros(),
            seen.laterCpuMicros());
      }
    }
    return cells;
  }
}
