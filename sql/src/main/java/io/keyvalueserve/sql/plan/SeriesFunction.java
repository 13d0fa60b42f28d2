package io.keyvalueserve.sql.plan;

import io.keyvalueserve.engine.query.FieldType;
import java.util.List;
import org.apache.calcite.rel.type.RelDataTypeFactory;
import org.apache.calcite.sql.SqlFunction;
import org.apache.calcite.sql.SqlFunctionCategory;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlTableFunction;
import org.apache.calcite.sql.type.InferTypes;
import org.apache.calcite.sql.type.OperandTypes;
import org.apache.calcite.sql.type.ReturnTypes;
import org.apache.calcite.sql.type.SqlOperandCountRanges;
import org.apache.calcite.sql.type.SqlReturnTypeInference;

/** {@code GENERATE_SERIES(from, to [, step])}: a table of numbers or times. */
final class SeriesFunction extends SqlFunction implements SqlTableFunction {
  static final SeriesFunction INSTANCE = new SeriesFunction();

  private SeriesFunction() {
    super(
        "GENERATE_SERIES",
        SqlKind.OTHER_FUNCTION,
        ReturnTypes.CURSOR,
        InferTypes.FIRST_KNOWN,
        OperandTypes.variadic(SqlOperandCountRanges.between(2, 3)),
        SqlFunctionCategory.USER_DEFINED_TABLE_FUNCTION);
  }

  @Override
  public SqlReturnTypeInference getRowTypeInference() {
    return binding -> {
      RelDataTypeFactory factory = binding.getTypeFactory();
      FieldType first = Types.fieldType(binding.getOperandType(0));
      FieldType type =
          switch (first) {
            case DATE, TIMESTAMP -> FieldType.TIMESTAMP;
            case TIMESTAMP_WITH_TIME_ZONE, DECIMAL, BIGINT -> first;
            default -> FieldType.INTEGER;
          };
      return factory.createStructType(
          List.of(Types.relType(factory, type, true)), List.of("generate_series"));
    };
  }
}
