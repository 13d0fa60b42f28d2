package io.keyvalueserve.resp.protocol;

/** The arguments of a request, wherever they lie. The name is at 0. */
public interface Arguments {
  /** Returns the number of arguments, the name included. */
  int count();

  /** An array that the argument at an index lies in. It is only to be read. */
  byte[] array(int index);

  /** Returns the offset in its {@link #array} at which an argument begins. */
  int offset(int index);

  /** Returns the length of an argument, in bytes. */
  int length(int index);

  /**
   * Returns whether an argument lies off the heap, or is there no more: its {@link #array} would
   * have to be made, or cannot be.
   */
  default boolean isElsewhere(int index) {
    return false;
  }
}
