package io.keyvalueserve.memory;

import static io.keyvalueserve.memory.Heaps.PAGE;
import static io.keyvalueserve.memory.Heaps.dram;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.nio.file.Path;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/** Every mistake names the field, the value and the remedy. */
class HeapConfigTest {

  private static void refused(ThrowingCallable made, String message) {
    assertThatIllegalArgumentException().isThrownBy(made).withMessageContaining(message);
  }

  @Test
  void refusesHeapWithoutTiersAndTierWithoutPools() {
    refused(() -> new HeapConfig(List.of()), "tiers of a heap must not be empty");
    refused(
        () -> new TierConfig("t", Placement.LOCAL, List.of()),
        "pools of tier 't' must not be empty; add a pool or remove the tier");
  }

  @Test
  void refusesNamesThatAreTakenOrUnfit() {
    refused(() -> HeapConfig.of(dram("a", 1), dram("a", 1)), "two pools are named 'a'");
    TierConfig tier = new TierConfig("t", Placement.LOCAL, List.of(dram("a", 1)));
    TierConfig same = new TierConfig("t", Placement.LOCAL, List.of(dram("b", 1)));
    refused(() -> new HeapConfig(List.of(tier, same)), "two tiers are named 't'; rename one");
    refused(() -> dram("../etc", 1), "name of a pool must be 1 to 48 letters");
    refused(() -> dram("", 1), "name of a pool");
    refused(() -> new TierConfig("a b", Placement.LOCAL, List.of(dram("a", 1))), "name of a tier");
  }

  @Test
  void refusesLessThanOnePage() {
    refused(
        () -> HeapConfig.dram(PAGE - 1),
        "capacityBytes of pool 'dram' must be at least one page: capacityBytes=65535; give it"
            + " 65536 or more");
    refused(() -> HeapConfig.dram(-1), "capacityBytes=-1");
  }

  @Test
  void refusesSizesAndNodesThatCannotBe() {
    refused(() -> new Source.HugePages(4096), "must be 2 MiB or 1 GiB: pageBytes=4096");
    refused(() -> new Source.NumaNodes(NumaPolicy.BIND), "at least one NUMA node");
    refused(() -> new Source.NumaNodes(NumaPolicy.BIND, 0, -1), "node=-1");
    refused(() -> new Source.NumaNodes(NumaPolicy.BIND, 1024), "node=1024");
    refused(() -> new Source.MemkindKmem(List.of(-3)), "node=-3");
    refused(() -> new Source.Directory(Path.of("/pm"), false, -2), "node=-2");
  }

  @Test
  void sortsNodesAndForgetsRepetitions() {
    assertThat(new Source.NumaNodes(NumaPolicy.BIND, 3, 1, 3).nodes()).containsExactly(1, 3);
  }

  @Test
  void knowsWhatCountsAgainstTheProcess() {
    HeapConfig config =
        HeapConfig.of(
            dram("a", 1),
            new PoolConfig("b", new Source.TransparentHugePages(), 2 * PAGE, false),
            new PoolConfig("c", new Source.NumaNodes(NumaPolicy.BIND, 0), 4 * PAGE, false),
            new PoolConfig("d", new Source.MemkindKmem(List.of()), 8 * PAGE, false),
            new PoolConfig("e", new Source.HugePages(2 << 20), 16 * PAGE, false),
            new PoolConfig("f", new Source.Directory(Path.of("/pm")), 32 * PAGE, false),
            new PoolConfig("g", new Source.MemkindDirectory(Path.of("/pm")), 64 * PAGE, false));
    assertThat(config.chargedBytes()).isEqualTo(15 * PAGE);
    assertThat(config.capacityBytes()).isEqualTo(127 * PAGE);
  }
}
