package io.keyvalueserve.grid.restart;

import io.keyvalueserve.grid.quorum.MembersView.Stamp;
import io.keyvalueserve.grid.quorum.Quorum;
import io.keyvalueserve.grid.quorum.VoterSet;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.UUID;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps the voters of the cluster that a member knows, and the last view that it was in, in a file
 * of its data directory. One thread at a time.
 */
public final class QuorumFile implements Quorum.Memory {
  private static final Logger LOG = LoggerFactory.getLogger(QuorumFile.class);
  private static final int MAGIC = 0x4B56_5351; // KVSQ
  private static final int FORMAT = 2;

  /** Without forgotten members. */
  private static final int FORMAT_BEFORE = 1;

  private final AtomicFile file;
  private boolean failing;

  /**
   * The contents of the file.
   *
   * @param set the newest voters
   * @param promise the last view
   */
  public record Contents(VoterSet set, Stamp promise) {}

  QuorumFile(Path directory) {
    file = new AtomicFile(directory, "quorum", MAGIC);
  }

  /**
   * Returns what was kept; empty if nothing ever was.
   *
   * @throws RestartException if it cannot be read or is damaged; the message names the file
   */
  public Optional<Contents> read() {
    try {
      Optional<byte[]> bytes = file.read();
      return bytes.isEmpty() ? Optional.empty() : Optional.of(decode(bytes.get()));
    } catch (IOException e) {
      throw new RestartException("the member cannot start: " + e.getMessage(), e);
    }
  }

  private Contents decode(byte[] bytes) throws IOException {
    try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes))) {
      int format = in.readInt();
      if (format != FORMAT && format != FORMAT_BEFORE) {
        throw new IOException("written by another version: file=" + file + " format=" + format);
      }
      Stamp promise = new Stamp(in.readLong(), MemberFile.readUuid(in));
      UUID origin = MemberFile.readUuid(in);
      long term = in.readLong();
      long view = in.readLong();
      long number = in.readLong();
      UUID proposer = MemberFile.readUuid(in);
      boolean consistent = in.readBoolean();
      TreeMap<UUID, String> voters = new TreeMap<>();
      int count = in.readInt();
      for (int i = 0; i < count; i++) {
        voters.put(MemberFile.readUuid(in), in.readUTF());
      }
      List<UUID> forgotten = new ArrayList<>();
      for (int left = format == FORMAT ? in.readInt() : 0; left > 0; left--) {
        forgotten.add(MemberFile.readUuid(in));
      }
      return new Contents(
          new VoterSet(origin, term, view, number, proposer, consistent, voters, forgotten),
          promise);
    } catch (IllegalArgumentException e) {
      throw new IOException("damaged: file=" + file + ": " + e.getMessage(), e);
    }
  }

  @Override
  public boolean keep(VoterSet set, Stamp promise) {
    try {
      file.write(encode(set, promise));
      failing = false;
      return true;
    } catch (IOException e) {
      if (!failing) {
        LOG.error("the voters cannot be kept, it will be tried again: file={}", file, e);
      }
      failing = true;
      return false;
    }
  }

  private static byte[] encode(VoterSet set, Stamp promise) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (DataOutputStream out = new DataOutputStream(bytes)) {
      out.writeInt(FORMAT);
      out.writeLong(promise.version());
      MemberFile.writeUuid(out, promise.master());
      MemberFile.writeUuid(out, set.origin());
      out.writeLong(set.term());
      out.writeLong(set.view());
      out.writeLong(set.number());
      MemberFile.writeUuid(out, set.proposer());
      out.writeBoolean(set.consistent());
      out.writeInt(set.voters().size());
      for (Map.Entry<UUID, String> voter : set.voters().entrySet()) {
        MemberFile.writeUuid(out, voter.getKey());
        out.writeUTF(voter.getValue());
      }
      out.writeInt(set.forgotten().size());
      for (UUID member : set.forgotten()) {
        MemberFile.writeUuid(out, member);
      }
    }
    return bytes.toByteArray();
  }
}
