package io.keyvalueserve.cli;

import java.util.List;
import org.jline.reader.CompletingParsedLine;
import org.jline.reader.EOFError;
import org.jline.reader.ParsedLine;
import org.jline.reader.Parser;

/** Tells the prompt whether a statement is complete, and which word the cursor is at. */
final class SqlLineParser implements Parser {
  /** A line with the word at its cursor. */
  private record Line(String line, int cursor, int begin, int end) implements CompletingParsedLine {
    @Override
    public String word() {
      return line.substring(begin, end);
    }

    @Override
    public int wordCursor() {
      return cursor - begin;
    }

    @Override
    public int wordIndex() {
      return 1;
    }

    @Override
    public List<String> words() {
      return List.of(line.substring(0, begin), word());
    }

    @Override
    public CharSequence escape(CharSequence candidate, boolean complete) {
      return candidate;
    }

    @Override
    public int rawWordCursor() {
      return wordCursor();
    }

    @Override
    public int rawWordLength() {
      return end - begin;
    }
  }

  @Override
  public ParsedLine parse(String line, int cursor, ParseContext context) {
    boolean isToBeRun = context == ParseContext.ACCEPT_LINE || context == ParseContext.UNSPECIFIED;
    if (isToBeRun && !isPlainWord(line) && SqlSplitter.isUnfinished(line)) {
      throw new EOFError(-1, cursor, "the statement goes on");
    }
    int begin = cursor;
    while (begin > 0 && isWordPart(line.charAt(begin - 1))) {
      begin--;
    }
    if (begin > 0 && line.charAt(begin - 1) == '"') {
      begin--; // a name that begins with a quote is completed with it
    } else if (begin == 1 && line.charAt(0) == '\\') {
      begin = 0;
    }
    int end = cursor;
    while (end < line.length() && isWordPart(line.charAt(end))) {
      end++;
    }
    return new Line(line, cursor, begin, end);
  }

  /** Returns whether a line is a word that people try at a prompt. */
  static boolean isPlainWord(String line) {
    return switch (line.strip()) {
      case "", "exit", "quit", "help", "?" -> true;
      default -> false;
    };
  }

  private static boolean isWordPart(char c) {
    return Character.isLetterOrDigit(c) || c == '_';
  }

  @Override
  public boolean isEscapeChar(char c) {
    return false;
  }
}
