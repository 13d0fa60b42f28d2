package io.keyvalueserve.grid.link;

/**
 * The answer to a message: an answer for each passenger, in their order.
 *
 * @param <A> an answer
 */
public interface Answers<A> {
  /**
   * The answer to one.
   *
   * @param index 0 or more, less than there were passengers
   */
  A of(int index);
}
