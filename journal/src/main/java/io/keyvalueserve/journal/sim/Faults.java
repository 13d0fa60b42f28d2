package io.keyvalueserve.journal.sim;

import java.io.IOException;

/** Decides which operations of a simulated disk fail. */
@FunctionalInterface
public interface Faults {
  /** None fails. */
  Faults NONE = (operation, name, offset) -> {};

  /** The operations that can fail. */
  enum Operation {
    /** Making a file. */
    CREATE,
    /** Opening one. */
    OPEN,
    /** Reading. */
    READ,
    /** Writing. */
    WRITE,
    /** Making bytes, or a directory, certain. */
    SYNC,
    /** Removing a file or giving it another name. */
    REMOVE,
    /** Closing a file, which is closed all the same. */
    CLOSE
  }

  /**
   * Called before an operation.
   *
   * @param offset where in the file, 0 if the operation has no place
   * @throws IOException to have the operation fail with it, nothing being done
   */
  void before(Operation operation, String name, long offset) throws IOException;
}
