package io.keyvalueserve.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class TextTableTest {
  @Test
  void linesFiguresUpAndEndsNoLineWithSpaces() {
    Table table = new Table("here", 6, 5);
    table.row("\nfirst", "us", "x");
    table.row("  kvs", Table.figure(1234.5, 1), Table.percent(0.5, 0), "");
    table.line("%d of %s", 1, "all");
    assertThat(table).hasToString("here\n\nfirst     us     x\n  kvs  1,234.5   50%\n1 of all\n");
  }

  @Test
  void takesFiguresAsWideAsTheyAre() {
    Table table = new Table("here", 8, 0);
    table.row("kills", Table.count(1_000), "in all");
    assertThat(table).hasToString("here\nkills    1,000 in all\n");
  }

  @Test
  void hasGoalsIfThereAreAny() {
    Table table = new Table("here", 1, 1);
    table.goals(List.of());
    assertThat(table).hasToString("here\n");
    table.goals(List.of(new Goal("first", 1, true, 2), new Goal("second", 1, false, 2)));
    assertThat(table.toString().lines())
        .hasSize(5)
        .containsSubsequence("", "goals")
        .filteredOn(line -> line.startsWith("  MISSED"))
        .singleElement()
        .asString()
        .endsWith("second");
  }
}
