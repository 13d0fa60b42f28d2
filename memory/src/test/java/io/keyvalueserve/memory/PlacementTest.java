package io.keyvalueserve.memory;

import static io.keyvalueserve.memory.Heaps.PAGE;
import static io.keyvalueserve.memory.Heaps.assertNothingOutstanding;
import static io.keyvalueserve.memory.Heaps.dram;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The nearest pool first, on a machine with two sockets and a CXL node that is told by a fixture.
 * The pools are real: files that claim to be on devices of those nodes.
 */
class PlacementTest {

  @TempDir Path root;
  @TempDir Path directory;

  private final AtomicInteger cpu = new AtomicInteger();

  private PoolConfig onNode(String name, int node) {
    return new PoolConfig(name, new Source.Directory(directory, false, node), 2 * PAGE, false);
  }

  private PageHeap open(PoolConfig... pools) {
    HeapConfig config =
        new HeapConfig(List.of(new TierConfig("tier", Placement.LOCAL, List.of(pools))));
    return new Fixture(root).twoSocketsAndCxl().open(config, cpu::get);
  }

  @Test
  void servesFromTheNearestPoolThenTheNextNearest() {
    try (PageHeap heap =
        open(dram("unknown", 2), onNode("n0", 0), onNode("cxl", 2), onNode("n1", 1))) {
      cpu.set(5); // on node 1: itself 10, the CXL node 14, node 0 21
      assertThat(order(heap))
          .containsExactly("n1", "n1", "cxl", "cxl", "n0", "n0", "unknown", "unknown");
      cpu.set(3); // on node 0: itself 10, node 1 21, the CXL node 31
      assertThat(order(heap))
          .containsExactly("n0", "n0", "n1", "n1", "cxl", "cxl", "unknown", "unknown");
      assertNothingOutstanding(heap);
    }
  }

  @Test
  void poolsOfTheSameDistanceTakeTurns() {
    try (PageHeap heap = open(onNode("a", 1), onNode("b", 1), onNode("far", 0))) {
      cpu.set(4);
      List<String> order = order(heap);
      assertThat(order.subList(0, 2)).containsExactlyInAnyOrder("a", "b");
      assertThat(order.subList(4, 6)).containsExactly("far", "far");
      assertNothingOutstanding(heap);
    }
  }

  @Test
  void threadOnUnknownProcessorTakesPoolsInTurns() {
    try (PageHeap heap = open(onNode("a", 0), onNode("b", 1))) {
      for (int unknown : new int[] {-1, 99}) {
        cpu.set(unknown);
        List<String> order = order(heap);
        assertThat(order.subList(0, 2)).containsExactlyInAnyOrder("a", "b");
      }
      assertNothingOutstanding(heap);
    }
  }

  @Test
  void theRealMachineTellsTheProcessorOfTheThread() {
    int now = LibC.currentCpu();
    assertThat(now).isGreaterThanOrEqualTo(0);
    NumaTopology topology = Machine.local().numa();
    assertThat(topology.nodes().isEmpty() ? -1 : topology.nodes().contains(topology.nodeOfCpu(now)))
        .isIn(-1, true);
  }

  /** Fills the heap page by page; returns which pool served each, and gives all back. */
  private static List<String> order(PageHeap heap) {
    List<Long> pages = new ArrayList<>();
    List<String> order = new ArrayList<>();
    List<PoolReport> before = heap.report().getFirst().pools();
    while (before.stream().anyMatch(pool -> pool.freeBytes() > 0)) {
      pages.add(heap.acquire(1));
      List<PoolReport> after = heap.report().getFirst().pools();
      for (int i = 0; i < after.size(); i++) {
        if (after.get(i).usedBytes() > before.get(i).usedBytes()) {
          order.add(after.get(i).name());
        }
      }
      before = after;
    }
    pages.forEach(page -> heap.release(page, 1));
    return order;
  }
}
