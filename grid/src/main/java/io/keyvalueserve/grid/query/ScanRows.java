package io.keyvalueserve.grid.query;

import com.hazelcast.cluster.Address;
import com.hazelcast.spi.impl.NodeEngine;
import io.keyvalueserve.engine.query.QueryControl;
import io.keyvalueserve.engine.query.QueryException;
import io.keyvalueserve.engine.query.RowSource;
import io.keyvalueserve.engine.query.Scan;
import io.keyvalueserve.grid.PassingFailures;
import io.keyvalueserve.maps.query.ScanPosition;
import io.keyvalueserve.tenancy.grant.Rights;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The rows of a scan over all members, as these send pages. Each member makes at most one page
 * ahead of what was read, so that a slow reader holds little memory.
 *
 * <p>If a member leaves, or a partition moves, the pages of its partitions are asked for again,
 * from where the last page that arrived ended: of the new owners.
 */
final class ScanRows implements RowSource {
  private static final long PAGE_BYTES = 256 << 10;
  private static final long LARGE_PAGE_BYTES = 4 << 20;
  private static final long PAGE_NANOS = TimeUnit.MILLISECONDS.toNanos(100);
  private static final long LOOK_UP_MILLIS = 100;
  private static final long PAUSE_MILLIS = 50;

  /** The longest time for which partitions may have no owner that answers. */
  private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(60);

  private final GridQueries queries;
  private final NodeEngine nodeEngine;
  private final TableMap map;
  private final Scan scan;
  private final boolean whole;
  private final QueryControl control;
  private final LinkedBlockingQueue<Arrived> arrived = new LinkedBlockingQueue<>();
  private final List<ScanPosition> homeless = new ArrayList<>();
  private int outstanding;
  private long nextAskNanos = System.nanoTime();
  private long progressNanos = System.nanoTime();
  private @Nullable Iterator<@Nullable Object[]> page;
  private long pageBytes;
  private @Nullable Object @Nullable [] row;
  private long returned;
  private boolean merged;
  private volatile boolean closed;

  /** An answer of a member, or that there is none. */
  private record Arrived(
      ScanPosition asked,
      Address member,
      @Nullable ScanPage page,
      long bytes,
      @Nullable Throwable failure) {}

  /**
   * @param scan without keys, and without distinct aggregates
   * @param whole whether rows are keys and values, serialized
   */
  ScanRows(GridQueries queries, TableMap map, Scan scan, boolean whole, QueryControl control) {
    this.queries = queries;
    this.nodeEngine = queries.nodeEngine();
    this.map = map;
    this.scan = scan;
    this.whole = whole;
    this.control = control;
    BitSet all = new BitSet();
    all.set(0, nodeEngine.getPartitionService().getPartitionCount());
    homeless.add(ScanPosition.begin(all));
  }

  @Override
  public boolean next() {
    boolean isMerged = scan.grouping() != null || !scan.order().isEmpty();
    if (isMerged && !merged) {
      merged = true;
      merge();
    }
    while (!closed && returned < scan.limit()) {
      if (page != null && page.hasNext()) {
        row = page.next();
        returned++;
        return true;
      }
      give();
      Arrived next = isMerged ? null : await();
      if (next == null) {
        return false;
      }
      pageBytes = next.bytes();
      page = rows(next).iterator();
    }
    return false;
  }

  private static List<@Nullable Object[]> rows(Arrived arrived) {
    return Objects.requireNonNull(arrived.page()).rows();
  }

  private void give() {
    page = null;
    control.give(pageBytes);
    pageBytes = 0;
  }

  private static long bytes(List<@Nullable Object[]> rows) {
    long bytes = 0;
    for (@Nullable Object[] each : rows) {
      bytes += Values.bytes(each);
    }
    return bytes;
  }

  /** Reads all partial results and puts them together. */
  private void merge() {
    Scan.Grouping grouping = scan.grouping();
    Groups groups = grouping == null ? null : new Groups(grouping, scan.fields());
    TopRows top = groups == null ? new TopRows(new RowOrder(scan.order()), scan.limit()) : null;
    for (Arrived next = await(); next != null; next = await()) {
      for (@Nullable Object[] each : rows(next)) {
        if (groups != null) {
          groups.merge(each);
        } else if (top != null) {
          top.add(each);
        }
      }
      long bytes = groups != null ? groups.bytes() : top != null ? top.bytes() : 0;
      if (bytes > pageBytes) {
        control.take(bytes - pageBytes);
        pageBytes = bytes;
      }
      control.give(next.bytes());
    }
    if (groups != null) {
      groups.ensureOne();
      page = groups.rows().iterator();
    } else if (top != null) {
      page = top.sorted().iterator();
    }
  }

  /** Waits for the next page of any member. Returns null if all have come. */
  private @Nullable Arrived await() {
    while (true) {
      control.checkpoint();
      if (!homeless.isEmpty() && System.nanoTime() - nextAskNanos >= 0) {
        askOwners();
      }
      if (outstanding == 0 && homeless.isEmpty()) {
        return null;
      }
      Arrived next = poll();
      if (next != null) {
        outstanding--;
        if (take(next)) {
          progressNanos = System.nanoTime();
          return next;
        }
      } else if (System.nanoTime() - progressNanos > PATIENCE_NANOS && !homeless.isEmpty()) {
        throw new QueryException(
            QueryException.Kind.UNAVAILABLE,
            "some partitions of the map have no member that answers: try again later");
      }
    }
  }

  private @Nullable Arrived poll() {
    try {
      return arrived.poll(
          homeless.isEmpty() ? LOOK_UP_MILLIS : PAUSE_MILLIS, TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new QueryException(QueryException.Kind.CANCELLED, "the query was ended", e);
    }
  }

  /**
   * Asks for the page that follows an answer.
   *
   * @return false if the answer has no page; then it is asked for again later
   */
  private boolean take(Arrived next) {
    ScanPage page = next.page();
    if (page == null) {
      if (!PassingFailures.has(next.failure())) {
        throw GridQueries.failure(Objects.requireNonNull(next.failure()));
      }
      later(next.asked()); // its member has left, or cannot be reached
      return false;
    }
    List<@Nullable Object[]> rows = page.rows();
    control.examined(page.examined());
    ScanPosition position = page.next();
    BitSet unreachable = position.unreachable();
    if (!unreachable.isEmpty()) {
      later(position.of(unreachable));
      BitSet rest = position.left();
      rest.andNot(unreachable);
      position = position.of(rest);
    }
    boolean isEnough =
        scan.grouping() == null && scan.order().isEmpty() && rows.size() + returned >= scan.limit();
    if (isEnough) {
      homeless.clear();
    } else if (!position.isDone()) {
      ask(next.member(), position);
    }
    return true;
  }

  /** Has owners asked after a pause: partitions take a while to move. */
  private void later(ScanPosition position) {
    homeless.add(position);
    nextAskNanos = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(PAUSE_MILLIS);
  }

  /** Asks the owners of partitions that nobody was asked for, or that have moved. */
  private void askOwners() {
    Map<Address, BitSet> owners = new HashMap<>();
    List<ScanPosition> waiting = new ArrayList<>(homeless);
    homeless.clear();
    for (ScanPosition position : waiting) {
      owners.clear();
      BitSet nowhere = new BitSet();
      position.left().stream()
          .forEach(
              partition -> {
                Address owner = nodeEngine.getPartitionService().getPartitionOwner(partition);
                BitSet of =
                    owner == null ? nowhere : owners.computeIfAbsent(owner, each -> new BitSet());
                of.set(partition);
              });
      if (!nowhere.isEmpty()) {
        later(position.of(nowhere));
      }
      owners.forEach((owner, partitions) -> ask(owner, position.of(partitions)));
    }
  }

  private void ask(Address member, ScanPosition from) {
    boolean isMerged = scan.grouping() != null || !scan.order().isEmpty();
    map.require(Rights.READ); // a grant may have ended since the last page
    ScanRequest request =
        new ScanRequest(
            control.tenant(),
            map.gridName(),
            scan,
            whole,
            from,
            null,
            isMerged ? LARGE_PAGE_BYTES : PAGE_BYTES,
            PAGE_NANOS);
    outstanding++;
    queries.ask(
        member,
        request,
        (page, failure) -> {
          boolean _ = arrived.add(charged(from, member, page, failure));
        });
  }

  /** Counts a page from when it arrives: it may wait long until it is read. Any thread. */
  private Arrived charged(
      ScanPosition from, Address member, @Nullable ScanPage page, @Nullable Throwable failure) {
    if (page == null || closed) {
      return new Arrived(from, member, page, 0, failure);
    }
    long bytes = bytes(page.rows());
    try {
      control.take(bytes);
    } catch (RuntimeException e) {
      return new Arrived(from, member, null, 0, e);
    }
    if (closed) { // nobody gives it back otherwise
      control.give(bytes);
    }
    return new Arrived(from, member, page, bytes, failure);
  }

  @Override
  public @Nullable Object[] row() {
    if (row == null) {
      throw new IllegalStateException("there is no row before next");
    }
    return row;
  }

  @Override
  public void close() {
    if (!closed) {
      closed = true;
      homeless.clear();
      give();
      for (Arrived each = arrived.poll(); each != null; each = arrived.poll()) {
        control.give(each.bytes());
      }
    }
  }
}
