package com.hazelcast.query.impl.predicates;

import com.hazelcast.query.Predicate;
import org.jspecify.annotations.Nullable;

/** Reads the parts of Hazelcast's predicates. */
public final class PredicateParts {
  private static final String REGEX = " REGEX '";

  private PredicateParts() {}

  /** Returns the predicate that a text of conditions was parsed to. */
  public static Predicate<?, ?> parsed(SqlPredicate predicate) {
    return predicate.predicate;
  }

  /** The attribute that is looked at. */
  public static String attribute(AbstractPredicate<?, ?> predicate) {
    return predicate.attributeName;
  }

  /** Returns the value that greater or lesser values are looked for. */
  public static Comparable<?> value(GreaterLessPredicate predicate) {
    return predicate.value;
  }

  /** Returns whether the value itself is looked for too. */
  public static boolean isInclusive(GreaterLessPredicate predicate) {
    return predicate.equal;
  }

  /** Returns whether lesser values are looked for, not greater ones. */
  public static boolean isLess(GreaterLessPredicate predicate) {
    return predicate.less;
  }

  /** Returns the expression that values are compared with by LIKE. */
  public static @Nullable String expression(LikePredicate predicate) {
    return predicate.expression;
  }

  /**
   * Returns the regular expression that values must match. The field is private, so it is read from
   * the predicate's text.
   */
  public static String expression(RegexPredicate predicate) {
    String text = predicate.toString();
    return text.substring(predicate.attributeName.length() + REGEX.length(), text.length() - 1);
  }
}
