package io.keyvalueserve.grid.space;

import com.hazelcast.internal.serialization.Data;
import com.hazelcast.internal.util.Clock;
import com.hazelcast.map.impl.operation.ReadonlyKeyBasedMapOperation;
import io.keyvalueserve.grid.space.EntryState.Times;
import org.jspecify.annotations.Nullable;

/** Reads an entry's state, to be put elsewhere; answers null if there is no entry. */
final class EntryRead extends ReadonlyKeyBasedMapOperation {
  private transient @Nullable EntryState state;

  /** Creates an empty operation for deserialization. */
  EntryRead() {}

  EntryRead(String name, Data key) {
    super(name, key);
  }

  @Override
  protected void innerBeforeRun() throws Exception {
    super.innerBeforeRun();
    recordStore.checkIfLoaded();
  }

  @Override
  protected void runInternal() {
    EntryView entry =
        new EntryView(
                recordStore,
                getNodeEngine().getSerializationService(),
                getCallerAddress(),
                Clock.currentTimeMillis())
            .of(dataKey);
    Object value = entry.value();
    state =
        value == null
            ? null
            : new EntryState(
                mapServiceContext.toData(value),
                Times.of(recordStore.getExpirySystem().getExpiryMetadata(dataKey)));
  }

  @Override
  public @Nullable Object getResponse() {
    return state;
  }

  @Override
  public int getFactoryId() {
    return SpaceSerialization.FACTORY_ID;
  }

  @Override
  public int getClassId() {
    return SpaceSerialization.ENTRY_READ;
  }
}
