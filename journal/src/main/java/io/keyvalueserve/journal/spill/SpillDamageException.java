package io.keyvalueserve.journal.spill;

import java.io.IOException;

/**
 * What is on the disk is not the value that was written. So it is as well when its handle was freed
 * before it was read: whoever reads beside a writer looks whether the handle is still its value's.
 */
public final class SpillDamageException extends IOException {
  private static final long serialVersionUID = 1;

  SpillDamageException(String file, long offset, String what) {
    super(
        "spilled value damaged: file=%s offset=%d %s; it is lost, and the disk should be checked"
            .formatted(file, offset, what));
  }
}
