package io.keyvalueserve.maps;

import io.keyvalueserve.engine.StagedValue;
import io.keyvalueserve.store.StagedRecord;
import java.nio.ByteBuffer;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * A value that is received where it will be in memory, and of which the log may have a draft.
 *
 * @param disk runs what waits for it
 */
record StagedEntry(StagedRecord record, EntryLog.@Nullable Draft draft, Executor disk)
    implements StagedValue {
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
    EntryLog.Draft written = draft;
    if (written != null && !written.isOver()) {
      disk.execute(written::discard);
    }
  }
}
