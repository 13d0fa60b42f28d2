package io.keyvalueserve.resp.protocol;

/**
 * The room for large arguments, which a connection asks for, and for large replies, while they
 * wait. On the connection's event loop.
 */
public interface LargeValueRoom {
  /** An argument that is longer is asked room for, in bytes. */
  int LARGE_ARGUMENT_BYTES = 16 * 1024;

  /** Room without end. */
  LargeValueRoom UNBOUNDED =
      new LargeValueRoom() {
        @Override
        public boolean take(long bytes) {
          return true;
        }

        @Override
        public void force(long bytes) {}

        @Override
        public void requestCompleted() {}

        @Override
        public void replyBegun(long bytes) {}

        @Override
        public void replySent(long bytes) {}
      };

  /** Takes room for so many bytes of an argument, if there is. */
  boolean take(long bytes);

  /** Takes room for bytes that have come already. */
  void force(long bytes);

  /** The request that the arguments belong to is complete. */
  void requestCompleted();

  /** A large reply waits to be sent. */
  void replyBegun(long bytes);

  /** A large reply has been sent, or dropped. */
  void replySent(long bytes);
}
