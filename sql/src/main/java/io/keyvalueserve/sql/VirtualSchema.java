package io.keyvalueserve.sql;

import java.util.List;

/**
 * A schema whose tables are made when they are read, as {@code pg_catalog}. A door brings it. It
 * can be read by every tenant, and not written. Thread-safe.
 */
public interface VirtualSchema {
  /** Returns the name, in lower case. */
  String name();

  /** Returns the tables. Always the same ones. */
  List<VirtualTable> tables();

  /** Returns whether a table is found by its name alone if the tenant has no table of the name. */
  default boolean isSearched() {
    return false;
  }
}
