package io.keyvalueserve.grid.space;

import com.hazelcast.internal.nio.IOUtil;
import com.hazelcast.internal.serialization.Data;
import com.hazelcast.nio.ObjectDataInput;
import com.hazelcast.nio.ObjectDataOutput;
import io.keyvalueserve.engine.collection.CollectionValue;
import io.keyvalueserve.engine.collection.CorruptCollectionException;
import io.keyvalueserve.engine.collection.PageChanges.Subtree;
import io.keyvalueserve.engine.collection.PageWalk;
import io.keyvalueserve.maps.NativeRecordStore;
import io.keyvalueserve.maps.PageKeys;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Removes some pages of a collection that nobody needs any more, on the owner and its backups.
 * Answers with the trees that are left, as pairs of root and height. A page that is not there is
 * passed over, so it may be sent again.
 */
final class PageRemoval extends PageOperation {
  /** One run removes no more pages. */
  private static final int MOST_PAGES = 128;

  private static final long MOST_NANOS = 50_000;
  private static final int LOOK_EACH = 8;

  private @Nullable Data key;
  private boolean certain;
  private long[] trees = {};
  private long[] left = {};

  /** Creates an empty operation for deserialization. */
  PageRemoval() {}

  /**
   * @param key of the collection
   * @param certain whether nobody needs the trees in any case. Else they are left alone if the key
   *     has a collection with pages
   * @param trees pairs of root and height
   */
  PageRemoval(String map, Data key, boolean certain, long[] trees) {
    super(map);
    this.key = key;
    this.certain = certain;
    this.trees = trees;
  }

  /** The pairs of root and height of trees. */
  static long[] pairs(List<Subtree> trees) {
    long[] pairs = new long[2 * trees.size()];
    for (int i = 0; i < trees.size(); i++) {
      pairs[2 * i] = trees.get(i).root();
      pairs[2 * i + 1] = trees.get(i).height();
    }
    return pairs;
  }

  @Override
  protected void runInternal() {
    NativeRecordStore pages =
        recordStore == null ? null : ((NativeRecordStore) recordStore).pages(false);
    Data of = key;
    if (pages == null || of == null) {
      return;
    }
    if (!certain && hasPages(of)) {
      HazelcastEngine.of(getNodeEngine()).sweeper().lookSoon();
      return;
    }
    Deque<Subtree> open = new ArrayDeque<>();
    for (int i = trees.length - 2; i >= 0; i -= 2) {
      open.push(new Subtree(trees[i], (int) trees[i + 1]));
    }
    List<Data> gone = new ArrayList<>();
    long end = System.nanoTime() + MOST_NANOS;
    while (!open.isEmpty()
        && gone.size() < MOST_PAGES
        && (gone.size() % LOOK_EACH != LOOK_EACH - 1 || System.nanoTime() - end < 0)) {
      Subtree tree = open.pop();
      Data page = PageKeys.of(of, tree.root());
      if (tree.height() > 0) {
        for (long child : children(pages, page)) {
          open.push(new Subtree(child, tree.height() - 1));
        }
      }
      pages.removePage(page);
      gone.add(page);
    }
    removed(gone, pages);
    left = pairs(List.copyOf(open));
  }

  private boolean hasPages(Data of) {
    CollectionValue value =
        KeyData.collection(recordStore.get(of, false, getCallerAddress(), false));
    return value != null && value.isPaged();
  }

  private static long[] children(NativeRecordStore pages, Data page) {
    byte[] bytes = pages.readBytes(page);
    try {
      return bytes == null ? new long[0] : PageWalk.children(bytes);
    } catch (CorruptCollectionException e) {
      return new long[0]; // what is below it is found when all pages are looked at
    }
  }

  @Override
  public Object getResponse() {
    return left;
  }

  @Override
  public int getClassId() {
    return SpaceSerialization.PAGE_REMOVAL;
  }

  @Override
  protected void writeInternal(ObjectDataOutput out) throws IOException {
    super.writeInternal(out);
    IOUtil.writeData(out, key);
    out.writeBoolean(certain);
    out.writeLongArray(trees);
  }

  @Override
  protected void readInternal(ObjectDataInput in) throws IOException {
    super.readInternal(in);
    key = IOUtil.readData(in);
    certain = in.readBoolean();
    long[] read = in.readLongArray();
    trees = read == null ? new long[0] : read;
  }
}
