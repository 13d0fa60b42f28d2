package io.keyvalueserve.grid.query;

import io.keyvalueserve.engine.query.FieldType;
import io.keyvalueserve.engine.query.QueryException;
import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * How keys or values of a map are serialized.
 *
 * @param scalar the type of a scalar; {@link FieldType#OBJECT} if the format is none
 * @param typeName of Compact records; the class of Java objects; else empty
 * @param factoryId of Portable records; else 0
 * @param classId of Portable records; else 0
 * @param version of Portable records; else 0
 */
record EntryFormat(
    Kind kind, FieldType scalar, String typeName, int factoryId, int classId, int version) {
  /** The name of the option for keys. */
  static final String KEY = "keyFormat";

  /** The name of the option for values. */
  static final String VALUE = "valueFormat";

  /** The kinds of formats. */
  enum Kind {
    /** One value, as Hazelcast clients serialize it. */
    SCALAR(""),
    /** Text in bytes, as Redis clients write it. */
    TEXT("text"),
    /** A JSON document of a Hazelcast client, as one column. */
    JSON("json"),
    /** A JSON document of a Hazelcast client; its fields are columns. */
    JSON_FLAT("json-flat"),
    /** A JSON document as text in bytes, as Redis clients write it; its fields are columns. */
    JSON_TEXT("json-text"),
    COMPACT("compact"),
    PORTABLE("portable"),
    /** Serialized by Java; can be read only. */
    JAVA("java"),
    /** A hash of Redis clients; its fields are columns. */
    HASH("hash");

    private final String text;

    Kind(String text) {
      this.text = text;
    }

    /** Returns the name in options; empty for scalars, which have the names of their types. */
    String text() {
      return text;
    }

    /** Returns whether fields of it can be columns. */
    boolean hasFields() {
      return switch (this) {
        case SCALAR, TEXT, JSON -> false;
        default -> true;
      };
    }
  }

  private static final Map<String, FieldType> SCALARS =
      Map.ofEntries(
          Map.entry("boolean", FieldType.BOOLEAN),
          Map.entry("tinyint", FieldType.TINYINT),
          Map.entry("smallint", FieldType.SMALLINT),
          Map.entry("int", FieldType.INTEGER),
          Map.entry("integer", FieldType.INTEGER),
          Map.entry("bigint", FieldType.BIGINT),
          Map.entry("decimal", FieldType.DECIMAL),
          Map.entry("numeric", FieldType.DECIMAL),
          Map.entry("real", FieldType.REAL),
          Map.entry("double", FieldType.DOUBLE),
          Map.entry("varchar", FieldType.VARCHAR),
          Map.entry("varbinary", FieldType.VARBINARY),
          Map.entry("date", FieldType.DATE),
          Map.entry("time", FieldType.TIME),
          Map.entry("timestamp", FieldType.TIMESTAMP),
          Map.entry("timestamp with time zone", FieldType.TIMESTAMP_WITH_TIME_ZONE));

  private static final Map<String, FieldType> JAVA_SCALARS =
      Map.ofEntries(
          Map.entry("java.lang.Boolean", FieldType.BOOLEAN),
          Map.entry("java.lang.Byte", FieldType.TINYINT),
          Map.entry("java.lang.Short", FieldType.SMALLINT),
          Map.entry("java.lang.Integer", FieldType.INTEGER),
          Map.entry("java.lang.Long", FieldType.BIGINT),
          Map.entry("java.math.BigDecimal", FieldType.DECIMAL),
          Map.entry("java.lang.Float", FieldType.REAL),
          Map.entry("java.lang.Double", FieldType.DOUBLE),
          Map.entry("java.lang.String", FieldType.VARCHAR));

  /**
   * Reads the format from the options of a mapping.
   *
   * @throws QueryException if they name none, or leave out what it needs
   */
  static EntryFormat of(boolean isKey, Map<String, String> options) {
    String prefix = isKey ? "key" : "value";
    String option = isKey ? KEY : VALUE;
    String name = options.get(option);
    if (name == null) {
      throw wrong(option, "is missing; it is one of " + names());
    }
    String lower = name.toLowerCase(Locale.ROOT);
    FieldType scalar = SCALARS.get(lower);
    if (scalar != null) {
      return scalar(scalar);
    }
    Kind kind =
        Arrays.stream(Kind.values())
            .filter(each -> each != Kind.SCALAR && each.text().equals(lower))
            .findFirst()
            .orElseThrow(() -> wrong(option, "'" + name + "' is none of " + names()));
    return switch (kind) {
      case COMPACT ->
          new EntryFormat(
              kind, FieldType.OBJECT, text(options, prefix + "CompactTypeName"), 0, 0, 0);
      case PORTABLE ->
          new EntryFormat(
              kind,
              FieldType.OBJECT,
              "",
              number(options, prefix + "PortableFactoryId", null),
              number(options, prefix + "PortableClassId", null),
              number(options, prefix + "PortableClassVersion", 0));
      case JAVA -> java(text(options, prefix + "JavaClass"));
      default -> new EntryFormat(kind, FieldType.OBJECT, "", 0, 0, 0);
    };
  }

  private static EntryFormat java(String className) {
    FieldType scalar = JAVA_SCALARS.get(className);
    return scalar != null
        ? scalar(scalar)
        : new EntryFormat(Kind.JAVA, FieldType.OBJECT, className, 0, 0, 0);
  }

  /** Returns the format of single values of a type. */
  static EntryFormat scalar(FieldType type) {
    return new EntryFormat(Kind.SCALAR, type, "", 0, 0, 0);
  }

  /** Returns the options that {@link #of} reads this from. */
  Map<String, String> options(boolean isKey) {
    String prefix = isKey ? "key" : "value";
    String option = isKey ? KEY : VALUE;
    return switch (kind) {
      case SCALAR -> Map.of(option, scalarName());
      case COMPACT -> Map.of(option, kind.text(), prefix + "CompactTypeName", typeName);
      case PORTABLE ->
          Map.of(
              option,
              kind.text(),
              prefix + "PortableFactoryId",
              Integer.toString(factoryId),
              prefix + "PortableClassId",
              Integer.toString(classId),
              prefix + "PortableClassVersion",
              Integer.toString(version));
      case JAVA -> Map.of(option, kind.text(), prefix + "JavaClass", typeName);
      default -> Map.of(option, kind.text());
    };
  }

  private String scalarName() {
    return scalar == FieldType.INTEGER
        ? "int"
        : scalar.name().toLowerCase(Locale.ROOT).replace('_', ' ');
  }

  private static String text(Map<String, String> options, String option) {
    String value = options.get(option);
    if (value == null || value.isBlank()) {
      throw wrong(option, "is missing");
    }
    return value;
  }

  private static int number(Map<String, String> options, String option, @Nullable Integer usual) {
    String value = options.get(option);
    if (value == null && usual != null) {
      return usual;
    }
    try {
      return Integer.parseInt(Optional.ofNullable(value).orElse(""));
    } catch (NumberFormatException e) {
      throw wrong(option, "is to be a number");
    }
  }

  private static String names() {
    String kinds =
        Arrays.stream(Kind.values())
            .map(Kind::text)
            .filter(text -> !text.isEmpty())
            .collect(Collectors.joining(", "));
    return kinds + ", or a type such as varchar, int, bigint, double, date";
  }

  private static QueryException wrong(String option, String what) {
    return new QueryException(
        QueryException.Kind.BAD_VALUE, "the option '" + option + "' of the mapping " + what);
  }
}
