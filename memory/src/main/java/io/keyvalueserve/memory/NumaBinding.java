package io.keyvalueserve.memory;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.util.List;

/** Binds memory that nobody has touched yet to NUMA nodes, with {@code mbind(2)}. */
final class NumaBinding {

  private NumaBinding() {}

  /**
   * Says what is wrong with nodes and policy on this machine, before anything is mapped.
   *
   * @throws MemorySourceException naming the remedy
   */
  static void check(String pool, List<Integer> nodes, NumaPolicy policy, Machine machine) {
    checkNodes(pool, nodes, machine);
    if (policy == NumaPolicy.WEIGHTED_INTERLEAVE
        && !Files.isDirectory(machine.sys().resolve("kernel/mm/mempolicy/weighted_interleave"))) {
      throw new MemorySourceException(
          "pool '"
              + pool
              + "' wants weighted interleave, which this kernel has not: it came with Linux 6.9;"
              + " use INTERLEAVE or a newer kernel");
    }
  }

  /** Says which nodes are not there, or have no memory. */
  static void checkNodes(String pool, List<Integer> nodes, Machine machine) {
    NumaTopology topology = machine.numa();
    for (int node : nodes) {
      if (!topology.nodesWithMemory().contains(node)) {
        boolean exists = topology.nodes().contains(node);
        throw new MemorySourceException(
            "pool '%s' names NUMA node %d, which %s; nodes with memory here: %s"
                .formatted(
                    pool,
                    node,
                    exists ? "has no memory" : "does not exist",
                    topology.nodesWithMemory()));
      }
    }
  }

  /** Binds an extent. */
  static void bind(String pool, Extent extent, Source.NumaNodes numa) {
    List<Integer> nodes = numa.nodes();
    int words = nodes.getLast() / Long.SIZE + 1;
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment mask = arena.allocate(ValueLayout.JAVA_LONG, words);
      for (int node : nodes) {
        long word = mask.getAtIndex(ValueLayout.JAVA_LONG, node / Long.SIZE);
        mask.setAtIndex(ValueLayout.JAVA_LONG, node / Long.SIZE, word | 1L << node);
      }
      LibC.syscall(
          mbindNumber(),
          extent.address(),
          extent.bytes(),
          numa.policy().mode(nodes.size()),
          mask.address(),
          words * (long) Long.SIZE + 1, // the kernel counts one bit less than it is told
          0);
    } catch (LibC.Failure e) {
      throw new MemorySourceException(
          "pool '%s' cannot be bound to NUMA nodes %s with %s: %s"
              .formatted(pool, nodes, numa.policy(), remedy(e.errno())),
          e);
    }
  }

  private static String remedy(int errno) {
    return switch (errno) {
      case LibC.EPERM -> "the container's seccomp profile forbids mbind; give it CAP_SYS_NICE";
      case LibC.ENOSYS -> "this kernel is built without NUMA; use kind dram";
      case LibC.EINVAL ->
          "the kernel does not know the policy, or the process's cpuset (cpuset.mems) leaves the"
              + " nodes out; use BIND or INTERLEAVE, or widen the cpuset";
      default -> LibC.meaning(errno) + "; use kind dram";
    };
  }

  private static long mbindNumber() {
    String architecture = System.getProperty("os.arch", "");
    return switch (architecture) {
      case "amd64", "x86_64" -> 237;
      case "aarch64" -> 235;
      default ->
          throw new MemorySourceException(
              "NUMA nodes are known on x86_64 and aarch64 only, this is "
                  + architecture
                  + "; use kind dram");
    };
  }
}
