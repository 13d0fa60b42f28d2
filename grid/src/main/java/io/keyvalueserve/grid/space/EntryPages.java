package io.keyvalueserve.grid.space;

import com.hazelcast.internal.serialization.Data;
import com.hazelcast.map.impl.recordstore.RecordStore;
import com.hazelcast.spi.exception.RetryableHazelcastException;
import io.keyvalueserve.engine.collection.CollectionValue;
import io.keyvalueserve.engine.collection.CorruptCollectionException;
import io.keyvalueserve.engine.collection.LargeCollections;
import io.keyvalueserve.engine.collection.PageChanges;
import io.keyvalueserve.engine.collection.PageSource;
import io.keyvalueserve.maps.CollectionData;
import io.keyvalueserve.maps.NativeRecordStore;
import io.keyvalueserve.maps.PageKeys;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The pages of the large collections in one partition of a map: entries of the map behind it, each
 * under the number of the page and the key of the collection. So no collection has the pages of
 * another, whatever its head says.
 *
 * <p>For one run, by who has the partition.
 */
final class EntryPages {
  private final NativeRecordStore front;
  private final Supplier<@Nullable NativeRecordStore> existing;
  private final @Nullable Supplier<@Nullable NativeRecordStore> maker;
  private @Nullable NativeRecordStore store;
  private List<Data> touched = List.of();
  private boolean leavesPages;

  private EntryPages(
      NativeRecordStore front,
      Supplier<@Nullable NativeRecordStore> existing,
      @Nullable Supplier<@Nullable NativeRecordStore> maker) {
    this.front = front;
    this.existing = existing;
    this.maker = maker;
  }

  /** Those behind a partition that an operation runs in. */
  static EntryPages of(RecordStore<?> front) {
    NativeRecordStore store = (NativeRecordStore) front;
    return new EntryPages(store, () -> store.pages(false), () -> store.pages(true));
  }

  /**
   * Those behind a partition that is used without an operation.
   *
   * @param pages returns null if the pages cannot be had at once. Then what needs them is declined,
   *     by a {@link RetryableHazelcastException}
   */
  static EntryPages at(NativeRecordStore front, Supplier<@Nullable NativeRecordStore> pages) {
    return new EntryPages(front, pages, null);
  }

  /** The pages of the collection under a key. */
  PageSource under(Data key) {
    return number -> CollectionData.pages(key, find(false)).read(number);
  }

  /**
   * Changes the pages of a collection together with its head. If the head cannot be written,
   * nothing is changed. If something fails after that, as an index that gets the value, the
   * collection is changed and whole.
   *
   * @param before the value of the entry; null if there is none, or it is no collection
   * @param after the new value
   * @param head writes the new value
   * @return the trees that nobody needs any more, to be removed later
   */
  List<PageChanges.Subtree> write(
      Data key,
      @Nullable CollectionValue before,
      CollectionValue after,
      PageChanges changes,
      Runnable head) {
    NativeRecordStore pages = find(!changes.written().isEmpty());
    List<Data> written = new ArrayList<>(changes.written().size());
    Runnable all =
        () -> {
          for (PageChanges.Page page : changes.written()) {
            Data number = PageKeys.of(key, page.number());
            require(pages).putPage(number, KeyData.ofValue(page.bytes()));
            written.add(number);
          }
          head.run();
        };
    try {
      if (pages != null && isNotRefused(before, after)) {
        pages.writeDecided(() -> front.writeDecided(all));
      } else {
        all.run();
      }
    } catch (RuntimeException | Error e) {
      if (isWritten(key, after)) {
        touch(written);
        leavesPages = true; // those of before
      } else if (pages != null) {
        takeBack(written, pages);
      }
      throw e;
    }
    touch(written);
    if (pages != null && !changes.removed().isEmpty()) {
      List<Data> gone = changes.removed().stream().map(number -> PageKeys.of(key, number)).toList();
      gone.forEach(pages::removePage);
      touch(gone);
    }
    return unneeded(before, after, changes);
  }

  /** Returns whether want of memory is no reason: the write is decided, or gives memory back. */
  private boolean isNotRefused(@Nullable CollectionValue before, CollectionValue after) {
    return front.isWritingDecided() || (before != null && bytes(after) <= bytes(before));
  }

  private boolean isWritten(Data key, CollectionValue after) {
    return after.isPaged() && KeyData.ofCollection(after).equals(CollectionData.atHand(key, front));
  }

  private void takeBack(List<Data> written, NativeRecordStore pages) {
    for (Data page : written) {
      try {
        pages.removePage(page);
      } catch (RuntimeException e) { // the log takes nothing; what was wrong before is told
        leavesPages = true;
      }
    }
  }

  /** Returns whether there may be pages that nobody needs, after a failure. */
  boolean leavesPages() {
    return leavesPages;
  }

  private void touch(List<Data> more) {
    if (touched.isEmpty()) {
      touched = new ArrayList<>();
    }
    touched.addAll(more);
  }

  /** The bytes of a value with its pages; those of its head alone if that is damaged. */
  private static long bytes(CollectionValue value) {
    try {
      return value.length() + (value.isPaged() ? LargeCollections.bytes(value) : 0);
    } catch (CorruptCollectionException e) {
      return value.length();
    }
  }

  /** The trees that the changes drop, and those of the old head of which no change tells. */
  private static List<PageChanges.Subtree> unneeded(
      @Nullable CollectionValue before, CollectionValue after, PageChanges changes) {
    List<PageChanges.Subtree> dropped = new ArrayList<>(changes.dropped());
    if (before == null || !before.isPaged()) {
      return dropped;
    }
    Set<Long> known = new HashSet<>(changes.removed());
    changes.dropped().forEach(tree -> known.add(tree.root()));
    if (after.isPaged()) {
      LargeCollections.trees(after).forEach(tree -> known.add(tree.root()));
    }
    for (PageChanges.Subtree tree : treesOf(before)) {
      if (!known.contains(tree.root())) {
        dropped.add(tree);
      }
    }
    return dropped;
  }

  /** The trees of a head; none if it is damaged. Its pages are found when all are looked at. */
  private static List<PageChanges.Subtree> treesOf(CollectionValue head) {
    try {
      return LargeCollections.trees(head);
    } catch (CorruptCollectionException e) {
      return List.of();
    }
  }

  /** Returns the keys of the pages that were written or removed. */
  List<Data> touched() {
    return List.copyOf(touched);
  }

  /** Returns the store that the pages are in; null if there is none. */
  @Nullable NativeRecordStore store() {
    return find(false);
  }

  private static NativeRecordStore require(@Nullable NativeRecordStore pages) {
    if (pages == null) {
      throw new IllegalStateException("no page is written without a store for it");
    }
    return pages;
  }

  private @Nullable NativeRecordStore find(boolean make) {
    if (store == null) {
      store = make && maker != null ? maker.get() : existing.get();
      if (store == null && maker == null) {
        throw new RetryableHazelcastException("the pages cannot be had at once");
      }
    }
    return store;
  }
}
