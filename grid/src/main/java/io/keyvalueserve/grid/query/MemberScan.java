package io.keyvalueserve.grid.query;

import com.hazelcast.internal.serialization.Data;
import io.keyvalueserve.engine.query.QueryException;
import io.keyvalueserve.engine.query.Scan;
import io.keyvalueserve.maps.gather.TenantHeap;
import io.keyvalueserve.maps.query.EntryRow;
import io.keyvalueserve.maps.query.MapScan;
import io.keyvalueserve.maps.query.RowVisitor;
import io.keyvalueserve.maps.query.ScanPosition;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Makes one page of a scan at one member, in slices. Used by one thread at a time.
 *
 * <p>A page is complete when the scan is at its end here, when the page is full, or when its time
 * is over. Groups and first rows are partial results then, which the asking member puts together.
 */
final class MemberScan implements RowVisitor {
  private static final int ROWS_BETWEEN_COUNTS = 64;

  private final ScanRequest request;
  private final MapScan scan;
  private final TenantHeap heap;
  private final int columns;
  private final List<@Nullable Object[]> rows = new ArrayList<>();
  private final @Nullable Groups groups;
  private final @Nullable TopRows top;
  private ScanPosition position;
  private long rowBytes;
  private long taken;
  private long visited;
  private long spentNanos;
  private long examined;

  /**
   * @param heap that the page takes from, until {@link #close}
   */
  MemberScan(ScanRequest request, MapScan scan, TenantHeap heap) {
    this.request = request;
    this.scan = scan;
    this.heap = heap;
    this.position = request.from();
    Scan asked = request.scan();
    this.columns = asked.fields().size();
    Scan.Grouping grouping = asked.grouping();
    this.groups = grouping == null ? null : new Groups(grouping, asked.fields());
    this.top =
        asked.order().isEmpty() || grouping != null
            ? null
            : new TopRows(new RowOrder(asked.order()), asked.limit());
  }

  /**
   * Works for a while.
   *
   * @return whether the page is complete
   */
  boolean slice(long nanos) {
    long begin = System.nanoTime();
    List<Data> keys = request.keys();
    if (keys != null) {
      position = visit(keys);
    } else if (!counted()) {
      position = scan.run(position, this, nanos);
    }
    spentNanos += System.nanoTime() - begin;
    count();
    return position.isDone() || isFull() || spentNanos >= request.mostNanos();
  }

  /** Counts all rows at once, if only their number matters and can be told. */
  private boolean counted() {
    if (groups == null || !groups.countOnly() || examined > 0 || position.isInPartitions()) {
      return false;
    }
    long rows = scan.count(position.left());
    if (rows < 0) {
      return false;
    }
    groups.add(rows);
    examined(1);
    position = ScanPosition.begin(new BitSet());
    return true;
  }

  /** Visits the entries of keys. Partitions that cannot be read are left. */
  private ScanPosition visit(List<Data> keys) {
    BitSet unreachable = new BitSet();
    for (Data key : keys) {
      int partition = scan.visitKey(key, this);
      if (partition >= 0) {
        unreachable.set(partition);
      }
    }
    return ScanPosition.unreachable(unreachable);
  }

  private boolean isFull() {
    return bytes() >= request.mostBytes()
        || (groups == null && top == null && rows.size() >= request.scan().limit());
  }

  private long bytes() {
    return groups != null ? groups.bytes() : top != null ? top.bytes() : rowBytes;
  }

  @Override
  public boolean visit(EntryRow entry) {
    @Nullable Object[] row = row(entry);
    if (groups != null) {
      groups.add(row);
    } else if (top != null) {
      top.add(row);
    } else {
      rows.add(row);
      rowBytes += Values.bytes(row);
    }
    if (++visited % ROWS_BETWEEN_COUNTS == 0) {
      count();
    }
    return top != null || request.keys() != null || !isFull();
  }

  @Override
  public void examined(long entries) {
    examined += entries;
  }

  private @Nullable Object[] row(EntryRow entry) {
    if (request.whole()) {
      return new @Nullable Object[] {entry.key(), entry.value()};
    }
    @Nullable Object[] row = new @Nullable Object[columns];
    for (int i = 0; i < columns; i++) {
      row[i] = entry.field(i);
    }
    return row;
  }

  /** Takes heap for what has been added. */
  private void count() {
    long more = bytes() - taken;
    if (more > 0) {
      if (!heap.take(more)) {
        throw new QueryException(
            QueryException.Kind.QUOTA,
            "the query needs more Java heap than the tenant may take at a member now: held="
                + taken
                + " more="
                + more
                + " free="
                + heap.free()
                + "; ask for less with WHERE or LIMIT, or retry when fewer requests run");
      }
      taken += more;
    }
  }

  /** Returns the page. */
  ScanPage page() {
    List<@Nullable Object[]> result =
        groups != null ? groups.rows() : top != null ? top.sorted() : rows;
    return new ScanPage(result, position, examined);
  }

  /** Gives back the heap: the page was sent, or is counted by its reader. */
  void close() {
    heap.give(taken);
    taken = 0;
  }
}
