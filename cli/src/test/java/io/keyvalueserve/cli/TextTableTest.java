package io.keyvalueserve.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import org.junit.jupiter.api.Test;

class TextTableTest {
  @Test
  void numbersEndTogetherAndWordsBeginTogether() {
    TextTable table = new TextTable("MAP", "ENTRIES", "MEMORY", "%");
    table.add("orders", "5", "64 MiB", "7");
    table.add("a", "12000", "1.5 GiB", "");
    assertThat(table)
        .hasToString(
            """
            MAP     ENTRIES   MEMORY  %
            orders        5   64 MiB  7
            a         12000  1.5 GiB"""
                .replace("\n", System.lineSeparator()));
  }

  @Test
  void oneWordMakesAColumnOfWords() {
    TextTable table = new TextTable("LIMIT", "OF");
    table.add("maps", "5");
    table.add("locks", "unlimited");
    assertThat(Page.lines(table.toString()).get(1)).isEqualTo("maps   5");
  }

  @Test
  void factsHaveNoHeadingAndAreNotShortened() {
    TextTable facts = TextTable.ofFacts("total", "5");
    facts.add("head", "180 " + "3f".repeat(32));
    assertThat(facts.in(new Style(20, true)))
        .isEqualTo("total  5" + System.lineSeparator() + "head   180 " + "3f".repeat(32));
  }

  @Test
  void whatMaySoonestIsShortenedAndNumbersAreNot() {
    TextTable table = new TextTable("TIME", "OBJECT", "DETAIL", "COUNT").shortening("DETAIL");
    table.add("2030-01-31T12:00:00Z", "acme/orders", "durability=always and more", "1234567");
    assertThat(Page.lines(table.in(new Style(55, false))))
        .containsExactly(
            "TIME                  OBJECT       DETAIL         COUNT",
            "2030-01-31T12:00:00Z  acme/orders  durability…  1234567");
    assertThat(Page.lines(table.in(new Style(30, false))).get(1))
        .endsWith("1234567")
        .contains("2030-…", "acme/…", "durab…");
  }

  @Test
  void wideCharactersTakeTwoColumnsAndMarksNone() {
    assertThat(DisplayWidth.of("客户")).isEqualTo(4);
    assertThat(DisplayWidth.of("cafe\u0301")).isEqualTo(4);
    assertThat(DisplayWidth.of("\ud83d\ude80")).isEqualTo(2);
    assertThat(DisplayWidth.of("한ｗ")).isEqualTo(4);
    TextTable table = new TextTable("MAP", "ENTRIES");
    table.add("客户", "1");
    table.add("abc", "2");
    assertThat(Page.lines(table.toString()))
        .containsExactly("MAP   ENTRIES", "客户        1", "abc         2");
    assertThat(DisplayWidth.shortened("客户客户", 6)).isEqualTo("客户…");
  }

  @Test
  void namesCannotMoveTheCursorOrTurnTheLine() {
    TextTable table = new TextTable("MAP");
    table.add("a\u001b[2Jb\u202ec");
    assertThat(Page.lines(table.toString()).get(1)).isEqualTo("a?[2Jb?c");
  }

  @Test
  void coloursAreForHeadingsAndForStatesThatAskForAttention() {
    TextTable table = new TextTable("TENANT", "STATE");
    table.add("acme", "active");
    table.add("globex", "suspended");
    assertThat(Page.lines(table.in(new Style(80, true))))
        .containsExactly(
            "\u001b[1mTENANT\u001b[0m  \u001b[1mSTATE\u001b[0m",
            "acme    active",
            "globex  \u001b[33msuspended\u001b[0m");
  }

  @Test
  void noLineIsWiderThanTheTerminalAsLongAsItCanBeHelped() {
    Random random = new Random(7);
    int[] some = {'a', ' ', 0x301, 0x5ba2, 0x1f680, 0x1b, 'Z'};
    for (int round = 0; round < 2_000; round++) {
      TextTable table = new TextTable("NAME", "DETAIL", "N");
      table.add("n" + text(random, some), "d" + text(random, some), "7");
      int columns = 24 + random.nextInt(100);
      for (String line : Page.lines(table.in(new Style(columns, false)))) {
        assertThat(DisplayWidth.of(line)).as(line).isLessThanOrEqualTo(columns);
      }
    }
  }

  private static String text(Random random, int[] of) {
    StringBuilder text = new StringBuilder();
    for (int length = random.nextInt(60); length > 0; length--) {
      text.appendCodePoint(of[random.nextInt(of.length)]);
    }
    return text.toString();
  }
}
