package io.keyvalueserve.memory;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What machines tell of themselves. */
class MachineTest {

  private static final long GIB = 1L << 30;

  @TempDir Path root;
  private Fixture fixture;

  @BeforeEach
  void machineOf8Gib() {
    fixture =
        new Fixture(root)
            .proc("meminfo", "MemTotal:        8388608 kB\nMemFree:         1000000 kB");
  }

  @Test
  void memoryIsTheMachinesWithoutControlGroup() {
    MemoryLimit limit = fixture.machine().memoryLimit();
    assertThat(limit).isEqualTo(new MemoryLimit(8 * GIB, "the machine's memory"));
  }

  @Test
  void anyAncestorOfTheControlGroupMayLimit() {
    fixture
        .proc("self/cgroup", "0::/kubepods/pod1/box")
        .sys("fs/cgroup/kubepods/memory.max", "" + 6 * GIB)
        .sys("fs/cgroup/kubepods/pod1/memory.max", "" + 2 * GIB)
        .sys("fs/cgroup/kubepods/pod1/box/memory.max", "max");
    MemoryLimit limit = fixture.machine().memoryLimit();
    assertThat(limit.bytes()).isEqualTo(2 * GIB);
    assertThat(limit.origin())
        .isEqualTo(
            "the control group's limit in "
                + root.resolve("sys/fs/cgroup/kubepods/pod1/memory.max"));
  }

  @Test
  void containerSeesItsOwnGroupAsTheRoot() {
    for (String path : new String[] {"/", "/../../elsewhere", "/docker/abc"}) {
      fixture.proc("self/cgroup", "0::" + path).sys("fs/cgroup/memory.max", "" + GIB);
      assertThat(fixture.machine().memoryLimit().bytes()).as(path).isEqualTo(GIB);
    }
  }

  @Test
  void firstVersionOfControlGroupsLimitsToo() {
    fixture
        .proc("self/cgroup", "9:name=systemd:/x\n4:cpu,memory:/job/a\n0::/")
        .sys("fs/cgroup/memory/memory.limit_in_bytes", "9223372036854771712")
        .sys("fs/cgroup/memory/job/memory.limit_in_bytes", "" + 3 * GIB)
        .sys("fs/cgroup/memory/job/a/memory.limit_in_bytes", "9223372036854771712");
    assertThat(fixture.machine().memoryLimit().bytes()).isEqualTo(3 * GIB);
  }

  @Test
  void unlimitedGroupDoesNotRaiseTheLimit() {
    fixture.proc("self/cgroup", "0::/a").sys("fs/cgroup/a/memory.max", "max");
    assertThat(fixture.machine().memoryLimit().bytes()).isEqualTo(8 * GIB);
  }

  @Test
  void thisMachineHasLimit() {
    assertThat(Machine.local().memoryLimit().bytes()).isBetween(64L << 20, 1L << 60);
  }

  @Test
  void readsNodesDistancesAndProcessors() {
    NumaTopology topology = fixture.twoSocketsAndCxl().machine().numa();
    assertThat(topology.nodes()).containsExactly(0, 1, 2);
    assertThat(topology.nodeOfCpu(3)).isZero();
    assertThat(topology.nodeOfCpu(4)).isEqualTo(1);
    assertThat(topology.nodeOfCpu(8)).isEqualTo(-1);
    assertThat(topology.distance(1, 2)).isEqualTo(14);
    assertThat(topology.distance(0, 2)).isEqualTo(31);
    assertThat(topology.distance(0, -1)).isEqualTo(NumaTopology.FAR);
    assertThat(topology.distance(0, 9)).isEqualTo(NumaTopology.FAR);
  }

  /** The columns of a row are the nodes that are online, not all numbers up to the last. */
  @Test
  void distancesSkipNodesThatAreOffline() {
    NumaTopology topology =
        fixture
            .sys("devices/system/node/online", "0,4")
            .sys("devices/system/node/node0/distance", "10 40")
            .sys("devices/system/node/node0/cpulist", "0,2")
            .sys("devices/system/node/node4/distance", "40 10")
            .machine()
            .numa();
    assertThat(topology.distance(0, 4)).isEqualTo(40);
    assertThat(topology.nodeOfCpu(1)).isEqualTo(-1);
    assertThat(topology.nodeOfCpu(2)).isZero();
    assertThat(topology.nodesWithMemory()).containsExactly(0, 4);
  }

  @Test
  void kernelWithoutNumaHasNoNodes() {
    NumaTopology topology = fixture.machine().numa();
    assertThat(topology.nodes()).isEmpty();
    assertThat(topology.nodeOfCpu(0)).isEqualTo(-1);
  }

  @Test
  void readsTheNodeOfPersistentMemory() throws Exception {
    fixture
        .sys("dev/block/259:0/device/numa_node", "1")
        .sys("devices/nd/pmem1/device/numa_node", "2")
        .sys("devices/nd/pmem1/pmem1p1/partition", "1");
    Files.createSymbolicLink(
        root.resolve("sys/dev/block/259:3"), root.resolve("sys/devices/nd/pmem1/pmem1p1"));
    assertThat(fixture.machine().nodeOfDevice("259:0")).isEqualTo(1);
    assertThat(fixture.machine().nodeOfDevice("259:3")).as("a partition").isEqualTo(2);
    assertThat(fixture.machine().nodeOfDevice("8:0")).isEqualTo(-1);
    assertThat(Machine.local().nodeOf(root)).isBetween(-1, 1023);
  }

  @Test
  void readsTheKernelsSetsOfNumbers() {
    assertThat(Machine.numbers("0-3,8,10-11")).isEqualTo(List.of(0, 1, 2, 3, 8, 10, 11));
    assertThat(Machine.numbers("")).isEmpty();
  }
}
