package io.keyvalueserve.grid.restart;

import com.hazelcast.cluster.Address;
import com.hazelcast.internal.partition.InternalPartition;
import com.hazelcast.internal.partition.PartitionReplica;
import com.hazelcast.internal.partition.PartitionTableView;
import com.hazelcast.internal.partition.ReadonlyInternalPartition;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A partition table as bytes: the number of partitions; for each its version, how many replicas it
 * has places for up to the last that is taken, and for each whether it is, and then its host, port
 * and UUID. Then how many partitions are lost, and for each which and since which version. Then how
 * many backups may be behind, and of which partitions. Then, unless an older release wrote it, how
 * many rows from before a loss are known, and for each of which partition, and the row.
 */
final class PartitionRows {
  private static final int MOST_PARTITIONS = 271 * 1024;

  private PartitionRows() {}

  static byte[] encode(KeptTable kept) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (DataOutputStream out = new DataOutputStream(bytes)) {
      write(out, kept);
    } catch (IOException e) {
      throw new UncheckedIOException("memory is always there", e);
    }
    return bytes.toByteArray();
  }

  private static void write(DataOutputStream out, KeptTable kept) throws IOException {
    PartitionTableView table = kept.table();
    out.writeInt(table.length());
    for (int id = 0; id < table.length(); id++) {
      writeRow(out, table.getPartition(id));
    }
    out.writeInt(kept.lostSince().size());
    for (Map.Entry<Integer, Integer> lost : kept.lostSince().entrySet()) {
      out.writeInt(lost.getKey());
      out.writeInt(lost.getValue());
    }
    out.writeInt(kept.behind().size());
    for (int partition : kept.behind()) {
      out.writeInt(partition);
    }
    out.writeInt(kept.beforeLoss().size());
    for (Map.Entry<Integer, InternalPartition> before : kept.beforeLoss().entrySet()) {
      out.writeInt(before.getKey());
      writeRow(out, before.getValue());
    }
  }

  private static void writeRow(DataOutputStream out, InternalPartition row) throws IOException {
    out.writeInt(row.version());
    int places = InternalPartition.MAX_REPLICA_COUNT;
    while (places > 0 && row.getReplica(places - 1) == null) {
      places--;
    }
    out.writeByte(places);
    for (int i = 0; i < places; i++) {
      writeReplica(out, row.getReplica(i));
    }
  }

  private static void writeReplica(DataOutputStream out, @Nullable PartitionReplica replica)
      throws IOException {
    out.writeBoolean(replica != null);
    if (replica != null) {
      out.writeUTF(replica.address().getHost());
      out.writeInt(replica.address().getPort());
      out.writeLong(replica.uuid().getMostSignificantBits());
      out.writeLong(replica.uuid().getLeastSignificantBits());
    }
  }

  /**
   * Reads what {@link #encode} made.
   *
   * @throws IOException if it is no table
   */
  static KeptTable read(DataInputStream in) throws IOException {
    int count = in.readInt();
    if (count < 1 || count > MOST_PARTITIONS) {
      throw new IOException("no number of partitions: " + count);
    }
    InternalPartition[] partitions = new InternalPartition[count];
    for (int id = 0; id < count; id++) {
      partitions[id] = readRow(in, id);
    }
    Map<Integer, Integer> since = new HashMap<>();
    for (int left = readCount(in, "lost partitions", count); left > 0; left--) {
      since.put(in.readInt(), in.readInt());
    }
    Set<Integer> behind = new HashSet<>();
    for (int left = readCount(in, "backups that are behind", count); left > 0; left--) {
      behind.add(in.readInt());
    }
    Map<Integer, InternalPartition> before = new HashMap<>();
    int rows = in.available() == 0 ? 0 : readCount(in, "rows from before a loss", count);
    for (int left = rows; left > 0; left--) {
      int id = in.readInt();
      before.put(id, readRow(in, id));
    }
    return new KeptTable(new PartitionTableView(partitions), since, before, behind);
  }

  private static InternalPartition readRow(DataInputStream in, int id) throws IOException {
    int version = in.readInt();
    PartitionReplica[] replicas = new PartitionReplica[InternalPartition.MAX_REPLICA_COUNT];
    int places = in.readByte();
    if (places < 0 || places > replicas.length) {
      throw new IOException("no number of replicas: " + places);
    }
    for (int i = 0; i < places; i++) {
      if (in.readBoolean()) {
        Address address = new Address(in.readUTF(), in.readInt());
        replicas[i] = new PartitionReplica(address, new UUID(in.readLong(), in.readLong()));
      }
    }
    return new ReadonlyInternalPartition(replicas, id, version);
  }

  private static int readCount(DataInputStream in, String what, int most) throws IOException {
    int count = in.readInt();
    if (count < 0 || count > most) {
      throw new IOException("no number of " + what + ": " + count);
    }
    return count;
  }
}
