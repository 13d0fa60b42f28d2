package io.keyvalueserve.memory;

import static io.keyvalueserve.memory.Heaps.PAGE;
import static io.keyvalueserve.memory.Heaps.assertNothingOutstanding;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** With the library where it is installed ({@code apt-get install libmemkind0}). */
class MemkindSourceTest {

  @TempDir Path directory;

  private static void assumeInstalled() {
    boolean installed;
    try {
      Memkind.load("test", Memkind.LIBRARY);
      installed = true;
    } catch (MemorySourceException e) {
      installed = false;
    }
    assumeTrue(installed, "the memkind library is not installed");
  }

  @Test
  void saysInOneLineThatTheLibraryIsAbsent() {
    assertThatThrownBy(() -> Memkind.load("pm", "libmemkind-absent.so.0"))
        .isInstanceOf(MemorySourceException.class)
        .hasMessageContaining(
            "pool 'pm' needs the memkind library, which is not installed: libmemkind-absent.so.0;"
                + " 'apt-get install libmemkind0'")
        .message()
        .doesNotContain("\n");
  }

  /** A capacity that is no power of two comes in several extents of one pool. */
  @Test
  void servesPagesOfDirectory() throws IOException {
    assumeInstalled();
    HeapConfig config =
        HeapConfig.of(
            new PoolConfig("pm", new Source.MemkindDirectory(directory), 700 * PAGE, false));
    try (PageHeap heap = PageHeap.open(config)) {
      long large = heap.acquire(640);
      long rest = heap.acquire(48);
      long last = heap.acquire(8);
      assertThat(List.of(large % PAGE, rest % PAGE, last % PAGE)).containsOnly(0L);
      assertThat(heap.contains(large + 639 * PAGE)).isTrue();
      Heaps.write(large, 640, 1);
      Heaps.write(rest, 48, 2);
      Heaps.write(last, 8, 3);
      Heaps.assertWritten(large, 640, 1);
      Heaps.assertWritten(rest, 48, 2);
      Heaps.assertWritten(last, 8, 3);
      assertThat(Smaps.entries(new Extent(large, PAGE)).getFirst())
          .as("mapped from the directory")
          .contains(directory.toString());
      assertThat(sizeOfItsFile()).isBetween(700 * PAGE, 700 * PAGE + (16 << 20));
      assertThat(Heaps.pool(heap, "pm").kind()).isEqualTo("memkind-pmem");
      heap.release(large, 640);
      heap.release(rest, 48);
      heap.release(last, 8);
      assertThat(heap.returnToOs()).isZero();
      assertNothingOutstanding(heap);
    }
    assertThat(directory).isEmptyDirectory();
  }

  /** The library unlinks its file at once: only the descriptor leads to it. */
  private long sizeOfItsFile() throws IOException {
    try (Stream<Path> files = Files.list(Path.of("/proc/self/fd"))) {
      for (Path file : files.toList()) {
        if (Files.isSymbolicLink(file)
            && Files.readSymbolicLink(file).startsWith(directory.toRealPath())) {
          return Files.size(file);
        }
      }
    }
    throw new AssertionError("no open file in " + directory);
  }

  @Test
  void refusesMoreThanTheDirectoryHasRoomFor() {
    assumeInstalled();
    long tooMuch = FileSource.freeBytes(directory) + (64L << 30);
    HeapConfig config =
        HeapConfig.of(new PoolConfig("pm", new Source.MemkindDirectory(directory), tooMuch, false));
    assertThatThrownBy(() -> PageHeap.open(config))
        .isInstanceOf(MemorySourceException.class)
        .hasMessageContaining("pool 'pm'")
        .hasMessageContaining("lower its capacity or make room");
  }

  /** The library would round other sizes up, and its file with them. */
  @Test
  void takesExtentsOfTheSizesTheLibraryHas() {
    assertThat(MemkindSource.sizeClass(PAGE)).isEqualTo(PAGE);
    assertThat(MemkindSource.sizeClass(3 * PAGE)).isEqualTo(2 * PAGE);
    assertThat(MemkindSource.sizeClass(5 * PAGE)).isEqualTo(5 * PAGE);
    assertThat(MemkindSource.sizeClass(700 * PAGE)).isEqualTo(640 * PAGE);
    assertThat(MemkindSource.sizeClass(1023 * PAGE)).isEqualTo(896 * PAGE);
  }

  /**
   * Node 0 stands in for persistent memory: the library takes any node it is told. It may still
   * refuse, as it wants libnuma and processors that are near; that is its choice and a skip.
   */
  @Test
  void servesPagesOfNodesThatItIsTold(@TempDir Path root) {
    assumeInstalled();
    assumeTrue(Machine.local().numa().nodesWithMemory().contains(0), "there is no node 0");
    HeapConfig config =
        HeapConfig.of(new PoolConfig("kmem", new Source.MemkindKmem(List.of(0)), 80 * PAGE, false));
    PageHeap opened;
    try {
      opened = PageHeap.open(config);
    } catch (MemorySourceException e) {
      assertThat(e).hasMessageContaining("daxctl reconfigure-device");
      assumeTrue(false, e.getMessage());
      throw e;
    }
    try (PageHeap heap = opened) {
      long run = heap.acquire(64);
      long other = heap.acquire(16);
      Heaps.write(run, 64, 1);
      Heaps.write(other, 16, 2);
      Heaps.assertWritten(run, 64, 1);
      Heaps.assertWritten(other, 16, 2);
      assertThat(Heaps.pool(heap, "kmem").detail()).isEqualTo("nodes=0");
      assertThat(Heaps.pool(heap, "kmem").node()).isZero();
      heap.release(run, 64);
      heap.release(other, 16);
      assertNothingOutstanding(heap);
    }
    // A process has one choice of nodes.
    HeapConfig another =
        HeapConfig.of(new PoolConfig("kmem", new Source.MemkindKmem(List.of(2)), PAGE, false));
    assertThatThrownBy(() -> new Fixture(root).twoSocketsAndCxl().open(another))
        .isInstanceOf(MemorySourceException.class)
        .hasMessageContaining("wants memkind's nodes 2, but MEMKIND_DAX_KMEM_NODES=0");
  }

  @Test
  void refusesNodesThatDoNotExist(@TempDir Path root) {
    HeapConfig config =
        HeapConfig.of(new PoolConfig("kmem", new Source.MemkindKmem(List.of(5)), PAGE, false));
    assertThatThrownBy(() -> new Fixture(root).twoSocketsAndCxl().open(config))
        .hasMessageContaining("names NUMA node 5, which does not exist");
  }
}
