package io.keyvalueserve.memory;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;

/**
 * What a heap should be, in plain Java: the blocks that live, each filled with bytes that only it
 * has. Drives the heap and compares.
 */
final class BlockModel {
  private record Block(int stripe, long address, int bytes, long mark) {}

  private final NativeHeap heap;
  private final NavigableMap<Long, Block> live = new TreeMap<>();
  private final List<Block> order = new ArrayList<>();
  private long marks = 0x1234_5678_9ABCL;
  private long requested;
  private long held;

  BlockModel(NativeHeap heap) {
    this.heap = heap;
  }

  int count() {
    return order.size();
  }

  /** Allocates; false if there was no room, and then nothing has changed. */
  boolean allocate(int stripe, int bytes) {
    long address;
    try {
      address = heap.allocate(stripe, bytes);
    } catch (OutOfNativeMemoryException e) {
      compareFigures();
      return false;
    }
    Block block = new Block(stripe, address, bytes, marks += 0x9E3779B97F4A7C15L);
    requireApart(block);
    write(block);
    live.put(address, block);
    order.add(block);
    requested += bytes;
    held += NativeHeaps.held(bytes);
    return true;
  }

  /** Frees the block of a number, at once or when no reader is left. */
  void free(int number, boolean retire) {
    Block block = order.get(number);
    order.set(number, order.getLast());
    order.removeLast();
    requireIntact(block);
    live.remove(block.address);
    requested -= block.bytes;
    held -= NativeHeaps.held(block.bytes);
    if (retire) {
      heap.retire(block.stripe, block.address, block.bytes);
    } else {
      heap.free(block.stripe, block.address, block.bytes);
    }
  }

  /** Moves all blocks that are to move, as whoever has them does. */
  void evacuate(int stripe) {
    long before = NativeHeaps.pagesUsed(heap);
    long promised = heap.beginEvacuation(stripe) / PageHeap.PAGE_BYTES;
    for (int i = order.size() - 1; i >= 0; i--) {
      Block block = order.get(i);
      if (heap.isEvacuated(block.address, block.bytes)) {
        free(i, false); // the same bytes again: they fit, as that is what was promised
        assertThat(allocate(block.stripe, block.bytes)).isTrue();
        assertThat(heap.isEvacuated(order.getLast().address, block.bytes)).isFalse();
      }
    }
    heap.endEvacuation(stripe);
    heap.trim();
    assertThat(before - NativeHeaps.pagesUsed(heap)).isGreaterThanOrEqualTo(promised);
  }

  void freeAll() {
    while (!order.isEmpty()) {
      free(order.size() - 1, (order.size() & 1) == 0);
    }
  }

  /** Every block still holds what was written to it, and the figures are right. */
  void compare() {
    order.forEach(BlockModel::requireIntact);
    compareFigures();
  }

  private void compareFigures() {
    assertThat(heap.usedBytes()).isEqualTo(held);
    SlabReport report = heap.blocks();
    assertThat(report.requested()).isEqualTo(requested + report.limbo());
    assertThat(report.blocks()).isGreaterThanOrEqualTo(held + report.limbo());
    assertThat(report.held()).isGreaterThanOrEqualTo(report.blocks() + report.cached());
    assertThat(report.held()).isEqualTo(NativeHeaps.pagesUsed(heap) * PageHeap.PAGE_BYTES);
    assertThat(report.internalFragmentation()).isBetween(0.0, 1.0);
    assertThat(report.slabFragmentation()).isBetween(0.0, 1.0);
  }

  private void requireApart(Block block) {
    assertThat(block.address % 8).isZero();
    Map.Entry<Long, Block> below = live.lowerEntry(block.address + block.bytes);
    if (below != null && below.getKey() + below.getValue().bytes > block.address) {
      throw new AssertionError("two live blocks overlap: " + block + " " + below.getValue());
    }
  }

  private static void write(Block block) {
    for (int i = 0; i < block.bytes; i += step(block)) {
      Memory.putByte(block.address + i, (byte) (block.mark >>> (i & 56)));
    }
    Memory.putByte(block.address + block.bytes - 1, (byte) block.mark);
  }

  private static void requireIntact(Block block) {
    for (int i = 0; i < block.bytes - 1; i += step(block)) {
      if (Memory.getByte(block.address + i) != (byte) (block.mark >>> (i & 56))) {
        throw new AssertionError("somebody else wrote to " + block + " at " + i);
      }
    }
    assertThat(Memory.getByte(block.address + block.bytes - 1)).isEqualTo((byte) block.mark);
  }

  /** All bytes of small blocks, some of large ones. */
  private static int step(Block block) {
    return block.bytes < 4096 ? 1 : 61;
  }
}
