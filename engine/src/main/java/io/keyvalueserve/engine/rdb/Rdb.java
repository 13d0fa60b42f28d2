package io.keyvalueserve.engine.rdb;

/** The numbers of the format, as in {@code rdb.h} of Redis 7.2. */
public final class Rdb {
  /** The type of a value that is a string. */
  public static final int STRING = 0;

  /** Collections whose elements are strings, one after the other. */
  static final int LIST = 1;

  static final int SET = 2;

  /** A sorted set whose scores are text. */
  static final int SORTED_SET = 3;

  static final int HASH = 4;

  /** A sorted set whose scores are binary. */
  static final int SORTED_SET_2 = 5;

  static final int MODULE = 6;
  static final int MODULE_2 = 7;

  /** Collections whose elements are packed into one string. */
  static final int HASH_ZIPMAP = 9;

  static final int LIST_ZIPLIST = 10;
  static final int SET_INTSET = 11;
  static final int SORTED_SET_ZIPLIST = 12;
  static final int HASH_ZIPLIST = 13;

  /** A list of ziplists: LIST_QUICKLIST. */
  static final int LIST_ZIPLISTS = 14;

  static final int STREAM = 15;
  static final int HASH_LISTPACK = 16;
  static final int SORTED_SET_LISTPACK = 17;

  /** A list of listpacks and of elements: LIST_QUICKLIST_2. */
  static final int LIST_NODES = 18;

  static final int STREAM_2 = 19;
  static final int SET_LISTPACK = 20;
  static final int STREAM_3 = 21;

  /** The version that is written: that of Redis 7.0. */
  public static final int VERSION = 10;

  /** The latest version that is read: that of Redis 7.2. It has version 10 and SET_LISTPACK. */
  public static final int LATEST_VERSION = 11;

  /** The bytes behind a value: two of the version, eight of the checksum. */
  public static final int FOOTER_BYTES = Short.BYTES + Long.BYTES;

  /** Two bits of a first byte say what follows. */
  static final int SHORT_LENGTH = 0;

  static final int MIDDLE_LENGTH = 1;
  static final int ENCODED = 3;
  static final int KIND_SHIFT = 6;
  static final int KIND_MASK = 0x3f;

  /** Whole first bytes. */
  static final int LENGTH_OF_4_BYTES = 0x80;

  static final int LENGTH_OF_8_BYTES = 0x81;

  static final int INTEGER_OF_1_BYTE = 0;
  static final int INTEGER_OF_2_BYTES = 1;
  static final int INTEGER_OF_4_BYTES = 2;
  static final int COMPRESSED = 3;

  /** Whole lengths of a score that is text. */
  static final int NOT_A_NUMBER = 253;

  static final int POSITIVE_INFINITY = 254;
  static final int NEGATIVE_INFINITY = 255;

  private Rdb() {}
}
