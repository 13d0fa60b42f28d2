package io.keyvalueserve.postgres.types;

import io.keyvalueserve.engine.query.FieldType;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A type as PostgreSQL's clients know it, by its number. */
public enum PgType {
  BOOL(16, "bool", "boolean", 1, 1000, 'B'),
  BYTEA(17, "bytea", "bytea", -1, 1001, 'U'),
  CHAR(18, "char", "\"char\"", 1, 1002, 'Z'),
  NAME(19, "name", "name", 64, 1003, 'S'),
  INT8(20, "int8", "bigint", 8, 1016, 'N'),
  INT2(21, "int2", "smallint", 2, 1005, 'N'),
  INT2VECTOR(22, "int2vector", "int2vector", -1, 1006, 'A'),
  INT4(23, "int4", "integer", 4, 1007, 'N'),
  REGPROC(24, "regproc", "regproc", 4, 1008, 'N'),
  TEXT(25, "text", "text", -1, 1009, 'S'),
  OID(26, "oid", "oid", 4, 1028, 'N'),
  XID(28, "xid", "xid", 4, 1011, 'U'),
  OIDVECTOR(30, "oidvector", "oidvector", -1, 1013, 'A'),
  JSON(114, "json", "json", -1, 199, 'U'),
  FLOAT4(700, "float4", "real", 4, 1021, 'N'),
  FLOAT8(701, "float8", "double precision", 8, 1022, 'N'),
  UNKNOWN(705, "unknown", "unknown", -2, 0, 'X'),
  BPCHAR(1042, "bpchar", "character", -1, 1014, 'S'),
  VARCHAR(1043, "varchar", "character varying", -1, 1015, 'S'),
  DATE(1082, "date", "date", 4, 1182, 'D'),
  TIME(1083, "time", "time without time zone", 8, 1183, 'D'),
  TIMESTAMP(1114, "timestamp", "timestamp without time zone", 8, 1115, 'D'),
  TIMESTAMPTZ(1184, "timestamptz", "timestamp with time zone", 8, 1185, 'D'),
  INTERVAL(1186, "interval", "interval", 16, 1187, 'T'),
  NUMERIC(1700, "numeric", "numeric", -1, 1231, 'N'),
  REGCLASS(2205, "regclass", "regclass", 4, 2210, 'N'),
  REGTYPE(2206, "regtype", "regtype", 4, 2211, 'N'),
  RECORD(2249, "record", "record", -1, 2287, 'P'),
  VOID(2278, "void", "void", 4, 0, 'P'),
  UUID(2950, "uuid", "uuid", 16, 2951, 'U'),
  JSONB(3802, "jsonb", "jsonb", -1, 3807, 'U'),
  REGNAMESPACE(4089, "regnamespace", "regnamespace", 4, 4090, 'N'),

  BOOL_ARRAY(BOOL),
  BYTEA_ARRAY(BYTEA),
  CHAR_ARRAY(CHAR),
  NAME_ARRAY(NAME),
  INT8_ARRAY(INT8),
  INT2_ARRAY(INT2),
  INT4_ARRAY(INT4),
  TEXT_ARRAY(TEXT),
  OID_ARRAY(OID),
  FLOAT4_ARRAY(FLOAT4),
  FLOAT8_ARRAY(FLOAT8),
  VARCHAR_ARRAY(VARCHAR),
  BPCHAR_ARRAY(BPCHAR),
  DATE_ARRAY(DATE),
  TIME_ARRAY(TIME),
  TIMESTAMP_ARRAY(TIMESTAMP),
  TIMESTAMPTZ_ARRAY(TIMESTAMPTZ),
  NUMERIC_ARRAY(NUMERIC),
  REGTYPE_ARRAY(REGTYPE),
  RECORD_ARRAY(RECORD),
  UUID_ARRAY(UUID),
  JSON_ARRAY(JSON),
  JSONB_ARRAY(JSONB);

  private static final Map<Integer, PgType> BY_OID = new HashMap<>();
  private static final Map<String, PgType> BY_NAME = new HashMap<>();

  static {
    for (PgType type : values()) {
      BY_OID.put(type.oid, type);
      BY_NAME.put(type.typeName, type);
      BY_NAME.put(type.sqlName, type);
    }
    BY_NAME.put("int", INT4);
    BY_NAME.put("decimal", NUMERIC);
    BY_NAME.put("float", FLOAT8);
    BY_NAME.put("string", TEXT);
    BY_NAME.put("tinyint", INT2);
    BY_NAME.put("double", FLOAT8);
    BY_NAME.put("time with time zone", TIME);
  }

  private final int oid;
  private final String typeName;
  private final String sqlName;
  private final int length;
  private final int arrayOid;
  private final char category;
  private final @Nullable PgType element;

  PgType(int oid, String typeName, String sqlName, int length, int arrayOid, char category) {
    this.oid = oid;
    this.typeName = typeName;
    this.sqlName = sqlName;
    this.length = length;
    this.arrayOid = arrayOid;
    this.category = category;
    this.element = null;
  }

  PgType(PgType element) {
    this.oid = element.arrayOid;
    this.typeName = "_" + element.typeName;
    this.sqlName = element.sqlName + "[]";
    this.length = -1;
    this.arrayOid = 0;
    this.category = 'A';
    this.element = element;
  }

  /** Returns the type of a result's column. */
  public static PgType of(FieldType type) {
    return switch (type) {
      case BOOLEAN -> BOOL;
      case TINYINT, SMALLINT -> INT2;
      case INTEGER -> INT4;
      case BIGINT -> INT8;
      case DECIMAL -> NUMERIC;
      case REAL -> FLOAT4;
      case DOUBLE -> FLOAT8;
      case VARCHAR, OBJECT -> TEXT;
      case VARBINARY -> BYTEA;
      case DATE -> DATE;
      case TIME -> TIME;
      case TIMESTAMP -> TIMESTAMP;
      case TIMESTAMP_WITH_TIME_ZONE -> TIMESTAMPTZ;
      case JSON -> JSON;
    };
  }

  /** Returns the type of a number; null if no such type is known here. */
  public static @Nullable PgType ofOid(int oid) {
    return BY_OID.get(oid);
  }

  /** Returns the type of a name, in lower case, as {@code int4} or {@code integer}; or null. */
  public static @Nullable PgType named(String name) {
    return BY_NAME.get(name.toLowerCase(Locale.ROOT));
  }

  /** Returns its number. */
  public int oid() {
    return oid;
  }

  /** Returns its name in {@code pg_type}. */
  public String typeName() {
    return typeName;
  }

  /** Returns its name in SQL. */
  public String sqlName() {
    return sqlName;
  }

  /** Returns the length of its values in bytes; negative if it varies. */
  public int length() {
    return length;
  }

  /** Returns the number of the type of its arrays; 0 if there is none. */
  public int arrayOid() {
    return arrayOid;
  }

  /** Returns its category in {@code pg_type}. */
  public char category() {
    return category;
  }

  /** Returns the type of an array's elements; null if it is no array. */
  public @Nullable PgType element() {
    return switch (this) {
      case INT2VECTOR -> INT2;
      case OIDVECTOR -> OID;
      default -> element;
    };
  }

  /** Returns the type of arrays of this type; that of arrays of text if there is none. */
  public PgType array() {
    PgType array = BY_OID.get(arrayOid);
    return array == null ? TEXT_ARRAY : array;
  }

  /** Returns whether values are text. */
  public boolean isText() {
    return switch (this) {
      case TEXT, VARCHAR, BPCHAR, NAME, UNKNOWN, CHAR -> true;
      default -> false;
    };
  }

  /** Returns whether values are whole numbers. */
  public boolean isWhole() {
    return switch (this) {
      case INT2, INT4, INT8, OID, XID, REGCLASS, REGTYPE, REGPROC, REGNAMESPACE -> true;
      default -> false;
    };
  }

  /** Returns whether values are numbers. */
  public boolean isNumber() {
    return isWhole() || this == NUMERIC || this == FLOAT4 || this == FLOAT8;
  }
}
