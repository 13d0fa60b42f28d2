package io.keyvalueserve.grid.restart;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyvalueserve.grid.quorum.MembersView.Stamp;
import io.keyvalueserve.grid.quorum.VoterSet;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a member remembers of its voters comes back as it was. */
final class QuorumFileTest {
  private static final UUID A = new UUID(1, 1);
  private static final UUID B = new UUID(2, 2);
  private static final int MAGIC = 0x4B56_5351;

  @TempDir private Path directory;

  private static VoterSet set(List<UUID> forgotten) {
    return new VoterSet(
        new UUID(7, 7), 3, 4, 5, A, true, new TreeMap<>(Map.of(A, "h:1")), forgotten);
  }

  @Test
  void whoIsForgottenIsKept() {
    assertThat(new QuorumFile(directory).read()).isEmpty();
    assertThat(new QuorumFile(directory).keep(set(List.of(B)), new Stamp(9, B))).isTrue();
    assertThat(new QuorumFile(directory).read())
        .contains(new QuorumFile.Contents(set(List.of(B)), new Stamp(9, B)));
  }

  @Test
  void aFileFromBeforeMembersCouldBeForgottenIsRead() throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (DataOutputStream out = new DataOutputStream(bytes)) {
      out.writeInt(1);
      out.writeLong(9);
      MemberFile.writeUuid(out, B);
      MemberFile.writeUuid(out, new UUID(7, 7));
      out.writeLong(3);
      out.writeLong(4);
      out.writeLong(5);
      MemberFile.writeUuid(out, A);
      out.writeBoolean(true);
      out.writeInt(1);
      MemberFile.writeUuid(out, A);
      out.writeUTF("h:1");
    }
    new AtomicFile(directory, "quorum", MAGIC).write(bytes.toByteArray());
    assertThat(new QuorumFile(directory).read())
        .contains(new QuorumFile.Contents(set(List.of()), new Stamp(9, B)));
  }
}
