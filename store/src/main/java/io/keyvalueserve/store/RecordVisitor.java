package io.keyvalueserve.store;

/** Looks at records, one after the other. */
@FunctionalInterface
public interface RecordVisitor {
  /**
   * Looks at one.
   *
   * @param record its address, to be read through {@link Records} while the guard is open
   */
  void visit(long record);
}
