package io.keyvalueserve.grid.space;

import com.hazelcast.internal.nio.IOUtil;
import com.hazelcast.internal.serialization.Data;
import com.hazelcast.nio.ObjectDataInput;
import com.hazelcast.nio.ObjectDataOutput;
import io.keyvalueserve.maps.NativeRecordStore;
import io.keyvalueserve.maps.Writers;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Pages of large collections as they are on the primary, for a backup: their bytes, or their
 * absence.
 */
final class PageReplicas {
  /** No pages. */
  static final PageReplicas NONE = new PageReplicas(List.of());

  private final List<Replica> replicas;

  private PageReplicas(List<Replica> replicas) {
    this.replicas = replicas;
  }

  /**
   * The state of some pages. By who has the partition.
   *
   * @param pages the store that they are in; null if there are none
   */
  static PageReplicas of(List<Data> keys, @Nullable NativeRecordStore pages) {
    if (keys.isEmpty() || pages == null) {
      return NONE;
    }
    List<Replica> replicas = new ArrayList<>(keys.size());
    for (Data key : keys) {
      byte[] page = pages.readBytes(key);
      replicas.add(
          new Replica(key, page == null ? null : KeyData.ofValue(page), pages.writerOf(key)));
    }
    return new PageReplicas(replicas);
  }

  /** Returns whether there are none. */
  boolean isNothing() {
    return replicas.isEmpty();
  }

  /** Brings a backup to this state; applied twice it does the same as once. */
  void apply(NativeRecordStore front) {
    NativeRecordStore pages = replicas.isEmpty() ? null : front.pages(true);
    if (pages == null) {
      return;
    }
    for (Replica replica : replicas) {
      Data page = replica.page();
      if (page == null) {
        pages.removePage(replica.key());
      } else {
        pages.putPage(replica.key(), page);
        pages.noteWriter(replica.key(), replica.writer());
      }
    }
  }

  void write(ObjectDataOutput out) throws IOException {
    out.writeInt(replicas.size());
    for (Replica replica : replicas) {
      IOUtil.writeData(out, replica.key());
      IOUtil.writeData(out, replica.page());
      out.writeInt(replica.writer());
    }
  }

  static PageReplicas read(ObjectDataInput in) throws IOException {
    int count = in.readInt();
    List<Replica> replicas = CommandCodec.listOf(count);
    for (int i = 0; i < count; i++) {
      Data key = CommandCodec.present(IOUtil.readData(in), "the key of a page");
      replicas.add(new Replica(key, IOUtil.readData(in), in.readInt()));
    }
    return replicas.isEmpty() ? NONE : new PageReplicas(replicas);
  }

  /**
   * A page.
   *
   * @param page null if it was removed
   * @param writer the number of the tenant that it counts for, or {@link Writers#OWNER}
   */
  private record Replica(Data key, @Nullable Data page, int writer) {}
}
