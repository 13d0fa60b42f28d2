package io.keyvalueserve.sql.failure;

/** The SQLSTATEs that statements fail with, as PostgreSQL has them. */
public final class SqlState {
  public static final String IN_DOUBT = "08007";
  public static final String UNSUPPORTED = "0A000";
  public static final String TOO_MANY_ROWS = "21000";
  public static final String BAD_VALUE = "22000";
  public static final String TOO_LONG = "22001";
  public static final String OUT_OF_RANGE = "22003";
  public static final String BAD_TIME = "22007";
  public static final String DIVISION_BY_ZERO = "22012";
  public static final String BAD_CAST = "22018";
  public static final String BAD_PATTERN = "2201B";
  public static final String BAD_ARGUMENT = "22023";
  public static final String BAD_TEXT = "22P02";
  public static final String NOT_NULL = "23502";
  public static final String DUPLICATE_KEY = "23505";
  public static final String REFUSED = "42501";
  public static final String SYNTAX = "42601";
  public static final String BAD_COLUMN = "42703";
  public static final String AMBIGUOUS_COLUMN = "42702";
  public static final String GROUPING = "42803";
  public static final String TYPE_MISMATCH = "42804";
  public static final String NO_FUNCTION = "42883";
  public static final String NO_TABLE = "42P01";
  public static final String PARAMETER = "42P02";
  public static final String TABLE_EXISTS = "42P07";
  public static final String OUT_OF_MEMORY = "53200";
  public static final String TOO_MANY_STATEMENTS = "53300";
  public static final String QUOTA = "53400";
  public static final String TOO_LARGE = "54000";
  public static final String TOO_COMPLEX = "54001";
  public static final String WRONG_OBJECT = "42809";
  public static final String NO_OBJECT = "42704";
  public static final String OBJECT_EXISTS = "42710";
  public static final String CANCELLED = "57014";
  public static final String UNAVAILABLE = "57P01";
  public static final String THROTTLED = "57P03";
  public static final String INTERNAL = "XX000";

  private SqlState() {}
}
