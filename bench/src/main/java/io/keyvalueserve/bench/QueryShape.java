package io.keyvalueserve.bench;

import java.util.Locale;

/**
 * The form of a load of queries.
 *
 * @param entries of the map
 * @param indexes their name; "own" if each server has its own
 * @param clients each with a connection of its own
 * @param query what they ask
 * @param rows that an answer has
 */
record QueryShape(int entries, String indexes, int clients, Query query, int rows) {
  @Override
  public String toString() {
    return String.format(
        Locale.ROOT,
        "%,d entries, %s indexes, %d client%s, %s%s, rows: %,d",
        entries,
        indexes,
        clients,
        clients == 1 ? "" : "s",
        query,
        query.condition.isEmpty() ? "" : " (" + query.condition + ")",
        rows);
  }
}
