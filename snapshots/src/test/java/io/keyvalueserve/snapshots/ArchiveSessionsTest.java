package io.keyvalueserve.snapshots;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;

final class ArchiveSessionsTest {
  private final MemoryRepository repository = new MemoryRepository();
  private final TenantKey key = TenantKey.create();
  private final ArchiveSessions sessions = new ArchiveSessions(repository, key);
  private final ArchiveSession session =
      new ArchiveSession(UUID.randomUUID(), "10.0.0.1:5801", -7, 31, 1_000, 2_000, 3, 1_900);

  @Test
  void aSessionIsAsItWasLastWritten() {
    sessions.write(session);
    sessions.write(session.covered(3_000));
    assertThat(sessions.list()).containsExactly(session.covered(3_000));
  }

  @Test
  void aSegmentIsCounted() {
    SegmentInfo segment = new SegmentInfo(key.id(), session.id(), 3, 1_500, 1_800, 1, true, 9);
    assertThat(session.with(segment).segments()).isEqualTo(4);
    assertThat(session.with(segment).lastStamp()).isEqualTo(1_900);
  }

  @Test
  void endedSessionsAreDeleted() {
    ArchiveSession later =
        new ArchiveSession(UUID.randomUUID(), "10.0.0.1:5801", 8, 31, 2_000, 9_000, 0, 0);
    sessions.write(session);
    sessions.write(later);
    assertThat(sessions.deleteBefore(2_001)).isEqualTo(1);
    assertThat(sessions.list()).containsExactly(later);
  }

  @Test
  void damagedSessionsAreNone() {
    sessions.write(session);
    for (String content : List.of("kvs-archive-session 1\nx", "kvs-archive-session 2\nx")) {
      String name = key.id() + "/sessions/" + UUID.randomUUID();
      repository.write(name, Sealed.seal(key, name, content.getBytes(StandardCharsets.UTF_8)));
    }
    repository.write(key.id() + "/sessions/" + UUID.randomUUID(), session.encode());
    assertThat(sessions.list()).containsExactly(session);
  }
}
