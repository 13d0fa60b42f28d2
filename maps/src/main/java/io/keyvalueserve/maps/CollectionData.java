package io.keyvalueserve.maps;

import com.hazelcast.internal.serialization.Data;
import com.hazelcast.internal.serialization.impl.HeapData;
import io.keyvalueserve.engine.collection.CollectionType;
import io.keyvalueserve.engine.collection.CollectionValue;
import io.keyvalueserve.engine.collection.CorruptCollectionException;
import io.keyvalueserve.engine.collection.LargeCollections;
import io.keyvalueserve.engine.collection.PageSource;
import org.jspecify.annotations.Nullable;

/**
 * Serialized collections: the partition hash, which is 0, a type of our own, and the collection,
 * whose first byte says how it is laid out. What is stored of a large one is its head; its elements
 * are in pages.
 *
 * <p>No serializer of Hazelcast's has such a type, and a client cannot register one of a number
 * below 0.
 */
public final class CollectionData {
  /** The types of serialized collections are below this number, by the code of their type. */
  static final int ABOVE_TYPES = -9000;

  private CollectionData() {}

  /** Returns the collection that a serialized value is, or null if it is none. */
  public static @Nullable CollectionValue collection(@Nullable Data value) {
    CollectionType type = value == null ? null : typeOf(value.getType());
    if (value == null || type == null) {
      return null;
    }
    byte[] payload = value.toByteArray();
    return new CollectionValue(
        type, payload, HeapData.DATA_OFFSET, payload.length - HeapData.DATA_OFFSET);
  }

  /** Returns the type of the collections that have a type in serialized form; null if none have. */
  public static @Nullable CollectionType typeOf(int typeId) {
    return typeId < ABOVE_TYPES ? CollectionType.ofCode(ABOVE_TYPES - typeId) : null;
  }

  /** Returns the type of serialized collections of a type. */
  public static int typeId(CollectionType type) {
    return ABOVE_TYPES - type.code();
  }

  /**
   * Returns the pages of the collection under a key. A page that is not there is a {@link
   * CorruptCollectionException}.
   *
   * @param store with the pages; null if there is none
   */
  public static PageSource pages(Data key, @Nullable NativeRecordStore store) {
    return number -> {
      byte[] page = store == null ? null : store.readBytes(PageKeys.of(key, number));
      if (page == null) {
        throw new CorruptCollectionException("a page is missing");
      }
      return page;
    };
  }

  /**
   * Returns the value of a key as it is stored; null if there is none. Any thread may call this.
   */
  public static @Nullable Data atHand(Data key, NativeRecordStore store) {
    return store.entries().valueOf(key);
  }

  /**
   * Returns a value with all that it has, as it can be carried elsewhere.
   *
   * @param key under which it is stored
   * @param store with its pages; null if there is none
   * @throws io.keyvalueserve.engine.collection.CollectionTooLargeException if it is a collection of
   *     more than {@link LargeCollections#MOST_EXPORTED_BYTES}
   * @throws CorruptCollectionException if it is damaged
   */
  static Data portable(Data key, Data value, @Nullable NativeRecordStore store) {
    CollectionValue head = collection(value);
    if (head == null || !head.isPaged()) {
      return value;
    }
    CollectionValue packed =
        LargeCollections.packed(head, pages(key, store), 0, LargeCollections.MOST_EXPORTED_BYTES);
    byte[] payload = new byte[HeapData.DATA_OFFSET + packed.length()];
    System.arraycopy(value.toByteArray(), 0, payload, 0, HeapData.DATA_OFFSET);
    System.arraycopy(
        packed.bytes(), packed.offset(), payload, HeapData.DATA_OFFSET, packed.length());
    return new HeapData(payload);
  }
}
