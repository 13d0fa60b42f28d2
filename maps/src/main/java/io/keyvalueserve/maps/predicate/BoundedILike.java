package io.keyvalueserve.maps.predicate;

import com.hazelcast.query.impl.predicates.ILikePredicate;
import org.jspecify.annotations.Nullable;

/** ILIKE, as {@link LikeExpression} has it. */
final class BoundedILike extends ILikePredicate {
  private static final long serialVersionUID = 1;

  private transient volatile @Nullable LikeExpression compiled;

  BoundedILike() {}

  @SuppressWarnings("NullAway") // Hazelcast's own takes null as well
  BoundedILike(String attribute, @Nullable String text) {
    super(attribute, text);
  }

  @Override
  @SuppressWarnings("rawtypes") // as Hazelcast's own
  protected boolean applyForSingleAttributeValue(@Nullable Comparable value) {
    if (value == null || expression == null) {
      return value == null && expression == null;
    }
    LikeExpression like = compiled;
    if (like == null) {
      like = new LikeExpression(expression, /* ignoresCase= */ true);
      compiled = like;
    }
    return like.matches((String) value);
  }
}
