package io.keyvalueserve.grid.restart;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The file that names the member to which a directory belongs. */
final class MemberFile {
  private static final int MAGIC = 0x4B56_534D; // KVSM
  private static final int FORMAT = 1;

  /**
   * A member.
   *
   * @param uuid its own
   * @param cluster its cluster's name
   * @param partitions how many the cluster has
   * @param history the cluster's own id, which it was given when it first began; null as long as
   *     the member has not been in one
   */
  record Contents(UUID uuid, String cluster, int partitions, @Nullable UUID history) {
    Contents in(UUID cluster) {
      return new Contents(uuid, this.cluster, partitions, cluster);
    }
  }

  private final AtomicFile file;

  MemberFile(Path directory) {
    file = new AtomicFile(directory, "member", MAGIC);
  }

  Optional<Contents> read() throws IOException {
    Optional<byte[]> bytes = file.read();
    if (bytes.isEmpty()) {
      return Optional.empty();
    }
    try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes.get()))) {
      int format = in.readInt();
      if (format != FORMAT) {
        throw new IOException("written by another version: file=" + file + " format=" + format);
      }
      return Optional.of(
          new Contents(
              readUuid(in), in.readUTF(), in.readInt(), in.readBoolean() ? readUuid(in) : null));
    }
  }

  void write(Contents contents) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (DataOutputStream out = new DataOutputStream(bytes)) {
      out.writeInt(FORMAT);
      writeUuid(out, contents.uuid());
      out.writeUTF(contents.cluster());
      out.writeInt(contents.partitions());
      UUID history = contents.history();
      out.writeBoolean(history != null);
      if (history != null) {
        writeUuid(out, history);
      }
    }
    file.write(bytes.toByteArray());
  }

  static UUID readUuid(DataInputStream in) throws IOException {
    return new UUID(in.readLong(), in.readLong());
  }

  static void writeUuid(DataOutputStream out, UUID uuid) throws IOException {
    out.writeLong(uuid.getMostSignificantBits());
    out.writeLong(uuid.getLeastSignificantBits());
  }
}
