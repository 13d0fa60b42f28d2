package io.keyvalueserve.grid.external;

import com.hazelcast.internal.serialization.SerializationService;
import io.keyvalueserve.grid.settings.MapStoreSettings;
import io.keyvalueserve.grid.settings.StoreFormat;
import io.keyvalueserve.stores.Database;
import io.keyvalueserve.stores.StoreException;
import io.keyvalueserve.stores.StoreTable;
import io.keyvalueserve.stores.TableSpec;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The table behind a map, which is looked at when it is first needed: the database may be down when
 * the member starts. Thread-safe.
 */
final class TableSource {
  private static final long REST_NANOS = TimeUnit.MILLISECONDS.toNanos(500);

  private final Supplier<Database> database;
  private final MapStoreSettings settings;
  private final SerializationService serialization;
  private final ReentrantLock opening = new ReentrantLock();
  private volatile @Nullable Opened opened;
  private volatile @Nullable Down down;

  /** A failure to reach the database, and until when nobody tries again. */
  private record Down(StoreException failure, long untilNanos) {}

  /** A table, and what its rows are to the map. */
  record Opened(StoreTable table, TableRows rows) {}

  /**
   * @param database returns the database, or throws a {@link StoreException}
   */
  TableSource(
      Supplier<Database> database, MapStoreSettings settings, SerializationService serialization) {
    this.database = database;
    this.settings = settings;
    this.serialization = serialization;
  }

  /** Returns the table if it was looked at before; null if it was not. Does not block. */
  @Nullable Opened known() {
    return opened;
  }

  /**
   * Returns the table. Blocks.
   *
   * @throws StoreException if the database does not answer, or has no such table
   */
  Opened open() {
    Down resting = down;
    if (resting != null && !isUp(resting)) {
      throw resting.failure();
    }
    Opened known = opened;
    if (known != null) {
      return known;
    }
    opening.lock();
    try {
      known = opened;
      if (known == null) {
        StoreTable table = table();
        known = new Opened(table, new TableRows(table.columns(), settings.format(), serialization));
        opened = known;
      }
      return known;
    } finally {
      opening.unlock();
    }
  }

  private StoreTable table() {
    return database().table(spec());
  }

  /**
   * Returns the database, which may be down.
   *
   * @throws NoStoreException if there is none
   */
  Database database() {
    return database.get();
  }

  /** Returns which table it is. */
  TableSpec spec() {
    List<String> columns = settings.valueColumns();
    return columns.isEmpty() && settings.format() == StoreFormat.JSON
        ? TableSpec.ofAllColumns(settings.table(), settings.keyColumn())
        : new TableSpec(settings.table(), settings.keyColumn(), columns);
  }

  /**
   * Looks at the table once more. Blocks.
   *
   * @throws StoreException as {@link #open}
   */
  void look() {
    StoreTable _ = table();
  }

  /**
   * Notes that the database has not done what was asked. If it could not be reached, nobody waits
   * for it for a moment. If the table is another by now, it is looked at again.
   */
  void failed(RuntimeException failure) {
    if (failure instanceof StoreException known) {
      switch (known.kind()) {
        case MISCONFIGURED -> opened = null;
        case UNAVAILABLE -> {
          if (down == null || isUp(down)) {
            down = new Down(known, System.nanoTime() + REST_NANOS);
          }
        }
        case REFUSED -> {}
      }
    }
  }

  private static boolean isUp(Down known) {
    return System.nanoTime() - known.untilNanos() >= 0;
  }
}
