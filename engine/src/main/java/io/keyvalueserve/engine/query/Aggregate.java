package io.keyvalueserve.engine.query;

/**
 * A function over the values of one column of a group of rows. Nulls are left out, but for {@link
 * Function#COUNT_ALL}.
 *
 * <p>Results by function: counts are {@link Long}. SUM of integers up to 32 bits is {@link Long};
 * of BIGINT and DECIMAL {@link java.math.BigDecimal}; of REAL and DOUBLE {@link Double}. MIN, MAX
 * and ANY have the column's type. All but counts are null for no values.
 *
 * @param column the index of a field of the {@link Scan}; -1 for {@link Function#COUNT_ALL}
 * @param distinct whether equal values count once
 */
public record Aggregate(Function function, int column, boolean distinct) {
  /** The function that is computed. */
  public enum Function {
    /** The number of rows. */
    COUNT_ALL,
    /** The number of values. */
    COUNT,
    SUM,
    MIN,
    MAX,
    /** Any one of the values, of those that are all the same. */
    ANY
  }
}
