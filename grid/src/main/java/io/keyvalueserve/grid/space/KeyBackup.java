package io.keyvalueserve.grid.space;

import com.hazelcast.internal.nio.IOUtil;
import com.hazelcast.internal.serialization.Data;
import com.hazelcast.map.impl.MapServiceContext;
import com.hazelcast.map.impl.operation.MapOperation;
import com.hazelcast.map.impl.record.Record;
import com.hazelcast.map.impl.record.Records;
import com.hazelcast.map.impl.recordstore.RecordStore;
import com.hazelcast.nio.ObjectDataInput;
import com.hazelcast.nio.ObjectDataOutput;
import com.hazelcast.spi.impl.operationservice.BackupOperation;
import com.hazelcast.wan.impl.CallerProvenance;
import io.keyvalueserve.grid.space.EntryState.Times;
import io.keyvalueserve.maps.NativeRecordStore;
import io.keyvalueserve.maps.Writers;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Brings entries of a backup to the state that they have on the primary: the value with the
 * record's statistics, the exact expiry and its writer, or the absence. Applied twice it does the
 * same as once.
 */
class KeyBackup extends MapOperation implements BackupOperation {
  private List<Replica> replicas = List.of();
  private PageReplicas pages = PageReplicas.NONE;
  private long nowMillis;

  /** Creates an empty operation for deserialization. */
  KeyBackup() {}

  KeyBackup(List<Data> keys, PageReplicas pages, RecordStore<?> store, long nowMillis) {
    super(store.getName());
    MapServiceContext context = store.getMapContainer().getMapServiceContext();
    this.nowMillis = nowMillis;
    this.pages = pages;
    this.replicas = new ArrayList<>(keys.size());
    for (Data key : keys) {
      Record<?> record = store.getRecord(key);
      Data value = record == null ? null : context.toData(record.getValue());
      Times times = Times.of(store.getExpirySystem().getExpiryMetadata(key));
      int writer = ((NativeRecordStore) store).writerOf(key);
      replicas.add(new Replica(key, record, value, times, writer));
    }
  }

  @Override
  protected void runInternal() {
    NativeRecordStore front = (NativeRecordStore) recordStore;
    pages.apply(front);
    front.movingHead(this::putAll);
  }

  private void putAll() {
    for (Replica replica : replicas) {
      if (replica.record() == null) {
        recordStore.removeBackup(replica.key(), CallerProvenance.NOT_WAN);
      } else {
        put(replica.key(), replica.record(), replica.times());
        ((NativeRecordStore) recordStore).noteWriter(replica.key(), replica.writer());
      }
    }
  }

  private void put(Data key, Record<?> record, Times times) {
    Record<?> written =
        recordStore.putBackup(
            key,
            record,
            times.timeToLive(),
            times.maxIdle(),
            times.expiration(),
            CallerProvenance.NOT_WAN);
    Records.copyMetadataFrom(record, written);
    if (times.expires()) {
      recordStore
          .getExpirySystem()
          .add(
              key,
              times.timeToLive(),
              times.maxIdle(),
              times.expiration(),
              times.lastUpdate(),
              nowMillis);
    }
  }

  @Override
  public void afterRunInternal() {
    for (Replica replica : replicas) {
      evict(replica.key());
    }
  }

  @Override
  public Object getResponse() {
    return true;
  }

  @Override
  public final int getFactoryId() {
    return SpaceSerialization.FACTORY_ID;
  }

  @Override
  public int getClassId() {
    return SpaceSerialization.KEY_BACKUP;
  }

  @Override
  protected void writeInternal(ObjectDataOutput out) throws IOException {
    super.writeInternal(out);
    out.writeLong(nowMillis);
    out.writeInt(replicas.size());
    for (Replica replica : replicas) {
      IOUtil.writeData(out, replica.key());
      Record<?> record = replica.record();
      out.writeBoolean(record != null);
      if (record != null) {
        Records.writeRecord(out, record, replica.value());
        replica.times().write(out);
        out.writeInt(replica.writer());
      }
    }
    pages.write(out);
  }

  @Override
  protected void readInternal(ObjectDataInput in) throws IOException {
    super.readInternal(in);
    nowMillis = in.readLong();
    int count = in.readInt();
    replicas = CommandCodec.listOf(count);
    for (int i = 0; i < count; i++) {
      Data key = IOUtil.readData(in);
      boolean exists = in.readBoolean();
      replicas.add(
          exists
              ? new Replica(key, Records.readRecord(in), null, Times.read(in), in.readInt())
              : new Replica(key, null, null, Times.NONE, Writers.OWNER));
    }
    pages = PageReplicas.read(in);
  }

  /**
   * An entry's state; its value apart on the sending side, within the record on the other.
   *
   * @param writer the number of the tenant that it counts for
   */
  private record Replica(
      Data key, @Nullable Record<?> record, @Nullable Data value, Times times, int writer) {}
}
