package io.keyvalueserve.grid.hd;

import io.keyvalueserve.memory.OutOfNativeMemoryException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What happens when records that are loaded from the log find no memory, because the member held
 * more than that, in part on its disk: values that were loaded go there again. Thread-safe.
 */
final class RoomForLoading {
  private static final int FREE_PART = 16;
  private static final int TAKEN_PART = 8;
  private static final int PAGES_PART = 32;

  private final NativeMaps maps;
  private @Nullable ValueSpiller spiller;

  RoomForLoading(NativeMaps maps) {
    this.maps = maps;
  }

  /**
   * Makes room before there is none left: what stays of a value that is spilled needs some. To be
   * called without any partition's lock.
   */
  void keep() {
    if (maps.spilling().area() != null && isLittle()) {
      boolean _ = make();
    }
  }

  /**
   * Makes room after all. To be called without any partition's lock.
   *
   * @throws OutOfNativeMemoryException the failure, if there is no way
   */
  void make(OutOfNativeMemoryException failure) {
    if (maps.spilling().area() == null || !make()) {
      throw failure;
    }
  }

  private boolean isLittle() {
    return maps.freeBytes() < maps.capacityBytes() / FREE_PART;
  }

  private synchronized boolean make() {
    boolean made = isLittle() && spill() > 0;
    long pages = maps.capacityBytes() - maps.heap().blocks().held();
    if (pages < maps.capacityBytes() / PAGES_PART) {
      made |= new Compaction(maps).run() > 0;
    }
    return made;
  }

  private long spill() {
    if (spiller == null) {
      spiller = new ValueSpiller(maps, Objects.requireNonNull(maps.spilling().area()), () -> {});
    }
    List<NativeRecordStore> stores = new ArrayList<>();
    maps.partitions()
        .forEachStore(
            store -> {
              NativeMapContainer container = store.container();
              if (container.usage() != null && container.overMemory() == OverMemory.SPILL) {
                stores.add(store);
              }
            });
    return spiller.take(stores, null, maps.capacityBytes() / TAKEN_PART).records();
  }
}
