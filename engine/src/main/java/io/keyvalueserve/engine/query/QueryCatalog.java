package io.keyvalueserve.engine.query;

import java.util.List;
import java.util.Optional;

/**
 * The tables that one tenant can name: those over its own maps, and over maps of others of which
 * something is granted. Thread-safe. May block.
 */
public interface QueryCatalog {
  /**
   * Finds a table: a mapping of this name, or else the tenant's map of this name, or else another's
   * ({@code owner/map}).
   */
  Optional<QueryTable> find(String name);

  /** Returns the definitions of all tables, sorted by name. */
  List<Mapping> mappings();

  /**
   * Adds a definition.
   *
   * @param replaces whether one of the same name is replaced
   * @return false if one of the same name is there, and is not replaced
   * @throws QueryException if it is not valid
   */
  boolean create(Mapping mapping, boolean replaces);

  /** Removes a definition, and no entry. Returns false if there was none. */
  boolean drop(String name);

  /**
   * Adds an index to a table's map. Returns when it is built.
   *
   * @return false if there is one of the same name
   */
  boolean createIndex(String table, TableIndex index, QueryControl control);

  /**
   * Removes an index.
   *
   * @return false if there is none of the name
   */
  boolean dropIndex(String table, String index);
}
