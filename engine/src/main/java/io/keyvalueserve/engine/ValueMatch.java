package io.keyvalueserve.engine;

import java.util.Arrays;
import java.util.List;

/**
 * The condition of a command on the entry that it changes. Immutable; the array inside is not
 * changed by anyone.
 *
 * @param kind what it is about
 * @param tags for {@link Kind#TAGGED} only: the {@link ValueTag}s of the values that will do, one
 *     after the other
 */
public record ValueMatch(Kind kind, byte[] tags) {
  /** The most tags that one of them may have. */
  public static final int MOST_TAGS = 64;

  /** The condition that always holds. */
  public static final ValueMatch ANY = new ValueMatch(Kind.ANY, new byte[0]);

  /** No entry. */
  public static final ValueMatch ABSENT = new ValueMatch(Kind.ABSENT, new byte[0]);

  /** An entry, of whatever value. */
  public static final ValueMatch PRESENT = new ValueMatch(Kind.PRESENT, new byte[0]);

  /** The kind of condition. */
  public enum Kind {
    ANY,
    ABSENT,
    PRESENT,
    /** An entry whose value has one of some tags. */
    TAGGED
  }

  public ValueMatch {
    boolean isTagged = kind == Kind.TAGGED;
    int count = tags.length / ValueTag.BYTES;
    if (tags.length % ValueTag.BYTES != 0 || isTagged != count > 0 || count > MOST_TAGS) {
      throw new IllegalArgumentException(
          "a match has 1 to 64 tags of 16 bytes, or none: kind=" + kind + " bytes=" + tags.length);
    }
  }

  /** An entry whose value has one of these tags: 1 to {@link #MOST_TAGS}. */
  public static ValueMatch tagged(List<byte[]> tags) {
    byte[] all = new byte[tags.size() * ValueTag.BYTES];
    for (int i = 0; i < tags.size(); i++) {
      System.arraycopy(tags.get(i), 0, all, i * ValueTag.BYTES, ValueTag.BYTES);
    }
    return new ValueMatch(Kind.TAGGED, all);
  }

  /** Returns whether a value has one of the tags. */
  boolean hasTagOf(byte[] value) {
    byte[] tag = ValueTag.of(value);
    for (int at = 0; at < tags.length; at += ValueTag.BYTES) {
      if (Arrays.equals(tags, at, at + ValueTag.BYTES, tag, 0, ValueTag.BYTES)) {
        return true;
      }
    }
    return false;
  }
}
