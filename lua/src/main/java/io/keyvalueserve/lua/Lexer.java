package io.keyvalueserve.lua;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

/** Source text to tokens. Single characters are tokens of their own code. */
final class Lexer {
  static final int EOF = 256;
  static final int NAME = 257;
  static final int STRING = 258;
  static final int NUMBER = 259;
  static final int CONCAT = 260;
  static final int DOTS = 261;
  static final int EQ = 262;
  static final int GE = 263;
  static final int LE = 264;
  static final int NE = 265;
  static final int AND = 266;
  static final int BREAK = 267;
  static final int DO = 268;
  static final int ELSE = 269;
  static final int ELSEIF = 270;
  static final int END = 271;
  static final int FALSE = 272;
  static final int FOR = 273;
  static final int FUNCTION = 274;
  static final int IF = 275;
  static final int IN = 276;
  static final int LOCAL = 277;
  static final int NIL = 278;
  static final int NOT = 279;
  static final int OR = 280;
  static final int REPEAT = 281;
  static final int RETURN = 282;
  static final int THEN = 283;
  static final int TRUE = 284;
  static final int UNTIL = 285;
  static final int WHILE = 286;

  private static final String[] WORDS = {
    "and",
    "break",
    "do",
    "else",
    "elseif",
    "end",
    "false",
    "for",
    "function",
    "if",
    "in",
    "local",
    "nil",
    "not",
    "or",
    "repeat",
    "return",
    "then",
    "true",
    "until",
    "while"
  };
  private static final Map<String, Integer> RESERVED = new HashMap<>();

  static {
    for (int i = 0; i < WORDS.length; i++) {
      RESERVED.put(WORDS[i], AND + i);
    }
  }

  private final byte[] source;
  private final String chunk;
  private final Map<String, LuaString> strings = new HashMap<>();
  private int at;
  private int tokenStart;
  private int ahead = -1;

  /** The current token, its line, and the line of the token before. */
  int token = EOF;

  int line = 1;
  int lastLine = 1;

  /** The text of a name or a string. */
  LuaString text = LuaString.EMPTY;

  /** The value of a number. */
  double number;

  /** The text of a token that messages show. */
  private byte[] shown = new byte[0];

  private LuaString aheadText = LuaString.EMPTY;
  private double aheadNumber;
  private int lineAhead;

  Lexer(byte[] source, String chunk) {
    this.source = source;
    this.chunk = chunk;
    this.lineAhead = 1;
  }

  /** Moves on by one token. */
  void next() throws LuaSyntaxError {
    lastLine = line;
    if (ahead >= 0) {
      token = ahead;
      text = aheadText;
      number = aheadNumber;
      ahead = -1;
      line = lineAhead;
      return;
    }
    token = read();
    line = lineAhead;
  }

  /** Returns the token after the current one. */
  int peek() throws LuaSyntaxError {
    if (ahead < 0) {
      LuaString keepText = text;
      double keepNumber = number;
      ahead = read();
      aheadText = text;
      aheadNumber = number;
      text = keepText;
      number = keepNumber;
    }
    return ahead;
  }

  LuaSyntaxError error(String message, int near) {
    return new LuaSyntaxError(
        chunk + ":" + lineAhead + ": " + message + " near '" + show(near) + "'");
  }

  LuaSyntaxError errorAt(String message) {
    return new LuaSyntaxError(chunk + ":" + line + ": " + message + " near '" + show(token) + "'");
  }

  LuaSyntaxError errorWithoutToken(String message) {
    return new LuaSyntaxError(chunk + ":" + line + ": " + message);
  }

  private String show(int kind) {
    return switch (kind) {
      case NAME, STRING, NUMBER -> new String(shown, StandardCharsets.ISO_8859_1);
      default -> name(kind);
    };
  }

  static String name(int kind) {
    return switch (kind) {
      case EOF -> "<eof>";
      case NAME -> "<name>";
      case STRING -> "<string>";
      case NUMBER -> "<number>";
      case CONCAT -> "..";
      case DOTS -> "...";
      case EQ -> "==";
      case GE -> ">=";
      case LE -> "<=";
      case NE -> "~=";
      default -> {
        if (kind >= AND) {
          yield WORDS[kind - AND];
        }
        yield kind < 32 || kind == 127 ? "char(" + kind + ")" : String.valueOf((char) kind);
      }
    };
  }

  private int peekByte() {
    return at < source.length ? source[at] & 0xFF : -1;
  }

  private int byteAt(int index) {
    return index < source.length ? source[index] & 0xFF : -1;
  }

  private boolean accept(int c) {
    if (peekByte() == c) {
      at++;
      return true;
    }
    return false;
  }

  private void newline() {
    int first = source[at++];
    int c = peekByte();
    if ((c == '\n' || c == '\r') && c != first) {
      at++;
    }
    lineAhead++;
  }

  private int read() throws LuaSyntaxError {
    while (true) {
      tokenStart = at;
      int c = peekByte();
      switch (c) {
        case -1 -> {
          return EOF;
        }
        case '\n', '\r' -> newline();
        case ' ', '\t', '\f', 0x0B -> at++;
        case '-' -> {
          at++;
          if (!accept('-')) {
            return '-';
          }
          comment();
        }
        case '[' -> {
          int level = openLong();
          if (level >= 0) {
            text = intern(longText(level, "string"));
            return STRING;
          }
          if (level == -2) {
            shown = Arrays.copyOfRange(source, tokenStart, at);
            throw error("invalid long string delimiter", STRING);
          }
          at++;
          return '[';
        }
        case '=' -> {
          at++;
          return accept('=') ? EQ : '=';
        }
        case '<' -> {
          at++;
          return accept('=') ? LE : '<';
        }
        case '>' -> {
          at++;
          return accept('=') ? GE : '>';
        }
        case '~' -> {
          at++;
          return accept('=') ? NE : '~';
        }
        case '"', '\'' -> {
          string(c);
          return STRING;
        }
        case '.' -> {
          if (byteAt(at + 1) == '.') {
            at += 2;
            return accept('.') ? DOTS : CONCAT;
          }
          if (!digit(byteAt(at + 1))) {
            at++;
            return '.';
          }
          numeral();
          return NUMBER;
        }
        default -> {
          if (digit(c)) {
            numeral();
            return NUMBER;
          }
          if (letter(c)) {
            return word();
          }
          at++;
          return c;
        }
      }
    }
  }

  private static boolean digit(int c) {
    return c >= '0' && c <= '9';
  }

  private static boolean letter(int c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
  }

  private int word() {
    while (letter(peekByte()) || digit(peekByte())) {
      at++;
    }
    shown = Arrays.copyOfRange(source, tokenStart, at);
    Integer reserved =
        shown.length > 8 ? null : RESERVED.get(new String(shown, StandardCharsets.ISO_8859_1));
    if (reserved != null) {
      return reserved;
    }
    text = intern(shown);
    return NAME;
  }

  /** Returns the one object for a name. */
  LuaString name(String name) {
    return intern(name.getBytes(StandardCharsets.ISO_8859_1));
  }

  private LuaString intern(byte[] bytes) {
    return strings.computeIfAbsent(
        new String(bytes, StandardCharsets.ISO_8859_1), key -> LuaString.constant(bytes));
  }

  private void numeral() throws LuaSyntaxError {
    while (digit(peekByte()) || peekByte() == '.') {
      at++;
    }
    if (peekByte() == 'e' || peekByte() == 'E') {
      at++;
      if (peekByte() == '+' || peekByte() == '-') {
        at++;
      }
    }
    while (letter(peekByte()) || digit(peekByte())) {
      at++;
    }
    shown = Arrays.copyOfRange(source, tokenStart, at);
    double value = Numbers.parse(shown);
    if (Double.isNaN(value)) {
      throw error("malformed number", NUMBER);
    }
    number = value;
  }

  private void comment() throws LuaSyntaxError {
    if (peekByte() == '[') {
      int level = openLong();
      if (level >= 0) {
        longText(level, "comment");
        return;
      }
    }
    while (peekByte() != -1 && peekByte() != '\n' && peekByte() != '\r') {
      at++;
    }
  }

  /** Returns the level of a long bracket, and passes it; -1 if there is none, -2 for half a one. */
  private int openLong() {
    int p = at + 1;
    while (byteAt(p) == '=') {
      p++;
    }
    if (byteAt(p) == '[') {
      int level = p - at - 1;
      at = p + 1;
      return level;
    }
    if (p == at + 1) {
      return -1;
    }
    if (tokenStart == at) {
      at = p;
    }
    return -2;
  }

  private byte[] longText(int level, String what) throws LuaSyntaxError {
    if (peekByte() == '\n' || peekByte() == '\r') {
      newline();
    }
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    while (true) {
      int c = peekByte();
      if (c == -1) {
        throw error("unfinished long " + what, EOF);
      }
      if (c == '\n' || c == '\r') {
        newline();
        out.write('\n');
      } else if (c == ']') {
        int p = at + 1;
        while (byteAt(p) == '=') {
          p++;
        }
        if (p - at - 1 == level && byteAt(p) == ']') {
          at = p + 1;
          shown = Arrays.copyOfRange(source, tokenStart, at);
          return out.toByteArray();
        }
        out.write(source, at, p - at);
        at = p;
      } else if (c == '[' && level == 0 && byteAt(at + 1) == '[') {
        throw error("nesting of [[...]] is deprecated", '[');
      } else {
        out.write(c);
        at++;
      }
    }
  }

  private void string(int quote) throws LuaSyntaxError {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    at++;
    while (true) {
      int c = peekByte();
      if (c == quote) {
        at++;
        byte[] content = out.toByteArray();
        showString(quote, content, true);
        text = intern(content);
        return;
      }
      if (c == -1) {
        throw error("unfinished string", EOF);
      }
      if (c == '\n' || c == '\r') {
        showString(quote, out.toByteArray(), false);
        throw error("unfinished string", STRING);
      }
      at++;
      if (c != '\\') {
        out.write(c);
        continue;
      }
      escape(quote, out);
    }
  }

  private void showString(int quote, byte[] content, boolean closed) {
    byte[] s = new byte[content.length + (closed ? 2 : 1)];
    s[0] = (byte) quote;
    System.arraycopy(content, 0, s, 1, content.length);
    if (closed) {
      s[s.length - 1] = (byte) quote;
    }
    shown = s;
  }

  private void escape(int quote, ByteArrayOutputStream out) throws LuaSyntaxError {
    int c = peekByte();
    switch (c) {
      case 'a' -> out.write(7);
      case 'b' -> out.write('\b');
      case 'f' -> out.write('\f');
      case 'n' -> out.write('\n');
      case 'r' -> out.write('\r');
      case 't' -> out.write('\t');
      case 'v' -> out.write(0x0B);
      case '\n', '\r' -> {
        newline();
        out.write('\n');
        return;
      }
      case -1 -> {
        return;
      }
      default -> {
        if (!digit(c)) {
          out.write(c);
          break;
        }
        int value = 0;
        for (int i = 0; i < 3 && digit(peekByte()); i++) {
          value = value * 10 + (peekByte() - '0');
          at++;
        }
        if (value > 255) {
          showString(quote, out.toByteArray(), false);
          throw error("escape sequence too large", STRING);
        }
        out.write(value);
        return;
      }
    }
    at++;
  }
}
