package io.keyvalueserve.engine.query;

/**
 * A column of rows that these are sorted by.
 *
 * @param column the index of a field of the {@link Scan}, 0 or more
 * @param nullsFirst whether nulls come before all other values
 */
public record Order(int column, boolean descending, boolean nullsFirst) {}
