package io.keyvalueserve.sql.run;

import io.keyvalueserve.sql.expr.Expr;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A function over the rows around a row.
 *
 * @param name in upper case, of a function of windows; empty if {@code aggregate} is there
 * @param arguments over the row
 */
public record WindowCall(
    String name, List<Expr> arguments, @Nullable AggregateCall aggregate, boolean ignoresNulls) {}
