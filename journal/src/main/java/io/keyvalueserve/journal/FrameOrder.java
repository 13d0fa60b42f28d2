package io.keyvalueserve.journal;

import io.keyvalueserve.memory.Memory;
import java.util.Arrays;

/**
 * The order in which the frames of a unit are applied: those of each loader together, and of these
 * those of each partition, as they were appended. A loader therefore looks at no frame of
 * another's, and what it needs of a partition stays near from one frame to the next. Maps' names
 * come first, to all.
 *
 * <p>A counting sort by partition; partitions that are more than it tells apart share a place, in
 * which frames stay as they were appended too. For one thread at a time.
 */
final class FrameOrder {
  private static final int PLACES = 256; // of each loader
  private static final int NO_PLACE = -1;

  private final int loaders;
  private final int[] starts;
  private int[] places = new int[1024];
  private int[] sorted = new int[1024];
  private int[] names = new int[16];
  private int nameCount;

  /** The filter for frames that are wanted, names aside. */
  @FunctionalInterface
  interface Filter {
    boolean wants(long address, long position);
  }

  FrameOrder(int loaders) {
    this.loaders = loaders;
    starts = new int[loaders * PLACES + 1];
  }

  /** Puts a unit's frames in order. */
  void sort(ReplayUnit unit, Filter filter) {
    int count = unit.count();
    if (places.length < count) {
      places = new int[count];
      sorted = new int[count];
    }
    nameCount = 0;
    Arrays.fill(starts, 0);
    for (int i = 0; i < count; i++) {
      int place = place(unit, unit.offset(i), filter);
      places[i] = place;
      if (place != NO_PLACE) {
        starts[place + 1]++;
      }
    }
    for (int place = 0; place + 1 < starts.length; place++) {
      starts[place + 1] += starts[place];
    }
    for (int i = 0; i < count; i++) {
      if (places[i] != NO_PLACE) {
        sorted[starts[places[i]]++] = unit.offset(i);
      }
    }
  }

  private int place(ReplayUnit unit, int offset, Filter filter) {
    long address = unit.address(offset);
    if (Frames.type(address) == Frames.MAP) {
      addName(offset);
      return NO_PLACE;
    }
    int partition = Frames.partition(address);
    if (partition < 0 || !filter.wants(address, unit.position(offset))) {
      return NO_PLACE;
    }
    return place(loaders, partition);
  }

  private static int place(int loaders, int partition) {
    return partition % loaders * PLACES + partition / loaders % PLACES;
  }

  private void addName(int offset) {
    if (nameCount == names.length) {
      names = Arrays.copyOf(names, 2 * nameCount);
    }
    names[nameCount++] = offset;
  }

  /** Returns the number of frames that name maps. */
  int names() {
    return nameCount;
  }

  /** Returns the offset in the unit of a frame that names a map. */
  int name(int n) {
    return names[n];
  }

  /**
   * Returns the index in the order at which a loader's frames begin. They end where the next
   * loader's begin.
   */
  int begin(int loader) {
    // Sorting has moved each place's start to its end, which is where the next one begins.
    return loader == 0 ? 0 : starts[loader * PLACES - 1];
  }

  /** The offset in the unit of a frame in the order. */
  int frame(int n) {
    return sorted[n];
  }

  /** The order as it is now. To be closed. */
  Sorted copy() {
    return new Sorted(this);
  }

  /**
   * An order that outlives the unit that was sorted, outside the Java heap. Does not change once it
   * has been moved.
   */
  static final class Sorted implements AutoCloseable {
    private final int loaders;
    private final int[] ends; // by place
    private final int[] names;
    private final int frames;
    private final AlignedMemory sorted;

    private Sorted(FrameOrder of) {
      loaders = of.loaders;
      ends = of.starts.clone();
      names = Arrays.copyOf(of.names, of.nameCount);
      frames = of.starts[of.starts.length - 1];
      sorted = AlignedMemory.allocate((long) frames * Integer.BYTES);
      for (int n = 0; n < frames; n++) {
        put(n, of.sorted[n]);
      }
    }

    private void put(int n, int offset) {
      Memory.putInt(sorted.address() + (long) n * Integer.BYTES, offset);
    }

    /** Returns the bytes of memory that it takes outside the heap. */
    long bytes() {
      return sorted.bytes();
    }

    /** Returns the index at which the frames of a partition begin; others may be between them. */
    int begin(int partition) {
      int place = place(loaders, partition);
      return place == 0 ? 0 : ends[place - 1];
    }

    /** Returns the index at which the frames of a partition end. */
    int end(int partition) {
      return ends[place(loaders, partition)];
    }

    int frame(int n) {
      return Memory.getInt(sorted.address() + (long) n * Integer.BYTES);
    }

    int names() {
      return names.length;
    }

    int name(int n) {
      return names[n];
    }

    /** Returns the number of frames, names among them. */
    int all() {
      return names.length + frames;
    }

    /** The offset of any of them. */
    int any(int i) {
      return i < names.length ? names[i] : frame(i - names.length);
    }

    /** Any of them is elsewhere now. */
    void move(int i, int offset) {
      if (i < names.length) {
        names[i] = offset;
      } else {
        put(i - names.length, offset);
      }
    }

    @Override
    public void close() {
      sorted.close();
    }
  }
}
