package io.keyvalueserve.snapshots;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/** The verification of snapshots that are whole, and of those that are not. */
class VerificationTest {
  private static final TenantKey KEY = Samples.key(8);

  private final MemoryRepository repository = new MemoryRepository();
  private final ChunkStore chunks = new ChunkStore(repository, KEY);
  private final List<String> progress = new ArrayList<>();

  private Manifest.Chunk chunk(long seed) {
    List<SnapshotEntry> entries = Samples.entries(new Random(seed), 10);
    ChunkRef ref = chunks.write(entries);
    return new Manifest.Chunk(ref.name(), false, 1, 2, ref.entries(), 100);
  }

  private static Manifest of(Manifest.MapPart... maps) {
    return new Manifest(
        1,
        "s-20260131t235958-abcdef",
        KEY.id(),
        "t",
        "c",
        0,
        0,
        0,
        271,
        -42,
        0,
        "v",
        new Manifest.Totals(0, 0, 0, 0),
        List.of(maps));
  }

  private List<Verification.Problem> verify(Manifest manifest) {
    progress.clear();
    return Verification.verify(
        manifest, chunks, (done, of, bytes) -> progress.add(done + "/" + of + " " + bytes));
  }

  private String object(Manifest.Chunk chunk) {
    return KEY.id() + "/chunks/" + chunk.name().substring(0, 2) + "/" + chunk.name();
  }

  @Test
  void findsNothingInAWholeSnapshot() {
    Manifest.Chunk shared = chunk(1);
    Manifest manifest =
        of(
            new Manifest.MapPart("a", "{}", List.of(shared, chunk(2))),
            new Manifest.MapPart("b", "{}", List.of(shared)),
            new Manifest.MapPart("empty", "{}", List.of()));
    assertThat(verify(manifest)).isEmpty();
    assertThat(progress).containsExactly("1/3 100", "2/3 200", "3/3 300");
  }

  @Test
  void findsEachProblemWhereItIs() {
    Manifest.Chunk missing = chunk(1);
    Manifest.Chunk damaged = chunk(2);
    Manifest.Chunk sound = chunk(3);
    Manifest.Chunk wrong =
        new Manifest.Chunk(sound.name(), false, 5, 6, sound.entries() + 1, sound.bytes());
    Manifest.Chunk hostile = new Manifest.Chunk("../../etc", false, 0, 0, 1, 1);
    repository.delete(object(missing));
    byte[] bytes = repository.read(object(damaged));
    bytes[bytes.length - 1] ^= 1;
    repository.write(object(damaged), bytes);
    Manifest manifest =
        of(
            new Manifest.MapPart("a", "{}", List.of(missing, sound)),
            new Manifest.MapPart("b", "{}", List.of(damaged, missing, wrong, hostile)));
    List<Verification.Problem> problems = verify(manifest);
    assertThat(problems)
        .extracting(problem -> problem.map() + " " + problem.fault())
        .containsExactly("a MISSING", "b DAMAGED", "b MISSING", "b WRONG_COUNT", "b DAMAGED");
    assertThat(problems.get(3).fromPartition()).isEqualTo(5);
    assertThat(problems.get(3).detail()).contains("instead of " + (sound.entries() + 1));
    assertThat(progress).hasSize(6);
  }

  @Test
  void throwsWhenTheRepositoryFails() {
    AtomicBoolean away = new AtomicBoolean();
    Repository failing =
        new ForwardingRepository(repository) {
          @Override
          public byte[] read(String name) {
            if (away.get()) {
              throw new SnapshotException(SnapshotException.Kind.UNAVAILABLE, "away");
            }
            return super.read(name);
          }
        };
    Manifest manifest = of(new Manifest.MapPart("a", "{}", List.of(chunk(1))));
    ChunkStore store = new ChunkStore(failing, KEY);
    assertThat(Verification.verify(manifest, store, (done, of, bytes) -> {})).isEmpty();
    away.set(true);
    assertThatThrownBy(() -> Verification.verify(manifest, store, (done, of, bytes) -> {}))
        .isInstanceOf(SnapshotException.class)
        .hasMessage("away");
  }
}
