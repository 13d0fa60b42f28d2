package io.keyvalueserve.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Goal: in checking mode every misuse of a block is named where it happens, and the heap goes on.
 */
class ChecksTest {
  private static final int SPAN = 400_000;

  private NativeHeap heap = NativeHeaps.ofPages(64, 2);

  @BeforeEach
  void open() {
    assertThat(Memory.CHECKED).as("the tests run with -Dkvs.memory.checks=true").isTrue();
    heap = NativeHeaps.ofPages(64, 2);
  }

  @AfterEach
  void close() {
    heap.close();
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 8, 100, 2_000, 2_048, 5_000, 260_000, SPAN})
  void freeingTwice(int bytes) {
    long block = heap.allocate(0, bytes);
    long other = heap.allocate(0, bytes); // keeps the slab
    heap.free(0, block, bytes);
    assertThatThrownBy(() -> heap.free(0, block, bytes)).hasMessageStartingWith("free: ");
    assertThatThrownBy(() -> heap.retire(0, block, bytes)).hasMessageStartingWith("retire: ");
    heap.free(0, other, bytes);
    NativeHeaps.requireEmpty(heap);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 8, 100, 2_000, 2_048, 5_000, 260_000, SPAN})
  void retiringTwice(int bytes) {
    int guard = heap.epochs().enter();
    long block = heap.allocate(0, bytes);
    heap.retire(0, block, bytes);
    assertThatThrownBy(() -> heap.retire(0, block, bytes)).hasMessageContaining("retired already");
    assertThatThrownBy(() -> heap.free(0, block, bytes)).hasMessageContaining("retired already");
    heap.requireLive(block, bytes); // readers may look at it
    heap.epochs().exit(guard);
    NativeHeaps.requireEmpty(heap);
  }

  @ParameterizedTest
  @ValueSource(ints = {8, 100, 2_048, 5_000, SPAN})
  void freeingWhatIsOfNoHeap(int bytes) {
    for (long address : new long[] {8, 0x7000_0000_0000L, -8, 1L << 47}) {
      assertThatThrownBy(() -> heap.free(0, address, bytes)).hasMessageContaining("foreign block");
      assertThatThrownBy(() -> heap.retire(0, address, bytes))
          .hasMessageContaining("foreign block");
      assertThatThrownBy(() -> heap.requireLive(address, bytes))
          .hasMessageContaining("not of this heap");
    }
    assertThat(heap.blocks()).isEqualTo(SlabReport.NONE);
    assertThat(heap.usedBytes()).isZero();
  }

  @ParameterizedTest
  @ValueSource(ints = {8, 100, 2_048, 5_000, SPAN})
  void freeingWhatIsOfAnotherHeap(int bytes) {
    try (NativeHeap other = NativeHeaps.ofPages(64, 2)) {
      long block = other.allocate(0, bytes);
      assertThatThrownBy(() -> heap.free(0, block, bytes)).hasMessageContaining("foreign block");
      assertThatThrownBy(() -> heap.requireLive(block, bytes)).hasMessageContaining("not of this");
      other.free(0, block, bytes);
    }
  }

  @Test
  void freeingWithAnotherSizeOrStripe() {
    long block = heap.allocate(0, 100);
    assertThatThrownBy(() -> heap.free(0, block, 120))
        .hasMessageContaining("freed as what it is not")
        .hasMessageContaining("bytes=120 stripe=0");
    assertThatThrownBy(() -> heap.free(1, block, 100)).hasMessageContaining("belongs to stripe=0");
    assertThatThrownBy(() -> heap.retire(1, block, 100))
        .hasMessageContaining("belongs to stripe=0");
    assertThatThrownBy(() -> heap.retire(0, block, 64)).hasMessageContaining("bytes=64");
    assertThatThrownBy(() -> heap.free(0, block, 10_000)).isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(() -> heap.free(0, block, SPAN)).isInstanceOf(IllegalStateException.class);
    heap.free(0, block, 100);
    long large = heap.allocate(0, 10_000);
    assertThatThrownBy(() -> heap.free(0, large, 100)).isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(() -> heap.free(0, large, SPAN)).isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(() -> heap.free(0, large, 20_000))
        .hasMessageContaining("freed as what it is not");
    heap.free(0, large, 10_000);
    NativeHeaps.requireEmpty(heap);
  }

  @Test
  void freeingWhatIsNoBlock() {
    long block = heap.allocate(0, 64);
    long page = block & -PageHeap.PAGE_BYTES;
    for (long address = page; address < block; address += 8) {
      long inside = address;
      assertThatThrownBy(() -> heap.free(0, inside, 64)).hasMessageContaining("block");
    }
    assertThatThrownBy(() -> heap.free(0, block + 8, 64)).hasMessageContaining("not a block");
    assertThatThrownBy(() -> heap.free(0, block + 64, 64)).hasMessageContaining("is free");
    assertThatThrownBy(() -> heap.free(0, page + PageHeap.PAGE_BYTES - 64, 64))
        .hasMessageContaining("block");
    heap.free(0, block, 64);
    NativeHeaps.requireEmpty(heap);
  }

  @ParameterizedTest
  @ValueSource(ints = {8, 100, 2_048, 5_000, 260_000})
  void usingWhatWasFreed(int bytes) {
    long block = heap.allocate(0, bytes);
    long other = heap.allocate(0, bytes);
    heap.requireLive(block, bytes);
    heap.free(0, block, bytes);
    assertThatThrownBy(() -> heap.requireLive(block, bytes)).hasMessageContaining("is free");
    heap.free(0, other, bytes);
    assertThatThrownBy(() -> heap.requireLive(block, bytes)).hasMessageContaining("use: ");
  }

  @ParameterizedTest
  @ValueSource(ints = {9, 100, 2_048, 5_000, 260_000})
  void writingToWhatWasFreed(int bytes) {
    long keep = heap.allocate(0, bytes);
    long block = heap.allocate(0, bytes);
    heap.free(0, block, bytes);
    Memory.putByte(block + bytes - 1, (byte) 1);
    assertThatThrownBy(() -> heap.allocate(0, bytes))
        .hasMessageContaining("written after it was freed")
        .hasMessageContaining("offset=" + (bytes - 1));
    assertThat(keep).isNotEqualTo(block);
  }

  /**
   * The first bytes of a free block lead to the next free block: following them would be a crash.
   */
  @ParameterizedTest
  @ValueSource(longs = {0xDEAD_BEEF_0000L, 0x7FFF_FFFF_FFFF_FFF8L, -1, 1})
  void writingToTheFirstBytesOfWhatWasFreed(long value) {
    long keep = heap.allocate(0, 64);
    long block = heap.allocate(0, 64);
    heap.free(0, block, 64);
    Memory.putLong(block, value);
    assertThatThrownBy(() -> heap.allocate(0, 64))
        .hasMessageContaining("written after it was freed")
        .hasMessageContaining("offset=0");
    assertThat(keep).isNotEqualTo(block);
  }
}
