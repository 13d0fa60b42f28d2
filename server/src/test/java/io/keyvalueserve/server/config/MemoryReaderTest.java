package io.keyvalueserve.server.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.keyvalueserve.memory.MemoryLimit;
import io.keyvalueserve.memory.NumaPolicy;
import io.keyvalueserve.memory.Placement;
import io.keyvalueserve.memory.PoolConfig;
import io.keyvalueserve.memory.Source;
import io.keyvalueserve.memory.TierConfig;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MemoryReaderTest {
  private static final long MIB = 1L << 20;
  private static final long GIB = 1L << 30;
  private static final Room SIXTEEN_GIB = room(16 * GIB, 256 * MIB);

  @TempDir private Path directory;

  @Test
  void aSizeIsOnePoolWithTransparentHugePagesWhereTheKernelHasThem() {
    assertThat(size("4g", SIXTEEN_GIB).heap().tiers())
        .containsExactly(
            new TierConfig(
                "memory",
                Placement.ROUND_ROBIN,
                List.of(
                    new PoolConfig("dram", new Source.TransparentHugePages(), 4 * GIB, false))));
    Room without = new Room(SIXTEEN_GIB.limit(), 256 * MIB, false);
    assertThat(size("512m", without).heap().tiers().getFirst().pools())
        .containsExactly(new PoolConfig("dram", new Source.Dram(), 512 * MIB, false));
    assertThat(size("25%", SIXTEEN_GIB).heap().capacityBytes()).isBetween(4095 * MIB, 4 * GIB);
  }

  @Test
  void unaskedItTakesHalfOfWhatIsLeftAndNoMoreThanFourGibibytes() {
    assertThat(size("auto", room(2 * GIB, 512 * MIB)).heap().capacityBytes()).isEqualTo(512 * MIB);
    assertThat(size("auto", SIXTEEN_GIB).heap().capacityBytes()).isEqualTo(4 * GIB);
    assertThat(size("auto", SIXTEEN_GIB).origin())
        .isEqualTo("half of what the Java heap leaves of 16 GiB (a test), 4 GiB at most");
    assertThat(size("auto", SIXTEEN_GIB).warnings()).isEmpty();

    MemoryPlan tight = size("auto", room(600 * MIB, 512 * MIB));
    assertThat(tight.heap().capacityBytes()).isEqualTo(64 * MIB);
    assertThat(tight.warnings()).hasSize(1);

    Room unknown = room(Long.MAX_VALUE, 256 * MIB);
    assertThat(size("auto", unknown).heap().capacityBytes()).isEqualTo(4 * GIB);
  }

  @Test
  void whatCanNeverFitIsAMistakeAndWhatFitsBesideASmallHeapIsAWarning() {
    assertThatThrownBy(() -> size("17g", SIXTEEN_GIB))
        .hasMessageContaining(
            "memory.size: 17 GiB are more than this process may use: 16 GiB (a test)");
    assertThatThrownBy(() -> size("1g", room(1200 * MIB, 256 * MIB)))
        .hasMessageContaining("memory.size: 1 GiB for entries, a Java heap of up to 256 MiB and")
        .hasMessageContaining("1.2 GiB (a test): the system would end the process")
        .hasMessageContaining("KVS_JAVA_OPTS=-Xmx");
    assertThat(size("1g", room(1600 * MIB, 256 * MIB)).warnings())
        .singleElement()
        .asString()
        .contains("1 GiB for entries, a Java heap of up to 256 MiB", "KVS_JAVA_OPTS=-Xmx");
    assertThatThrownBy(() -> size("50%", room(Long.MAX_VALUE, GIB)))
        .hasMessageContaining("memory.size: '50%' of what?");
  }

  @ParameterizedTest
  @CsvSource({"lots", "-1", "0", "1k", "101%", "0%", "999999999999t", "1.5g", "''"})
  void aSizeThatIsNoneIsToldWithItsPath(String size) {
    assertThatThrownBy(() -> size(size, SIXTEEN_GIB))
        .hasMessageContaining(
            "memory.size: '"
                + size
                + "' is not a size of 1 MiB or more: write for example 4g, 512m, or 25% of what"
                + " the process may use, or auto");
  }

  @Test
  void aValueMayHaveASixteenthOfTheJavaHeapUnaskedAndAQuarterAtMost() {
    assertThat(ConfigReader.read(null, Map.of(), SIXTEEN_GIB).respMaxValueBytes())
        .isEqualTo(16 * MIB);
    assertThat(ConfigReader.read(null, Map.of(), room(16 * GIB, 4 * GIB)).respMaxValueBytes())
        .isEqualTo(64 * MIB);
    Map<String, String> quarter = Map.of("resp.max-value", "64m");
    assertThat(ConfigReader.read(null, quarter, SIXTEEN_GIB).respMaxValueBytes())
        .isEqualTo(64 * MIB);
    assertThatThrownBy(() -> ConfigReader.read(null, Map.of("resp.max-value", "65m"), SIXTEEN_GIB))
        .hasMessageContaining(
            "resp.max-value: 65 MiB are more than a quarter of the Java heap (256 MiB)");
  }

  @Test
  void readsEveryKindOfPool() throws IOException {
    MemoryPlan plan =
        tiers(
            """
              - name: fast
                placement: local
                pools:
                  - {kind: numa, name: near, nodes: [0], size: 1g, pretouch: true, huge-pages: true}
                  - {kind: numa, nodes: [2, 1], policy: weighted-interleave, size: 10%}
                  - {kind: huge-2m, size: 64m}
                  - {kind: huge-1g, size: 2g}
              - pools:
                  - {kind: file, path: DIRECTORY, map-sync: true, node: 3, size: 2t}
                  - {kind: file, path: DIRECTORY, size: 1m}
                  - {kind: memkind-pmem, path: DIRECTORY, size: 1g}
                  - {kind: memkind-kmem, nodes: 2, size: 1g}
                  - {kind: dram, size: 1g}
                  - {kind: thp, size: 1g}
            """);
    assertThat(plan.heap().tiers())
        .containsExactly(
            new TierConfig(
                "fast",
                Placement.LOCAL,
                List.of(
                    new PoolConfig(
                        "near", new Source.NumaNodes(List.of(0), NumaPolicy.BIND, true), GIB, true),
                    new PoolConfig(
                        "fast-2",
                        new Source.NumaNodes(NumaPolicy.WEIGHTED_INTERLEAVE, 1, 2),
                        1638 * MIB,
                        false),
                    new PoolConfig("fast-3", new Source.HugePages(2 * MIB), 64 * MIB, false),
                    new PoolConfig("fast-4", new Source.HugePages(GIB), 2 * GIB, false))),
            new TierConfig(
                "tier2",
                Placement.ROUND_ROBIN,
                List.of(
                    new PoolConfig(
                        "tier2-1", new Source.Directory(directory, true, 3), 2048 * GIB, false),
                    new PoolConfig("tier2-2", new Source.Directory(directory), MIB, false),
                    new PoolConfig("tier2-3", new Source.MemkindDirectory(directory), GIB, false),
                    new PoolConfig("tier2-4", new Source.MemkindKmem(List.of(2)), GIB, false),
                    new PoolConfig("tier2-5", new Source.Dram(), GIB, false),
                    new PoolConfig("tier2-6", new Source.TransparentHugePages(), GIB, false))));
  }

  @Test
  void tellsEveryMistakeInTiersAtOnceWithItsPathAndRemedy() {
    ConfigException e =
        mistakesOf(
            """
              - name: fast
                placement: near
                speed: 9
                pools:
                  - {kind: tape, size: 1g}
                  - {kind: dram}
                  - {kind: dram, size: lots, pretouch: maybe}
                  - {kind: dram, size: 1g, nodes: [0]}
                  - {kind: numa, size: 1g}
                  - {kind: numa, size: 1g, nodes: [], policy: bound}
                  - {kind: numa, size: 1g, nodes: [0, x, 2000]}
                  - {kind: file, size: 1g}
                  - {kind: file, size: 1g, path: /no/such/place, nod: 1}
                  - {kind: file, size: 50%, path: DIRECTORY}
                  - {kind: huge-1g, size: 1536m}
                  - {size: 1g}
                  - {kind: dram, size: 1g, name: "a b"}
                  - {kind: dram, size: 1g, name: twin}
                  - {kind: dram, size: 1g, name: twin}
                  - text
              - name: fast
                pools: []
              - name: none
            """);
    String p = "memory.tiers[0].pools";
    assertThat(e.mistakes())
        .containsExactlyInAnyOrder(
            "memory.tiers[0].placement: 'near' is not one of round-robin, local",
            "memory.tiers[0].speed: no such setting",
            p + "[0].kind: 'tape' is not one of " + PoolKinds.LIST,
            p + "[1].size: is missing: write for example 4g, 512m or 25%",
            p
                + "[2].size: 'lots' is not a size of 1 MiB or more: write for example 4g, 512m,"
                + " or 25% of what the process may use",
            p + "[2].pretouch: 'maybe' is not true or false",
            p + "[3].nodes: no such setting for the kind dram",
            p + "[4].nodes: is missing: name the NUMA nodes, as in [0, 1]; 'numactl -H' lists them",
            p + "[5].nodes: names no node: write for example [0, 1]",
            p
                + "[5].policy: 'bound' is not one of bind, preferred, interleave,"
                + " weighted-interleave",
            p + "[6].nodes: \"x\" is not a number from 0 to 1023: write for example [0, 1]",
            p + "[6].nodes: 2000 is not a number from 0 to 1023: write for example [0, 1]",
            p + "[7].path: is missing: name the directory that the device is mounted at",
            p
                + "[8].path: '/no/such/place' is no directory: create it, or mount the device"
                + " there",
            p + "[8].nod: no such setting for the kind file; did you mean node?",
            p + "[9].size: '50%' says nothing for the kind file: write bytes, as in 64g",
            p + "[10].size: '1536m' is not a whole number of pages of 1 GiB",
            p + "[11].kind: is missing: name one of " + PoolKinds.LIST,
            p
                + "[12].name: 'a b' is not a name: use 1 to 48 letters, digits, '.', '_' or '-',"
                + " and begin with a letter or digit",
            p + "[14].name: 'twin' is the name of " + p + "[13] too: rename one",
            p + "[15]: holds no settings; write NAME: VALUE lines",
            "memory.tiers[1].name: 'fast' is the name of memory.tiers[0] too: rename one",
            "memory.tiers[1].pools: is not a list with at least one item: write '- kind: dram' and"
                + " 'size: 4g' lines",
            "memory.tiers[2].pools: is not a list with at least one item: write '- kind: dram' and"
                + " 'size: 4g' lines");
  }

  @Test
  void tellsMistakesInTiersTogetherWithAllOthers() throws IOException {
    Path file =
        write("resp-port: 99999\nmemory:\n  sise: 1g\n  tiers:\n    - {pools: [{kind: dram}]}\n");
    assertThatThrownBy(() -> ConfigReader.read(file, Map.of("memory.size", "1g"), SIXTEEN_GIB))
        .hasMessageContaining("resp-port: '99999' is not a port")
        .hasMessageContaining("memory.sise: no such setting; did you mean memory.size?")
        .hasMessageContaining("memory.size: cannot be given beside memory.tiers")
        .hasMessageContaining("memory.tiers[0].pools[0].size: is missing");
  }

  @Test
  void tiersMustFitTogetherAndOnlyWhatIsTheProcesssOwnCounts() throws IOException {
    ConfigException e =
        mistakesOf("  - pools: [{kind: dram, size: 9g}]\n  - pools: [{kind: thp, size: 9g}]\n");
    assertThat(e.mistakes())
        .containsExactly(
            "memory.tiers: 18 GiB are more than this process may use: 16 GiB (a test); make it"
                + " smaller");
    MemoryPlan files = tiers("  - pools: [{kind: file, size: 1t, path: DIRECTORY}]\n");
    assertThat(files.warnings()).isEmpty();
  }

  @Test
  void memoryIsAMappingAndTiersAreAList() throws IOException {
    Path text = write("memory: 4g\n");
    assertThatThrownBy(() -> ConfigReader.read(text, Map.of(), SIXTEEN_GIB))
        .hasMessageContaining("memory: no such setting; did you mean memory.size?");
    Path tiers = write("memory: {tiers: 4g}\n");
    assertThatThrownBy(() -> ConfigReader.read(tiers, Map.of(), SIXTEEN_GIB))
        .hasMessageContaining("memory.tiers: is not a list with at least one item");
  }

  @Test
  void theLongFormInTheExampleIsValidOnceItsDirectoryIsThere() throws IOException {
    String example = Files.readString(Path.of("..", "docs", "kvs.yaml"));
    String text =
        example
            .replace("  size: auto\n", "")
            .replaceAll("(?m)^  # ( *- |  +)(?=[a-z-]+:)", "  $1")
            .replace("  # tiers:", "  tiers:")
            .replace("/mnt/pmem0", directory.toString());
    Room large = room(1024 * GIB, GIB);
    MemoryPlan plan = ConfigReader.read(write(text), Map.of(), large).memory();
    assertThat(plan.heap().tiers()).extracting(TierConfig::name).contains("fast", "large", "last");
  }

  private static MemoryPlan size(String size, Room room) {
    return ConfigReader.read(null, Map.of("memory.size", size), room).memory();
  }

  private MemoryPlan tiers(String yaml) throws IOException {
    return ConfigReader.read(tierFile(yaml), Map.of(), SIXTEEN_GIB).memory();
  }

  private ConfigException mistakesOf(String yaml) {
    return Objects.requireNonNull(
        catchThrowableOfType(ConfigException.class, () -> tiers(yaml)), "no mistake was found");
  }

  private Path tierFile(String yaml) throws IOException {
    return write(
        "memory:\n tiers:\n" + yaml.replace("DIRECTORY", directory.toAbsolutePath().toString()));
  }

  private Path write(String text) throws IOException {
    return Files.writeString(directory.resolve("kvs.yaml"), text);
  }

  private static Room room(long bytes, long javaHeap) {
    return new Room(new MemoryLimit(bytes, "a test"), javaHeap, true);
  }
}
