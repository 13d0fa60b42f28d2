package io.keyvalueserve.sql;

import io.keyvalueserve.engine.query.FieldType;
import io.keyvalueserve.engine.query.QueryCatalog;
import io.keyvalueserve.tenancy.Identity;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A function that a door brings, as {@code pg_table_is_visible}. Arguments may be of any type.
 *
 * @param name matched in upper and lower case; a prefix {@code pg_catalog.} is left out before
 * @param minArguments 0 or more
 * @param maxArguments the least arguments, or more
 * @param result the type of its values
 * @param body called for each row; thread-safe
 */
public record ScalarFunction(
    String name, int minArguments, int maxArguments, FieldType result, Body body) {
  /** Creates a function that needs to know nothing of who calls it. */
  public static ScalarFunction of(
      String name,
      int minArguments,
      int maxArguments,
      FieldType result,
      Function<@Nullable Object[], @Nullable Object> body) {
    return new ScalarFunction(
        name, minArguments, maxArguments, result, (_, _, arguments) -> body.apply(arguments));
  }

  /** Computes a value. */
  @FunctionalInterface
  public interface Body {
    /**
     * Returns the value, null or of the class of the result's type.
     *
     * @param catalog the tables that the tenant can name
     * @param caller the tenant
     * @param arguments null for those that are null
     * @throws io.keyvalueserve.engine.query.QueryException if an argument has no result
     */
    @Nullable Object apply(QueryCatalog catalog, Identity caller, @Nullable Object[] arguments);
  }
}
