package io.keyvalueserve.memory;

import com.code_intelligence.jazzer.junit.FuzzTest;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;

/**
 * Blocks allocated and freed as bytes say, beside a model, as a target for Jazzer: {@code
 * JAZZER_FUZZ=1 mvn -pl memory test -Dtest=SlabFuzzTargets} searches; without that variable the
 * corpus is run.
 */
public class SlabFuzzTargets {
  @FuzzTest(maxDuration = "15s")
  void blocks(byte[] input) {
    check(input);
  }

  /** The first byte is the number of pages; then operations, each a byte and its arguments. */
  static void check(byte[] input) {
    ByteBuffer in = ByteBuffer.wrap(input);
    if (!in.hasRemaining()) {
      return;
    }
    try (NativeHeap heap = NativeHeaps.ofPages(1 + (in.get() & 127), 2)) {
      BlockModel model = new BlockModel(heap);
      int guard = -1;
      try {
        while (in.hasRemaining()) {
          int operation = in.get() & 255;
          switch (operation & 7) {
            case 0 -> guard = turn(heap, guard);
            case 1 -> heap.trim();
            case 2, 3 -> {
              int number = in.getShort() & 0xFFFF;
              if (model.count() > 0) {
                model.free(number % model.count(), (operation & 8) != 0);
              }
            }
            case 4 -> model.allocate(operation & 8, 1 + (in.getInt() & 0xF_FFFF));
            default -> model.allocate((operation >>> 3) & 1, 1 + (in.getShort() & 0x1FFF));
          }
        }
      } catch (BufferUnderflowException e) {
        // the last operation is not whole
      }
      model.compare();
      model.freeAll();
      if (guard >= 0) {
        heap.epochs().exit(guard);
      }
      NativeHeaps.requireEmpty(heap);
    }
  }

  private static int turn(NativeHeap heap, int guard) {
    if (guard < 0) {
      return heap.epochs().enter();
    }
    heap.epochs().exit(guard);
    return -1;
  }
}
