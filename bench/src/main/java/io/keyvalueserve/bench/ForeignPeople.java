package io.keyvalueserve.bench;

import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.IntUnaryOperator;

/**
 * A client that is compiled apart and on the class path of the load's process only: {@link
 * Infinispan#CLIENT} says what it does in terms of the JDK.
 */
final class ForeignPeople implements People {
  private final Object client;

  ForeignPeople(int port) {
    try {
      client = Class.forName(Infinispan.CLIENT).getConstructor(int.class).newInstance(port);
    } catch (ReflectiveOperationException e) {
      throw new BenchException("Infinispan's client cannot be made: " + e.getCause(), e);
    }
  }

  @Override
  public void use(String map, QueryIndex index, boolean make) {
    // it has one cache, whose indexes are the server's
  }

  @Override
  @SuppressWarnings("unchecked") // as the class says
  public void put(List<Person> some) {
    ((Consumer<List<Object[]>>) client).accept(some.stream().map(Person::fields).toList());
  }

  @Override
  public void clear() {
    put(List.of());
  }

  @Override
  public int rows(Query query, int key) {
    return query == Query.GET ? (get(key) == key ? 1 : 0) : ids(query).size();
  }

  @Override
  public long sum(Query query, int key) {
    return query == Query.GET
        ? get(key)
        : ids(query).stream().mapToLong(id -> ((Integer) id).longValue()).sum();
  }

  private int get(int key) {
    return ((IntUnaryOperator) client).applyAsInt(key);
  }

  @SuppressWarnings("unchecked") // as the class says
  private List<?> ids(Query query) {
    return ((Function<String, List<?>>) client).apply(query.condition);
  }

  @Override
  public void close() {
    try {
      ((AutoCloseable) client).close();
    } catch (Exception e) {
      throw new BenchException("a client of Infinispan did not close", e);
    }
  }
}
