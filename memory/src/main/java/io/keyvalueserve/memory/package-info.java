/**
 * Memory: pages of native memory, outside the Java heap, from whatever the machine has.
 *
 * <p>A <em>page</em> is 64 KiB, aligned to 64 KiB. A <em>pool</em> is one source of pages, mapped
 * once in <em>extents</em> and kept mapped until close. A <em>tier</em> is a list of pools with a
 * placement; tiers are an ordered fallback list; together they are one heap. A run of pages returns
 * to its own pool by arithmetic on extents: no table of blocks is needed.
 *
 * <p>Read in this order: {@link io.keyvalueserve.memory.HeapConfig} (what there is), {@link
 * io.keyvalueserve.memory.PageHeap} (the one door), {@code PagePool} and {@code PageBitmap} (who
 * holds which page), {@code PageSource} (where pages come from: anonymous memory, files, memkind),
 * {@code LibC} (native calls, as rare as extents), {@link io.keyvalueserve.memory.Machine} (what
 * this machine has). Beside these, as it takes the same native calls: {@link
 * io.keyvalueserve.memory.OwnProcessors}, which keeps threads on processors and others off them.
 *
 * <p>The model is seed 002's unified memory management for DRAM and persistent memory.
 */
@NullMarked
package io.keyvalueserve.memory;

import org.jspecify.annotations.NullMarked;
