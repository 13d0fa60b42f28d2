package io.keyvalueserve.resp.protocol;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.List;

/**
 * The reply to a command, in the terms of RESP3. To a client that speaks RESP2 a map or a set is an
 * array, a double a bulk string, a boolean 1 or 0. Immutable.
 */
public sealed interface Reply {
  /** {@code +OK}. */
  Status OK = new Status("OK");

  /** The empty bulk string. */
  Bulk EMPTY_BULK = new Bulk(new byte[0]);

  /** A short text of printable ASCII characters. */
  record Status(String text) implements Reply {}

  /**
   * An error: a word in capitals and a message.
   *
   * @param line its bytes; line ends within are sent as spaces
   */
  record ErrorLine(byte[] line) implements Reply {}

  /** An integer of 64 bits. */
  record Int(long value) implements Reply {
    /** Zero. */
    public static final Int ZERO = new Int(0);

    /** One. */
    public static final Int ONE = new Int(1);
  }

  /** A slice of an array, which is not changed any more. */
  record Bulk(byte[] bytes, int offset, int length) implements Reply {
    /** The whole array. */
    public Bulk(byte[] bytes) {
      this(bytes, 0, bytes.length);
    }
  }

  /** A status of any bytes; line ends within are sent as spaces. */
  record StatusLine(byte[] line) implements Reply {}

  /**
   * Text that a person may read as it is.
   *
   * @param format three letters
   */
  record Verbatim(String format, byte[] text) implements Reply {
    /** Plain text. */
    public Verbatim(String text) {
      this("txt", text.getBytes(UTF_8));
    }
  }

  /** No value. */
  enum Null implements Reply {
    NULL
  }

  /** No array; no value to a client that speaks RESP3. */
  enum NullArray implements Reply {
    NULL_ARRAY
  }

  /** Replies in order. */
  record Array(List<? extends Reply> elements) implements Reply {}

  /** Replies in no order, each once. */
  record SetOf(List<? extends Reply> elements) implements Reply {}

  /**
   * Keys and values.
   *
   * @param alternating key, value, key, value, ...
   */
  record MapOf(List<? extends Reply> alternating) implements Reply {
    public MapOf {
      if (alternating.size() % 2 != 0) {
        throw new IllegalArgumentException("a map has a value for each key");
      }
    }
  }

  /**
   * Pairs in order: arrays of two; one array of all to a client that speaks RESP2.
   *
   * @param alternating first, second, first, second, ...
   */
  record PairsOf(List<? extends Reply> alternating) implements Reply {
    public PairsOf {
      if (alternating.size() % 2 != 0) {
        throw new IllegalArgumentException("a pair has two parts");
      }
    }
  }

  /** A floating point number. */
  record Real(double value) implements Reply {}

  /**
   * A number in digits of its own: a big integer, or a floating point number.
   *
   * @param digits its text; line ends within are sent as spaces
   */
  record Numeral(boolean isBig, byte[] digits) implements Reply {}

  /** True or false. */
  record Bool(boolean value) implements Reply {}

  /** A message that answers no request; an array to a client that speaks RESP2. */
  record Push(List<? extends Reply> elements) implements Reply {}

  /** Several replies, one after the other: a request may be answered by none or by many. */
  record Several(List<? extends Reply> replies) implements Reply {}

  /** A bulk string of text. */
  static Bulk bulk(String text) {
    return new Bulk(text.getBytes(UTF_8));
  }

  /** An integer. */
  static Int integer(long value) {
    if (value == 0) {
      return Int.ZERO;
    }
    return value == 1 ? Int.ONE : new Int(value);
  }

  /** An error of this text. */
  static ErrorLine error(String line) {
    return new ErrorLine(line.getBytes(UTF_8));
  }
}
