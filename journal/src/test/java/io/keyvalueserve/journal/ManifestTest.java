package io.keyvalueserve.journal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.keyvalueserve.journal.sim.Faults;
import io.keyvalueserve.journal.sim.SimulatedDisk;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** The manifest stays as short as what it says, and says the same whatever happens meanwhile. */
class ManifestTest {
  private static final int FEW_LINES = 60;

  private final SimulatedDisk disk = new SimulatedDisk(512);

  @Test
  void staysShortWhileChunksAndBlobsComeAndGo() throws IOException {
    Manifest manifest = open(disk);
    manifest.addChunk(chunk(manifest.nextChunk()));
    manifest.addBlobs(List.of(manifest.nextBlob()));
    for (int i = 0; i < 1_000; i++) {
      comeAndGo(manifest);
      assertThat(lines(disk)).isLessThan(FEW_LINES);
    }
    assertThat(manifest.shrinkings()).isBetween(10, 500);
    manifest.close();
    Manifest back = Manifest.read(disk);
    assertThat(back.chunks().keySet()).containsExactly(1L);
    assertThat(back.hasBlob(1)).isTrue();
    assertThat(back.nextChunk()).as("numbers are not given again").isEqualTo(1_002);
    assertThat(back.nextBlob()).isEqualTo(1_002);
    assertThat(disk.openFiles()).isZero();
  }

  @Test
  void remembersWhichBlobsAreGoneWhileThereAreFramesOfThem() throws IOException {
    Manifest manifest = open(disk);
    manifest.addChunk(chunk(1));
    manifest.addChunk(chunk(2));
    manifest.addBlobs(List.of(1L, 2L));
    manifest.removeBlobs(Map.of(1L, Set.of(1L, 2L), 2L, Set.of(1L)));
    manifest.removeChunk(1);
    comeAndGoUntilShorter(manifest);
    Manifest with = Manifest.read(disk);
    assertThat(with.isChunkGone(1)).as("its file may still be there").isTrue();
    assertThat(with.isBlobGone(1)).isTrue();
    assertThat(with.isBlobGone(2)).isTrue();
    manifest.forgetChunk(1);
    comeAndGoUntilShorter(manifest);
    Manifest without = Manifest.read(disk);
    assertThat(without.isChunkGone(1)).isFalse();
    assertThat(without.isBlobGone(1)).as("another chunk has a frame of it").isTrue();
    assertThat(without.isBlobGone(2)).isFalse();
    manifest.removeChunk(2);
    manifest.forgetChunk(2);
    comeAndGoUntilShorter(manifest);
    assertThat(Manifest.read(disk).isBlobGone(1)).isFalse();
    manifest.close();
  }

  @Test
  void saysTheSameBeforeAndAfterACrashAtAnyMoment() throws IOException {
    boolean whole = false;
    for (int operations = 0; !whole; operations++) {
      for (int seed = 0; seed < 3; seed++) {
        whole = crashAfter(operations, new Random(seed));
      }
    }
  }

  /** Returns whether the power held until all was done. */
  private static boolean crashAfter(int operations, Random random) throws IOException {
    SimulatedDisk disk = new SimulatedDisk(512);
    Manifest manifest = open(disk);
    int[] left = {operations};
    disk.setFaults(
        (operation, name, offset) -> {
          if (left[0]-- <= 0) {
            throw new IOException("the power is gone");
          }
        });
    Set<Long> before = new TreeSet<>(); // the last state that was certain
    Set<Long> after = new TreeSet<>(); // the one that was being made so
    boolean done = false;
    try {
      for (long id = 1; id <= 30; id++) {
        after.add(id);
        manifest.addChunk(chunk(id));
        before.add(id);
        if (id % 6 != 0) {
          after.remove(id);
          manifest.removeChunk(id);
          before.remove(id);
          manifest.forgetChunk(id);
        }
      }
      done = true;
    } catch (IOException e) {
      assertThat(e).hasMessageContaining("power");
    }
    assertThat(!done || manifest.shrinkings() > 0).isTrue();
    disk.crash(random);
    Manifest back = Manifest.read(disk);
    assertThat(back.isMissing()).isFalse();
    assertThat(back.damagedAt()).isEmpty();
    assertThat(back.chunks().keySet()).as("after %d operations", operations).isIn(before, after);
    manifest.close();
    return done;
  }

  @Test
  void goesOnWithTheOldOneWhereThereIsNoSpaceForTheNew() throws IOException {
    Manifest manifest = open(disk);
    for (long id = 1; id <= 100; id++) {
      manifest.addChunk(chunk(manifest.nextChunk()));
    }
    String fresh = LogFiles.MANIFEST + ".new";
    disk.setFaults(
        (operation, name, offset) -> {
          if (operation == Faults.Operation.WRITE && name.equals(fresh)) {
            throw new NoSpaceException("no space for " + name);
          }
        });
    for (int i = 0; i < 200; i++) {
      comeAndGo(manifest);
    }
    assertThat(lines(disk)).as("far more than it needs").isGreaterThan(800);
    assertThat(manifest.shrinkings()).isZero();
    assertThat(disk.exists(fresh)).isFalse();
    assertThat(Manifest.read(disk).chunks()).hasSize(100);
    disk.setFaults(Faults.NONE);
    comeAndGoUntilShorter(manifest);
    assertThat(Manifest.read(disk).chunks()).hasSize(100);
    manifest.close();
  }

  @Test
  void refusesChangesAfterOneThatTheDiskRefused() throws IOException {
    Manifest manifest = open(disk);
    manifest.addChunk(chunk(1));
    disk.setFaults(
        (operation, name, offset) -> {
          if (operation == Faults.Operation.SYNC) {
            throw new IOException("Input/output error");
          }
        });
    assertThatThrownBy(() -> manifest.addChunk(chunk(2)))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("file=sim:/manifest")
        .hasMessageContaining("offset=");
    disk.setFaults(Faults.NONE); // it would succeed now, and prove nothing
    assertThatThrownBy(() -> manifest.addChunk(chunk(3)))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("failed before");
    manifest.close();
  }

  private static Manifest open(SimulatedDisk disk) throws IOException {
    Manifest manifest = Manifest.read(disk);
    manifest.rewrite(0, List.of(), Set.of(), Set.of(), Map.of(), Map.of());
    return manifest;
  }

  /** A chunk is made, a blob with a frame in it comes and goes, and the chunk goes. */
  private static void comeAndGo(Manifest manifest) throws IOException {
    long chunk = manifest.nextChunk();
    long blob = manifest.nextBlob();
    manifest.addChunk(chunk(chunk));
    manifest.addBlobs(List.of(blob));
    manifest.removeBlobs(Map.of(blob, Set.of(chunk)));
    manifest.removeChunk(chunk);
    manifest.forgetChunk(chunk);
  }

  private static void comeAndGoUntilShorter(Manifest manifest) throws IOException {
    int before = manifest.shrinkings();
    for (int i = 0; manifest.shrinkings() == before; i++) {
      assertThat(i).isLessThan(1_000);
      comeAndGo(manifest);
    }
  }

  private static Manifest.Entry chunk(long id) {
    return new Manifest.Entry(id, 1, 0, 8192, 32_768, -1);
  }

  private static long lines(SimulatedDisk disk) throws IOException {
    return CrcLines.read(disk, LogFiles.MANIFEST).lines().count();
  }
}
