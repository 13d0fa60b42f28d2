package io.keyvalueserve.bench;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** What writes cost, as a table, as JSON and as plots. */
final class WriteReport {
  private static final String NAME = "restart-writes";
  private static final String LEGEND =
      """
      CPU us has what a server had left to do when the load had ended (its log, compaction), until it was at rest; less
      what it uses when idle. Redis wrote its log anew between turns, which counts for nothing.""";

  private final ComparisonReport comparison;

  /**
   * @param conditions what was measured, and where
   */
  WriteReport(String conditions, WriteRun.Results results) {
    comparison = new ComparisonReport(conditions, results.warmUps(), results.cells(), List.of());
    comparison.add(WriteGoals.of(results.cells()));
  }

  /** Lines for a person. */
  String table() {
    return comparison.table() + "\n" + LEGEND;
  }

  /** Writes table, JSON and plots. */
  void write(Path folder) throws IOException {
    comparison.write(folder, NAME);
  }
}
