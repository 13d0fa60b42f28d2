package com.hazelcast.query.impl.predicates;

import com.hazelcast.query.Predicate;
import org.jspecify.annotations.Nullable;

/** What predicates are made of. */
public final class PredicateParts {
  private static final String REGEX = " REGEX '";

  private PredicateParts() {}

  /** What a text of conditions came to. */
  public static Predicate<?, ?> parsed(SqlPredicate predicate) {
    return predicate.predicate;
  }

  /** The attribute that is looked at. */
  public static String attribute(AbstractPredicate<?, ?> predicate) {
    return predicate.attributeName;
  }

  /** What values are to be like. */
  public static @Nullable String expression(LikePredicate predicate) {
    return predicate.expression;
  }

  /** What values are to match: it is kept private, but told. */
  public static String expression(RegexPredicate predicate) {
    String text = predicate.toString();
    return text.substring(predicate.attributeName.length() + REGEX.length(), text.length() - 1);
  }
}
