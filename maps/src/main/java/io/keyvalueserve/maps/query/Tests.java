package io.keyvalueserve.maps.query;

import io.keyvalueserve.engine.query.Condition;
import java.util.List;

/** Makes tests of whole conditions. */
final class Tests {
  private Tests() {}

  /**
   * Compiles a condition.
   *
   * @throws io.keyvalueserve.engine.query.QueryException if it makes no sense
   */
  static RowTest of(Condition condition) {
    return switch (condition) {
      case Condition.Constant constant -> {
        boolean value = constant.value();
        yield row -> value;
      }
      case Condition.And and -> all(and.parts().stream().map(Tests::of).toList());
      case Condition.Or or -> any(or.parts().stream().map(Tests::of).toList());
      case Condition.Not not -> {
        RowTest part = of(not.part());
        yield row -> !part.test(row);
      }
      default -> ObjectTests.of(condition);
    };
  }

  private static RowTest all(List<RowTest> list) {
    RowTest[] parts = list.toArray(RowTest[]::new);
    return row -> {
      for (RowTest part : parts) {
        if (!part.test(row)) {
          return false;
        }
      }
      return true;
    };
  }

  private static RowTest any(List<RowTest> list) {
    RowTest[] parts = list.toArray(RowTest[]::new);
    return row -> {
      for (RowTest part : parts) {
        if (part.test(row)) {
          return true;
        }
      }
      return false;
    };
  }
}
