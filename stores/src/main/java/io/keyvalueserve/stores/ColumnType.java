package io.keyvalueserve.stores;

/**
 * The types of columns, whatever the database calls them, each with the Java class of its values.
 */
public enum ColumnType {
  /** Text and enumerations: {@link String}. */
  TEXT("text in Unicode without the character NUL"),
  /** Bytes: {@code byte[]}. */
  BYTES("bytes, or text that is stored as UTF-8"),
  /** Whole numbers of 16 bits: {@link Short}. */
  SMALLINT("a whole number from -32768 to 32767"),
  /** Whole numbers of 32 bits: {@link Integer}. */
  INTEGER("a whole number from -2147483648 to 2147483647"),
  /** Whole numbers of 64 bits: {@link Long}. */
  BIGINT("a whole number from -9223372036854775808 to 9223372036854775807"),
  /** Decimal numbers: {@link java.math.BigDecimal}. */
  NUMERIC("a decimal number of at most 1000 digits with a scale from -1000 to 1000, not NaN"),
  /** Binary numbers of 32 bits: {@link Float}. */
  REAL("a number within 3.4028235E38 of zero, NaN, Infinity or -Infinity"),
  /** Binary numbers of 64 bits: {@link Double}. */
  DOUBLE("a number within 1.7976931348623157E308 of zero, NaN, Infinity or -Infinity"),
  /** Truth values: {@link Boolean}. */
  BOOLEAN("true, false, t, f, 1 or 0"),
  /** JSON documents: their text, a {@link String}. */
  JSON("a valid JSON document"),
  /** Identifiers: {@link java.util.UUID}. */
  UUID("a UUID such as 123e4567-e89b-12d3-a456-426614174000"),
  /** Days: {@link java.time.LocalDate}. */
  DATE("a date such as 2026-01-31"),
  /** Times of day, to the microsecond: {@link java.time.LocalTime}. */
  TIME("a time such as 23:59:30.5"),
  /** Days with a time and no zone, to the microsecond: {@link java.time.LocalDateTime}. */
  TIMESTAMP("a date and time without an offset, such as 2026-01-31T23:59:30"),
  /** Instants, to the microsecond, in UTC: {@link java.time.OffsetDateTime}. */
  TIMESTAMP_WITH_ZONE("a date and time with an offset, such as 2026-01-31T23:59:30Z");

  private final String fitting;

  ColumnType(String fitting) {
    this.fitting = fitting;
  }

  /** Describes in words which values fit: "a date such as 2026-01-31". */
  public String fitting() {
    return fitting;
  }
}
