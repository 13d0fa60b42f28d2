package io.keyvalueserve.maps.predicate;

import com.hazelcast.internal.serialization.DataSerializerHook;
import com.hazelcast.nio.serialization.DataSerializableFactory;
import com.hazelcast.nio.serialization.IdentifiedDataSerializable;
import com.hazelcast.query.impl.predicates.PredicateDataSerializerHook;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Has members read the predicates of clients as bounded ones of the same meaning, which are written
 * as they came. Hazelcast finds it among its services, and tells each of these of all factories
 * once there are all.
 */
public final class BoundedPredicates implements DataSerializerHook {
  private static final int NO_CLASSES_OF_ITS_OWN = 0x4b_56_53_50;

  /** Creates the hook. Hazelcast calls this by reflection. */
  public BoundedPredicates() {}

  @Override
  public int getFactoryId() {
    return NO_CLASSES_OF_ITS_OWN;
  }

  @Override
  @SuppressWarnings("NullAway") // Hazelcast registers none then
  public @Nullable DataSerializableFactory createFactory() {
    return null;
  }

  @Override
  public void afterFactoriesCreated(Map<Integer, DataSerializableFactory> factories) {
    DataSerializableFactory stock =
        Objects.requireNonNull(factories.get(PredicateDataSerializerHook.F_ID), "predicates");
    factories.put(PredicateDataSerializerHook.F_ID, id -> create(id, stock));
  }

  private static IdentifiedDataSerializable create(int id, DataSerializableFactory stock) {
    return switch (id) {
      case PredicateDataSerializerHook.AND_PREDICATE,
          PredicateDataSerializerHook.OR_PREDICATE,
          PredicateDataSerializerHook.IN_PREDICATE,
          PredicateDataSerializerHook.SQL_PREDICATE ->
          new ReadPredicate(id);
      case PredicateDataSerializerHook.LIKE_PREDICATE -> new BoundedLike();
      case PredicateDataSerializerHook.ILIKE_PREDICATE -> new BoundedILike();
      case PredicateDataSerializerHook.REGEX_PREDICATE -> new BoundedRegex();
      default -> stock.create(id);
    };
  }
}
