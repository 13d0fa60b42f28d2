package io.keyvalueserve.hazelcast;

/** The kinds of requests that wait for their answers. Each is bounded apart from the others. */
enum WaitingKind {
  /** Reads, writes, queries: is answered as soon as it is its turn. */
  ORDINARY(0),
  /** Waits for a lock, or for an entry of a queue, as long as the client says. */
  PARKED(1),
  /** Frees what others wait for, begins something, or keeps the connection alive. */
  FREEING(2);

  static final int COUNT = 3;

  private final int index;

  WaitingKind(int index) {
    this.index = index;
  }

  /** Returns its index, from 0 to less than {@link #COUNT}. */
  int index() {
    return index;
  }

  /** Returns the kind with an index. */
  static WaitingKind of(int index) {
    return switch (index) {
      case 0 -> ORDINARY;
      case 1 -> PARKED;
      case 2 -> FREEING;
      default -> throw new IllegalArgumentException("no kind has this index: " + index);
    };
  }
}
