package io.keyvalueserve.grid.space;

import com.hazelcast.internal.serialization.Data;
import com.hazelcast.spi.impl.operationservice.ReadonlyOperation;
import io.keyvalueserve.engine.KeyCommand;
import io.keyvalueserve.engine.Transition;
import io.keyvalueserve.maps.NativeRecordStore;
import io.keyvalueserve.maps.Writers;
import java.util.List;

/**
 * Commands that only read. Like Hazelcast's own reads they pass locks, but not those of a
 * transaction that is about to commit.
 */
final class KeyReadBatch extends BatchOperation implements ReadonlyOperation {
  /** Creates an empty operation for deserialization. */
  KeyReadBatch() {
    this("", Writers.OWNER, List.of(), List.of());
  }

  KeyReadBatch(String name, int tenant, List<KeyCommand> commands, List<Data> keys) {
    super(name, tenant, commands, keys, KeyLocks.NO_THREAD, true);
  }

  @Override
  void begin(long nowMillis) {}

  @Override
  boolean isStopped(KeyCommand command, Data key) {
    return recordStore.isTransactionallyLocked(key) && !mayPass(key);
  }

  @Override
  long rememberedBytes() {
    return 0;
  }

  @Override
  void partlyWritten(Data key) {
    throw new IllegalStateException("commands that read write nothing");
  }

  @Override
  void carryOut(Transition transition, Data key, EntryView entry) {
    switch (transition.effect()) {
      case NOTHING -> {}
      case ACCESS -> {
        var record = recordStore.getRecord(key);
        if (record != null && entry.isUnread()) {
          ((NativeRecordStore) recordStore).accessUnread(key, record, entry.nowMillis());
        } else if (record != null) {
          recordStore.accessRecord(key, record, entry.nowMillis());
        }
      }
      case PUT, SET_EXPIRY, REMOVE ->
          throw new IllegalStateException("a reading command must not write");
    }
  }

  @Override
  public int getClassId() {
    return SpaceSerialization.KEY_READ_BATCH;
  }
}
