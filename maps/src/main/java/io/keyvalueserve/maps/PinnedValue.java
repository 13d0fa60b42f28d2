package io.keyvalueserve.maps;

import io.keyvalueserve.engine.LentValue;
import io.keyvalueserve.memory.Memory;
import io.keyvalueserve.memory.Pin;
import java.nio.ByteBuffer;

/**
 * A value that is lent where it is in memory.
 *
 * @param pin of its record, taken
 */
record PinnedValue(Pin pin, long address, int length) implements LentValue {
  @Override
  public ByteBuffer bytes() {
    return Memory.buffer(address, length);
  }

  @Override
  public void giveBack() {
    pin.release();
  }
}
