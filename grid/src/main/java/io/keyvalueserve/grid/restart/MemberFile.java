package io.keyvalueserve.grid.restart;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The file that names the member to which a directory belongs. */
final class MemberFile {
  private static final int MAGIC = 0x4B56_534D; // KVSM
  private static final int FORMAT = 1;

  /** Older ids are in no row that can still be the newest. */
  private static final int MOST_ALIASES = 64;

  /**
   * A member.
   *
   * @param uuid its own
   * @param cluster its cluster's name
   * @param partitions how many the cluster has
   * @param history the cluster's own id, which it was given when it first began; null as long as
   *     the member has not been in one
   * @param aliases the ids that the member had after merges, the latest last: partition rows can
   *     name it by them
   */
  record Contents(
      UUID uuid, String cluster, int partitions, @Nullable UUID history, List<UUID> aliases) {
    Contents {
      aliases = List.copyOf(aliases);
    }

    Contents(UUID uuid, String cluster, int partitions, @Nullable UUID history) {
      this(uuid, cluster, partitions, history, List.of());
    }

    Contents in(UUID cluster) {
      return new Contents(uuid, this.cluster, partitions, cluster, aliases);
    }

    Contents alsoKnownAs(UUID alias) {
      List<UUID> all = new ArrayList<>(aliases);
      all.add(alias);
      int from = Math.max(0, all.size() - MOST_ALIASES);
      return new Contents(uuid, cluster, partitions, history, all.subList(from, all.size()));
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
      Contents contents =
          new Contents(
              readUuid(in), in.readUTF(), in.readInt(), in.readBoolean() ? readUuid(in) : null);
      int left = in.available() == 0 ? 0 : in.readInt(); // an older release wrote none
      for (; left > 0; left--) {
        contents = contents.alsoKnownAs(readUuid(in));
      }
      return Optional.of(contents);
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
      out.writeInt(contents.aliases().size());
      for (UUID alias : contents.aliases()) {
        writeUuid(out, alias);
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
