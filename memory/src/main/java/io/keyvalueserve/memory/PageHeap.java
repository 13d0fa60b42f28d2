package io.keyvalueserve.memory;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.function.IntSupplier;

/**
 * One heap of pages over all pools of all tiers. Thread-safe.
 *
 * <p>Runs of pages are taken from the first tier that has room, and return to the pool they came
 * from: extents are sorted by address, so that a binary search finds the owner of an address.
 */
public final class PageHeap implements AutoCloseable {

  /** A page: 64 KiB, aligned to its size. */
  public static final long PAGE_BYTES = 64 << 10;

  private final Tier[] tiers;
  private final Home[] homes; // sorted by address
  private final long[] starts; // where each home's extent begins

  /** An extent, its pool and its place in it. */
  private record Home(PagePool pool, int index, Extent extent) {}

  private PageHeap(List<Tier> tiers) {
    this.tiers = tiers.toArray(Tier[]::new);
    List<Home> homes = new ArrayList<>();
    for (Tier tier : tiers) {
      for (PagePool pool : tier.pools()) {
        List<Extent> extents = pool.extents();
        for (int i = 0; i < extents.size(); i++) {
          homes.add(new Home(pool, i, extents.get(i)));
        }
      }
    }
    homes.sort(Comparator.comparingLong(home -> home.extent().address()));
    this.homes = homes.toArray(Home[]::new);
    this.starts = homes.stream().mapToLong(home -> home.extent().address()).toArray();
  }

  /**
   * Opens every pool on this machine.
   *
   * @throws MemorySourceException if one cannot be opened; those opened before are closed again
   */
  public static PageHeap open(HeapConfig config) {
    return open(config, Machine.local(), LibC::currentCpu);
  }

  /** Opens every pool, on a machine and with processors that a test may invent. */
  static PageHeap open(HeapConfig config, Machine machine, IntSupplier currentCpu) {
    NumaTopology topology = machine.numa();
    List<Tier> tiers = new ArrayList<>();
    List<PagePool> opened = new ArrayList<>();
    try {
      for (TierConfig tier : config.tiers()) {
        int first = opened.size();
        for (PoolConfig pool : tier.pools()) {
          opened.add(PagePool.open(pool, machine));
        }
        List<PagePool> pools = opened.subList(first, opened.size());
        tiers.add(new Tier(tier, pools, topology, currentCpu));
      }
      return new PageHeap(tiers);
    } catch (RuntimeException e) {
      closeAll(opened, e);
      throw e;
    }
  }

  /**
   * Takes a contiguous run of pages. What they hold is undefined.
   *
   * @param pages how many, at least 1
   * @return the address of the first
   * @throws OutOfNativeMemoryException if no pool has a free run so long; nothing is changed
   */
  public long acquire(int pages) {
    if (pages < 1) {
      throw new IllegalArgumentException("pages must be at least 1: pages=" + pages);
    }
    for (Tier tier : tiers) {
      long address = tier.acquire(pages);
      if (address != 0) {
        return address;
      }
    }
    throw new OutOfNativeMemoryException(pages * PAGE_BYTES, report());
  }

  /**
   * Returns a run, or a part of one, to the pool it came from.
   *
   * @param address the address of the first page
   * @param pages how many, at least 1
   * @throws IllegalArgumentException if this is no run of pages of this heap
   * @throws IllegalStateException if one of the pages is free already; nothing is changed
   */
  public void release(long address, int pages) {
    int index = homeOf(address);
    if (index < 0
        || pages < 1
        || (address & PAGE_BYTES - 1) != 0
        || homes[index].extent().end() - address < pages * PAGE_BYTES) {
      throw new IllegalArgumentException(
          "this is no run of pages of this heap: address=0x%x pages=%d".formatted(address, pages));
    }
    Home home = homes[index];
    home.pool().release(home.index(), address, pages);
  }

  /** Returns whether an address is inside this heap, in a page that is taken or in a free one. */
  public boolean contains(long address) {
    return homeOf(address) >= 0;
  }

  /**
   * Gives empty pages back to the operating system where their source can: they stay in the heap
   * and cost a page fault when they are next touched.
   *
   * @return the bytes given back
   */
  public long returnToOs() {
    long returned = 0;
    for (Tier tier : tiers) {
      for (PagePool pool : tier.pools()) {
        returned += pool.returnToOs();
      }
    }
    return returned;
  }

  /** Returns the figures of every tier and pool; each pool's figures are of one moment. */
  public List<TierReport> report() {
    return Arrays.stream(tiers).map(Tier::report).toList();
  }

  /**
   * Unmaps all pages, taken or not: nobody may touch one any more. Closing again does nothing; any
   * other call afterwards throws {@link IllegalStateException}.
   */
  @Override
  public void close() {
    List<PagePool> pools =
        Arrays.stream(tiers).flatMap(tier -> Arrays.stream(tier.pools())).toList();
    IllegalStateException failed = new IllegalStateException("a pool could not be closed");
    closeAll(pools, failed);
    if (failed.getSuppressed().length > 0) {
      throw failed;
    }
  }

  /** Closes every pool, whatever becomes of the others; adds what fails to an exception. */
  private static void closeAll(List<PagePool> pools, RuntimeException failed) {
    for (PagePool pool : pools) {
      try {
        pool.close();
      } catch (RuntimeException e) {
        failed.addSuppressed(e);
      }
    }
  }

  private int homeOf(long address) {
    int found = Arrays.binarySearch(starts, address);
    int index = found >= 0 ? found : -found - 2;
    return index >= 0 && address < homes[index].extent().end() ? index : -1;
  }
}
