package io.keyvalueserve.cli;

import java.util.ArrayList;
import java.util.List;

/**
 * Splits text into statements at the semicolons that stand in no string, quoted name or comment. A
 * line that begins with a backslash where a statement would begin is a statement of its own: a
 * command of the prompt. Text may come in parts. Not thread-safe.
 */
final class SqlSplitter {
  private final StringBuilder text = new StringBuilder();
  private int scanned;
  private Place place = Place.CODE;
  private int depth;
  private String dollarTag = "";
  private boolean hasEscapes;
  private boolean isEmpty = true;
  private int line = 1;
  private int firstLine = 1;

  private enum Place {
    CODE,
    STRING,
    NAME,
    TICKED_NAME,
    LINE_COMMENT,
    COMMENT,
    DOLLARS,
    BACKSLASH
  }

  /**
   * A statement.
   *
   * @param text without the semicolon, from its first word or comment on
   * @param line where it begins, from 1
   */
  record Statement(String text, int line) {
    /** Returns whether it is a command of the prompt, as {@code \d}. */
    boolean isCommand() {
      return text.startsWith("\\");
    }
  }

  /** Returns the statements of a whole text; the last one may lack its semicolon. */
  static List<Statement> split(String text) {
    SqlSplitter splitter = new SqlSplitter();
    List<Statement> statements = new ArrayList<>(splitter.add(text));
    statements.addAll(splitter.end());
    return statements;
  }

  /** Returns whether a text ends within a statement, so that more has to follow. */
  static boolean isUnfinished(String text) {
    SqlSplitter splitter = new SqlSplitter();
    List<Statement> _ = splitter.add(text.endsWith("\n") ? text : text + "\n");
    return !splitter.isEmpty || splitter.place != Place.CODE;
  }

  /** Takes a part of the text, and returns the statements that are complete with it. */
  List<Statement> add(String part) {
    text.append(part);
    List<Statement> complete = new ArrayList<>();
    while (scanned < text.length()) {
      // A character alone may be the first of two: the next part, or the end, tells.
      if (scanned + 1 == text.length() && place != Place.BACKSLASH && mayBeFirstOfTwo()) {
        break;
      }
      step(complete);
    }
    return complete;
  }

  private boolean mayBeFirstOfTwo() {
    return "-/*'\"`$\\".indexOf(text.charAt(scanned)) >= 0;
  }

  /** Returns what is left when no more text comes: at most two statements. */
  List<Statement> end() {
    List<Statement> complete = new ArrayList<>();
    while (scanned < text.length()) {
      step(complete);
    }
    finish(complete, text.length(), text.length());
    place = Place.CODE;
    return complete;
  }

  private void step(List<Statement> complete) {
    char c = text.charAt(scanned);
    if (c == '\n') {
      line++;
    }
    switch (place) {
      case CODE -> code(c, complete);
      case STRING -> quoted(c, '\'');
      case NAME -> quoted(c, '"');
      case TICKED_NAME -> quoted(c, '`');
      case DOLLARS -> dollars();
      case COMMENT -> comment(c);
      case LINE_COMMENT -> {
        place = c == '\n' ? Place.CODE : place;
        scanned++;
      }
      case BACKSLASH -> {
        scanned++;
        if (c == '\n') {
          finish(complete, scanned - 1, scanned);
          place = Place.CODE;
        }
      }
    }
  }

  private void code(char c, List<Statement> complete) {
    char next = scanned + 1 < text.length() ? text.charAt(scanned + 1) : '\0';
    if (c == ';') {
      finish(complete, scanned, scanned + 1);
      return;
    }
    if (Character.isWhitespace(c)) {
      scanned++;
      return;
    }
    if (c == '\\' && isEmpty) {
      begin();
      place = Place.BACKSLASH;
      scanned++;
      return;
    }
    boolean isLineComment = c == '-' && next == '-';
    boolean isComment = c == '/' && next == '*';
    if (isLineComment || isComment) {
      place = isComment ? Place.COMMENT : Place.LINE_COMMENT;
      depth = isComment ? 1 : 0;
      scanned += 2;
      return;
    }
    begin();
    switch (c) {
      case '\'' -> {
        hasEscapes = scanned > 0 && "eE".indexOf(text.charAt(scanned - 1)) >= 0 && isAlone();
        place = Place.STRING;
      }
      case '"' -> place = Place.NAME;
      case '`' -> place = Place.TICKED_NAME;
      case '$' -> dollarTag(next);
      default -> {
        // A part of the statement.
      }
    }
    scanned++;
  }

  /** Returns whether the letter before a string is no end of a word. */
  private boolean isAlone() {
    return scanned < 2 || !Character.isLetterOrDigit(text.charAt(scanned - 2));
  }

  private void begin() {
    if (isEmpty) {
      isEmpty = false;
      firstLine = line;
    }
  }

  private void quoted(char c, char quote) {
    scanned++;
    if (c == '\\' && hasEscapes && quote == '\'' && scanned < text.length()) {
      scanned++;
    } else if (c == quote) {
      if (scanned < text.length() && text.charAt(scanned) == quote) {
        scanned++;
      } else {
        place = Place.CODE;
        hasEscapes = false;
      }
    }
  }

  /** Begins a string between dollars, as {@code $$it's$$}; {@code $1} is a parameter. */
  private void dollarTag(char next) {
    if (next == '$') {
      dollarTag = "$$";
      place = Place.DOLLARS;
      scanned++;
    } else if (Character.isLetter(next) || next == '_') {
      int end = scanned + 1;
      while (end < text.length() && isTagPart(text.charAt(end))) {
        end++;
      }
      if (end < text.length() && text.charAt(end) == '$') {
        dollarTag = text.substring(scanned, end + 1);
        place = Place.DOLLARS;
        scanned = end;
      }
    }
  }

  private static boolean isTagPart(char c) {
    return Character.isLetterOrDigit(c) || c == '_';
  }

  private void dollars() {
    if (text.charAt(scanned) == '$' && startsWith(dollarTag)) {
      scanned += dollarTag.length();
      place = Place.CODE;
    } else {
      scanned++;
    }
  }

  private boolean startsWith(String word) {
    return scanned + word.length() <= text.length()
        && text.substring(scanned, scanned + word.length()).equals(word);
  }

  private void comment(char c) {
    char next = scanned + 1 < text.length() ? text.charAt(scanned + 1) : '\0';
    if (c == '/' && next == '*') {
      depth++;
      scanned += 2;
    } else if (c == '*' && next == '/') {
      depth--;
      scanned += 2;
      place = depth == 0 ? Place.CODE : place;
    } else {
      scanned++;
    }
  }

  /** Ends a statement; comments alone are none. */
  private void finish(List<Statement> complete, int end, int from) {
    if (!isEmpty) {
      complete.add(new Statement(text.substring(0, end).strip(), firstLine));
    }
    text.delete(0, from);
    scanned = 0;
    isEmpty = true;
    firstLine = line;
  }
}
