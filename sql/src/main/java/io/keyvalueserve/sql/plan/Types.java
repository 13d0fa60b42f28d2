package io.keyvalueserve.sql.plan;

import io.keyvalueserve.engine.query.FieldType;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rel.type.RelDataTypeFactory;
import org.apache.calcite.rel.type.RelDataTypeSystem;
import org.apache.calcite.rel.type.RelDataTypeSystemImpl;
import org.apache.calcite.sql.type.BasicSqlType;
import org.apache.calcite.sql.type.SqlTypeFactoryImpl;
import org.apache.calcite.sql.type.SqlTypeName;
import org.jspecify.annotations.Nullable;

/** The types of statements: those of fields as Calcite's, and back. */
final class Types {
  static final int DIGITS = 76;
  static final int SCALE = 38;

  private Types() {}

  /** The rules of types: wide decimals, and sums and averages as in PostgreSQL. */
  static final RelDataTypeSystem SYSTEM =
      new RelDataTypeSystemImpl() {
        @Override
        public int getMaxPrecision(SqlTypeName type) {
          return switch (type) {
            case DECIMAL -> DIGITS;
            case TIME, TIMESTAMP, TIMESTAMP_WITH_LOCAL_TIME_ZONE -> 9;
            case CHAR, VARCHAR, BINARY, VARBINARY -> Integer.MAX_VALUE / 2;
            default -> super.getMaxPrecision(type);
          };
        }

        @Override
        public int getMaxScale(SqlTypeName type) {
          return type == SqlTypeName.DECIMAL ? SCALE : super.getMaxScale(type);
        }

        @Override
        public int getDefaultPrecision(SqlTypeName type) {
          return switch (type) {
            case DECIMAL -> DIGITS;
            case TIME, TIMESTAMP, TIMESTAMP_WITH_LOCAL_TIME_ZONE -> 6;
            default -> super.getDefaultPrecision(type);
          };
        }

        @Override
        public boolean shouldConvertRaggedUnionTypesToVarying() {
          return true;
        }

        @Override
        public RelDataType deriveSumType(RelDataTypeFactory factory, RelDataType type) {
          FieldType result =
              switch (type.getSqlTypeName()) {
                case TINYINT, SMALLINT, INTEGER -> FieldType.BIGINT;
                case BIGINT, DECIMAL -> FieldType.DECIMAL;
                case REAL, FLOAT, DOUBLE -> FieldType.DOUBLE;
                default -> null;
              };
          return result == null ? type : relType(factory, result, type.isNullable());
        }

        @Override
        public RelDataType deriveAvgAggType(RelDataTypeFactory factory, RelDataType type) {
          FieldType result =
              switch (type.getSqlTypeName()) {
                case TINYINT, SMALLINT, INTEGER, BIGINT, DECIMAL -> FieldType.DECIMAL;
                case REAL, FLOAT, DOUBLE -> FieldType.DOUBLE;
                default -> null;
              };
          return result == null ? type : relType(factory, result, type.isNullable());
        }

        @Override
        public @Nullable RelDataType deriveDecimalPlusType(
            RelDataTypeFactory factory, RelDataType a, RelDataType b) {
          return wide(factory, super.deriveDecimalPlusType(factory, a, b));
        }

        @Override
        public @Nullable RelDataType deriveDecimalMultiplyType(
            RelDataTypeFactory factory, RelDataType a, RelDataType b) {
          return wide(factory, super.deriveDecimalMultiplyType(factory, a, b));
        }

        @Override
        public @Nullable RelDataType deriveDecimalDivideType(
            RelDataTypeFactory factory, RelDataType a, RelDataType b) {
          return wide(factory, super.deriveDecimalDivideType(factory, a, b));
        }

        @Override
        public @Nullable RelDataType deriveDecimalModType(
            RelDataTypeFactory factory, RelDataType a, RelDataType b) {
          return wide(factory, super.deriveDecimalModType(factory, a, b));
        }

        private static @Nullable RelDataType wide(
            RelDataTypeFactory factory, @Nullable RelDataType type) {
          if (type == null || type.getSqlTypeName() != SqlTypeName.DECIMAL) {
            return type;
          }
          return relType(factory, FieldType.DECIMAL, type.isNullable());
        }
      };

  /** A document of JSON: like {@code ANY}, but told apart from it. */
  private static final class JsonType extends BasicSqlType {
    private static final long serialVersionUID = 1;

    JsonType(boolean isNullable) {
      super(SYSTEM, SqlTypeName.ANY, isNullable);
      computeDigest();
    }

    @Override
    protected void generateTypeString(StringBuilder text, boolean withDetail) {
      text.append("JSON");
    }
  }

  /** Makes types; all text is Unicode. */
  static final class Factory extends SqlTypeFactoryImpl {
    Factory() {
      super(SYSTEM);
    }

    @Override
    public Charset getDefaultCharset() {
      return StandardCharsets.UTF_8;
    }

    RelDataType json(boolean isNullable) {
      return canonize(new JsonType(isNullable));
    }

    @Override
    public RelDataType createTypeWithNullability(RelDataType type, boolean isNullable) {
      return type instanceof JsonType
          ? json(isNullable)
          : super.createTypeWithNullability(type, isNullable);
    }
  }

  /** Returns Calcite's type of a field. */
  static RelDataType relType(RelDataTypeFactory factory, FieldType type, boolean isNullable) {
    RelDataType made =
        switch (type) {
          case BOOLEAN -> factory.createSqlType(SqlTypeName.BOOLEAN);
          case TINYINT -> factory.createSqlType(SqlTypeName.TINYINT);
          case SMALLINT -> factory.createSqlType(SqlTypeName.SMALLINT);
          case INTEGER -> factory.createSqlType(SqlTypeName.INTEGER);
          case BIGINT -> factory.createSqlType(SqlTypeName.BIGINT);
          case DECIMAL -> factory.createSqlType(SqlTypeName.DECIMAL, DIGITS, SCALE);
          case REAL -> factory.createSqlType(SqlTypeName.REAL);
          case DOUBLE -> factory.createSqlType(SqlTypeName.DOUBLE);
          case VARCHAR -> factory.createSqlType(SqlTypeName.VARCHAR);
          case VARBINARY -> factory.createSqlType(SqlTypeName.VARBINARY);
          case DATE -> factory.createSqlType(SqlTypeName.DATE);
          case TIME -> factory.createSqlType(SqlTypeName.TIME, 6);
          case TIMESTAMP -> factory.createSqlType(SqlTypeName.TIMESTAMP, 6);
          case TIMESTAMP_WITH_TIME_ZONE ->
              factory.createSqlType(SqlTypeName.TIMESTAMP_WITH_LOCAL_TIME_ZONE, 6);
          case JSON -> ((Factory) factory).json(true);
          case OBJECT -> factory.createSqlType(SqlTypeName.ANY);
        };
    return factory.createTypeWithNullability(made, isNullable);
  }

  /** Returns the type of fields for a type of Calcite. */
  static FieldType fieldType(RelDataType type) {
    return switch (type.getSqlTypeName()) {
      case BOOLEAN -> FieldType.BOOLEAN;
      case TINYINT -> FieldType.TINYINT;
      case SMALLINT -> FieldType.SMALLINT;
      case INTEGER -> FieldType.INTEGER;
      case BIGINT -> FieldType.BIGINT;
      case DECIMAL -> FieldType.DECIMAL;
      case REAL -> FieldType.REAL;
      case FLOAT, DOUBLE -> FieldType.DOUBLE;
      case CHAR, VARCHAR, UUID -> FieldType.VARCHAR;
      case BINARY, VARBINARY -> FieldType.VARBINARY;
      case DATE -> FieldType.DATE;
      case TIME, TIME_WITH_LOCAL_TIME_ZONE, TIME_TZ -> FieldType.TIME;
      case TIMESTAMP -> FieldType.TIMESTAMP;
      case TIMESTAMP_WITH_LOCAL_TIME_ZONE, TIMESTAMP_TZ -> FieldType.TIMESTAMP_WITH_TIME_ZONE;
      case ANY -> type instanceof JsonType ? FieldType.JSON : FieldType.OBJECT;
      default -> FieldType.OBJECT;
    };
  }

  /** Returns whether values of a type are intervals of time. */
  static boolean isInterval(RelDataType type) {
    return SqlTypeName.INTERVAL_TYPES.contains(type.getSqlTypeName());
  }

  /** Returns the type of a name that Calcite does not know; null if there is none. */
  static @Nullable RelDataType named(RelDataTypeFactory factory, String name) {
    String upper = name.toUpperCase(Locale.ROOT);
    FieldType type =
        switch (upper) {
          case "REGCLASS", "REGTYPE", "REGPROC", "REGNAMESPACE", "CITEXT", "INET", "ACLITEM" ->
              FieldType.VARCHAR;
          case "OBJECT", "ANY" -> FieldType.OBJECT;
          default -> io.keyvalueserve.sql.text.Command.typeOf(upper);
        };
    boolean isKnown = type != FieldType.OBJECT || upper.equals("OBJECT") || upper.equals("ANY");
    return isKnown ? relType(factory, type, true) : null;
  }
}
