package io.keyvalueserve.engine;

import java.nio.ByteBuffer;

/**
 * A value that is lent where it is kept: it stays as it is, whatever becomes of its entry, until it
 * is given back. Meanwhile its memory cannot be used for anything else.
 */
public interface LentValue {
  /** Its bytes, which are only to be read, and not after {@link #giveBack}. */
  ByteBuffer bytes();

  /** Nobody looks at it any more. Once; any thread. */
  void giveBack();
}
