package io.keyvalueserve.resp.command;

/** The kinds of events that {@code notify-keyspace-events} turns on, as letters and as bits. */
public final class NotifyFlags {
  static final int KEYSPACE = 1;
  static final int KEYEVENT = 1 << 1;
  static final int GENERIC = 1 << 2;
  static final int STRING = 1 << 3;
  static final int LIST = 1 << 4;
  static final int SET = 1 << 5;
  static final int HASH = 1 << 6;
  static final int SORTED_SET = 1 << 7;
  static final int NEW = 1 << 8;

  static final int EXPIRED = 1 << 9;
  static final int EVICTED = 1 << 10;
  private static final int STREAM = 1 << 11;
  private static final int KEY_MISS = 1 << 12;
  private static final int MODULE = 1 << 13;

  /** The letters that {@code A} stands for, in the order in which they are printed. */
  private static final String CLASSES = "g$lshzxetd";

  private static final int[] CLASS_BITS = {
    GENERIC, STRING, LIST, SET, HASH, SORTED_SET, EXPIRED, EVICTED, STREAM, MODULE
  };
  private static final int ALL;

  static {
    int all = 0;
    for (int bit : CLASS_BITS) {
      all |= bit;
    }
    ALL = all;
  }

  private NotifyFlags() {}

  /** Reads the letters, in any order; -1 if one of them is none. */
  static int parse(String letters) {
    int flags = 0;
    for (int i = 0; i < letters.length(); i++) {
      int bit = bit(letters.charAt(i));
      if (bit == 0) {
        return -1;
      }
      flags |= bit;
    }
    return flags;
  }

  private static int bit(char letter) {
    int index = CLASSES.indexOf(letter);
    if (index >= 0) {
      return CLASS_BITS[index];
    }
    return switch (letter) {
      case 'A' -> ALL;
      case 'K' -> KEYSPACE;
      case 'E' -> KEYEVENT;
      case 'n' -> NEW;
      case 'm' -> KEY_MISS;
      default -> 0;
    };
  }

  /** Returns the letters as Redis prints them. */
  static String text(int flags) {
    StringBuilder letters = new StringBuilder();
    if ((flags & ALL) == ALL) {
      letters.append('A');
    } else {
      for (int i = 0; i < CLASS_BITS.length; i++) {
        if ((flags & CLASS_BITS[i]) != 0) {
          letters.append(CLASSES.charAt(i));
        }
      }
      append(letters, flags, NEW, 'n'); // with A it is not printed, as in Redis 7.0
    }
    append(letters, flags, KEYSPACE, 'K');
    append(letters, flags, KEYEVENT, 'E');
    append(letters, flags, KEY_MISS, 'm');
    return letters.toString();
  }

  private static void append(StringBuilder letters, int flags, int bit, char letter) {
    if ((flags & bit) != 0) {
      letters.append(letter);
    }
  }

  /** Returns whether keys that leave by themselves cause messages. */
  public static boolean areOnForRemovals(int flags) {
    return (flags & (KEYSPACE | KEYEVENT)) != 0 && (flags & (EXPIRED | EVICTED)) != 0;
  }

  /** Returns whether writes of clients cause messages. */
  public static boolean areOn(int flags) {
    return (flags & (KEYSPACE | KEYEVENT)) != 0 && (flags & (ALL | NEW)) != 0;
  }
}
