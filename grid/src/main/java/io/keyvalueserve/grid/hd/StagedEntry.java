package io.keyvalueserve.grid.hd;

import io.keyvalueserve.engine.StagedValue;
import io.keyvalueserve.store.StagedRecord;
import java.nio.ByteBuffer;

/** A value that is received where it will be in memory. */
record StagedEntry(StagedRecord record) implements StagedValue {
  @Override
  public int length() {
    return record.valueLength();
  }

  @Override
  public ByteBuffer room() {
    return record.value();
  }

  @Override
  public void discard() {
    record.discard();
  }
}
