package io.keyvalueserve.maps.query;

import io.keyvalueserve.engine.query.Condition;
import io.keyvalueserve.engine.query.Field;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Makes tests that read bytes, of whatever can be told from them. */
final class FastTests {
  private FastTests() {}

  /** Compiles a condition. What takes objects is {@link FastTest#UNSURE}. */
  static FastTest of(Condition condition, Schemas schemas) {
    return switch (condition) {
      case Condition.Constant constant -> {
        int answer = Scalar.of(constant.value());
        yield (record, scratch) -> answer;
      }
      case Condition.And and -> all(parts(and.parts(), schemas));
      case Condition.Or or -> any(parts(or.parts(), schemas));
      case Condition.Not not -> {
        FastTest part = of(not.part(), schemas);
        yield (record, scratch) -> {
          int answer = part.test(record, scratch);
          return answer == Scalar.UNSURE ? answer : 1 - answer;
        };
      }
      case Condition.Compare compare -> leaf(compare.field(), new CompareScalar(compare), schemas);
      case Condition.In in ->
          leaf(in.field(), InScalar.takes(in) ? InScalar.of(in) : null, schemas);
      case Condition.Like like -> leaf(like.field(), LikeScalar.of(like), schemas);
      case Condition.IsNull isNull -> leaf(isNull.field(), new NullScalar(), schemas);
      case Condition.Regex _, Condition.InstanceOf _ -> FastTest.UNSURE;
    };
  }

  private static FastTest leaf(Field field, @Nullable Scalar scalar, Schemas schemas) {
    FastField found = FastField.of(field, schemas);
    if (scalar == null || found == null) {
      return FastTest.UNSURE;
    }
    return (record, scratch) -> found.show(record, scratch.row, scalar, scratch.json);
  }

  private static FastTest[] parts(List<Condition> parts, Schemas schemas) {
    return parts.stream().map(part -> of(part, schemas)).toArray(FastTest[]::new);
  }

  private static FastTest all(FastTest[] parts) {
    if (parts.length == 1) {
      return parts[0];
    }
    return (record, scratch) -> {
      int sum = Scalar.YES;
      for (int i = 0; i < parts.length && sum != Scalar.NO; i++) {
        sum = InScalar.both(sum, parts[i].test(record, scratch));
      }
      return sum;
    };
  }

  private static FastTest any(FastTest[] parts) {
    if (parts.length == 1) {
      return parts[0];
    }
    return (record, scratch) -> {
      int sum = Scalar.NO;
      for (int i = 0; i < parts.length && sum != Scalar.YES; i++) {
        sum = InScalar.either(sum, parts[i].test(record, scratch));
      }
      return sum;
    };
  }
}
