package io.keyvalueserve.journal.spill;

import java.io.IOException;

/**
 * The bytes on the disk are not the value that was written. This exception is also thrown if the
 * value's handle was freed before it was read. A reader beside a writer therefore checks whether
 * the handle still belongs to the value.
 */
public final class SpillDamageException extends IOException {
  private static final long serialVersionUID = 1;

  SpillDamageException(String file, long offset, String what) {
    super(
        "spilled value damaged: file=%s offset=%d %s; it is lost, and the disk should be checked"
            .formatted(file, offset, what));
  }
}
