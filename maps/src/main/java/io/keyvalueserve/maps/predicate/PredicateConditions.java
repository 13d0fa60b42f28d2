package io.keyvalueserve.maps.predicate;

import com.hazelcast.query.PartitionPredicate;
import com.hazelcast.query.Predicate;
import com.hazelcast.query.impl.AbstractIndex;
import com.hazelcast.query.impl.predicates.AbstractPredicate;
import com.hazelcast.query.impl.predicates.AndPredicate;
import com.hazelcast.query.impl.predicates.BetweenPredicate;
import com.hazelcast.query.impl.predicates.EqualPredicate;
import com.hazelcast.query.impl.predicates.FalsePredicate;
import com.hazelcast.query.impl.predicates.GreaterLessPredicate;
import com.hazelcast.query.impl.predicates.ILikePredicate;
import com.hazelcast.query.impl.predicates.InPredicate;
import com.hazelcast.query.impl.predicates.LikePredicate;
import com.hazelcast.query.impl.predicates.NegatablePredicate;
import com.hazelcast.query.impl.predicates.NotEqualPredicate;
import com.hazelcast.query.impl.predicates.NotPredicate;
import com.hazelcast.query.impl.predicates.OrPredicate;
import com.hazelcast.query.impl.predicates.PredicateParts;
import com.hazelcast.query.impl.predicates.RegexPredicate;
import com.hazelcast.query.impl.predicates.SqlPredicate;
import com.hazelcast.query.impl.predicates.TruePredicate;
import io.keyvalueserve.engine.query.Condition;
import io.keyvalueserve.engine.query.Condition.Comparison;
import io.keyvalueserve.engine.query.Field;
import io.keyvalueserve.engine.query.FieldType;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Translates Hazelcast's own predicates into conditions of the same meaning. */
@SuppressWarnings("rawtypes") // as Hazelcast's own
public final class PredicateConditions {
  private static final String KEY = "__key";
  private static final String VALUE = "this";
  private static final String ANY_JSON = "$.";
  private static final int MOST_DEPTH = 100;
  private static final char ESCAPE = '\\';

  private PredicateConditions() {}

  /**
   * Translates a predicate.
   *
   * @param predicate as a member has read it
   * @return null if it has no translation: a class of the operator's, or one that few use
   */
  public static @Nullable Condition of(@Nullable Predicate<?, ?> predicate) {
    return predicate == null ? null : of(predicate, MOST_DEPTH);
  }

  private static @Nullable Condition of(Predicate predicate, int depth) {
    if (depth == 0) {
      return null;
    }
    return switch (predicate) {
      case TruePredicate<?, ?> _ -> new Condition.Constant(true);
      case FalsePredicate<?, ?> _ -> new Condition.Constant(false);
      case PartitionPredicate<?, ?> some -> of(some.getTarget(), depth - 1);
      case ReadPredicate read -> of(read.made(), depth - 1);
      case SqlPredicate sql -> of(PredicateParts.parsed(sql), depth - 1);
      case AndPredicate and -> {
        List<Condition> parts = parts(and.getPredicates(), depth);
        yield parts == null ? null : new Condition.And(parts);
      }
      case OrPredicate or -> {
        List<Condition> parts = parts(or.getPredicates(), depth);
        yield parts == null ? null : new Condition.Or(parts);
      }
      case NotPredicate not -> negated(not.getPredicate(), depth);
      case AbstractPredicate<?, ?> leaf -> leaf(leaf);
      default -> null;
    };
  }

  private static @Nullable List<Condition> parts(Predicate[] predicates, int depth) {
    List<Condition> parts = new ArrayList<>(predicates.length);
    for (Predicate each : predicates) {
      Condition part = of(each, depth - 1);
      if (part == null) {
        return null;
      }
      parts.add(part);
    }
    return parts;
  }

  /** Hazelcast's optimizer turns what can be turned: then nulls stay left out. */
  private static @Nullable Condition negated(Predicate predicate, int depth) {
    Predicate plain = predicate instanceof ReadPredicate read ? read.made() : predicate;
    if (plain instanceof SqlPredicate sql) {
      return negated(PredicateParts.parsed(sql), depth - 1);
    }
    if (plain instanceof NegatablePredicate negatable) {
      return of(negatable.negate(), depth - 1);
    }
    Condition part = of(plain, depth - 1);
    return part == null ? null : new Condition.Not(part);
  }

  private static @Nullable Condition leaf(AbstractPredicate<?, ?> predicate) {
    String attribute = PredicateParts.attribute(predicate);
    Field field = attribute == null ? null : field(attribute);
    if (field == null) {
      return null;
    }
    return switch (predicate) {
      case EqualPredicate equal -> equal(field, equal.getFrom());
      case NotEqualPredicate unequal -> new Condition.Not(equal(field, unequal.getValue()));
      case GreaterLessPredicate compare ->
          new Condition.Compare(
              field,
              comparison(PredicateParts.isLess(compare), PredicateParts.isInclusive(compare)),
              PredicateParts.value(compare));
      case BetweenPredicate between -> between(field, between.getFrom(), between.getTo());
      case InPredicate in -> in(field, in.getValues());
      case ILikePredicate like -> like(field, PredicateParts.expression(like), true);
      case LikePredicate like -> like(field, PredicateParts.expression(like), false);
      case BoundedRegex regex -> regex(field, regex.regex());
      case RegexPredicate regex -> regex(field, PredicateParts.expression(regex));
      default -> null;
    };
  }

  /** Returns the field of an attribute; null if it has no such name. */
  public static @Nullable Field field(String attribute) {
    if (attribute.equals(KEY) || attribute.equals(VALUE)) {
      return new Field(attribute.equals(KEY), "", FieldType.OBJECT);
    }
    boolean ofKey = attribute.startsWith(KEY + ".");
    String path = ofKey ? attribute.substring(KEY.length() + 1) : attribute;
    if (path.isEmpty() || path.startsWith(ANY_JSON) || path.equals(VALUE)) {
      return null;
    }
    return ofKey ? Field.ofKey(path) : Field.of(path);
  }

  @SuppressWarnings("ReferenceEquality") // there is one
  private static boolean isNull(@Nullable Comparable value) {
    return value == null || value == AbstractIndex.NULL;
  }

  private static Condition equal(Field field, @Nullable Comparable value) {
    return value == null || isNull(value)
        ? new Condition.IsNull(field)
        : new Condition.Compare(field, Comparison.EQUAL, value);
  }

  private static Comparison comparison(boolean less, boolean inclusive) {
    if (less) {
      return inclusive ? Comparison.LESS_OR_EQUAL : Comparison.LESS;
    }
    return inclusive ? Comparison.GREATER_OR_EQUAL : Comparison.GREATER;
  }

  /** One of several values must be within both bounds: that is no conjunction of two tests. */
  private static @Nullable Condition between(
      Field field, @Nullable Comparable from, @Nullable Comparable to) {
    if (field.path().contains("[any]")
        || from == null
        || to == null
        || isNull(from)
        || isNull(to)) {
      return null;
    }
    return new Condition.And(
        List.of(
            new Condition.Compare(field, Comparison.GREATER_OR_EQUAL, from),
            new Condition.Compare(field, Comparison.LESS_OR_EQUAL, to)));
  }

  private static Condition in(Field field, Comparable[] values) {
    Set<@Nullable Object> all = new HashSet<>();
    for (Comparable value : values) {
      all.add(isNull(value) ? null : value);
    }
    return new Condition.In(field, all);
  }

  private static Condition like(Field field, @Nullable String expression, boolean ignoresCase) {
    if (expression == null) {
      return new Condition.IsNull(field);
    }
    StringBuilder pattern = new StringBuilder(expression.length());
    for (int i = 0; i < expression.length(); i++) {
      char c = expression.charAt(i);
      pattern.append(c);
      if (c == ESCAPE) {
        boolean escapes =
            i + 1 < expression.length() && "%_".indexOf(expression.charAt(i + 1)) >= 0;
        pattern.append(escapes ? expression.charAt(++i) : ESCAPE);
      }
    }
    return new Condition.Like(field, pattern.toString(), ESCAPE, ignoresCase);
  }

  private static Condition regex(Field field, @Nullable String regex) {
    return regex == null ? new Condition.IsNull(field) : new Condition.Regex(field, regex);
  }
}
