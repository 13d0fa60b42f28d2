package io.keyvalueserve.engine;

/**
 * The work of a transaction. It reads and changes entries through its view alone, and may be run
 * more than once, on any thread, one after the other: whatever else it changes has to be made anew
 * by each run. It must not block.
 */
@FunctionalInterface
public interface TransactionBody<T> {
  /**
   * Runs once. If it throws, nothing is changed, and the transaction fails with what was thrown.
   *
   * @return the answer of the transaction
   */
  T run(TransactionView view);
}
