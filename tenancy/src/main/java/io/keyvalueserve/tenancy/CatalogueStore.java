package io.keyvalueserve.tenancy;

import java.util.Collection;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Where the catalogue is kept: one for the whole cluster. Calls may block and are for threads that
 * may. Thread-safe.
 */
public interface CatalogueStore {
  /** The record under a name, tombstones included. */
  Optional<Tenant> get(TenantName name);

  /** Every record, tombstones included, in no order. */
  Collection<Tenant> all();

  /**
   * Puts a record in the place of another, if that is still there.
   *
   * <p>When this returns true, every member of the cluster has the new record in its directory (a
   * member that did not answer within some seconds has been told again in the background).
   *
   * @param expected the record to replace, or null if there must be none
   * @param next the record of the next revision
   * @return false if another record is there; nothing is changed
   */
  boolean replace(@Nullable Tenant expected, Tenant next);

  /** A tenant number that was never given before and never will be again. */
  int nextTenantNumber();

  /**
   * Calls the listener with every record there is, then with each that changes, on this member. It
   * may be called twice with the same record, on any thread, and must take the record of the
   * highest revision.
   */
  void subscribe(Consumer<Tenant> listener);
}
