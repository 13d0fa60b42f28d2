package io.keyvalueserve.bench;

import java.util.List;

/** A client of a server that keeps people. Not thread-safe. */
interface People extends AutoCloseable {
  /** Makes a place for people with indexes; the later methods are about it. */
  void use(String map, QueryIndex index, boolean make);

  /** Writes people. */
  void put(List<Person> some);

  /** Removes all people. */
  void clear();

  /** Asks, and returns how many rows the answer has. */
  int rows(Query query, int key);

  /** Asks, reads all of the answer, and returns what {@link Query.Expected#sum} is about. */
  long sum(Query query, int key);

  @Override
  void close();
}
