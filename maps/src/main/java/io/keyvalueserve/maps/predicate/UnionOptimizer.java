package io.keyvalueserve.maps.predicate;

import com.hazelcast.query.Predicate;
import com.hazelcast.query.impl.IndexRegistry;
import com.hazelcast.query.impl.predicates.AbstractVisitor;
import com.hazelcast.query.impl.predicates.OrPredicate;
import com.hazelcast.query.impl.predicates.QueryOptimizer;
import com.hazelcast.query.impl.predicates.VisitablePredicate;

/**
 * Rewrites queries as Hazelcast does, and then puts a {@link UnionPredicate} in the place of each
 * {@code OR} that is left. Thread-safe.
 */
public final class UnionOptimizer implements QueryOptimizer {
  private final QueryOptimizer first;
  private final Unions unions = new Unions();

  /**
   * @param first rewrites a query before
   */
  public UnionOptimizer(QueryOptimizer first) {
    this.first = first;
  }

  @Override
  @SuppressWarnings("unchecked") // as Hazelcast's own
  public <K, V> Predicate<K, V> optimize(Predicate<K, V> predicate, IndexRegistry indexes) {
    Predicate<K, V> optimized = first.optimize(predicate, indexes);
    return optimized instanceof VisitablePredicate visitable
        ? visitable.accept(unions, indexes)
        : optimized;
  }

  private static final class Unions extends AbstractVisitor {
    @Override
    @SuppressWarnings("rawtypes") // as Hazelcast's own
    public Predicate visit(OrPredicate or, IndexRegistry indexes) {
      return new UnionPredicate(or);
    }
  }
}
