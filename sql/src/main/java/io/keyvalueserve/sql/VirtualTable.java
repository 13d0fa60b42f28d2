package io.keyvalueserve.sql;

import io.keyvalueserve.engine.query.QueryCatalog;
import io.keyvalueserve.tenancy.Identity;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A table of a {@link VirtualSchema}. Thread-safe. */
public interface VirtualTable {
  /** Returns the name, in lower case. */
  String name();

  /** Returns the columns. Always the same ones. */
  List<SqlColumn> columns();

  /**
   * Makes the rows. May block.
   *
   * @param catalog the tables that the tenant can name
   * @param caller the tenant
   * @return rows with a value for each column, of the class of its type
   */
  Iterable<@Nullable Object[]> rows(QueryCatalog catalog, Identity caller);
}
