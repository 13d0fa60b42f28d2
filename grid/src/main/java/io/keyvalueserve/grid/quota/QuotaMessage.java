package io.keyvalueserve.grid.quota;

import com.hazelcast.config.Config;
import com.hazelcast.internal.util.UUIDSerializationUtil;
import com.hazelcast.nio.ObjectDataInput;
import com.hazelcast.nio.ObjectDataOutput;
import com.hazelcast.spi.impl.AllowedDuringPassiveState;
import com.hazelcast.spi.impl.NodeEngineImpl;
import com.hazelcast.spi.impl.operationservice.UrgentSystemOperation;
import io.keyvalueserve.billing.spending.SpentByAll;
import io.keyvalueserve.billing.spending.SpentHere;
import io.keyvalueserve.gates.admission.DemandReport;
import io.keyvalueserve.gates.admission.RateKey;
import io.keyvalueserve.gates.admission.Resource;
import io.keyvalueserve.gates.admission.ShareAssignment;
import io.keyvalueserve.gates.admission.UsageReport;
import io.keyvalueserve.gates.heap.KeptReport;
import io.keyvalueserve.maps.message.MemberMessage;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The message in which one member tells another about quotas. It has no answer, and may be lost.
 */
public final class QuotaMessage extends MemberMessage
    implements UrgentSystemOperation, AllowedDuringPassiveState {
  /** The factory's number in a member's configuration: "kvu" in ASCII. */
  private static final int FACTORY_ID = 0x6b7675;

  private static final byte DEMAND = 1;
  private static final byte ASSIGNMENT = 2;
  private static final byte USAGE = 3;
  private static final byte SPENT_HERE = 4;
  private static final byte SPENT_BY_ALL = 5;
  private static final byte KEPT = 6;

  private @Nullable Record said;

  /** Creates an empty message for deserialization. */
  public QuotaMessage() {
    super(FACTORY_ID);
  }

  /**
   * @param said a {@link DemandReport}, a {@link ShareAssignment}, a {@link UsageReport}, a {@link
   *     SpentHere}, a {@link SpentByAll} or a {@link KeptReport}
   */
  QuotaMessage(Record said) {
    this();
    this.said = said;
  }

  /** A member's node extension, as far as it takes these messages. */
  public interface Receiver {
    /** Returns the receiver of such messages; null while the member starts. */
    @Nullable QuotaExchange quotas();
  }

  /** Makes a member understand these messages; before it starts. */
  public static void register(Config config) {
    register(config, FACTORY_ID, QuotaMessage::new);
  }

  @Override
  public void run() {
    NodeEngineImpl nodeEngine = (NodeEngineImpl) getNodeEngine();
    QuotaExchange exchange = ((Receiver) nodeEngine.getNode().getNodeExtension()).quotas();
    if (exchange != null && said != null) {
      exchange.hear(said);
    }
  }

  @Override
  public boolean returnsResponse() {
    return false;
  }

  @Override
  protected void writeInternal(ObjectDataOutput out) throws IOException {
    super.writeInternal(out);
    switch (said) {
      case DemandReport demand -> write(demand, out);
      case ShareAssignment assignment -> write(assignment, out);
      case UsageReport usage -> write(usage, out);
      case SpentHere spent -> SpentCodec.write(tagged(SPENT_HERE, out), spent);
      case SpentByAll spent -> SpentCodec.write(tagged(SPENT_BY_ALL, out), spent);
      case KeptReport kept -> write(kept, out);
      case null, default -> throw new IOException("nothing that members say: " + said);
    }
  }

  @Override
  protected void readInternal(ObjectDataInput in) throws IOException {
    super.readInternal(in);
    byte kind = in.readByte();
    said =
        switch (kind) {
          case DEMAND -> readDemand(in);
          case ASSIGNMENT -> readAssignment(in);
          case USAGE -> readUsage(in);
          case SPENT_HERE -> SpentCodec.readHere(in);
          case SPENT_BY_ALL -> SpentCodec.readByAll(in);
          case KEPT -> readKept(in);
          default -> throw new IOException("nothing that members say: kind=" + kind);
        };
  }

  private static ObjectDataOutput tagged(byte kind, ObjectDataOutput out) throws IOException {
    out.writeByte(kind);
    return out;
  }

  private static void write(DemandReport report, ObjectDataOutput out) throws IOException {
    out.writeByte(DEMAND);
    UUIDSerializationUtil.writeUUID(out, report.member());
    out.writeLong(report.sentNanos());
    out.writeLong(report.openedNanos());
    out.writeLong(report.tenure());
    out.writeLong(report.epoch());
    out.writeInt(report.demands().size());
    for (DemandReport.Demand demand : report.demands()) {
      write(demand.key(), out);
      out.writeDouble(demand.perSecond());
      out.writeInt(demand.share());
    }
  }

  private static DemandReport readDemand(ObjectDataInput in) throws IOException {
    UUID member = UUIDSerializationUtil.readUUID(in);
    long sent = in.readLong();
    long opened = in.readLong();
    long tenure = in.readLong();
    long epoch = in.readLong();
    int count = in.readInt();
    List<DemandReport.Demand> demands = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      demands.add(new DemandReport.Demand(readKey(in), in.readDouble(), in.readInt()));
    }
    return new DemandReport(member, sent, opened, tenure, epoch, demands);
  }

  private static void write(ShareAssignment assignment, ObjectDataOutput out) throws IOException {
    out.writeByte(ASSIGNMENT);
    UUIDSerializationUtil.writeUUID(out, assignment.member());
    out.writeLong(assignment.tenure());
    out.writeLong(assignment.epoch());
    out.writeLong(assignment.answersNanos());
    out.writeLong(assignment.validityNanos());
    out.writeInt(assignment.shares().size());
    for (ShareAssignment.Share share : assignment.shares()) {
      write(share.key(), out);
      out.writeInt(share.parts());
    }
  }

  private static ShareAssignment readAssignment(ObjectDataInput in) throws IOException {
    UUID member = UUIDSerializationUtil.readUUID(in);
    long tenure = in.readLong();
    long epoch = in.readLong();
    long answers = in.readLong();
    long validity = in.readLong();
    int count = in.readInt();
    List<ShareAssignment.Share> shares = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      shares.add(new ShareAssignment.Share(readKey(in), in.readInt()));
    }
    return new ShareAssignment(member, tenure, epoch, answers, validity, shares);
  }

  private static void write(UsageReport report, ObjectDataOutput out) throws IOException {
    out.writeByte(USAGE);
    UUIDSerializationUtil.writeUUID(out, report.member());
    out.writeInt(report.parts().size());
    for (UsageReport.Part part : report.parts()) {
      out.writeString(part.tenant());
      out.writeLong(part.bytes());
      out.writeLong(part.entries());
      out.writeInt(part.connections());
      out.writeInt(part.locks());
      out.writeLongArray(part.maps().stream().mapToLong(Long::longValue).toArray());
    }
  }

  private static UsageReport readUsage(ObjectDataInput in) throws IOException {
    UUID member = UUIDSerializationUtil.readUUID(in);
    int count = in.readInt();
    List<UsageReport.Part> parts = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      String tenant = in.readString();
      long bytes = in.readLong();
      long entries = in.readLong();
      int connections = in.readInt();
      int locks = in.readInt();
      long[] maps = in.readLongArray();
      if (tenant == null || maps == null) {
        throw new IOException("a report of usage lacks the tenant or its maps");
      }
      List<Long> hashes = java.util.Arrays.stream(maps).boxed().toList();
      parts.add(new UsageReport.Part(tenant, bytes, entries, connections, locks, hashes));
    }
    return new UsageReport(member, parts);
  }

  private static void write(KeptReport report, ObjectDataOutput out) throws IOException {
    out.writeByte(KEPT);
    UUIDSerializationUtil.writeUUID(out, report.member());
    out.writeInt(report.tenants().size());
    for (Map.Entry<String, Long> each : report.tenants().entrySet()) {
      out.writeString(each.getKey());
      out.writeLong(each.getValue());
    }
  }

  private static KeptReport readKept(ObjectDataInput in) throws IOException {
    UUID member = UUIDSerializationUtil.readUUID(in);
    int count = in.readInt();
    Map<String, Long> tenants = new HashMap<>();
    for (int i = 0; i < count; i++) {
      String tenant = in.readString();
      if (tenant == null) {
        throw new IOException("a report of kept bytes lacks a tenant");
      }
      tenants.put(tenant, in.readLong());
    }
    return new KeptReport(member, tenants);
  }

  private static void write(RateKey key, ObjectDataOutput out) throws IOException {
    out.writeInt(key.tenant());
    out.writeByte(key.resource().code());
  }

  private static RateKey readKey(ObjectDataInput in) throws IOException {
    return new RateKey(in.readInt(), Resource.ofCode(in.readByte()));
  }
}
