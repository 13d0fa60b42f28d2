package io.keyvalueserve.resp.command;

import io.keyvalueserve.engine.KeyCommand;
import io.keyvalueserve.engine.collection.Arguments;
import io.keyvalueserve.engine.collection.HashOperation;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A pattern of SORT: what to read for an element. {@code *} stands for the element, {@code
 * key->field} is a field of a hash, and {@code #} the element itself. Immutable.
 *
 * @param kind what is read
 * @param prefix the key's bytes before the element
 * @param suffix the key's bytes behind it
 * @param field the field of a hash; null for a key with a string
 */
record SortPattern(Kind kind, byte[] prefix, byte[] suffix, byte @Nullable [] field) {
  /** The things that a pattern may stand for. */
  enum Kind {
    /** The element itself. */
    ELEMENT,
    /** Nothing: it has no place for the element. */
    NOTHING,
    /** The value of a key, or of a field. */
    VALUE
  }

  private static final byte[] NONE = {};

  /** Reads a pattern. Any bytes are one. */
  static SortPattern of(byte[] text) {
    if (text.length == 1 && text[0] == '#') {
      return new SortPattern(Kind.ELEMENT, NONE, NONE, null);
    }
    int star = indexOfStar(text);
    if (star < 0) {
      return new SortPattern(Kind.NOTHING, NONE, NONE, null);
    }
    int arrow = indexOfArrow(text, star + 1);
    boolean hasField = arrow >= 0 && arrow + 2 < text.length;
    return new SortPattern(
        Kind.VALUE,
        Arrays.copyOf(text, star),
        Arrays.copyOfRange(text, star + 1, hasField ? arrow : text.length),
        hasField ? Arrays.copyOfRange(text, arrow + 2, text.length) : null);
  }

  private static int indexOfStar(byte[] text) {
    for (int i = 0; i < text.length; i++) {
      if (text[i] == '*') {
        return i;
      }
    }
    return -1;
  }

  private static int indexOfArrow(byte[] text, int from) {
    for (int i = from; i + 1 < text.length; i++) {
      if (text[i] == '-' && text[i + 1] == '>') {
        return i;
      }
    }
    return -1;
  }

  /**
   * Returns the command that reads what the pattern stands for. Only for a {@link Kind#VALUE}.
   *
   * @param mostBytes the largest collection, in bytes
   */
  KeyCommand read(byte[] element, int mostBytes) {
    byte[] key = Arrays.copyOf(prefix, prefix.length + element.length + suffix.length);
    System.arraycopy(element, 0, key, prefix.length, element.length);
    System.arraycopy(suffix, 0, key, prefix.length + element.length, suffix.length);
    byte[] named = field;
    return named == null
        ? new KeyCommand.Read(key)
        : new KeyCommand.OnCollection(key, HashOperation.GET, Arguments.of(named), mostBytes);
  }
}
