package io.keyvalueserve.sql.plan;

import io.keyvalueserve.engine.query.FieldType;
import io.keyvalueserve.sql.ScalarFunction;
import io.keyvalueserve.sql.expr.Builtin;
import java.util.Arrays;
import java.util.Set;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rel.type.RelDataTypeFactory;
import org.apache.calcite.sql.SqlFunction;
import org.apache.calcite.sql.SqlFunctionCategory;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlOperatorBinding;
import org.apache.calcite.sql.type.OperandTypes;
import org.apache.calcite.sql.type.SqlOperandCountRanges;
import org.apache.calcite.sql.type.SqlTypeName;

/** A function that this service or a door brings. */
final class OwnFunction extends SqlFunction {
  private static final Set<String> CHANGING =
      Set.of(
          "NOW",
          "TRANSACTION_TIMESTAMP",
          "STATEMENT_TIMESTAMP",
          "CLOCK_TIMESTAMP",
          "RANDOM",
          "CURRENT_DATABASE");

  private final Builtin builtin;
  private final boolean isConstant;

  private OwnFunction(Builtin builtin, boolean isConstant) {
    super(
        builtin.name(),
        SqlKind.OTHER_FUNCTION,
        binding -> resultType(builtin, binding),
        (binding, _, types) ->
            Arrays.fill(types, Types.relType(binding.getTypeFactory(), FieldType.VARCHAR, true)),
        OperandTypes.variadic(
            SqlOperandCountRanges.between(builtin.minArguments(), builtin.maxArguments())),
        SqlFunctionCategory.USER_DEFINED_FUNCTION);
    this.builtin = builtin;
    this.isConstant = isConstant;
  }

  /** Returns a function of this service. */
  static OwnFunction of(Builtin builtin) {
    return new OwnFunction(builtin, !CHANGING.contains(builtin.name()));
  }

  /** Returns a function of a door. */
  static OwnFunction of(ScalarFunction function) {
    Builtin builtin =
        new Builtin(
            function.name(),
            function.minArguments(),
            function.maxArguments(),
            new Builtin.Result(function.result(), false),
            false,
            (arguments, env) -> function.body().apply(env.catalog(), env.caller(), arguments));
    return new OwnFunction(builtin, false);
  }

  private static RelDataType resultType(Builtin builtin, SqlOperatorBinding binding) {
    RelDataTypeFactory factory = binding.getTypeFactory();
    FieldType type = builtin.result().type();
    if (type != null) {
      return Types.relType(factory, type, true);
    }
    if (builtin.result().isCommon()) {
      RelDataType common = factory.leastRestrictive(binding.collectOperandTypes());
      return common == null || common.getSqlTypeName() == SqlTypeName.NULL
          ? Types.relType(factory, FieldType.OBJECT, true)
          : factory.createTypeWithNullability(common, true);
    }
    RelDataType last = binding.getOperandType(binding.getOperandCount() - 1);
    FieldType ofLast = Types.fieldType(last);
    return Types.relType(factory, ofLast == FieldType.VARCHAR ? FieldType.TIMESTAMP : ofLast, true);
  }

  /** Returns what is computed. */
  Builtin builtin() {
    return builtin;
  }

  @Override
  public boolean isDeterministic() {
    return isConstant;
  }
}
