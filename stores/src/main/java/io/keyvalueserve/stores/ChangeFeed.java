package io.keyvalueserve.stores;

import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static java.util.concurrent.TimeUnit.SECONDS;

import io.keyvalueserve.stores.FeedSetup.Prepared;
import io.keyvalueserve.stores.PgOutput.Cell;
import io.keyvalueserve.stores.PgOutput.Commit;
import io.keyvalueserve.stores.PgOutput.Delete;
import io.keyvalueserve.stores.PgOutput.Insert;
import io.keyvalueserve.stores.PgOutput.Relation;
import io.keyvalueserve.stores.PgOutput.Truncate;
import io.keyvalueserve.stores.PgOutput.Update;
import io.keyvalueserve.stores.StoreException.Kind;
import java.nio.ByteBuffer;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.postgresql.jdbc.PgConnection;
import org.postgresql.replication.LogSequenceNumber;
import org.postgresql.replication.PGReplicationStream;

/**
 * The committed changes of a PostgreSQL table, in the order of their transactions, by logical
 * replication. The server keeps those that were not settled in a replication slot: who opens the
 * feed again gets them again.
 *
 * <pre>
 *   lost?  ( changed* committed )*  settle  ( ... )  settle  ...
 * </pre>
 *
 * <p>Its connection is its own. Run by one thread; {@link #close} and {@link #lagMillis} by any.
 */
public final class ChangeFeed implements AutoCloseable {
  private static final int STATUS_SECONDS = 10;
  private static final long MOST_UNSETTLED_NANOS = MILLISECONDS.toNanos(50);
  private static final long LEAST_PAUSE_NANOS = MILLISECONDS.toNanos(1);
  private static final long MOST_PAUSE_NANOS = MILLISECONDS.toNanos(10);
  private static final long ASKING_NANOS = MILLISECONDS.toNanos(250);
  private static final long TELLING_NANOS = MILLISECONDS.toNanos(250);
  private static final long WATCH_NANOS = SECONDS.toNanos(10);

  private final Database database;
  private final FeedSetup setup;
  private final Prepared table;
  private final FeedRows rows;
  private volatile @Nullable Connection connection;
  private volatile boolean closed;
  private volatile long lagMillis;
  private int process;

  /** The position behind the last transaction, and behind the last one that is settled. */
  private long committed;

  private long settled;
  private long committedMillis;
  private long unsettledSince;
  private long asked;
  private long heard;
  private long told;

  private ChangeFeed(Database database, FeedSetup setup, Prepared table) {
    this.database = database;
    this.setup = setup;
    this.table = table;
    this.rows = new FeedRows(table.columns());
  }

  /** Hears of the changes. An exception of it ends the feed and is thrown on. */
  public interface Listener {
    /**
     * A row was written or deleted.
     *
     * @param key the canonical value of the key column
     * @param row null if it was deleted, or is not known
     * @param known whether the row is what is said; else the key alone is
     */
    void changed(Object key, @Nullable Row row, boolean known);

    /** All rows were deleted. */
    void truncated();

    /** Any row may be another than the one that was heard of last, or be gone. */
    void lost();

    /**
     * A transaction is complete.
     *
     * @param position the number of bytes that the server has logged until then
     */
    void committed(long position);

    /**
     * Everything that was heard of is to be carried out now. When this returns the server forgets
     * what was committed before.
     */
    void settle();

    /** Returns whether the feed is to go on. Asked several times in a second. */
    boolean isWanted();
  }

  /**
   * Prepares the database: makes a publication and a replication slot if they are not there.
   *
   * @param slot any name; the slot has it as far as it may
   * @throws StoreException MISCONFIGURED if the database, the table or the user does not allow it;
   *     the message says the remedy
   */
  public static ChangeFeed open(Database database, TableSpec spec, String slot) {
    FeedSetup setup = new FeedSetup(database, spec, slot);
    return new ChangeFeed(database, setup, setup.prepare());
  }

  /**
   * Removes the slot and the publication, so that the server keeps no changes any more.
   *
   * @throws StoreException UNAVAILABLE if a feed uses the slot still
   */
  public static void drop(Database database, TableSpec spec, String slot) {
    new FeedSetup(database, spec, slot).remove();
  }

  /** Returns the columns of the rows, as {@link StoreTable#columns} does. */
  public List<StoreColumn> columns() {
    return table.columns().stream().map(FeedRows.FeedColumn::column).toList();
  }

  /** Returns the name that the slot has in the database. */
  public String slot() {
    return setup.slot();
  }

  /**
   * Returns how long after its commit the last transaction was settled, in milliseconds, by the
   * clocks of both sides; 0 if there was none.
   */
  public long lagMillis() {
    return lagMillis;
  }

  /**
   * Tells the listener of changes until this is closed, or no longer wanted. Once.
   *
   * @throws StoreException UNAVAILABLE if the connection ends: open another feed then
   */
  public void run(Listener listener) {
    if (table.begins()) {
      listener.lost();
      listener.settle();
      setup.begun();
    }
    try {
      follow(listener);
    } catch (SQLException e) {
      if (!closed) {
        throw failure(e);
      }
    } finally {
      disconnect();
    }
  }

  private void follow(Listener listener) throws SQLException {
    Connection made = database.replicating();
    connection = made;
    if (closed) {
      return;
    }
    PgConnection replicating = made.unwrap(PgConnection.class);
    process = replicating.getBackendPID();
    writeTexts(made);
    PGReplicationStream stream =
        replicating
            .getReplicationAPI()
            .replicationStream()
            .logical()
            .withSlotName(setup.slot())
            .withSlotOption("proto_version", 1)
            .withSlotOption("publication_names", setup.publication())
            .withStatusInterval(STATUS_SECONDS, SECONDS)
            .withAutomaticFlush(true)
            .start();
    asked = System.nanoTime();
    heard = asked;
    told = asked;
    while (!closed && isWanted(listener)) {
      step(stream, listener);
    }
  }

  /** Has the server write values as {@link PgTexts} reads them. */
  private static void writeTexts(Connection made) throws SQLException {
    try (Statement statement = made.createStatement()) {
      for (String setting :
          List.of("TimeZone = 'UTC'", "DateStyle = 'ISO'", "bytea_output = 'hex'")) {
        boolean _ = statement.execute("SET " + setting);
      }
    }
  }

  private boolean isWanted(Listener listener) {
    if (System.nanoTime() - asked < ASKING_NANOS) {
      return true;
    }
    asked = System.nanoTime();
    return listener.isWanted();
  }

  private void step(PGReplicationStream stream, Listener listener) throws SQLException {
    ByteBuffer message = stream.readPending();
    if (message != null) {
      heard = System.nanoTime();
      take(PgOutput.read(message), listener);
    }
    boolean waits = committed != settled;
    if (waits && (message == null || heard - unsettledSince > MOST_UNSETTLED_NANOS)) {
      settle(stream, listener);
    } else if (message == null) {
      rest(stream);
    }
  }

  private void settle(PGReplicationStream stream, Listener listener) throws SQLException {
    listener.settle();
    settled = committed;
    lagMillis = Math.max(0, System.currentTimeMillis() - committedMillis);
    LogSequenceNumber position = LogSequenceNumber.valueOf(settled);
    stream.setAppliedLSN(position);
    stream.setFlushedLSN(position);
    tell(stream);
  }

  private void tell(PGReplicationStream stream) throws SQLException {
    told = System.nanoTime();
    stream.forceUpdateStatus();
  }

  /**
   * Pauses, the longer the less comes. A connection that the server has closed looks as if nothing
   * came, until something is sent.
   */
  private void rest(PGReplicationStream stream) throws SQLException {
    long quiet = System.nanoTime() - heard;
    if (System.nanoTime() - told > TELLING_NANOS) {
      tell(stream);
    }
    if (quiet > WATCH_NANOS) {
      heard = System.nanoTime();
      watch();
    }
    LockSupport.parkNanos(Math.clamp(quiet / 4, LEAST_PAUSE_NANOS, MOST_PAUSE_NANOS));
  }

  /** Asks by another connection: one that broke without a word looks as if nothing happened. */
  private void watch() {
    boolean served;
    try {
      served = setup.isServed(process);
    } catch (StoreException e) {
      return; // the database is away, or busy: nothing is known
    }
    if (!served) {
      throw new StoreException(
          Kind.UNAVAILABLE, setup.subject() + ": the connection that follows it broke", null);
    }
  }

  private void take(PgOutput.Message message, Listener listener) {
    switch (message) {
      case Relation relation when relation.id() == table.id() -> rows.as(relation);
      case Insert insert when insert.relation() == table.id() ->
          written(null, insert.row(), listener);
      case Update update when update.relation() == table.id() ->
          written(update.before(), update.row(), listener);
      case Delete delete when delete.relation() == table.id() -> deleted(delete.before(), listener);
      case Truncate truncate when truncate.relations().contains(table.id()) -> listener.truncated();
      case Commit commit -> committed(commit, listener);
      default -> {}
    }
  }

  private void written(@Nullable List<Cell> before, List<Cell> row, Listener listener) {
    Object former = before == null ? null : rows.key(before);
    Object key = rows.key(row);
    if (key == null) {
      key = former;
    } else if (former != null && !former.equals(key)) {
      listener.changed(former, null, true);
    }
    if (key == null) {
      listener.lost();
      return;
    }
    Row known = rows.row(key, row);
    listener.changed(key, known, known != null);
  }

  private void deleted(List<Cell> before, Listener listener) {
    Object key = rows.key(before);
    if (key == null) {
      listener.lost();
    } else {
      listener.changed(key, null, true);
    }
  }

  private void committed(Commit commit, Listener listener) {
    if (committed == settled) {
      unsettledSince = heard;
    }
    committed = commit.end();
    committedMillis = commit.millis();
    listener.committed(committed);
  }

  private StoreException failure(SQLException error) {
    StoreException translated = database.translated(setup.subject(), error);
    String state = translated.sqlState();
    if ("55006".equals(state)) {
      return unavailable("replication slot " + setup.slot() + " is used by another connection");
    }
    if ("58P01".equals(state) || "55000".equals(state) || "42704".equals(state)) {
      giveUp();
      return unavailable(
          "the server has not kept all changes in replication slot "
              + setup.slot()
              + ": it is made anew");
    }
    return translated;
  }

  private StoreException unavailable(String problem) {
    return new StoreException(Kind.UNAVAILABLE, setup.subject() + ": " + problem, null);
  }

  /** The slot cannot go on, or is gone: the next feed begins with a new one. */
  private void giveUp() {
    try {
      disconnect();
      setup.giveUp();
    } catch (StoreException e) {
      // it is seen again when the feed is opened next
    }
  }

  private void disconnect() {
    Connection made = connection;
    if (made != null) {
      try {
        made.abort(Runnable::run);
      } catch (SQLException e) {
        // it is closed
      }
    }
  }

  /** Ends {@link #run}, whatever it waits for. Idempotent. */
  @Override
  public void close() {
    closed = true;
    disconnect();
  }
}
