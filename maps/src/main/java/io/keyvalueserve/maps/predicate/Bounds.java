package io.keyvalueserve.maps.predicate;

import com.hazelcast.nio.ObjectDataInput;
import com.hazelcast.nio.serialization.HazelcastSerializationException;
import com.hazelcast.query.Predicate;
import com.hazelcast.query.impl.predicates.AndPredicate;
import com.hazelcast.query.impl.predicates.CompoundPredicate;
import com.hazelcast.query.impl.predicates.ILikePredicate;
import com.hazelcast.query.impl.predicates.LikePredicate;
import com.hazelcast.query.impl.predicates.NotPredicate;
import com.hazelcast.query.impl.predicates.OrPredicate;
import com.hazelcast.query.impl.predicates.PredicateParts;
import com.hazelcast.query.impl.predicates.RegexPredicate;
import java.io.IOException;
import java.io.InputStream;
import java.util.stream.Stream;

/** Keeps predicates within bounds. Pure functions. */
@SuppressWarnings("rawtypes") // as Hazelcast's own
final class Bounds {
  private Bounds() {}

  /**
   * Reads how many things follow: each has a byte at least.
   *
   * @throws HazelcastSerializationException if there are not so many
   */
  static int count(ObjectDataInput in) throws IOException {
    int count = in.readInt();
    if (count < 0 || (in instanceof InputStream stream && count > stream.available())) {
      throw new HazelcastSerializationException(
          "a predicate names " + count + " parts, and has not as many bytes");
    }
    return count;
  }

  /** The same predicate, in which what compares texts is bounded. */
  static Predicate bounded(Predicate predicate) {
    return switch (predicate) {
      case BoundedLike like -> like;
      case BoundedILike like -> like;
      case ILikePredicate like ->
          new BoundedILike(PredicateParts.attribute(like), PredicateParts.expression(like));
      case LikePredicate like ->
          new BoundedLike(PredicateParts.attribute(like), PredicateParts.expression(like));
      case RegexPredicate regex ->
          new BoundedRegex(PredicateParts.attribute(regex), PredicateParts.expression(regex));
      case AndPredicate and -> new AndPredicate(parts(and));
      case OrPredicate or -> new OrPredicate(parts(or));
      case NotPredicate not -> new NotPredicate(bounded(not.getPredicate()));
      default -> predicate;
    };
  }

  private static Predicate[] parts(CompoundPredicate compound) {
    return Stream.of((Predicate[]) compound.getPredicates())
        .map(Bounds::bounded)
        .toArray(Predicate[]::new);
  }
}
