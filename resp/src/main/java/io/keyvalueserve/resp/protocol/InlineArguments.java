package io.keyvalueserve.resp.protocol;

import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The words of an inline command, by Redis' rules: spaces part them; {@code "..."} knows {@code \n
 * \r \t \b \a \xHH} and takes any other byte after a backslash as it is; {@code '...'} knows {@code
 * \'} only; after a closing quote comes a space or the end. A zero byte ends the line.
 */
final class InlineArguments {
  private final byte[] line;
  private int at;

  private InlineArguments(byte[] line) {
    this.line = line;
  }

  /** The words, or null if a quote is not closed or something follows one that is. */
  static @Nullable List<byte[]> split(byte[] line) {
    InlineArguments arguments = new InlineArguments(line);
    List<byte[]> words = new ArrayList<>();
    while (true) {
      while (isSpace(arguments.peek())) {
        arguments.at++;
      }
      if (arguments.peek() == 0) {
        return words;
      }
      byte[] word = arguments.word();
      if (word == null) {
        return null;
      }
      words.add(word);
    }
  }

  private byte @Nullable [] word() {
    ByteArrayOutputStream word = new ByteArrayOutputStream();
    while (true) {
      byte b = peek();
      switch (b) {
        case 0, ' ', '\n', '\r', '\t' -> {
          return word.toByteArray();
        }
        case '"' -> {
          at++;
          return doubleQuoted(word) && isEnd(peek()) ? word.toByteArray() : null;
        }
        case '\'' -> {
          at++;
          return singleQuoted(word) && isEnd(peek()) ? word.toByteArray() : null;
        }
        default -> {
          word.write(b);
          at++;
        }
      }
    }
  }

  /**
   * Reads up to the closing quote and returns whether it was found. The position is then behind it.
   */
  private boolean doubleQuoted(ByteArrayOutputStream word) {
    while (true) {
      byte b = peek();
      if (b == 0) {
        return false;
      }
      at++;
      if (b == '"') {
        return true;
      }
      if (b != '\\' || peek() == 0) {
        word.write(b);
        continue;
      }
      byte escaped = peek();
      int high = digit(1);
      int low = digit(2);
      if (escaped == 'x' && high >= 0 && low >= 0) {
        word.write(high << 4 | low);
        at += 3;
      } else {
        word.write(unescaped(escaped));
        at++;
      }
    }
  }

  private boolean singleQuoted(ByteArrayOutputStream word) {
    while (true) {
      byte b = peek();
      if (b == 0) {
        return false;
      }
      at++;
      if (b == '\'') {
        return true;
      }
      if (b == '\\' && peek() == '\'') {
        word.write('\'');
        at++;
      } else {
        word.write(b);
      }
    }
  }

  private static int unescaped(byte b) {
    return switch (b) {
      case 'n' -> '\n';
      case 'r' -> '\r';
      case 't' -> '\t';
      case 'b' -> '\b';
      case 'a' -> 7;
      default -> b;
    };
  }

  /** The hexadecimal digit so many bytes ahead, or -1. */
  private int digit(int ahead) {
    return at + ahead < line.length ? Character.digit((char) (line[at + ahead] & 0xff), 16) : -1;
  }

  private byte peek() {
    return at < line.length ? line[at] : 0;
  }

  private static boolean isEnd(byte b) {
    return b == 0 || isSpace(b);
  }

  private static boolean isSpace(byte b) {
    return b == ' ' || (b >= '\t' && b <= '\r');
  }
}
