package io.keyvalueserve.resp.protocol;

import io.keyvalueserve.engine.StagedValue;
import org.jspecify.annotations.Nullable;

/**
 * The room to receive large values in, which a connection asks for. The value then need not be
 * copied when all of it has come. On the connection's event loop.
 */
public interface Staging {
  /** Receives everything in arrays. */
  Staging NONE =
      new Staging() {
        @Override
        public boolean mayStage(byte[][] arguments, int index, int announced) {
          return false;
        }

        @Override
        public @Nullable StagedValue stage(byte[][] arguments, int announced, int length) {
          return null;
        }
      };

  /**
   * Returns whether an argument is a value that room could be made for.
   *
   * @param arguments those before it
   * @param index its own
   * @param announced how many there will be
   */
  boolean mayStage(byte[][] arguments, int index, int announced);

  /**
   * Makes room for it.
   *
   * @param length in bytes
   * @return null if there is to be none: then it is received in an array
   */
  @Nullable StagedValue stage(byte[][] arguments, int announced, int length);
}
