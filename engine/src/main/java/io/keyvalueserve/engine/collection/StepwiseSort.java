package io.keyvalueserve.engine.collection;

/**
 * A merge sort of numbers that is done some at a time, so that others are served in between.
 *
 * <p>For one thread.
 */
final class StepwiseSort {
  private final int count;
  private final Order order;
  private int[] from;
  private int[] to;

  /** The length of the runs that are in order already. */
  private long width = 1;

  private int left;
  private int middle;
  private int right;
  private int end;
  private int out;

  /** An order of numbers. */
  @FunctionalInterface
  interface Order {
    /** Returns a number below 0, 0 or above 0, as {@link Integer#compare} does. */
    int compare(int first, int second);
  }

  /**
   * @param numbers the numbers, from now on this object's
   * @param count how many there are
   */
  StepwiseSort(int[] numbers, int count, Order order) {
    this.count = count;
    this.order = order;
    this.from = numbers;
    this.to = new int[count];
    merge(0);
  }

  /**
   * Goes on.
   *
   * @param most how many comparisons to make at most
   * @return whether all are in order
   */
  boolean run(int most) {
    for (int i = 0; i < most && width < count; i++) {
      if (out == count) {
        int[] sorted = to;
        to = from;
        from = sorted;
        width *= 2;
        merge(0);
      } else {
        if (out == end) {
          merge(out);
        }
        boolean takesLeft =
            left < middle && (right == end || order.compare(from[left], from[right]) <= 0);
        to[out++] = takesLeft ? from[left++] : from[right++];
      }
    }
    return width >= count;
  }

  /** Returns the numbers, in order once {@link #run} has said so. */
  int[] sorted() {
    return from;
  }

  /** Begins to merge the two runs from here on. */
  private void merge(int start) {
    left = start;
    middle = (int) Math.min(start + width, count);
    right = middle;
    end = (int) Math.min(start + 2 * width, count);
    out = start;
  }
}
