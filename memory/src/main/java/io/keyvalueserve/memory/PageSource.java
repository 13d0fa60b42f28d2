package io.keyvalueserve.memory;

import java.util.List;

/** Opened memory of one kind: mapped at construction, unmapped at close. Its pool closes it. */
interface PageSource extends AutoCloseable {

  /**
   * Opens the source of a pool.
   *
   * @throws MemorySourceException if this machine has it not; nothing stays open
   */
  static PageSource open(PoolConfig pool, Machine machine) {
    return switch (pool.source()) {
      case Source.Dram _ -> AnonymousSource.dram(pool);
      case Source.TransparentHugePages _ -> AnonymousSource.transparentHuge(pool, machine);
      case Source.HugePages huge -> AnonymousSource.huge(pool, huge, machine);
      case Source.NumaNodes numa -> AnonymousSource.numa(pool, numa, machine);
      case Source.Directory directory -> FileSource.open(pool, directory, machine);
      case Source.MemkindDirectory directory -> MemkindSource.directory(pool, directory, machine);
      case Source.MemkindKmem kmem -> MemkindSource.kmem(pool, kmem, machine);
    };
  }

  /** The word for this kind in reports. */
  String kind();

  /** Returns the detail that a report has beyond the kind; may be empty. */
  String detail();

  /** The NUMA node of all its pages, or -1. */
  int node();

  /** All the memory there is, in no order; fixed for life. */
  List<Extent> extents();

  /** Returns whether {@link #discard} gives memory back to the OS. */
  boolean discards();

  /** Gives the memory of a range back to the OS; it stays mapped and reads as zeros afterwards. */
  void discard(long address, long bytes);

  @Override
  void close();
}
