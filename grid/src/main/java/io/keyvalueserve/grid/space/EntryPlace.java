package io.keyvalueserve.grid.space;

import com.hazelcast.core.OperationTimeoutException;
import com.hazelcast.internal.serialization.Data;
import com.hazelcast.internal.util.Clock;
import com.hazelcast.map.impl.operation.LockAwareOperation;
import com.hazelcast.nio.ObjectDataInput;
import com.hazelcast.nio.ObjectDataOutput;
import com.hazelcast.spi.impl.operationservice.BackupAwareOperation;
import com.hazelcast.spi.impl.operationservice.MutatingOperation;
import com.hazelcast.spi.impl.operationservice.Operation;
import io.keyvalueserve.maps.OfTenant;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** Puts an entry's state under a key. The key's lock is the caller's. */
final class EntryPlace extends LockAwareOperation
    implements BackupAwareOperation, MutatingOperation, OfTenant {
  private EntryState state = new EntryState();
  private int tenant;
  private transient @Nullable EntryWriter writer;

  /** Creates an empty operation for deserialization. */
  EntryPlace() {}

  /**
   * @param tenant the number of who puts it
   */
  EntryPlace(String name, int tenant, Data key, EntryState state, long lockThread) {
    super(name, key);
    this.tenant = tenant;
    this.state = state;
    setThreadId(lockThread);
  }

  @Override
  protected void innerBeforeRun() throws Exception {
    super.innerBeforeRun();
    recordStore.checkIfLoaded();
  }

  @Override
  protected void runInternal() {
    long nowMillis = Clock.currentTimeMillis();
    writer = new EntryWriter(recordStore, nowMillis);
    Object before = recordStore.get(dataKey, false, getCallerAddress(), false);
    writer.place(dataKey, state, before);
  }

  @Override
  public void afterRunInternal() {
    writer().publish(this);
    super.afterRunInternal();
  }

  @Override
  public boolean shouldBackup() {
    return mapContainer.getTotalBackupCount() > 0;
  }

  @Override
  public int getSyncBackupCount() {
    return mapContainer.getBackupCount();
  }

  @Override
  public int getAsyncBackupCount() {
    return mapContainer.getAsyncBackupCount();
  }

  @Override
  public Operation getBackupOperation() {
    return writer().backup();
  }

  @Override
  public Object getResponse() {
    return true;
  }

  @Override
  public void onWaitExpire() {
    sendResponse(new OperationTimeoutException("a key stayed locked"));
  }

  @Override
  public int tenant() {
    return tenant;
  }

  private EntryWriter writer() {
    if (writer == null) {
      throw new IllegalStateException("the operation has not run");
    }
    return writer;
  }

  @Override
  public int getFactoryId() {
    return SpaceSerialization.FACTORY_ID;
  }

  @Override
  public int getClassId() {
    return SpaceSerialization.ENTRY_PLACE;
  }

  @Override
  protected void writeInternal(ObjectDataOutput out) throws IOException {
    super.writeInternal(out);
    out.writeInt(tenant);
    state.writeData(out);
  }

  @Override
  protected void readInternal(ObjectDataInput in) throws IOException {
    super.readInternal(in);
    tenant = in.readInt();
    state.readData(in);
  }
}
