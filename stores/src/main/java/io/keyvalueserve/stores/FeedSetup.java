package io.keyvalueserve.stores;

import io.keyvalueserve.stores.FeedRows.FeedColumn;
import io.keyvalueserve.stores.StoreException.Kind;
import io.keyvalueserve.stores.TableShape.BoundColumn;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Prepares a PostgreSQL database for a {@link ChangeFeed}: checks the table, and makes the
 * publication and the slot.
 *
 * <pre>
 *   no slot --------> a draft of it --begun: the follower has forgotten all--> copied to the slot
 *   a slot is there --> used: it goes on where it was
 *   the slot is lost, or its publication was gone --> dropped: no slot
 * </pre>
 *
 * <p>A follower that ends before it has forgotten all leaves a draft, which nobody takes for a slot
 * that goes on.
 */
final class FeedSetup {
  private static final String PLUGIN = "pgoutput";
  private static final int LEAST_VERSION = 10;
  private static final int COPIES_SINCE = 12;
  private static final int ROOTS_SINCE = 13;
  private static final int LONGEST_SLOT = 56;
  private static final int HASH_DIGITS = 16;
  private static final String DRAFT = "_draft";

  private static final String TABLE =
      """
      SELECT c.oid, n.nspname, c.relname, c.relkind, c.relreplident, EXISTS (
          SELECT 1 FROM pg_catalog.pg_index i JOIN pg_catalog.pg_attribute a
            ON a.attrelid = i.indrelid AND a.attnum = ANY (i.indkey)
          WHERE i.indrelid = c.oid AND a.attname = ?
            AND CASE c.relreplident WHEN 'd' THEN i.indisprimary
                WHEN 'i' THEN i.indisreplident ELSE false END)
        FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
        WHERE c.oid = CAST(? AS pg_catalog.regclass)
      """;
  private static final String TYPE =
      """
      SELECT atttypid FROM pg_catalog.pg_attribute
        WHERE attrelid = CAST(? AS pg_catalog.regclass) AND attname = ? AND NOT attisdropped
      """;
  private static final String PUBLISHED =
      """
      SELECT p.pubinsert AND p.pubupdate AND p.pubdelete AND p.pubtruncate AND EXISTS (
          SELECT 1 FROM pg_catalog.pg_publication_tables t
          WHERE t.pubname = p.pubname AND t.schemaname = ? AND t.tablename = ?)
        FROM pg_catalog.pg_publication p WHERE p.pubname = ?
      """;
  private static final String SLOT =
      """
      SELECT plugin, database = pg_catalog.current_database(),
          pg_catalog.to_jsonb(s) ->> 'wal_status', pg_catalog.to_jsonb(s) ->> 'invalidation_reason'
        FROM pg_catalog.pg_replication_slots s WHERE slot_name = ?
      """;
  private static final String SERVED =
      "SELECT active_pid FROM pg_catalog.pg_replication_slots WHERE slot_name = ?";
  private static final String MAKE = "SELECT pg_catalog.pg_create_logical_replication_slot(?, ?)";
  private static final String COPY = "SELECT pg_catalog.pg_copy_logical_replication_slot(?, ?)";
  private static final String DROP =
      """
      SELECT pg_catalog.pg_drop_replication_slot(slot_name)
        FROM pg_catalog.pg_replication_slots WHERE slot_name = ?
      """;

  private final Database database;
  private final TableSpec spec;
  private final String slot;
  private final String draft;
  private final String publication;

  /**
   * The table as a feed needs it.
   *
   * @param id its number in the database
   * @param begins whether the slot is new: all that was known of the table may be out of date
   */
  record Prepared(int id, List<FeedColumn> columns, boolean begins) {}

  /** A table as the database has it. */
  private record Found(int id, String schema, String table, String kind, String identity) {}

  FeedSetup(Database database, TableSpec spec, String slot) {
    this.database = database;
    this.spec = spec;
    this.slot = safe(slot);
    this.draft = this.slot + DRAFT;
    this.publication = "kvs_" + hash(this.slot + '\0' + spec.table());
  }

  /** Returns a name that a slot can have; different names stay different. */
  static String safe(String name) {
    String safe = name.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9_]", "_");
    if (safe.equals(name) && safe.length() <= LONGEST_SLOT && !safe.isEmpty()) {
      return safe;
    }
    int most = LONGEST_SLOT - HASH_DIGITS - 1;
    return (safe.length() <= most ? safe : safe.substring(0, most)) + "_" + hash(name);
  }

  private static String hash(String text) {
    try {
      byte[] hash =
          MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
      return HexFormat.of().formatHex(hash, 0, HASH_DIGITS / 2);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has SHA-256", e);
    }
  }

  String slot() {
    return slot;
  }

  String publication() {
    return publication;
  }

  String subject() {
    return "table " + spec.table();
  }

  /** Makes what is missing; says what cannot be made. */
  Prepared prepare() {
    return database.anew(
        subject(),
        connection -> {
          int version = requireVersion(connection);
          TableShape shape = new TableReader(connection, Dialect.of(connection), spec).read();
          requireLogical(connection);
          Found table = table(connection, shape);
          boolean published = publish(connection, shape, table, version);
          boolean kept = published && keep(connection);
          if (!kept) {
            begin(connection, version);
          }
          return new Prepared(table.id(), columns(connection, shape), !kept);
        });
  }

  private int requireVersion(Connection connection) throws SQLException {
    if (!(Dialect.of(connection) instanceof PostgresDialect)) {
      throw wrong("only PostgreSQL tables can be followed");
    }
    int version = connection.getMetaData().getDatabaseMajorVersion();
    if (version < LEAST_VERSION) {
      throw wrong("tables can be followed from PostgreSQL 10 on");
    }
    return version;
  }

  private void requireLogical(Connection connection) throws SQLException {
    String level = first(connection, "SHOW wal_level");
    if (!"logical".equals(level)) {
      throw wrong(
          "it cannot be followed, for the server's wal_level is "
              + level
              + ": set wal_level = logical, and restart the server");
    }
  }

  private Found table(Connection connection, TableShape shape) throws SQLException {
    String key = name(shape.key());
    try (PreparedStatement statement = connection.prepareStatement(TABLE)) {
      statement.setString(1, key);
      statement.setString(2, shape.sql());
      try (ResultSet rows = statement.executeQuery()) {
        boolean _ = rows.next();
        Found found =
            new Found(
                (int) rows.getLong(1),
                rows.getString(2),
                rows.getString(3),
                rows.getString(4),
                rows.getString(5));
        requireTable(found);
        requireIdentity(found, key, rows.getBoolean(6));
        requirePlainKey(shape.key());
        return found;
      }
    }
  }

  private void requireTable(Found found) {
    if (!found.kind().equals("r") && !found.kind().equals("p")) {
      throw wrong("it cannot be followed, for it is no table: follow the table behind it");
    }
  }

  private void requireIdentity(Found found, String key, boolean inIndex) {
    if (!inIndex && !found.identity().equals("f")) {
      throw wrong(
          "it cannot be followed, for its replica identity is without column "
              + key
              + ": make that the primary key, or say ALTER TABLE ... REPLICA IDENTITY USING INDEX"
              + " with a unique index of it");
    }
  }

  /** A key that is equal to others in the database, and to none of them in a map. */
  private void requirePlainKey(BoundColumn key) {
    if (key.typeName().contains("citext")) {
      throw wrong("it cannot be followed by a key of type citext: use text");
    }
  }

  /**
   * Returns whether the publication was there; a table that was made anew is not in its old one.
   */
  private boolean publish(Connection connection, TableShape shape, Found table, int version)
      throws SQLException {
    if (isPublished(connection, table)) {
      return true;
    }
    String sql = create(shape, version);
    try (Statement statement = connection.createStatement()) {
      boolean _ = statement.execute("DROP PUBLICATION IF EXISTS " + publication);
      boolean _ = statement.execute(sql);
    } catch (SQLException e) {
      throw denied(e, "the user does not own it: have its owner say " + sql);
    }
    return false;
  }

  private boolean isPublished(Connection connection, Found table) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(PUBLISHED)) {
      statement.setString(1, table.schema());
      statement.setString(2, table.table());
      statement.setString(3, publication);
      try (ResultSet rows = statement.executeQuery()) {
        return rows.next() && rows.getBoolean(1);
      }
    }
  }

  private String create(TableShape shape, int version) {
    return "CREATE PUBLICATION "
        + publication
        + " FOR TABLE "
        + shape.sql()
        + (version < ROOTS_SINCE ? "" : " WITH (publish_via_partition_root = true)");
  }

  /** Returns whether the slot is there and has all changes. */
  private boolean keep(Connection connection) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(SLOT)) {
      statement.setString(1, slot);
      try (ResultSet rows = statement.executeQuery()) {
        if (!rows.next()) {
          return false;
        }
        if (!PLUGIN.equals(rows.getString(1)) || !rows.getBoolean(2)) {
          throw wrong(
              "replication slot "
                  + slot
                  + " is of another plugin or database: drop it, and it is made anew");
        }
        return !"lost".equals(rows.getString(3)) && rows.getString(4) == null;
      }
    }
  }

  private void begin(Connection connection, int version) throws SQLException {
    try {
      run(connection, DROP, slot);
      run(connection, DROP, draft);
      run(connection, MAKE, version < COPIES_SINCE ? slot : draft, PLUGIN);
    } catch (SQLException e) {
      throw denied(
          e,
          "the user has no right to replicate: say ALTER ROLE ... REPLICATION, or grant the role"
              + " that the service has for it");
    }
  }

  /** Keeps the new slot for good: what was known before is forgotten. */
  void begun() {
    String _ =
        database.anew(
            subject(),
            connection -> {
              if (connection.getMetaData().getDatabaseMajorVersion() >= COPIES_SINCE) {
                run(connection, COPY, draft, slot);
                run(connection, DROP, draft);
              }
              return slot;
            });
  }

  /** Gives a slot up that cannot go on. */
  void giveUp() {
    String _ =
        database.anew(
            subject(),
            connection -> {
              run(connection, DROP, slot);
              return slot;
            });
  }

  /** Removes the slot and the publication. */
  void remove() {
    String _ =
        database.anew(
            subject(),
            connection -> {
              run(connection, DROP, slot);
              run(connection, DROP, draft);
              dropPublication(connection);
              return slot;
            });
  }

  /** Leaves a publication alone that its owner has made: it keeps no changes. */
  private void dropPublication(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      boolean _ = statement.execute("DROP PUBLICATION IF EXISTS " + publication);
    } catch (SQLException e) {
      if (!"42501".equals(e.getSQLState())) {
        throw e;
      }
    }
  }

  /** Returns whether the slot is used by a process of the server. */
  boolean isServed(int process) {
    return database.with(
        subject(),
        connection -> {
          try (PreparedStatement statement = connection.prepareStatement(SERVED)) {
            statement.setString(1, slot);
            try (ResultSet rows = statement.executeQuery()) {
              return rows.next() && rows.getInt(1) == process;
            }
          }
        });
  }

  private static void run(Connection connection, String sql, String... parameters)
      throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      for (int i = 0; i < parameters.length; i++) {
        statement.setString(i + 1, parameters[i]);
      }
      boolean _ = statement.execute();
    }
  }

  private static @Nullable String first(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(sql)) {
      return rows.next() ? rows.getString(1) : null;
    }
  }

  private static List<FeedColumn> columns(Connection connection, TableShape shape)
      throws SQLException {
    List<FeedColumn> columns = new ArrayList<>();
    for (BoundColumn column : shape.all()) {
      try (PreparedStatement statement = connection.prepareStatement(TYPE)) {
        statement.setString(1, shape.sql());
        statement.setString(2, name(column));
        try (ResultSet rows = statement.executeQuery()) {
          int type = rows.next() ? (int) rows.getLong(1) : 0;
          columns.add(new FeedColumn(column.column(), name(column), type));
        }
      }
    }
    return columns;
  }

  /** Returns the name of a column without its quotes. */
  private static String name(BoundColumn column) {
    String quoted = column.sql();
    return quoted.substring(1, quoted.length() - 1).replace("\"\"", "\"");
  }

  /** Translates what the server says to a user who may not do it, or may not yet. */
  private RuntimeException denied(SQLException error, String remedy) {
    return switch (error.getSQLState()) {
      case "42501" -> wrong("it cannot be followed, for " + remedy);
      case "53400", "53300" ->
          wrong(
              "it cannot be followed, for the server has no free replication slot: raise"
                  + " max_replication_slots, or drop a slot that is not used");
      case "57014" ->
          new StoreException(
              Kind.UNAVAILABLE,
              subject()
                  + ": the replication slot waits for transactions that were open before: end them",
              error.getSQLState());
      case null, default -> database.translated(subject(), error);
    };
  }

  private StoreException wrong(String problem) {
    return StoreException.misconfigured(subject() + ": " + problem);
  }
}
