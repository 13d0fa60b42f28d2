package io.keyvalueserve.snapshots;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;

/** Segments of changes and their archive. */
class ChangeArchiveTest {
  private static final TenantKey KEY = Samples.key(9);
  private static final UUID MEMBER = new UUID(1, 2);

  private final MemoryRepository repository = new MemoryRepository();
  private final ChangeArchive archive = new ChangeArchive(repository, KEY);

  static List<Change> changes(Random random, int most) {
    List<Change> changes = new ArrayList<>();
    for (int i = random.nextInt(1, most + 1); i > 0; i--) {
      long stamp = random.nextInt(20) == 0 ? Long.MAX_VALUE : random.nextLong(1L << 42);
      long sequence = random.nextInt(20) == 0 ? random.nextLong() : i;
      int partition = random.nextInt(271);
      String map = "map ä" + random.nextInt(3);
      changes.add(
          switch (random.nextInt(3)) {
            case 0 -> Change.put(stamp, sequence, partition, map, Samples.entry(random));
            case 1 -> Change.remove(stamp, sequence, partition, map, Samples.bytes(random, 30));
            default -> Change.clear(stamp, sequence, partition, map);
          });
    }
    return changes;
  }

  @Property(tries = 200)
  void readsWhatWasAppended(@ForAll long seed) {
    Random random = new Random(seed);
    List<Change> changes = changes(random, 40);
    SegmentInfo info =
        archive.append(MEMBER, random.nextLong(Long.MAX_VALUE), random.nextBoolean(), changes);
    assertThat(archive.read(info)).isEqualTo(changes);
    assertThat(archive.list(0, Long.MAX_VALUE)).contains(info);
    assertThat(info.count()).isEqualTo(changes.size());
    assertThat(changes)
        .allMatch(c -> c.stampMillis() >= info.firstStamp() && c.stampMillis() <= info.lastStamp());
  }

  private SegmentInfo segment(UUID member, long number, long first, long last) {
    return archive.append(
        member,
        number,
        true,
        List.of(Change.clear(last, 1, 0, "m"), Change.clear(first, 2, 0, "m")));
  }

  @Test
  void listsByTimeAndDeletesWhatIsOld() {
    SegmentInfo one = segment(MEMBER, 1, 100, 200);
    SegmentInfo ten = segment(MEMBER, 10, 150, 300);
    SegmentInfo two = segment(MEMBER, 2, 201, 250);
    SegmentInfo other = segment(new UUID(0, 1), 7, 220, 220);
    assertThat(archive.list(0, 1_000)).containsExactly(other, one, two, ten);
    assertThat(archive.list(200, 200)).containsExactly(one, ten);
    assertThat(archive.list(201, 219)).containsExactly(two, ten);
    assertThat(archive.list(301, 400)).isEmpty();
    assertThat(archive.list(0, 99)).isEmpty();
    assertThat(archive.deleteBefore(250)).isEqualTo(2);
    assertThat(archive.list(0, 1_000)).containsExactly(two, ten);
    assertThat(archive.deleteBefore(251)).isOne();
    assertThatThrownBy(() -> archive.read(two)).isInstanceOf(SnapshotException.class);
  }

  @Test
  void findsOutEveryChangedBitAndEveryOtherName() {
    SegmentInfo info = archive.append(MEMBER, 3, false, changes(new Random(4), 4));
    byte[] sound = repository.read(info.objectName());
    for (int bit = 0; bit < sound.length * 8; bit++) {
      byte[] changed = sound.clone();
      changed[bit / 8] ^= (byte) (1 << bit % 8);
      repository.write(info.objectName(), changed);
      assertThatThrownBy(() -> archive.read(info)).isInstanceOf(SnapshotException.class);
    }
    SegmentInfo pretended =
        new SegmentInfo(
            KEY.id(),
            MEMBER,
            3,
            info.firstStamp(),
            info.lastStamp(),
            info.count(),
            true,
            info.storedBytes());
    repository.write(pretended.objectName(), sound);
    assertThatThrownBy(() -> archive.read(pretended)).isInstanceOf(SnapshotException.class);
  }

  @Test
  void leavesOtherObjectsAlone() {
    repository.write(KEY.id() + "/changes/" + MEMBER + "/0-1", new byte[1]);
    repository.write(KEY.id() + "/changes/rubbish", new byte[1]);
    assertThat(archive.list(0, Long.MAX_VALUE)).isEmpty();
    assertThat(archive.deleteBefore(Long.MAX_VALUE)).isZero();
    assertThat(repository.list("")).hasSize(2);
  }

  @Test
  void refusesChangesThatAreNotWhole() {
    assertThatThrownBy(() -> archive.append(MEMBER, 1, true, List.of()))
        .isInstanceOf(SnapshotException.class);
    assertThatThrownBy(() -> Change.clear(-1, 0, 0, "m")).isInstanceOf(SnapshotException.class);
    assertThatThrownBy(() -> new Change(1, 0, 0, "m", Change.Kind.PUT, null, new byte[1]))
        .isInstanceOf(SnapshotException.class);
    assertThatThrownBy(() -> new Change(1, 0, 0, "m", Change.Kind.CLEAR, null, new byte[1]))
        .isInstanceOf(SnapshotException.class);
  }
}
