package io.keyvalueserve.grid.settings;

import io.keyvalueserve.grid.catalogue.ExternalStore;
import io.keyvalueserve.grid.catalogue.InvalidStoreException;
import io.keyvalueserve.tenancy.InvalidNameException;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A table of an external store behind a map.
 *
 * @param store the name of the store
 * @param table the name of the table, with its schema if need be: {@code public.orders}
 * @param mode how the two keep together
 * @param keyColumn the column that holds keys
 * @param valueColumns the columns that make values; empty for all but the key, with {@link
 *     StoreFormat#JSON} alone
 * @param format the form of values
 * @param batch the most rows that are written to the database at once
 * @param delay how long a write waits at least before the database gets it, with {@link
 *     StoreMode#WRITE_BEHIND}
 * @param negativeTtl how long a key that the table does not have is remembered
 * @param timeToLive how long an entry that was loaded stays; null for as long as there is memory
 * @param eager whether the whole table is loaded at once
 * @param mostWaiting the most entries that a member lets wait for the database
 * @param mostRate the most rows that a member writes in a second when it writes behind; 0 for any
 * @param refreshAhead after how many percent of its time a loaded entry that is used is loaded
 *     again, 1 to 99; 0 for never
 * @param follow whether the map follows changes that others make in the table
 */
public record MapStoreSettings(
    String store,
    String table,
    StoreMode mode,
    String keyColumn,
    List<String> valueColumns,
    StoreFormat format,
    int batch,
    Duration delay,
    Duration negativeTtl,
    @Nullable Duration timeToLive,
    boolean eager,
    int mostWaiting,
    int mostRate,
    int refreshAhead,
    boolean follow) {
  /** The key column unless another is said. */
  public static final String USUAL_KEY_COLUMN = "id";

  /** The value column of {@link StoreFormat#VALUE} unless another is said. */
  public static final String USUAL_VALUE_COLUMN = "value";

  /** The rows of a batch unless something else is said. */
  public static final int USUAL_BATCH = 500;

  /** The most rows of a batch. */
  public static final int MOST_BATCH = 10_000;

  /** The delay unless something else is said. */
  public static final Duration USUAL_DELAY = Duration.ofSeconds(1);

  /** The longest delay. */
  public static final Duration MOST_DELAY = Duration.ofHours(1);

  /** The time for which absent keys are remembered unless something else is said. */
  public static final Duration USUAL_NEGATIVE_TTL = Duration.ofSeconds(5);

  /** The longest time for which absent keys are remembered. */
  public static final Duration MOST_NEGATIVE_TTL = Duration.ofHours(1);

  /** The shortest time to live. */
  public static final Duration LEAST_TIME_TO_LIVE = Duration.ofSeconds(1);

  /** The longest time to live. */
  public static final Duration MOST_TIME_TO_LIVE = Duration.ofDays(365);

  /** The entries that may wait unless something else is said. */
  public static final int USUAL_MOST_WAITING = 100_000;

  /** The most entries that may wait, whatever is said. */
  public static final int MOST_MOST_WAITING = 10_000_000;

  /** The most rows in a second that can be said. */
  public static final int MOST_MOST_RATE = 10_000_000;

  /** The most percent of its time after which an entry is loaded again. */
  public static final int MOST_REFRESH_AHEAD = 99;

  private static final int MOST_COLUMNS = 1_000;
  private static final int MOST_NAME_CHARACTERS = 256;

  /**
   * @throws InvalidNameException if the store's name is none
   * @throws InvalidStoreException if something else is wrong; the message says the remedy
   */
  public MapStoreSettings {
    ExternalStore.requireName(store);
    requireName("table", table);
    requireName("keyColumn", keyColumn);
    valueColumns = List.copyOf(valueColumns);
    requireColumns(keyColumn, valueColumns, format);
    requireIn("batch", batch, MOST_BATCH);
    requireIn("mostWaiting", mostWaiting, MOST_MOST_WAITING);
    if (mostRate != 0) {
      requireIn("mostRate", mostRate, MOST_MOST_RATE);
    }
    if (refreshAhead != 0) {
      requireIn("refreshAhead", refreshAhead, MOST_REFRESH_AHEAD);
      if (timeToLive == null) {
        throw new InvalidStoreException(
            "refreshAhead",
            "refreshAhead: it is a share of timeToLive, and there is none; give a timeToLive");
      }
    }
    requireIn("delay", delay, Duration.ZERO, MOST_DELAY, "0s to 1h");
    requireIn("negativeTtl", negativeTtl, Duration.ZERO, MOST_NEGATIVE_TTL, "0s to 1h");
    if (timeToLive != null) {
      requireIn(
          "timeToLive", timeToLive, LEAST_TIME_TO_LIVE, MOST_TIME_TO_LIVE, "1s to 365d, or none");
    }
  }

  /**
   * Returns the value columns unless others are said: one with {@link StoreFormat#VALUE}, all but
   * the key with {@link StoreFormat#JSON}.
   */
  public static List<String> usualValueColumns(StoreFormat format) {
    return switch (format) {
      case VALUE -> List.of(USUAL_VALUE_COLUMN);
      case JSON -> List.of();
    };
  }

  /** Returns the settings for a table of which nothing but this is said. */
  public static MapStoreSettings usual(String store, String table, StoreMode mode) {
    return new MapStoreSettings(
        store,
        table,
        mode,
        USUAL_KEY_COLUMN,
        usualValueColumns(StoreFormat.VALUE),
        StoreFormat.VALUE,
        USUAL_BATCH,
        USUAL_DELAY,
        USUAL_NEGATIVE_TTL,
        null,
        false,
        USUAL_MOST_WAITING,
        0,
        0,
        false);
  }

  private static void requireColumns(String keyColumn, List<String> columns, StoreFormat format) {
    if (format == StoreFormat.VALUE && columns.size() != 1) {
      throw new InvalidStoreException(
          "valueColumns",
          "valueColumns: there are "
              + columns.size()
              + ", and a value comes from one column; name one, or use the format json");
    }
    if (columns.size() > MOST_COLUMNS) {
      throw new InvalidStoreException(
          "valueColumns",
          "valueColumns: there are " + columns.size() + "; name up to " + MOST_COLUMNS);
    }
    Set<String> seen = new HashSet<>();
    for (String column : columns) {
      requireName("valueColumns", column);
      if (column.equals(keyColumn)) {
        throw new InvalidStoreException(
            "valueColumns",
            "valueColumns: '" + column + "' is the key column; leave it out, or name another key");
      }
      if (!seen.add(column)) {
        throw new InvalidStoreException(
            "valueColumns", "valueColumns: '" + column + "' is named twice; name it once");
      }
    }
  }

  private static void requireName(String field, String name) {
    if (name.isBlank()
        || name.length() > MOST_NAME_CHARACTERS
        || name.chars().anyMatch(Character::isISOControl)) {
      throw new InvalidStoreException(
          field,
          field
              + ": a name has 1 to "
              + MOST_NAME_CHARACTERS
              + " characters, and no control characters; name it as the database does");
    }
  }

  private static void requireIn(String field, int value, int most) {
    if (value < 1 || value > most) {
      throw new InvalidStoreException(
          field, field + ": " + value + " is not possible; use 1 to " + most);
    }
  }

  private static void requireIn(
      String field, Duration value, Duration least, Duration most, String range) {
    if (value.compareTo(least) < 0 || value.compareTo(most) > 0) {
      throw new InvalidStoreException(
          field, field + ": " + value.toMillis() + "ms is not possible; use " + range);
    }
  }
}
