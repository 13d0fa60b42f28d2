package io.keyvalueserve.postgres.types;

import java.util.AbstractList;
import java.util.List;
import java.util.stream.Collectors;

/** A value of type {@code int2vector} or {@code oidvector}: numbers, the first at index 0. */
public final class PgVector extends AbstractList<Object> {
  private final List<Long> numbers;

  /** Creates a value of these numbers. */
  public PgVector(List<Long> numbers) {
    this.numbers = List.copyOf(numbers);
  }

  @Override
  public Object get(int index) {
    return numbers.get(index);
  }

  @Override
  public int size() {
    return numbers.size();
  }

  /** Returns the numbers with spaces between them. */
  @Override
  public String toString() {
    return numbers.stream().map(String::valueOf).collect(Collectors.joining(" "));
  }
}
