package io.keyvalueserve.tenancy;

import java.util.Collection;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A store of records, where every change of a record makes its next revision. There is one store
 * for the whole cluster. Calls may block and are for threads that may. Thread-safe.
 *
 * @param <N> what a record is found by
 * @param <R> the records; immutable
 */
public interface RevisionedStore<N, R> {
  /** The record under a name, tombstones included. */
  Optional<R> get(N name);

  /** Every record, tombstones included, in no order. */
  Collection<R> all();

  /**
   * Puts a record in the place of another, if that is still there.
   *
   * <p>When this returns true, every member of the cluster knows the new record (a member that did
   * not answer within some seconds has been told again in the background).
   *
   * @param expected the record to replace, or null if there must be none
   * @param next the record of the next revision
   * @return false if another record is there; nothing is changed
   */
  boolean replace(@Nullable R expected, R next);

  /**
   * Calls the listener with every record there is, then with each that changes, on this member. It
   * may be called twice with the same record, on any thread, and must take the record of the
   * highest revision.
   */
  void subscribe(Consumer<R> listener);
}
