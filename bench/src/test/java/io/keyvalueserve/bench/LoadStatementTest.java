package io.keyvalueserve.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LoadStatementTest {
  private static final String OWN =
      "2026-11-21T20:25:41.907Z INFO  LogRecovery - restored 1000003 records, 1089126400 bytes of"
          + " log, in 3.850 s (0.26 GiB/s)\n";

  @Test
  void readsWhatAMemberSays() {
    LoadStatement said = LoadStatement.in("ready\n" + OWN + "RESP at /127.0.0.1\n").orElseThrow();
    assertThat(said).isEqualTo(new LoadStatement(3.85, 1_089_126_400));
    assertThat(said.mibPerSecond()).isBetween(269.7, 269.9);
    assertThat(LoadStatement.in(OWN.replace("3.850", "3,850"))).contains(said);
  }

  @Test
  void countsWhatAMemberLoadsWhileItServes() {
    String rest =
        "INFO  PendingLoad - loaded 985448 records, 1000 bytes, in 1.150 s (0.93 GiB/s)\n";
    assertThat(LoadStatement.in(rest + OWN))
        .as("of a start before")
        .isEqualTo(LoadStatement.in(OWN));
    assertThat(LoadStatement.in(OWN + "serving\n" + rest))
        .contains(new LoadStatement(5, 1_089_127_400));
  }

  @Test
  void readsWhatRedisSaysOfAllOfItsLogAndNotOfAPart() {
    assertThat(
            LoadStatement.in(
                """
                * DB loaded from base file appendonly.aof.3.base.rdb: 0.535 seconds
                * DB loaded from incr file appendonly.aof.3.incr.aof: 1.825 seconds
                * DB loaded from append only file: 2.360 seconds
                """))
        .contains(new LoadStatement(2.36, 0));
    assertThat(LoadStatement.in("* DB loaded from disk: 0.021 seconds\n"))
        .contains(new LoadStatement(0.021, 0));
  }

  @Test
  void findsNothingWhereNothingWasLoaded() {
    assertThat(LoadStatement.in("* Server initialized\n")).isEmpty();
  }

  @Test
  void readsTheLastStartOnly(@TempDir Path folder) throws IOException {
    Path output = Files.writeString(folder.resolve("output.log"), OWN);
    long begin = Files.size(output);
    assertThat(LoadStatement.in(output, begin)).isEmpty();
    assertThat(LoadStatement.in(output, 0)).isPresent();
    Files.writeString(output, OWN + OWN.replace("3.850", "1.000"));
    assertThat(LoadStatement.in(output, begin).orElseThrow().seconds()).isEqualTo(1);
  }
}
