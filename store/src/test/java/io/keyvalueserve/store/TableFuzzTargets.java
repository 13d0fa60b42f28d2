package io.keyvalueserve.store;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import io.keyvalueserve.memory.HeapConfig;
import io.keyvalueserve.memory.NativeHeap;
import io.keyvalueserve.memory.PageHeap;
import io.keyvalueserve.memory.SlabReport;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;

/**
 * A table driven by bytes beside a plain map, as a target for Jazzer: {@code JAZZER_FUZZ=1 mvn -pl
 * memory,store test -Dtest=TableFuzzTargets -Dsurefire.failIfNoSpecifiedTests=false} searches;
 * without that variable the corpus is run.
 */
public class TableFuzzTargets {
  @FuzzTest(maxDuration = "15s")
  void operations(byte[] input) {
    check(input);
  }

  /** The first byte is the number of pages; then operations, each a byte and its arguments. */
  static void check(byte[] input) {
    ByteBuffer in = ByteBuffer.wrap(input);
    if (!in.hasRemaining()) {
      return;
    }
    int pages = 5 + (in.get() & 63);
    try (NativeHeap heap = NativeHeap.open(HeapConfig.dram(pages * PageHeap.PAGE_BYTES), 1)) {
      TableModel model = new TableModel(heap, 3);
      int guard = -1;
      try {
        while (in.hasRemaining()) {
          int operation = in.get() & 255;
          if (operation == 255) {
            guard = turn(heap, guard);
          } else {
            model.step(operation, in);
          }
        }
      } catch (BufferUnderflowException e) {
        // the last operation is not whole
      }
      model.compare();
      model.close();
      if (guard >= 0) {
        heap.epochs().exit(guard);
      }
      heap.trim();
      assertThat(heap.blocks()).isEqualTo(new SlabReport(0, 0, 0, 0, 0));
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
