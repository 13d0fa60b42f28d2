package io.keyvalueserve.postgres.plan;

import io.keyvalueserve.postgres.types.PgType;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A statement that was understood. Used by the thread that works for its connection. */
public interface Plan {
  /** Returns the columns of its rows; empty if it returns none. */
  List<ResultColumn> columns();

  /** Returns the types of its parameters. */
  List<PgType> parameters();

  /** Returns whether it may be carried out in a transaction that has failed. */
  default boolean endsTransaction() {
    return false;
  }

  /** Returns whether the door has it admitted and counted. */
  default boolean isOfDoor() {
    return true;
  }

  /** Returns its first word, in upper case, for people who look at what a client does. */
  String command();

  /**
   * Begins to carry it out. What returns no rows is done when this returns.
   *
   * @throws io.keyvalueserve.postgres.wire.PostgresException if it fails
   */
  Execution start(List<@Nullable Object> parameters);
}
