package io.keyvalueserve.memory;

import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

/**
 * Goal: blocks never overlap, keep their bytes, are counted right, and all come back. Method:
 * random allocations and frees in several stripes against a model, on a heap that is often full.
 */
class NativeHeapModelTest {
  private static final int PAGES = 400;

  @Property(tries = 40)
  void behavesAsItsModel(@ForAll long seed) {
    Random random = new Random(seed);
    int stripes = 1 + random.nextInt(4);
    try (NativeHeap heap = NativeHeaps.ofPages(PAGES, stripes)) {
      BlockModel model = new BlockModel(heap);
      int guard = -1;
      for (int phase = 0; phase < 5; phase++) {
        int allocations = random.nextInt(100); // of a hundred; the rest frees
        int largest = 1 << (3 + random.nextInt(17)); // up to 1 MiB
        for (int i = 0; i < 600; i++) {
          if (random.nextInt(100) < allocations) {
            int bytes = 1 + random.nextInt(random.nextInt(20) == 0 ? largest : 300);
            model.allocate(random.nextInt(2 * stripes), bytes);
          } else if (model.count() > 0) {
            model.free(random.nextInt(model.count()), random.nextBoolean());
          }
          if (random.nextInt(200) == 0) {
            guard = turn(heap, guard);
          }
          if (random.nextInt(300) == 0) {
            heap.trim();
          }
        }
        model.evacuate(random.nextInt(stripes));
        model.compare();
      }
      if (guard >= 0) {
        heap.epochs().exit(guard);
      }
      model.freeAll();
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
