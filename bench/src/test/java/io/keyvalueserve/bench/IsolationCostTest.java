package io.keyvalueserve.bench;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The last part of {@code kvs bench isolation}; {@link IsolationBenchTest} has the others. */
class IsolationCostTest {
  @TempDir private Path folder;

  /** In so short a time a slow machine may count no tick of the server's processor time. */
  @Test
  void tellsWhatTenancyCosts() throws IOException {
    JsonNode cells =
        IsolationBenchTest.run("--parts cost --subjects kvs", folder).at("/cost/cells");
    assertThat(cells.findValuesAsText("case"))
        .containsExactly(
            IsolationCost.WORK,
            IsolationCost.SERVICE,
            IsolationCost.GRANTED,
            IsolationCost.WORK,
            IsolationCost.SERVICE,
            IsolationCost.GRANTED);
    assertThat(cells.findValues("rounds")).allMatch(rounds -> rounds.size() == 1);
  }
}
