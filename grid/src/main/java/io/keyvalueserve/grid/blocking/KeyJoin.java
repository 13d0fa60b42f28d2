package io.keyvalueserve.grid.blocking;

import com.hazelcast.internal.nio.IOUtil;
import com.hazelcast.internal.serialization.Data;
import com.hazelcast.internal.util.UUIDSerializationUtil;
import com.hazelcast.map.impl.operation.MapOperation;
import com.hazelcast.nio.ObjectDataInput;
import com.hazelcast.nio.ObjectDataOutput;
import com.hazelcast.spi.impl.operationservice.PartitionAwareOperation;
import com.hazelcast.spi.impl.operationservice.ReadonlyOperation;
import io.keyvalueserve.engine.blocking.WaitQueues.Joined;
import io.keyvalueserve.engine.blocking.WaitQueues.Ticket;
import io.keyvalueserve.maps.OfTenant;
import io.keyvalueserve.maps.Writers;
import java.io.IOException;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Takes a place in the queue of a key, at its owner, or renews it. It runs with the partition, so
 * it sees each write, or the write sees the place. Answers with the rank, 1 for the turn or 0, and
 * the two halves of the owner's id.
 */
final class KeyJoin extends MapOperation
    implements PartitionAwareOperation, ReadonlyOperation, OfTenant {
  private static final UUID NOBODY = new UUID(0, 0);

  private int tenant = Writers.OWNER;
  private @Nullable Data key;
  private int type;
  private Ticket ticket = new Ticket(0, NOBODY, 0);
  private long[] answer = {};

  /** Creates an empty operation for deserialization. */
  KeyJoin() {
    createRecordStoreOnDemand = false;
  }

  /**
   * @param tenant the number of who waits
   */
  KeyJoin(int tenant, AwaitedKey awaited, Ticket ticket) {
    super(awaited.map());
    this.tenant = tenant;
    this.key = awaited.key();
    this.type = awaited.type();
    this.ticket = ticket;
    createRecordStoreOnDemand = false;
  }

  @Override
  protected void runInternal() {
    Data awaited = key;
    if (awaited == null) {
      throw new IllegalStateException("a place is at a key");
    }
    Object value = null;
    if (recordStore != null) {
      recordStore.checkIfLoaded();
      value = recordStore.get(awaited, false, getCallerAddress(), false);
    }
    AwaitedKey place = new AwaitedKey(name, awaited, type);
    Joined joined =
        KeyWaits.of(getNodeEngine()).joinHere(place, ticket, KeyWaits.isAwaited(place, value));
    UUID self = getNodeEngine().getLocalMember().getUuid();
    answer =
        new long[] {
          joined.order(),
          joined.hasTurn() ? 1 : 0,
          self.getMostSignificantBits(),
          self.getLeastSignificantBits()
        };
  }

  @Override
  public Object getResponse() {
    return answer;
  }

  @Override
  public int tenant() {
    return tenant;
  }

  @Override
  public int getFactoryId() {
    return KeyTurn.FACTORY_ID;
  }

  @Override
  public int getClassId() {
    return KeyTurn.JOIN;
  }

  @Override
  protected void writeInternal(ObjectDataOutput out) throws IOException {
    super.writeInternal(out);
    out.writeInt(tenant);
    IOUtil.writeData(out, key);
    out.writeInt(type);
    write(out, ticket);
  }

  @Override
  protected void readInternal(ObjectDataInput in) throws IOException {
    super.readInternal(in);
    tenant = in.readInt();
    key = IOUtil.readData(in);
    type = in.readInt();
    ticket = read(in);
  }

  static void write(ObjectDataOutput out, Ticket ticket) throws IOException {
    out.writeLong(ticket.order());
    UUIDSerializationUtil.writeUUID(out, ticket.member());
    out.writeLong(ticket.number());
  }

  static Ticket read(ObjectDataInput in) throws IOException {
    long order = in.readLong();
    UUID member = UUIDSerializationUtil.readUUID(in);
    if (member == null) {
      throw new IOException("a place without a member");
    }
    return new Ticket(order, member, in.readLong());
  }
}
