package io.keyvalueserve.engine.collection;

/** The bytes that a collection takes in one piece, counted before it is packed. */
final class PackingRoom {
  /** The layout of every type. */
  static final int PLAIN = 1;

  /** The layout of a hash with fields that expire. */
  static final int EXPIRING = 2;

  private static final int HEAD_BYTES = 1 + Integer.BYTES;

  private final long most;
  private long length = HEAD_BYTES;

  /**
   * @param most so many bytes there may be
   */
  PackingRoom(long most) {
    this.most = most;
  }

  /** Counts bytes; returns false if there are too many, so that there is no need to go on. */
  boolean add(long bytes) {
    length += bytes;
    return length <= most;
  }

  /**
   * Begins to write.
   *
   * @throws CollectionTooLargeException if there are too many bytes or elements
   */
  PackedWriter begin(int layout, long count) {
    if (length > most || count > Integer.MAX_VALUE) {
      throw new CollectionTooLargeException(length);
    }
    return new PackedWriter(length).writeByte(layout).writeInt((int) count);
  }
}
