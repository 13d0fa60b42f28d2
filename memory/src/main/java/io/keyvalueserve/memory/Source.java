package io.keyvalueserve.memory;

import java.nio.file.Path;
import java.util.List;
import java.util.TreeSet;

/** The source of the pages of a pool. Every kind names itself in reports and errors. */
public sealed interface Source {

  /** Returns the word for this kind of memory in reports and errors. */
  String kind();

  /**
   * Returns whether what is touched counts against the process's memory limit ({@link
   * MemoryLimit}). Huge pages were set apart before, and a file's pages are the device's.
   */
  boolean chargedToProcess();

  /**
   * Anonymous memory: reserved as addresses at open, paid for when touched, and given back to the
   * operating system when asked.
   */
  record Dram() implements Source {
    @Override
    public String kind() {
      return "dram";
    }

    @Override
    public boolean chargedToProcess() {
      return true;
    }
  }

  /**
   * Anonymous memory for which the kernel is asked ({@code madvise}) to use huge pages of its own
   * accord. Giving a part of a huge page back splits it.
   */
  record TransparentHugePages() implements Source {
    @Override
    public String kind() {
      return "thp";
    }

    @Override
    public boolean chargedToProcess() {
      return true;
    }
  }

  /**
   * Huge pages that an administrator has set apart: all are claimed at open, and none goes back
   * before close.
   *
   * @param pageBytes their size, 2 MiB or 1 GiB
   */
  record HugePages(long pageBytes) implements Source {

    /** 2 MiB. */
    public static final long TWO_MIB = 2L << 20;

    /** 1 GiB. */
    public static final long ONE_GIB = 1L << 30;

    /**
     * Checks the size.
     *
     * @throws IllegalArgumentException if it is another size
     */
    public HugePages {
      if (pageBytes != TWO_MIB && pageBytes != ONE_GIB) {
        throw new IllegalArgumentException(
            "pageBytes of huge pages must be 2 MiB or 1 GiB: pageBytes="
                + pageBytes
                + "; give it "
                + TWO_MIB
                + " or "
                + ONE_GIB);
      }
    }

    @Override
    public String kind() {
      return pageBytes == TWO_MIB ? "huge-2m" : "huge-1g";
    }

    @Override
    public boolean chargedToProcess() {
      return false;
    }
  }

  /**
   * Anonymous memory of chosen NUMA nodes. CXL memory, and persistent memory in KMEM-DAX mode, is a
   * node without processors.
   *
   * @param nodes their numbers, at least one; kept sorted and without repetition
   * @param policy what the kernel does with them
   * @param hugePages true to ask for transparent huge pages too
   */
  record NumaNodes(List<Integer> nodes, NumaPolicy policy, boolean hugePages) implements Source {

    /**
     * Checks the numbers; that the nodes exist is checked at open.
     *
     * @throws IllegalArgumentException if there is none, or one that can be none
     */
    public NumaNodes {
      nodes = requireNodes(nodes);
    }

    /** Nodes without huge pages. */
    public NumaNodes(NumaPolicy policy, Integer... nodes) {
      this(List.of(nodes), policy, false);
    }

    @Override
    public String kind() {
      return "numa";
    }

    @Override
    public boolean chargedToProcess() {
      return true;
    }
  }

  /**
   * A file in a directory: on an FS-DAX mount its pages are the device's own memory; any other file
   * system serves too. The space is taken at open and the file is removed at close. It never
   * outlives the process: what is in it is not meant to be read again.
   *
   * @param path the directory, which must exist
   * @param mapSync true to ask for {@code MAP_SYNC}; the report says whether the device has it
   * @param node the NUMA node the device is attached to, -1 to ask the kernel
   */
  record Directory(Path path, boolean mapSync, int node) implements Source {

    /**
     * Checks the node.
     *
     * @throws IllegalArgumentException if it can be no node
     */
    public Directory {
      if (node < -1 || node >= NumaTopology.MAX_NODES) {
        throw new IllegalArgumentException(
            "node of directory "
                + path
                + " must be the number of a NUMA node: node="
                + node
                + "; give it -1 to ask the kernel");
      }
    }

    /** A directory whose device the kernel knows, without {@code MAP_SYNC}. */
    public Directory(Path path) {
      this(path, false, -1);
    }

    @Override
    public String kind() {
      return "file";
    }

    @Override
    public boolean chargedToProcess() {
      return false;
    }
  }

  /**
   * The memkind library's FS-DAX kind: a file in a directory, managed by the library.
   *
   * @param path the directory, which must exist
   */
  record MemkindDirectory(Path path) implements Source {
    @Override
    public String kind() {
      return "memkind-pmem";
    }

    @Override
    public boolean chargedToProcess() {
      return false;
    }
  }

  /**
   * The memkind library's DAX-KMEM kind: persistent memory that the kernel runs as NUMA nodes.
   *
   * @param nodes the nodes, given to the library as {@code MEMKIND_DAX_KMEM_NODES}; none to let it
   *     find them. A process has one such choice.
   */
  record MemkindKmem(List<Integer> nodes) implements Source {

    /**
     * Checks the numbers; that the nodes exist is checked at open.
     *
     * @throws IllegalArgumentException if one can be no node
     */
    public MemkindKmem {
      nodes = nodes.isEmpty() ? List.of() : requireNodes(nodes);
    }

    @Override
    public String kind() {
      return "memkind-kmem";
    }

    @Override
    public boolean chargedToProcess() {
      return true;
    }
  }

  private static List<Integer> requireNodes(List<Integer> nodes) {
    if (nodes.isEmpty()) {
      throw new IllegalArgumentException("nodes must name at least one NUMA node; give it [0]");
    }
    for (int node : nodes) {
      if (node < 0 || node >= NumaTopology.MAX_NODES) {
        throw new IllegalArgumentException(
            "nodes must be numbers of NUMA nodes, 0 to "
                + (NumaTopology.MAX_NODES - 1)
                + ": node="
                + node);
      }
    }
    return List.copyOf(new TreeSet<>(nodes));
  }
}
