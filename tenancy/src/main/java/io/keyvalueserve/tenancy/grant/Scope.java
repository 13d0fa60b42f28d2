package io.keyvalueserve.tenancy.grant;

import io.keyvalueserve.tenancy.InvalidNameException;
import java.nio.charset.StandardCharsets;

/**
 * The keys of a map that a grant is about, or the channels of a tenant. Keys are compared by their
 * text in UTF-8: a string's own text, a number's digits as Java writes them, a UUID's 36
 * characters, and bytes as they are. Keys of other types have no text; only a grant on the whole
 * map covers them.
 *
 * @param kind how the text is meant
 * @param text empty for the whole map, of 1 to 256 characters for a prefix or channels, of up to
 *     256 for a key
 */
public record Scope(Kind kind, String text) {
  private static final int MOST_CHARACTERS = 256;

  /** All keys, those without a text too. */
  public static final Scope MAP = new Scope(Kind.MAP, "");

  /** The meaning of a scope's text. Codes are stored and never change. */
  public enum Kind {
    MAP(0),
    PREFIX(1),
    KEY(2),
    CHANNELS(3);

    private final int code;

    Kind(int code) {
      this.code = code;
    }

    int code() {
      return code;
    }

    static Kind ofCode(int code) {
      for (Kind kind : values()) {
        if (kind.code == code) {
          return kind;
        }
      }
      throw new IllegalArgumentException("no kind of scope has the code " + code);
    }
  }

  /**
   * @throws InvalidNameException if the text is too long, is none that UTF-8 can carry, or is
   *     missing or too much for its kind
   */
  public Scope {
    if (text.length() > MOST_CHARACTERS) {
      throw new InvalidNameException(
          "key, prefix or channel", text, "use up to " + MOST_CHARACTERS + " characters");
    }
    if (!StandardCharsets.UTF_8.newEncoder().canEncode(text)) {
      throw new InvalidNameException(
          "key, prefix or channel", text, "use characters that Unicode has");
    }
    if (kind == Kind.PREFIX && text.isEmpty()) {
      throw new InvalidNameException("prefix", text, "leave it out to grant the whole map");
    }
    if (kind == Kind.CHANNELS && text.isEmpty()) {
      throw new InvalidNameException("channel", text, "name the text that the channels begin with");
    }
    if (kind == Kind.MAP && !text.isEmpty()) {
      throw new InvalidNameException("key", text, "a grant on the whole map names no key");
    }
  }

  /** All keys that begin with the text. */
  public static Scope prefix(String text) {
    return new Scope(Kind.PREFIX, text);
  }

  /** Returns the scope of this key alone. */
  public static Scope key(String text) {
    return new Scope(Kind.KEY, text);
  }

  /** All channels of a tenant that begin with the text. */
  public static Scope channels(String text) {
    return new Scope(Kind.CHANNELS, text);
  }

  byte[] bytes() {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  @Override
  public String toString() {
    return switch (kind) {
      case MAP -> "the whole map";
      case PREFIX -> "keys beginning with '" + text + "'";
      case KEY -> "key '" + text + "'";
      case CHANNELS -> "channels beginning with '" + text + "'";
    };
  }
}
