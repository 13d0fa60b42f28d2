package io.keyvalueserve.journal.sim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.keyvalueserve.journal.Disk;
import io.keyvalueserve.journal.DiskFile;
import io.keyvalueserve.journal.FileDisk;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalLong;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Goal: what was synced is in the file system, and without a seed nothing else is. Method: single
 * cases, and random operations on this disk and on a {@link SimulatedDisk} that keeps nothing.
 */
class WriteBackDiskTest {
  /** Draws 0 always: a crash of a simulated disk then keeps nothing that was not synced. */
  private static final RandomGenerator KEEPS_NOTHING = () -> 0L;

  private static final List<String> NAMES = List.of("a", "b", "c", "d/a", "d/b", "d/c");

  @TempDir private Path root;

  // ---- files

  @Test
  void bytesAreGoneThatWereNotSynced() throws IOException {
    WriteBackDisk disk = withSyncedFile("f", "certain");
    DiskFile file = disk.open("f", Disk.Access.CACHED);
    write(file, 2, "XXXXXXXXXXXX");
    assertThat(text(disk, "f")).isEqualTo("ceXXXXXXXXXXXX");
    assertThat(Files.readString(root.resolve("f"))).isEqualTo("certain");
    disk.crash();
    assertThat(text(open(), "f")).isEqualTo("certain");
  }

  @Test
  void aCutIsUndoneThatWasNotSyncedAndHidesWhatWasBehindIt() throws IOException {
    WriteBackDisk disk = withSyncedFile("f", "certain");
    DiskFile file = disk.open("f", Disk.Access.CACHED);
    file.truncate(3);
    write(file, 5, "x");
    assertThat(text(disk, "f")).isEqualTo("cer\0\0x");
    assertThat(Files.readString(root.resolve("f"))).isEqualTo("certain");
    file.sync();
    assertThat(Files.readString(root.resolve("f"))).isEqualTo("cer\0\0x");
  }

  @Test
  void aFileThatWasMadeWithItsSizeHasItWhenItIsSynced() throws IOException {
    WriteBackDisk disk = open();
    DiskFile file = disk.create("f", 10_000);
    disk.syncDirectory("");
    assertThat(file.size()).isEqualTo(10_000);
    assertThat(root.resolve("f")).isEmptyFile();
    file.sync();
    assertThat(Files.readAllBytes(root.resolve("f"))).isEqualTo(new byte[10_000]);
  }

  @Test
  void whatIsClosedWithoutASyncCanBeSyncedLater() throws IOException {
    WriteBackDisk disk = open();
    try (DiskFile file = disk.create("f", 0)) {
      write(file, 0, "first");
    }
    disk.syncDirectory("");
    try (DiskFile file = disk.open("f", Disk.Access.READ)) {
      assertThatThrownBy(() -> write(file, 0, "x")).hasMessageContaining("for reading");
      file.sync();
    }
    disk.crash();
    assertThat(text(open(), "f")).isEqualTo("first");
  }

  // ---- names

  @Test
  void aSyncedFileIsGoneWhoseDirectoryWasNot() throws IOException {
    WriteBackDisk disk = open();
    try (DiskFile file = disk.create("f", 0)) {
      write(file, 0, "synced");
      file.sync();
    }
    assertThat(disk.list("")).containsExactly("f");
    assertThatThrownBy(() -> disk.create("f", 0)).isInstanceOf(FileAlreadyExistsException.class);
    disk.crash();
    assertThat(open().exists("f")).isFalse();
    assertThatThrownBy(() -> open().open("f", Disk.Access.READ))
        .isInstanceOf(NoSuchFileException.class);
  }

  @Test
  void aFileIsReplacedAtOnceAndWithTheSyncOfItsDirectory() throws IOException {
    WriteBackDisk disk = withSyncedFile("f", "old");
    try (DiskFile file = disk.create("f.new", 0)) {
      write(file, 0, "new");
      file.sync();
    }
    disk.rename("f.new", "f");
    assertThat(text(disk, "f")).isEqualTo("new");
    assertThat(Files.readString(root.resolve("f"))).isEqualTo("old");
    disk.syncDirectory("");
    assertThat(Files.readString(root.resolve("f"))).isEqualTo("new");
    assertThat(disk.list("")).containsExactly("f");
  }

  @Test
  void aFileIsThereThatWasRemovedWithoutASyncOfItsDirectory() throws IOException {
    WriteBackDisk disk = withSyncedFile("f", "stays");
    disk.delete("f");
    assertThat(disk.exists("f")).isFalse();
    assertThat(disk.list("")).isEmpty();
    disk.crash();
    WriteBackDisk next = open();
    assertThat(text(next, "f")).isEqualTo("stays");
    next.delete("f");
    next.syncDirectory("");
    assertThat(root.resolve("f")).doesNotExist();
  }

  @Test
  void aDirectoryIsGoneWithAllInItUnlessTheOneAboveWasSynced() throws IOException {
    WriteBackDisk disk = open();
    disk.makeDirectory("x/y");
    try (DiskFile file = disk.create("x/y/f", 0)) {
      write(file, 0, "in it");
      file.sync();
    }
    disk.syncDirectory("x/y");
    disk.syncDirectory("");
    assertThat(disk.list("x/y")).containsExactly("f");
    assertThat(root.resolve("x")).isEmptyDirectory();
    disk.syncDirectory("x");
    assertThat(Files.readString(root.resolve("x/y/f"))).isEqualTo("in it");
    assertThat(text(disk, "x/y/f")).isEqualTo("in it");
    disk.delete("x/y/f");
    disk.syncDirectory("x/y");
    assertThat(root.resolve("x/y")).isEmptyDirectory();
  }

  @Test
  void aFileMovesWithTheSyncOfTheDirectoryThatItMovesTo() throws IOException {
    WriteBackDisk disk = withSyncedFile("f", "moves");
    disk.makeDirectory("q");
    disk.syncDirectory("");
    disk.rename("f", "q/f");
    disk.syncDirectory("");
    assertThat(root.resolve("f")).exists();
    disk.syncDirectory("q");
    assertThat(root.resolve("f")).doesNotExist();
    assertThat(root.resolve("q/f")).hasContent("moves");
  }

  @Test
  void aFileThatMovedAwayDoesNotComeBackWithALaterSyncOfWhereItWas() throws IOException {
    WriteBackDisk disk = open();
    disk.makeDirectory("q");
    disk.syncDirectory("");
    disk.create("f", 0).close();
    disk.rename("f", "q/f");
    disk.syncDirectory("q");
    disk.syncDirectory("");
    assertThat(root.resolve("f")).doesNotExist();
    assertThat(root.resolve("q/f")).exists();
  }

  @Test
  void aFileIsNotLostWhoseOldNameIsTakenBeforeTheNewOneIsCertain() throws IOException {
    WriteBackDisk disk = withSyncedFile("f", "first");
    disk.makeDirectory("q");
    disk.syncDirectory("");
    disk.rename("f", "q/f");
    disk.create("f", 0).close();
    disk.syncDirectory("");
    assertThat(text(disk, "q/f")).isEqualTo("first");
    disk.syncDirectory("q");
    assertThat(root.resolve("q/f")).hasContent("first");
    assertThat(root.resolve("f")).isEmptyFile();
  }

  @Test
  void nothingIsKeptByADiskThatNeverSyncs() throws IOException {
    WriteBackDisk disk = WriteBackDisk.thatNeverSyncs(root);
    try (DiskFile file = disk.create("f", 0)) {
      write(file, 0, "synced");
      file.sync();
    }
    disk.syncDirectory("");
    assertThat(text(disk, "f")).isEqualTo("synced");
    disk.crash();
    assertThat(open().list("")).isEmpty();
  }

  @Test
  void locksAreFreeAfterACrashAndFilesAreNotUsable() throws IOException {
    WriteBackDisk disk = open();
    DiskFile file = disk.create("f", 0);
    disk.lock("LOCK");
    disk.crash();
    assertThatThrownBy(() -> write(file, 0, "x")).isInstanceOf(IOException.class);
    assertThatThrownBy(file::sync).isInstanceOf(IOException.class);
    assertThatThrownBy(() -> disk.syncDirectory("")).isInstanceOf(IOException.class);
    file.close();
    open().lock("LOCK").close();
  }

  // ---- random operations

  @Test
  void isSeenAsAnyDiskIsAndKeepsWhatWasSyncedAndNothingElse() throws IOException {
    for (long seed = 1; seed <= 60; seed++) {
      try {
        compare(seed, Files.createDirectory(root.resolve("s" + seed)));
      } catch (AssertionError | IOException e) {
        throw new AssertionError("seed=" + seed, e);
      }
    }
  }

  private static void compare(long seed, Path folder) throws IOException {
    SplittableRandom random = new SplittableRandom(seed);
    SimulatedDisk model = new SimulatedDisk(512);
    Files.createDirectory(folder.resolve("d"));
    for (int life = 0; life < 4; life++) {
      WriteBackDisk disk = WriteBackDisk.at(folder, OptionalLong.empty());
      requireSame(model, disk);
      for (int i = random.nextInt(80); i >= 0; i--) {
        step(random, model, disk);
      }
      requireSame(model, disk);
      disk.crash();
      model.crash(KEEPS_NOTHING);
      requireSame(model, FileDisk.at(folder));
    }
  }

  private static void step(SplittableRandom random, Disk model, Disk disk) throws IOException {
    String name = NAMES.get(random.nextInt(NAMES.size()));
    String directory = name.startsWith("d/") ? "d" : "";
    switch (random.nextInt(10)) {
      case 0 -> both(model, disk, each -> each.syncDirectory(directory));
      case 1 -> both(model, disk, each -> each.delete(name));
      case 2 -> {
        String to = directory.isEmpty() ? "c" : "d/c";
        if (model.exists(name) && !to.equals(name)) {
          both(model, disk, each -> each.rename(name, to));
        }
      }
      default -> {
        if (!model.exists(name)) {
          int bytes = 512 * random.nextInt(4);
          both(model, disk, each -> each.create(name, bytes).close());
        } else {
          int offset = random.nextInt(3_000);
          byte[] bytes = new byte[random.nextInt(2_000)];
          Arrays.fill(bytes, (byte) random.nextInt(1, 127));
          int what = random.nextInt(5);
          both(
              model,
              disk,
              each -> {
                try (DiskFile file = each.open(name, Disk.Access.CACHED)) {
                  switch (what) {
                    case 0 -> file.truncate(offset);
                    case 1 -> file.sync();
                    default -> file.write(offset, MemorySegment.ofArray(bytes));
                  }
                }
              });
        }
      }
    }
    requireSame(model, disk);
  }

  /**
   * With a seed some of what was not synced is there; but each byte is one that was written there
   * since the last sync, or the synced one, or a zero of a file that grew.
   */
  @Test
  void whatIsWrittenBackEarlyWasWritten() throws IOException {
    int early = 0;
    for (long seed = 1; seed <= 60; seed++) {
      Path folder = Files.createDirectory(root.resolve("s" + seed));
      SplittableRandom random = new SplittableRandom(seed);
      WriteBackDisk disk = WriteBackDisk.at(folder, OptionalLong.of(seed));
      DiskFile file = disk.create("f", 0);
      disk.syncDirectory("");
      int most = 6_000;
      boolean[][] possible = new boolean[most][128];
      byte[] seen = new byte[most];
      int size = 0;
      int leastSize = 0;
      for (int i = random.nextInt(60); i >= 0; i--) {
        int offset = random.nextInt(most);
        switch (random.nextInt(8)) {
          case 0 -> {
            file.sync();
            leastSize = size;
            for (int at = 0; at < most; at++) {
              Arrays.fill(possible[at], false);
              possible[at][at < size ? seen[at] : 0] = true;
            }
          }
          case 1 -> {
            file.truncate(offset);
            size = Math.min(size, offset);
            leastSize = Math.min(leastSize, size);
            Arrays.fill(seen, size, most, (byte) 0);
            for (int at = size; at < most; at++) {
              possible[at][0] = true; // in the sector that the cut is in
            }
          }
          default -> {
            byte[] bytes = new byte[random.nextInt(most - offset)];
            Arrays.fill(bytes, (byte) random.nextInt(1, 127));
            file.write(offset, MemorySegment.ofArray(bytes));
            System.arraycopy(bytes, 0, seen, offset, bytes.length);
            size = Math.max(size, bytes.length == 0 ? 0 : offset + bytes.length);
            for (int at = 0; at < most; at++) {
              possible[at][seen[at]] = true;
            }
          }
        }
      }
      byte[] certain = Files.readAllBytes(folder.resolve("f"));
      disk.crash();
      assertThat(certain.length).as("seed %d", seed).isGreaterThanOrEqualTo(leastSize);
      for (int at = 0; at < certain.length; at++) {
        assertThat(certain[at] == 0 || possible[at][certain[at]])
            .as("seed %d, byte %d is %d", seed, at, certain[at])
            .isTrue();
      }
      early += Arrays.equals(certain, Arrays.copyOf(seen, size)) ? 0 : 1;
    }
    assertThat(early).as("histories in which something was missing").isPositive();
  }

  private interface Operation {
    void on(Disk disk) throws IOException;
  }

  private static void both(Disk model, Disk disk, Operation operation) throws IOException {
    operation.on(model);
    operation.on(disk);
  }

  private static void requireSame(Disk model, Disk disk) throws IOException {
    assertThat(disk.list("d")).isEqualTo(model.list("d"));
    for (String name : NAMES) {
      assertThat(disk.exists(name)).as(name).isEqualTo(model.exists(name));
      if (model.exists(name)) {
        assertThat(bytes(disk, name)).as(name).isEqualTo(bytes(model, name));
      }
    }
  }

  private WriteBackDisk open() throws IOException {
    return WriteBackDisk.at(root, OptionalLong.empty());
  }

  private WriteBackDisk withSyncedFile(String name, String text) throws IOException {
    Files.writeString(root.resolve(name), text);
    return open();
  }

  private static void write(DiskFile file, long offset, String text) throws IOException {
    file.write(offset, MemorySegment.ofArray(text.getBytes(StandardCharsets.US_ASCII)));
  }

  private static String text(Disk disk, String name) throws IOException {
    return new String(bytes(disk, name), StandardCharsets.US_ASCII);
  }

  private static byte[] bytes(Disk disk, String name) throws IOException {
    try (DiskFile file = disk.open(name, Disk.Access.CACHED)) {
      byte[] bytes = new byte[(int) file.size()];
      assertThat(file.read(0, MemorySegment.ofArray(bytes))).isEqualTo(bytes.length);
      return bytes;
    }
  }
}
