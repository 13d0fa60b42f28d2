package io.keyvalueserve.store;

/** A visitor of the records of a table that may have expired. */
@FunctionalInterface
public interface ExpiryVisitor {
  /**
   * Looks at a record, and changes nothing in its table.
   *
   * @return when it is to be shown again, in milliseconds since 1970; {@link Attributes#NEVER} if
   *     the caller removes it
   */
  long visit(long record);
}
