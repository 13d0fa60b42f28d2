package io.keyvalueserve.engine.collection;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** The types of collections. Their codes are in stored values and on the wire: they stay. */
public enum CollectionType {
  HASH(1, "hash"),
  LIST(2, "list"),
  SET(3, "set"),
  SORTED_SET(4, "zset");

  private static final CollectionType[] VALUES = values();

  private final int code;
  private final String word;

  CollectionType(int code, String word) {
    this.code = code;
    this.word = word;
  }

  /** Its code: 1 or more. */
  public int code() {
    return code;
  }

  /** The word that TYPE answers. */
  public String word() {
    return word;
  }

  /** The name for a message to a person. */
  public String title() {
    return name().toLowerCase(Locale.ROOT).replace('_', ' ');
  }

  /** The type of a code, or null if there is none. */
  public static @Nullable CollectionType ofCode(int code) {
    return code >= 1 && code <= VALUES.length ? VALUES[code - 1] : null;
  }

  /**
   * The operation of this type with a code, or null if there is none.
   *
   * @param operation see {@link CollectionOperation#code}
   */
  public @Nullable CollectionOperation operation(int operation) {
    return switch (this) {
      case HASH -> HashOperation.ofCode(operation);
      case LIST -> ListOperation.ofCode(operation);
      case SET -> SetOperation.ofCode(operation);
      case SORTED_SET -> SortedSetOperation.ofCode(operation);
    };
  }

  /** Returns the operation with a code, or null if there is none. */
  static <T extends CollectionOperation> @Nullable T ofCode(T[] byCode, int code) {
    for (T operation : byCode) {
      if (operation.code() == code) {
        return operation;
      }
    }
    return null;
  }

  /**
   * A view of a collection in one piece.
   *
   * @param value null for one that does not exist
   * @param nowMillis the time, in milliseconds since 1970
   * @throws CorruptCollectionException if the bytes are no such collection. Not all damage is found
   *     here: what is found later throws it then
   */
  StoredCollection open(@Nullable CollectionValue value, long nowMillis) {
    return switch (this) {
      case HASH -> new PackedHash(value, nowMillis);
      case LIST -> new PackedList(value);
      case SET -> new PackedSet(value);
      case SORTED_SET -> new PackedSortedSet(value);
    };
  }
}
