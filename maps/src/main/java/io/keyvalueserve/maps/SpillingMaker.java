package io.keyvalueserve.maps;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Has memory come free while a log is loaded: values go to the disk, and pages are gathered. */
final class SpillingMaker implements RoomForLoading.Maker {
  private static final int FREE_PART = 16;
  private static final int TAKEN_PART = 8;

  /** Taken where there is enough, but not in the pages that are needed. */
  private static final int TAKEN_MORE_PART = 64;

  private static final int PAGES_PART = 32;

  private final NativeMaps maps;
  private @Nullable ValueSpiller spiller;

  SpillingMaker(NativeMaps maps) {
    this.maps = maps;
  }

  @Override
  public boolean isPossible() {
    return maps.spilling().area() != null;
  }

  @Override
  public boolean isLittle() {
    return maps.freeBytes() < maps.capacityBytes() / FREE_PART;
  }

  @Override
  public boolean make(boolean urgently) {
    boolean little = isLittle();
    boolean made = little && spill(TAKEN_PART) > 0;
    long pages = maps.capacityBytes() - maps.heap().blocks().held();
    if (pages < maps.capacityBytes() / PAGES_PART || (urgently && !made)) {
      made |= new Compaction(maps).run() > 0;
    }
    // There seemed to be enough, and yet there was none: what is free is in other pages.
    return made || (urgently && !little && spill(TAKEN_MORE_PART) > 0);
  }

  private long spill(int part) {
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
    return spiller.take(stores, null, maps.capacityBytes() / part).records();
  }
}
