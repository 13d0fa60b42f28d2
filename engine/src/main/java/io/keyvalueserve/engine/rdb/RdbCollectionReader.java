package io.keyvalueserve.engine.rdb;

import io.keyvalueserve.engine.collection.Bytes;
import io.keyvalueserve.engine.collection.CollectionPacker;
import io.keyvalueserve.engine.collection.CollectionType;
import io.keyvalueserve.engine.collection.LargeCollections;
import org.jspecify.annotations.Nullable;

/**
 * Reads a collection in any encoding that Redis has written up to 7.2, some at a time, and packs
 * it. The encodings are those of {@code rdbLoadObject} in {@code rdb.c} of Redis 7.0. Elements that
 * come twice in a hash, a set or a sorted set are refused, as Redis does when it sanitizes.
 *
 * <p>It holds the collection packed, the string that is being read, and a few bytes for each
 * element.
 *
 * <p>For one thread.
 */
public final class RdbCollectionReader {
  /** About what an element costs, in bytes that are decompressed. */
  private static final int ELEMENT_COST = 32;

  /** The form of a node of a list: an element, or many in a listpack. */
  private static final int PLAIN_NODE = 1;

  private static final int PACKED_NODE = 2;

  /**
   * The most bytes of a string with packed elements for each byte that these take here. An empty
   * element of a ziplist has up to 10.
   */
  private static final int MOST_OVERHEAD = 11;

  private static final int LEAST_PACKED_BYTES = 64;

  private final RdbReader in;
  private final int mostBytes;
  private final CollectionType type;
  private final CollectionPacker packer;
  private final Form form;

  /** The strings, or pairs of them, that are still to come. */
  private long left;

  private RdbReader.@Nullable Parts string;
  private boolean stringIsPacked;
  private @Nullable ElementSource packed;

  /** The name or member whose value or score comes next. */
  private @Nullable Bytes pending;

  private boolean isRead;

  /** The forms of the strings behind a type. */
  private enum Form {
    /** A count, then as many elements. */
    ELEMENTS,
    /** A count, then as many members, each with a score as text behind it. */
    TEXT_SCORES,
    /** A count, then as many members, each with a score of 8 bytes behind it. */
    BINARY_SCORES,
    ZIPMAP,
    ZIPLIST,
    INTSET,
    LISTPACK,
    /** A count, then as many ziplists. */
    ZIPLISTS,
    /** A count, then as many nodes: the form of each, and its string. */
    NODES
  }

  /**
   * Begins to read behind the type.
   *
   * @param in where the type was read
   * @param rdbType the type
   * @param mostBytes the largest collection that is taken, packed, in bytes; no more than {@link
   *     LargeCollections#MOST_EXPORTED_BYTES}, as it is built on the heap
   * @throws RdbRefusedException if the type is one that is known and not taken
   * @throws RdbException if there is no such type
   */
  public RdbCollectionReader(RdbReader in, int rdbType, int mostBytes) throws RdbException {
    this.in = in;
    this.mostBytes = Math.min(mostBytes, LargeCollections.MOST_EXPORTED_BYTES);
    this.type =
        switch (rdbType) {
          case Rdb.LIST, Rdb.LIST_ZIPLIST, Rdb.LIST_ZIPLISTS, Rdb.LIST_NODES -> CollectionType.LIST;
          case Rdb.SET, Rdb.SET_INTSET, Rdb.SET_LISTPACK -> CollectionType.SET;
          case Rdb.SORTED_SET, Rdb.SORTED_SET_2, Rdb.SORTED_SET_ZIPLIST, Rdb.SORTED_SET_LISTPACK ->
              CollectionType.SORTED_SET;
          case Rdb.HASH, Rdb.HASH_ZIPMAP, Rdb.HASH_ZIPLIST, Rdb.HASH_LISTPACK ->
              CollectionType.HASH;
          case Rdb.STREAM, Rdb.STREAM_2, Rdb.STREAM_3 ->
              throw new RdbRefusedException(
                  "Bad data format: the value is a stream; there are none");
          case Rdb.MODULE, Rdb.MODULE_2 ->
              throw new RdbRefusedException(
                  "Bad data format: the value is of a type of a module; there are no modules");
          default -> throw new RdbException("no such type");
        };
    this.form =
        switch (rdbType) {
          case Rdb.SORTED_SET -> Form.TEXT_SCORES;
          case Rdb.SORTED_SET_2 -> Form.BINARY_SCORES;
          case Rdb.HASH_ZIPMAP -> Form.ZIPMAP;
          case Rdb.LIST_ZIPLIST, Rdb.SORTED_SET_ZIPLIST, Rdb.HASH_ZIPLIST -> Form.ZIPLIST;
          case Rdb.SET_INTSET -> Form.INTSET;
          case Rdb.SET_LISTPACK, Rdb.SORTED_SET_LISTPACK, Rdb.HASH_LISTPACK -> Form.LISTPACK;
          case Rdb.LIST_ZIPLISTS -> Form.ZIPLISTS;
          case Rdb.LIST_NODES -> Form.NODES;
          default -> Form.ELEMENTS;
        };
    this.packer = new CollectionPacker(type, this.mostBytes);
    switch (form) {
      case ZIPMAP, ZIPLIST, INTSET, LISTPACK -> left = 1;
      default -> {
        long count = in.length();
        require(count > 0 && count <= in.left());
        left = type == CollectionType.HASH ? 2 * count : count;
      }
    }
  }

  /** Returns the type of the collection. */
  public CollectionType type() {
    return type;
  }

  /** Returns the memory that it holds, in bytes. */
  public long heldBytes() {
    RdbReader.Parts reading = string;
    return packer.heldBytes() + (reading == null ? 0 : reading.string().length);
  }

  /**
   * Goes on.
   *
   * @param most about how many bytes to read or decompress
   * @return whether the collection is whole
   * @throws RdbRefusedException if it is larger than is taken
   * @throws RdbException if it is not in the format
   */
  public boolean run(int most) throws RdbException {
    long stop = most;
    while (!isRead) {
      if (stop <= 0) {
        return false;
      }
      stop -= step((int) stop);
    }
    return packer.run(Math.max(most / ELEMENT_COST, 1));
  }

  /** Returns the collection as it is packed, once {@link #run} has said that it is whole. */
  public byte[] packed() {
    return packer.packed();
  }

  /** Does a step; returns about how many bytes it was. */
  private int step(int most) throws RdbException {
    ElementSource source = packed;
    if (source != null) {
      Bytes element = source.next();
      if (element == null) {
        require(pending == null);
        packed = null;
        string = null;
        return ELEMENT_COST;
      }
      take(element);
      return ELEMENT_COST + element.length();
    }
    RdbReader.Parts reading = string;
    if (reading != null) {
      if (!reading.run(most)) {
        return most;
      }
      int length = reading.string().length;
      if (stringIsPacked) {
        packed = source(reading.string());
      } else {
        string = null;
        takeString(Bytes.of(reading.string()));
      }
      return ELEMENT_COST + length;
    }
    if (left == 0) {
      require(packer.count() > 0 && pending == null);
      isRead = true;
      return 0;
    }
    left--;
    begin();
    return ELEMENT_COST;
  }

  /** Begins to read the next string. */
  private void begin() throws RdbException {
    stringIsPacked =
        switch (form) {
          case ELEMENTS, TEXT_SCORES, BINARY_SCORES -> false;
          case ZIPMAP, ZIPLIST, INTSET, LISTPACK, ZIPLISTS -> true;
          case NODES -> {
            long node = in.length();
            require(node == PLAIN_NODE || node == PACKED_NODE);
            yield node == PACKED_NODE;
          }
        };
    long longest =
        stringIsPacked ? (long) MOST_OVERHEAD * mostBytes + LEAST_PACKED_BYTES : mostBytes;
    string = in.string(Math.min(longest, Integer.MAX_VALUE), this::tooLarge);
  }

  private ElementSource source(byte[] bytes) throws RdbException {
    return switch (form) {
      case ZIPMAP -> new Zipmap(bytes);
      case ZIPLIST, ZIPLISTS -> new Ziplist(bytes);
      case INTSET -> new Intset(bytes);
      default -> new Listpack(bytes);
    };
  }

  /** Takes an element that is a string of its own. */
  private void takeString(Bytes element) throws RdbException {
    switch (form) {
      case TEXT_SCORES -> add(packer.put(element, number(in.textScore())));
      case BINARY_SCORES -> add(packer.put(element, number(in.binaryScore())));
      default -> take(element);
    }
  }

  private void take(Bytes element) throws RdbException {
    if (type == CollectionType.LIST || type == CollectionType.SET) {
      add(packer.add(element));
      return;
    }
    Bytes name = pending;
    if (name == null) {
      pending = element;
      return;
    }
    pending = null;
    add(
        type == CollectionType.HASH
            ? packer.put(name, element)
            : packer.put(name, number(ScoreText.parse(element))));
  }

  private void add(CollectionPacker.Added added) throws RdbException {
    switch (added) {
      case NEW -> {}
      case DUPLICATE -> throw new RdbException("an element that comes twice");
      case TOO_LARGE -> throw tooLarge();
    }
  }

  private static double number(double score) throws RdbException {
    require(!Double.isNaN(score));
    return score;
  }

  private RdbRefusedException tooLarge() {
    return new RdbRefusedException(
        "the "
            + type.title()
            + " would take more than the limit of "
            + mostBytes
            + (mostBytes == LargeCollections.MOST_EXPORTED_BYTES
                ? " bytes for a collection in one piece"
                : " bytes ('resp.max-collection')")
            + "; nothing was changed");
  }

  private static void require(boolean holds) throws RdbException {
    if (!holds) {
      throw new RdbException("damaged bytes of a collection");
    }
  }
}
