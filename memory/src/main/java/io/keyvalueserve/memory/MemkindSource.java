package io.keyvalueserve.memory;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Memory from the memkind library, in extents of the sizes its allocator has. All are allocated at
 * open, so that there is no running out of them later.
 */
final class MemkindSource implements PageSource {

  static final String NODES_VARIABLE = "MEMKIND_DAX_KMEM_NODES";

  /**
   * The bytes of a file that the library may use beyond what it is asked for. It aligns, and needs
   * at least 16 MiB. Without a limit it would grow the file by steps of its own, up to twice the
   * capacity.
   */
  private static final long SLACK_BYTES = 16L << 20;

  private final Memkind memkind;
  private final String kind;
  private final String detail;
  private final int node;
  private final List<Extent> extents;
  private final long pmem; // the kind to destroy at close, or 0

  private MemkindSource(
      Memkind memkind, String kind, String detail, int node, List<Extent> extents, long pmem) {
    this.memkind = memkind;
    this.kind = kind;
    this.detail = detail;
    this.node = node;
    this.extents = extents;
    this.pmem = pmem;
  }

  /**
   * Opens a kind of its own in a directory.
   *
   * @throws MemorySourceException if the library is absent, or the directory has no room
   */
  static MemkindSource directory(PoolConfig pool, Source.MemkindDirectory source, Machine machine) {
    FileSource.requireDirectory(pool, source.path());
    FileSource.requireRoom(pool, source.path(), pool.wholePageBytes() + SLACK_BYTES);
    Memkind memkind = Memkind.load(pool.name(), Memkind.LIBRARY);
    try {
      long kind = memkind.createPmem(source.path(), pool.wholePageBytes() + SLACK_BYTES);
      try {
        List<Extent> extents = allocate(memkind, kind, pool.wholePageBytes());
        int node = machine.nodeOf(source.path());
        return new MemkindSource(
            memkind, source.kind(), source.path().toString(), node, extents, kind);
      } catch (Memkind.Failure e) {
        memkind.destroyKind(kind);
        throw e;
      }
    } catch (Memkind.Failure e) {
      throw new MemorySourceException(
          """
              pool '%s' cannot be had from memkind in directory %s: bytes=%d free=%d; lower its \
              capacity or make room"""
              .formatted(
                  pool.name(),
                  source.path(),
                  pool.wholePageBytes(),
                  FileSource.freeBytes(source.path())),
          e);
    }
  }

  /**
   * Allocates from the persistent memory that the kernel runs as NUMA nodes.
   *
   * @throws MemorySourceException if the library is absent, or finds no such nodes
   */
  static MemkindSource kmem(PoolConfig pool, Source.MemkindKmem source, Machine machine) {
    NumaBinding.checkNodes(pool.name(), source.nodes(), machine);
    Memkind memkind = Memkind.load(pool.name(), Memkind.LIBRARY);
    String nodes = chooseNodes(pool, source.nodes());
    try {
      List<Extent> extents = allocate(memkind, memkind.kmem(), pool.wholePageBytes());
      int node = source.nodes().size() == 1 ? source.nodes().getFirst() : -1;
      return new MemkindSource(memkind, source.kind(), "nodes=" + nodes, node, extents, 0);
    } catch (Memkind.Failure e) {
      throw new MemorySourceException(
          """
              pool '%s' cannot be had from memkind's KMEM-DAX kind: nodes=%s bytes=%d; make the \
              device a system-ram node (daxctl reconfigure-device --mode=system-ram) and name \
              the node, or use kind numa"""
              .formatted(pool.name(), nodes, pool.wholePageBytes()),
          e);
    }
  }

  /** Tells the library the nodes. It reads them once, so a process can have one choice only. */
  private static synchronized String chooseNodes(PoolConfig pool, List<Integer> nodes) {
    String wanted = nodes.stream().map(String::valueOf).collect(Collectors.joining(","));
    String chosen = LibC.getenv(NODES_VARIABLE);
    if (wanted.isEmpty() || wanted.equals(chosen)) {
      return chosen.isEmpty() ? "any" : chosen;
    }
    if (!chosen.isEmpty()) {
      throw new MemorySourceException(
          """
              pool '%s' wants memkind's nodes %s, but %s=%s; a process has one choice: use the \
              same nodes, or kind numa"""
              .formatted(pool.name(), wanted, NODES_VARIABLE, chosen));
    }
    try {
      LibC.setenv(NODES_VARIABLE, wanted);
      return wanted;
    } catch (LibC.Failure e) {
      throw new IllegalStateException("a variable must be settable: " + NODES_VARIABLE, e);
    }
  }

  /** Returns the largest size not above one that the library's jemalloc does not round up. */
  static long sizeClass(long bytes) {
    long step = Long.highestOneBit(bytes) / 4; // four classes to each doubling
    return step < PageHeap.PAGE_BYTES ? Long.highestOneBit(bytes) : bytes / step * step;
  }

  private static List<Extent> allocate(Memkind memkind, long kind, long bytes)
      throws Memkind.Failure {
    List<Extent> extents = new ArrayList<>();
    try {
      for (long left = bytes; left > 0; ) {
        long size = sizeClass(left);
        extents.add(new Extent(memkind.allocate(kind, PageHeap.PAGE_BYTES, size), size));
        left -= size;
      }
      return List.copyOf(extents);
    } catch (Memkind.Failure e) {
      extents.forEach(extent -> memkind.free(extent.address()));
      throw e;
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
    return extents;
  }

  /** The memory is the library's, and so is what the operating system is told about it. */
  @Override
  public boolean discards() {
    return false;
  }

  @Override
  public void discard(long address, long bytes) {
    throw new UnsupportedOperationException("the memory is the library's");
  }

  @Override
  public void close() {
    extents.forEach(extent -> memkind.free(extent.address()));
    if (pmem != 0) {
      try {
        memkind.destroyKind(pmem);
      } catch (Memkind.Failure e) {
        throw new IllegalStateException("a kind that was made must be destroyable", e);
      }
    }
  }
}
