package io.keyvalueserve.cli;

import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/** Texts and tables, one below the other with an empty line between; those of no text left out. */
final class Page {
  private final List<Object> parts;

  private Page(List<Object> parts) {
    this.parts = parts;
  }

  static Page of(Object... parts) {
    return new Page(List.of(parts));
  }

  /** The text as it may look. */
  String in(Style style) {
    return parts.stream()
        .map(part -> in(part, style))
        .filter(text -> !text.isEmpty())
        .collect(Collectors.joining(System.lineSeparator().repeat(2)));
  }

  /** A table, a page, or any other text as it may look. */
  static String in(Object part, Style style) {
    return switch (part) {
      case TextTable table -> table.in(style);
      case Page page -> page.in(style);
      default -> part.toString();
    };
  }

  /** Returns the lines of a text. */
  static List<String> lines(String text) {
    return Arrays.asList(text.split("\\R", -1));
  }

  @Override
  public String toString() {
    return in(Style.PLAIN);
  }
}
