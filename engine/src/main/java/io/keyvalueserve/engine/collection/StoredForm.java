package io.keyvalueserve.engine.collection;

import org.jspecify.annotations.Nullable;

/**
 * The form in which a collection is stored. A small one is one piece. One that becomes large is
 * moved into pages, and comes back when it has become much smaller, so that none moves with each
 * change.
 *
 * @param value the value of the entry: all of it, or its head
 * @param pages the changes to its pages
 * @param bytes the bytes of it as it is stored
 */
record StoredForm(CollectionValue value, PageChanges pages, long bytes) {
  /**
   * Opens a collection.
   *
   * @param found as it is stored, or null for one that does not exist
   * @param pages its pages, or null if all of it is one piece
   * @param large whether one that does not exist will be large
   * @throws CorruptCollectionException if the bytes are no such collection
   */
  static StoredCollection open(
      CollectionType type,
      @Nullable CollectionValue found,
      @Nullable PageSource pages,
      boolean large,
      long nowMillis) {
    boolean paged = found == null ? large : found.isPaged();
    return paged && pages != null
        ? PagedCollection.open(type, found, pages, nowMillis)
        : type.open(found, nowMillis);
  }

  /**
   * Decides on the form of a collection that was changed.
   *
   * @param before what was stored under its key, of whatever type, or null
   * @param isNew whether the collection is another one than before
   * @param pages null if all of it is one piece
   * @throws CollectionTooLargeException if it does not fit one piece, and has to be one
   */
  static StoredForm of(
      StoredCollection view,
      @Nullable CollectionValue before,
      boolean isNew,
      @Nullable PageSource pages) {
    if (view instanceof PagedCollection paged) {
      CollectionValue small = paged.packedIfSmall();
      if (small == null) {
        LargeCollections.Paged stored = paged.finish();
        return of(isNew ? LargeCollections.replacing(before, stored) : stored);
      }
      return of(LargeCollections.replacing(before, small, false));
    }
    return of(LargeCollections.replacing(before, view.pack(), pages != null));
  }

  private static StoredForm of(LargeCollections.Paged stored) {
    return new StoredForm(stored.head(), stored.pages(), bytes(stored.head()));
  }

  /** Returns the bytes of a collection as it is stored. */
  static long bytes(CollectionValue value) {
    return value.isPaged() ? LargeCollections.bytes(value) : value.length();
  }
}
