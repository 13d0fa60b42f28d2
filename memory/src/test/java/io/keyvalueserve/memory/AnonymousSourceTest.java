package io.keyvalueserve.memory;

import static io.keyvalueserve.memory.Heaps.PAGE;
import static io.keyvalueserve.memory.Heaps.assertNothingOutstanding;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Huge pages and NUMA nodes: for real where this machine has them, told by fixtures otherwise. */
class AnonymousSourceTest {

  private static final long MIB = 1 << 20;

  @TempDir Path root;

  private static HeapConfig heap(Source source, long bytes) {
    return HeapConfig.of(new PoolConfig("p", source, bytes, false));
  }

  @Test
  void asksForTransparentHugePages() {
    String setting =
        Machine.firstLine(Path.of("/sys/kernel/mm/transparent_hugepage/enabled")).orElse("[never]");
    assumeTrue(!setting.contains("[never]"), "transparent huge pages are off on this machine");
    try (PageHeap heap = PageHeap.open(heap(new Source.TransparentHugePages(), 8 * MIB))) {
      long run = heap.acquire(64);
      Extent mapped = new Extent(run, 4 * MIB);
      assertThat(run % (2 * MIB)).isZero();
      assertThat(Smaps.allHaveFlag(mapped, "hg")).isTrue();
      Heaps.write(run, 64, 1);
      // The kernel gives what it has: 0 on a machine whose memory is in small pieces.
      assertThat(Smaps.bytes(mapped, "AnonHugePages") % (2 * MIB)).isZero();
      heap.release(run, 64);
      assertThat(heap.returnToOs()).isEqualTo(4 * MIB);
      assertThat(Smaps.bytes(mapped, "AnonHugePages")).isZero();
      assertNothingOutstanding(heap);
    }
  }

  @Test
  void refusesTransparentHugePagesThatAreOff() {
    Fixture machine =
        new Fixture(root).sys("kernel/mm/transparent_hugepage/enabled", "always madvise [never]");
    assertThatThrownBy(() -> machine.open(heap(new Source.TransparentHugePages(), 8 * MIB)))
        .isInstanceOf(MemorySourceException.class)
        .hasMessageContaining("pool 'p' wants transparent huge pages, which are off")
        .hasMessageContaining("echo madvise > ");
  }

  @Test
  void claimsHugePagesThatWereSetApart() {
    long free =
        Machine.firstLine(Path.of("/sys/kernel/mm/hugepages/hugepages-2048kB/free_hugepages"))
            .map(Long::parseLong)
            .orElse(0L);
    assumeTrue(free >= 2, "no huge pages are set apart on this machine (sysctl vm.nr_hugepages=2)");
    Source huge = new Source.HugePages(Source.HugePages.TWO_MIB);
    try (PageHeap heap = PageHeap.open(heap(huge, 5 * MIB))) {
      assertThat(Heaps.pool(heap, "p").capacityBytes()).isEqualTo(4 * MIB);
      long run = heap.acquire(64);
      Heaps.write(run, 64, 3);
      assertThat(Smaps.allHaveFlag(new Extent(run, 4 * MIB), "ht")).isTrue();
      heap.release(run, 64);
      assertThat(heap.returnToOs()).as("they stay claimed").isZero();
      assertNothingOutstanding(heap);
    }
  }

  @Test
  void saysHowManyHugePagesAreFreeAndHowToReserveThem() {
    Fixture machine =
        new Fixture(root)
            .sys("kernel/mm/hugepages/hugepages-2048kB/nr_hugepages", "8")
            .sys("kernel/mm/hugepages/hugepages-2048kB/free_hugepages", "5")
            .sys("kernel/mm/hugepages/hugepages-2048kB/resv_hugepages", "2");
    long terabyte = 1L << 40;
    assertThatThrownBy(
            () -> machine.open(heap(new Source.HugePages(Source.HugePages.TWO_MIB), terabyte)))
        .isInstanceOf(MemorySourceException.class)
        .hasMessageContaining("wants 524288 huge pages of 2 MiB, free are 3")
        .hasMessageContaining("sysctl vm.nr_hugepages=524293");
    assertThatThrownBy(
            () -> machine.open(heap(new Source.HugePages(Source.HugePages.ONE_GIB), terabyte)))
        .isInstanceOf(MemorySourceException.class)
        .hasMessageContaining("wants 1024 huge pages of 1024 MiB, free are 0")
        .hasMessageContaining("hugepagesz=1G hugepages=1024");
  }

  @Test
  void refusesLessThanOneHugePage() {
    assertThatThrownBy(
            () -> PageHeap.open(heap(new Source.HugePages(Source.HugePages.TWO_MIB), MIB)))
        .isInstanceOf(MemorySourceException.class)
        .hasMessageContaining("at least one of its huge pages");
  }

  /** Binds for real, and asks the kernel afterwards what it has made of it. */
  @ParameterizedTest
  @EnumSource(NumaPolicy.class)
  void bindsToNodesOfThisMachine(NumaPolicy policy) {
    NumaTopology topology = Machine.local().numa();
    assumeTrue(!topology.nodesWithMemory().isEmpty(), "the kernel is built without NUMA");
    assumeTrue(
        policy != NumaPolicy.WEIGHTED_INTERLEAVE
            || Path.of("/sys/kernel/mm/mempolicy/weighted_interleave").toFile().isDirectory(),
        "the kernel is older than Linux 6.9: no weighted interleave");
    int node = topology.nodesWithMemory().getFirst();
    try (PageHeap heap = PageHeap.open(heap(new Source.NumaNodes(policy, node), 16 * PAGE))) {
      long run = heap.acquire(4);
      Heaps.write(run, 4, 4);
      assertThat(policyAt(run)).isEqualTo(policy.mode(1));
      PoolReport pool = Heaps.pool(heap, "p");
      assertThat(pool.node()).isEqualTo(node);
      assertThat(pool.detail()).isEqualTo("nodes=[" + node + "] policy=" + policy);
      heap.release(run, 4);
      assertThat(heap.returnToOs()).isEqualTo(4 * PAGE);
      assertNothingOutstanding(heap);
    }
  }

  @Test
  void bindsHugePagesOfNode() {
    NumaTopology topology = Machine.local().numa();
    assumeTrue(!topology.nodesWithMemory().isEmpty(), "the kernel is built without NUMA");
    Source source =
        new Source.NumaNodes(topology.nodesWithMemory(), NumaPolicy.BIND, /* hugePages= */ true);
    try (PageHeap heap = PageHeap.open(heap(source, 4 * MIB))) {
      long run = heap.acquire(64);
      assertThat(Smaps.allHaveFlag(new Extent(run, 4 * MIB), "hg")).isTrue();
      assertThat(policyAt(run)).isEqualTo(NumaPolicy.BIND.mode(1));
      heap.release(run, 64);
      assertNothingOutstanding(heap);
    }
  }

  @Test
  void namesTheNodesThatExist() {
    Fixture machine = new Fixture(root).twoSocketsAndCxl();
    assertThatThrownBy(() -> machine.open(heap(new Source.NumaNodes(NumaPolicy.BIND, 2, 7), PAGE)))
        .isInstanceOf(MemorySourceException.class)
        .hasMessage(
            "pool 'p' names NUMA node 7, which does not exist; nodes with memory here: [0, 1, 2]");
  }

  @Test
  void refusesNodeWithoutMemory() {
    Fixture machine =
        new Fixture(root).twoSocketsAndCxl().sys("devices/system/node/has_memory", "0,2");
    assertThatThrownBy(
            () -> machine.open(heap(new Source.NumaNodes(NumaPolicy.INTERLEAVE, 0, 1), PAGE)))
        .hasMessage(
            "pool 'p' names NUMA node 1, which has no memory; nodes with memory here: [0, 2]");
  }

  @Test
  void namesTheRemedyWhereWeightedInterleaveIsUnknown() {
    Fixture machine = new Fixture(root).twoSocketsAndCxl();
    assertThatThrownBy(
            () ->
                machine.open(
                    heap(new Source.NumaNodes(NumaPolicy.WEIGHTED_INTERLEAVE, 0, 1), PAGE)))
        .isInstanceOf(MemorySourceException.class)
        .hasMessageContaining("came with Linux 6.9; use INTERLEAVE or a newer kernel");
  }

  /** The fixture has nodes that the kernel has not: its own refusal is explained too. */
  @Test
  void explainsWhatTheKernelRefuses() {
    assumeTrue(Machine.local().numa().nodes().size() == 1, "this machine has more than one node");
    Fixture machine = new Fixture(root).twoSocketsAndCxl();
    assertThatThrownBy(() -> machine.open(heap(new Source.NumaNodes(NumaPolicy.BIND, 2), PAGE)))
        .isInstanceOf(MemorySourceException.class)
        .hasMessageContaining("cannot be bound to NUMA nodes [2] with BIND")
        .hasMessageContaining("cpuset");
  }

  @Test
  void manyPreferredNodesAreAnotherModeOfTheKernel() {
    assertThat(NumaPolicy.PREFERRED.mode(1)).isEqualTo(1);
    assertThat(NumaPolicy.BIND.mode(2)).isEqualTo(2);
    assertThat(NumaPolicy.INTERLEAVE.mode(2)).isEqualTo(3);
    assertThat(NumaPolicy.PREFERRED.mode(2)).isEqualTo(5);
    assertThat(NumaPolicy.WEIGHTED_INTERLEAVE.mode(2)).isEqualTo(6);
  }

  /** Asks {@code get_mempolicy(2)} for the policy of an address; flags aside. */
  private static int policyAt(long address) {
    long number = System.getProperty("os.arch", "").equals("aarch64") ? 236 : 239;
    long ofAddress = 2; // MPOL_F_ADDR
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment mode = arena.allocate(ValueLayout.JAVA_INT);
      LibC.syscall(number, mode.address(), 0, 0, address, ofAddress, 0);
      return mode.get(ValueLayout.JAVA_INT, 0) & 0xfff;
    } catch (LibC.Failure e) {
      assumeTrue(false, "the kernel does not allow get_mempolicy: " + e.getMessage());
      throw new AssertionError(e);
    }
  }
}
