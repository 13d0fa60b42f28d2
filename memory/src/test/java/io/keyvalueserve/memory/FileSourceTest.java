package io.keyvalueserve.memory;

import static io.keyvalueserve.memory.Heaps.PAGE;
import static io.keyvalueserve.memory.Heaps.assertNothingOutstanding;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FileSourceTest {

  @TempDir Path directory;

  private HeapConfig heapOf(long bytes) {
    return HeapConfig.of(new PoolConfig("pm", new Source.Directory(directory), bytes, false));
  }

  @Test
  void holdsSizeAndSpaceOfItsFileFromOpenToClose() throws IOException {
    try (PageHeap heap = PageHeap.open(heapOf(50 * PAGE))) {
      Path file = onlyFile();
      assertThat(Files.size(file)).isEqualTo(50 * PAGE);
      assertThat(((Number) Files.getAttribute(file, "unix:mode")).intValue() & 0777)
          .as("for its owner only: %s", PosixFilePermissions.fromString("rw-------"))
          .isEqualTo(0600);
      assertThat(spaceOf(file)).isGreaterThanOrEqualTo(50 * PAGE);
      long run = heap.acquire(50);
      Heaps.write(run, 50, 5);
      assertThat(Files.readAllBytes(file)[0]).as("written through the mapping").isEqualTo((byte) 5);
      heap.release(run, 50);
      assertThat(heap.returnToOs()).as("its space stays reserved").isZero();
      assertThat(spaceOf(file)).isGreaterThanOrEqualTo(50 * PAGE);
      assertNothingOutstanding(heap);
    }
    assertThat(directory).isEmptyDirectory();
  }

  @Test
  void alignsLargeFilesForHugeMappings() {
    try (PageHeap heap = PageHeap.open(heapOf(4 << 20))) {
      long page = heap.acquire(1);
      assertThat(page % (2 << 20)).isZero();
      heap.release(page, 1);
      assertNothingOutstanding(heap);
    }
  }

  @Test
  void removesFilesOfDeadProcessesOnly() throws Exception {
    Path stale = Files.write(directory.resolve("kvs-old.1.abc.pages"), new byte[10]);
    Path foreign = Files.write(directory.resolve("precious.pages"), new byte[10]);
    try (PageHeap first = PageHeap.open(heapOf(PAGE))) {
      assertThat(stale).doesNotExist();
      try (PageHeap second = PageHeap.open(heapOf(PAGE))) {
        assertThat(pageFiles()).as("one each").hasSize(2);
        long page = first.acquire(1);
        Heaps.write(page, 1, 9);
        Heaps.assertWritten(page, 1, 9);
        first.release(page, 1);
        assertNothingOutstanding(first);
        assertNothingOutstanding(second);
      }
      assertThat(pageFiles()).hasSize(1);
    }
    assertThat(foreign).exists();
  }

  /** A process that is killed while it holds a lock leaves a file that the next one removes. */
  @Test
  void removesFileOfProcessThatWasKilled() throws Exception {
    Path file = Files.write(directory.resolve("kvs-pm.2.def.pages"), new byte[10]);
    // flock(1) is of util-linux, on every Linux.
    Process holder = new ProcessBuilder("flock", "--no-fork", file.toString(), "cat").start();
    try {
      holder.getOutputStream().write('x');
      holder.getOutputStream().flush();
      assertThat(holder.getInputStream().read()).as("it runs, so it has the lock").isEqualTo('x');
      assertThat(FileSource.removeStale(directory)).isZero();
      assertThat(file).exists();
    } finally {
      holder.destroyForcibly().waitFor();
    }
    assertThat(FileSource.removeStale(directory)).isEqualTo(1);
    assertThat(file).doesNotExist();
  }

  @Test
  void refusesMoreThanTheDirectoryHasRoomFor() {
    long tooMuch = FileSource.freeBytes(directory) + (64L << 30);
    assertThatThrownBy(() -> PageHeap.open(heapOf(tooMuch)))
        .isInstanceOf(MemorySourceException.class)
        .hasMessageContaining("pool 'pm' does not fit into directory " + directory)
        .hasMessageContaining("make room");
    assertThat(directory).isEmptyDirectory();
  }

  @Test
  void refusesDirectoryThatIsNone() {
    Path absent = directory.resolve("pmem0");
    assertThatThrownBy(
            () ->
                PageHeap.open(
                    HeapConfig.of(new PoolConfig("pm", new Source.Directory(absent), PAGE, false))))
        .isInstanceOf(MemorySourceException.class)
        .hasMessageContaining(absent + " is no directory; create it, or mount the device there");
  }

  @Test
  void saysWhetherMapSyncTook() {
    HeapConfig config =
        HeapConfig.of(
            new PoolConfig("pm", new Source.Directory(directory, true, -1), 4 * PAGE, true));
    try (PageHeap heap = PageHeap.open(config)) {
      PoolReport pool = Heaps.pool(heap, "pm");
      boolean took = pool.detail().endsWith(" MAP_SYNC") && !pool.detail().contains("without");
      long page = heap.acquire(1);
      Extent mapped = new Extent(page, PAGE);
      assertThat(Smaps.allHaveFlag(mapped, "sf")).isEqualTo(took);
      assertThat(pool.residentBytes()).as("touched at open").isEqualTo(4 * PAGE);
      heap.release(page, 1);
      assertNothingOutstanding(heap);
    }
  }

  @Test
  void servesSeveralMountsAsOneHeap(@TempDir Path other) {
    HeapConfig config =
        HeapConfig.of(
            new PoolConfig("pm0", new Source.Directory(directory), 8 * PAGE, false),
            new PoolConfig("pm1", new Source.Directory(other), 8 * PAGE, false));
    try (PageHeap heap = PageHeap.open(config)) {
      List<Long> pages = Stream.generate(() -> heap.acquire(1)).limit(16).toList();
      assertThat(pages).doesNotHaveDuplicates().allMatch(heap::contains);
      assertThat(Heaps.pool(heap, "pm0").freeBytes()).isZero();
      assertThat(Heaps.pool(heap, "pm1").freeBytes()).isZero();
      pages.forEach(page -> heap.release(page, 1));
      assertNothingOutstanding(heap);
    }
    assertThat(other).isEmptyDirectory();
  }

  private Path onlyFile() throws IOException {
    List<Path> files = pageFiles();
    assertThat(files).hasSize(1);
    return files.getFirst();
  }

  private List<Path> pageFiles() throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      return files.filter(path -> path.getFileName().toString().startsWith("kvs-")).toList();
    }
  }

  private static long spaceOf(Path file) throws IOException {
    Process du = new ProcessBuilder("du", "--block-size=1", file.toString()).start();
    return Long.parseLong(
        new String(du.getInputStream().readAllBytes(), UTF_8).split("\\s", -1)[0]);
  }
}
