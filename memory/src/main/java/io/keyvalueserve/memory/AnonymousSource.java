package io.keyvalueserve.memory;

import java.nio.file.Path;
import java.util.List;

/**
 * Memory without a file: plain, transparent huge, explicit huge, or of chosen NUMA nodes. One
 * extent of the whole capacity; the kernel gives a page of it, zeroed, when it is first touched.
 */
final class AnonymousSource implements PageSource {

  private final String kind;
  private final String detail;
  private final int node;
  private final Extent extent;
  private final boolean discards;

  private AnonymousSource(String kind, String detail, int node, Extent extent, boolean discards) {
    this.kind = kind;
    this.detail = detail;
    this.node = node;
    this.extent = extent;
    this.discards = discards;
  }

  static AnonymousSource dram(PoolConfig pool) {
    return new AnonymousSource(
        pool.source().kind(), "", -1, reserve(pool, PageHeap.PAGE_BYTES), true);
  }

  static AnonymousSource transparentHuge(PoolConfig pool, Machine machine) {
    checkTransparentHuge(pool, machine);
    Extent extent = reserve(pool, Source.HugePages.TWO_MIB);
    adviseHuge(pool, extent);
    return new AnonymousSource(pool.source().kind(), "", -1, extent, true);
  }

  static AnonymousSource numa(PoolConfig pool, Source.NumaNodes numa, Machine machine) {
    NumaBinding.check(pool.name(), numa.nodes(), numa.policy(), machine);
    if (numa.hugePages()) {
      checkTransparentHuge(pool, machine);
    }
    Extent extent =
        reserve(pool, numa.hugePages() ? Source.HugePages.TWO_MIB : PageHeap.PAGE_BYTES);
    try {
      NumaBinding.bind(pool.name(), extent, numa);
    } catch (MemorySourceException e) {
      Mappings.unmap(extent);
      throw e;
    }
    if (numa.hugePages()) {
      adviseHuge(pool, extent);
    }
    String detail =
        "nodes=%s policy=%s%s"
            .formatted(numa.nodes(), numa.policy(), numa.hugePages() ? " huge pages" : "");
    boolean one = numa.nodes().size() == 1;
    return new AnonymousSource(
        numa.kind(), detail, one ? numa.nodes().getFirst() : -1, extent, true);
  }

  /**
   * Claims huge pages: all of them now, so that a touch later cannot fail.
   *
   * @throws MemorySourceException if not so many are free
   */
  static AnonymousSource huge(PoolConfig pool, Source.HugePages huge, Machine machine) {
    long pages = pool.capacityBytes() / huge.pageBytes();
    if (pages == 0) {
      throw new MemorySourceException(
          "pool '%s' must hold at least one of its huge pages: capacityBytes=%d pageBytes=%d"
              .formatted(pool.name(), pool.capacityBytes(), huge.pageBytes()));
    }
    int flags =
        LibC.MAP_PRIVATE
            | LibC.MAP_ANONYMOUS
            | LibC.MAP_HUGETLB
            | Long.numberOfTrailingZeros(huge.pageBytes()) << LibC.MAP_HUGE_SHIFT;
    long bytes = pages * huge.pageBytes();
    try {
      long address = LibC.mmap(0, bytes, LibC.PROT_READ_WRITE, flags, -1);
      return new AnonymousSource(
          huge.kind(), pages + " huge pages", -1, new Extent(address, bytes), false);
    } catch (LibC.Failure e) {
      throw new MemorySourceException(notEnoughHugePages(pool, huge, pages, machine), e);
    }
  }

  private static String notEnoughHugePages(
      PoolConfig pool, Source.HugePages huge, long pages, Machine machine) {
    Path directory =
        machine.sys().resolve("kernel/mm/hugepages/hugepages-" + huge.pageBytes() / 1024 + "kB");
    long reserved = number(directory.resolve("resv_hugepages"));
    long free = Math.max(0, number(directory.resolve("free_hugepages")) - reserved);
    long all = number(directory.resolve("nr_hugepages")) + pages - free;
    String reserve =
        huge.pageBytes() == Source.HugePages.TWO_MIB
            ? "'sysctl vm.nr_hugepages=" + all + "'"
            : "'echo "
                + all
                + " > "
                + directory.resolve("nr_hugepages")
                + "', best at boot:"
                + " 'hugepagesz=1G hugepages="
                + all
                + "'";
    return """
        pool '%s' wants %d huge pages of %d MiB, free are %d; reserve them with %s, or use kind \
        thp"""
        .formatted(pool.name(), pages, huge.pageBytes() >> 20, free, reserve);
  }

  private static long number(Path file) {
    return Machine.firstLine(file).map(Long::parseLong).orElse(0L);
  }

  private static void checkTransparentHuge(PoolConfig pool, Machine machine) {
    Path switchFile = machine.sys().resolve("kernel/mm/transparent_hugepage/enabled");
    String setting = Machine.firstLine(switchFile).orElse("[never]");
    if (setting.contains("[never]")) {
      throw new MemorySourceException(
          "pool '"
              + pool.name()
              + "' wants transparent huge pages, which are off or not in this kernel; 'echo madvise"
              + " > "
              + switchFile
              + "', or use kind dram");
    }
  }

  private static void adviseHuge(PoolConfig pool, Extent extent) {
    try {
      LibC.madvise(extent.address(), extent.bytes(), LibC.MADV_HUGEPAGE);
    } catch (LibC.Failure e) {
      Mappings.unmap(extent);
      throw new MemorySourceException(
          "pool '" + pool.name() + "' cannot have transparent huge pages; use kind dram", e);
    }
  }

  private static Extent reserve(PoolConfig pool, long alignment) {
    long bytes = pool.wholePageBytes();
    try {
      return Mappings.anonymous(bytes, alignment);
    } catch (LibC.Failure e) {
      throw new MemorySourceException(
          """
              pool '%s' cannot reserve its addresses: bytes=%d; lower its capacity, or raise \
              the limit (ulimit -v, vm.overcommit_memory)"""
              .formatted(pool.name(), bytes),
          e);
    }
  }

  @Override
  public String kind() {
    return kind;
  }

  @Override
  public String detail() {
    return detail;
  }

  @Override
  public int node() {
    return node;
  }

  @Override
  public List<Extent> extents() {
    return List.of(extent);
  }

  @Override
  public boolean discards() {
    return discards;
  }

  @Override
  public void discard(long address, long bytes) {
    Mappings.discard(address, bytes);
  }

  @Override
  public void close() {
    Mappings.unmap(extent);
  }
}
