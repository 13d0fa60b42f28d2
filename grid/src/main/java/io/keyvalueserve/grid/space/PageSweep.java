package io.keyvalueserve.grid.space;

import com.hazelcast.internal.serialization.Data;
import com.hazelcast.nio.ObjectDataInput;
import com.hazelcast.nio.ObjectDataOutput;
import io.keyvalueserve.engine.collection.CollectionValue;
import io.keyvalueserve.maps.NativeRecordStore;
import io.keyvalueserve.maps.PageKeys;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Looks at some of all pages in a partition, and removes those that no collection leads to: left
 * over when a member ended in the middle of something. Answers with the cursor to go on from, or -1
 * at the end.
 */
final class PageSweep extends PageOperation {
  private static final int MOST_PAGES = 256;
  private static final long END = -1;

  private long cursor;

  /** Creates an empty operation for deserialization. */
  PageSweep() {}

  /**
   * @param cursor 0 to begin
   */
  PageSweep(String map, long cursor) {
    super(map);
    this.cursor = cursor;
  }

  @Override
  protected void runInternal() {
    NativeRecordStore front = (NativeRecordStore) recordStore;
    NativeRecordStore pages = front == null ? null : front.pages(false);
    if (front == null || pages == null || pages.isBeingRestored()) {
      cursor = END;
      return;
    }
    front.checkIfLoaded();
    List<Data> found = new ArrayList<>();
    while (cursor >= 0 && found.size() < MOST_PAGES) {
      cursor = pages.scan(cursor, found::add);
    }
    ReachablePages reachable = HazelcastEngine.of(getNodeEngine()).sweeper().reachable();
    List<Data> gone = new ArrayList<>();
    for (Data page : found) {
      Data key = PageKeys.collection(page);
      if (!reachable.contains(key, head(front, key), PageKeys.number(page), pages)) {
        pages.removePage(page);
        gone.add(page);
      }
    }
    removed(gone, pages);
  }

  private @Nullable CollectionValue head(NativeRecordStore front, Data key) {
    CollectionValue value = KeyData.collection(front.get(key, false, getCallerAddress(), false));
    return value != null && value.isPaged() ? value : null;
  }

  @Override
  public Object getResponse() {
    return cursor;
  }

  @Override
  public int getClassId() {
    return SpaceSerialization.PAGE_SWEEP;
  }

  @Override
  protected void writeInternal(ObjectDataOutput out) throws IOException {
    super.writeInternal(out);
    out.writeLong(cursor);
  }

  @Override
  protected void readInternal(ObjectDataInput in) throws IOException {
    super.readInternal(in);
    cursor = in.readLong();
  }
}
