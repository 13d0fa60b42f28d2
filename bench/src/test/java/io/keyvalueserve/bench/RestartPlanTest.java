package io.keyvalueserve.bench;

import static io.keyvalueserve.bench.RestartKind.KVS_ALWAYS;
import static io.keyvalueserve.bench.RestartKind.KVS_CLOSED;
import static io.keyvalueserve.bench.RestartKind.KVS_EMPTY;
import static io.keyvalueserve.bench.RestartKind.KVS_EVERYSEC;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.keyvalueserve.cli.KvsCommand;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.TypeConversionException;

class RestartPlanTest {
  private static final long GIB = 1L << 30;

  @Command
  private static final class Holder {
    @Mixin private RestartPlan plan = new RestartPlan();
  }

  @Test
  void bringsBackEverySizeOfDataWithEverySizeOfValues() {
    assertThat(plan("--data", "64m,2g", "--value-bytes", "239,1007").data())
        .containsExactly(
            new RestartData(64 << 20, 239),
            new RestartData(64 << 20, 1007),
            new RestartData(2 * GIB, 239),
            new RestartData(2 * GIB, 1007));
    assertThat(new RestartData(GIB, 1008).entries()).isEqualTo(1 << 20);
  }

  @Test
  void takesWhatTheMachineHolds() {
    assertThat(RestartPlan.usualBytes(24 * GIB)).isEqualTo(GIB);
    assertThat(RestartPlan.usualBytes(2 * GIB)).isEqualTo(GIB / 2);
  }

  @Test
  void comparesEachServerWithItselfWithoutData() {
    assertThat(plan("--without", "redis").kinds())
        .containsExactly(KVS_EVERYSEC, KVS_CLOSED, KVS_ALWAYS, KVS_EMPTY);
    assertThat(plan("--without", "redis", "--while-loading", "closed").kinds())
        .containsExactly(KVS_CLOSED, KVS_ALWAYS, KVS_EMPTY);
    assertThat(plan("--without", "redis", "--durability", "always").kinds())
        .containsExactly(KVS_ALWAYS, KVS_EMPTY);
    RestartPlan usual = plan();
    assertThat(usual.kinds()).containsExactly(RestartKind.values());
    assertThat(usual.kinds()).allMatch(kind -> usual.kinds().contains(kind.empty()));
    assertThat(usual.cores()).contains(1, Cores.count()).doesNotHaveDuplicates();
  }

  @Test
  void hasTheHostFindMemoryBeforeUnlessToldNotTo() {
    assertThat(plan().preTouch).isTrue();
    assertThat(plan("--no-pre-touch").preTouch).isFalse();
    assertThat(plan().restarts()).contains("memory touched before");
  }

  @Test
  void measuresBothPartsUnlessOneIsAskedFor() {
    assertThat(plan().has(RestartPlan.Part.RESTARTS)).isTrue();
    assertThat(plan().has(RestartPlan.Part.WRITES)).isTrue();
    assertThat(plan("--parts", "writes").has(RestartPlan.Part.RESTARTS)).isFalse();
  }

  @Test
  void refusesWhatMakesNoSense(@TempDir Path folder) {
    assertThat(KvsCommand.run("bench", "restart", "--data", "12")).isEqualTo(2);
    assertThat(KvsCommand.run("bench", "restart", "--data", "0g")).isEqualTo(2);
    String results = folder.toString();
    assertThat(KvsCommand.run("bench", "restart", "--data", "90000g", "--results", results))
        .isEqualTo(2);
    assertThat(KvsCommand.run("bench", "restart", "--cores", "4096")).isEqualTo(2);
    assertThat(KvsCommand.run("bench", "restart", "--durability", "none")).isEqualTo(2);
    assertThat(KvsCommand.run("bench", "restart", "--value-bytes", "0")).isEqualTo(2);
    assertThatThrownBy(() -> new DataSize().convert("1t"))
        .isInstanceOf(TypeConversionException.class)
        .hasMessageContaining("256m or 4g");
  }

  private static RestartPlan plan(String... options) {
    Holder holder = new Holder();
    new CommandLine(holder).setCaseInsensitiveEnumValuesAllowed(true).parseArgs(options);
    return holder.plan;
  }
}
