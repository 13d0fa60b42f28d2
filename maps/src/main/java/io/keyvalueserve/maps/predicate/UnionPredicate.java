package io.keyvalueserve.maps.predicate;

import static com.hazelcast.query.impl.IndexRegistry.SKIP_PARTITIONS_COUNT_CHECK;

import com.hazelcast.nio.ObjectDataInput;
import com.hazelcast.nio.ObjectDataOutput;
import com.hazelcast.nio.serialization.IdentifiedDataSerializable;
import com.hazelcast.query.Predicate;
import com.hazelcast.query.impl.QueryContext;
import com.hazelcast.query.impl.QueryableEntry;
import com.hazelcast.query.impl.predicates.IndexAwarePredicate;
import com.hazelcast.query.impl.predicates.OrPredicate;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * An {@code OR} whose result is walked through where the indexes have it: {@link EntryUnion}.
 * Hazelcast's own puts all entries with their values into a set first. It is written as that one.
 */
@SuppressWarnings({"rawtypes", "unchecked", "NullAway"}) // as Hazelcast's own
final class UnionPredicate implements IndexAwarePredicate, IdentifiedDataSerializable {
  private static final long serialVersionUID = 1;

  private final OrPredicate or;

  UnionPredicate(OrPredicate or) {
    this.or = or;
  }

  @Override
  public boolean isIndexed(QueryContext context) {
    return or.isIndexed(context);
  }

  /** Returns null if the answer needs more than indexes: then all entries are looked at. */
  @Override
  public @Nullable Set<QueryableEntry> filter(QueryContext context) {
    List<Set<QueryableEntry>> found = new ArrayList<>();
    int partitions = context.getOwnedPartitionCount();
    for (Predicate part : or.getPredicates()) {
      if (!(part instanceof IndexAwarePredicate indexed) || !indexed.isIndexed(context)) {
        return null;
      }
      // The partitions are counted once, for the whole query: they may change between two parts.
      context.setOwnedPartitionCount(SKIP_PARTITIONS_COUNT_CHECK);
      Set<QueryableEntry> entries = indexed.filter(context);
      context.setOwnedPartitionCount(partitions);
      if (entries == null) {
        return null;
      }
      found.add(entries);
    }
    return switch (found.size()) {
      case 0 -> null;
      case 1 -> found.getFirst();
      default -> new EntryUnion(found);
    };
  }

  @Override
  public boolean apply(Map.Entry entry) {
    return or.apply(entry);
  }

  @Override
  public int getFactoryId() {
    return or.getFactoryId();
  }

  @Override
  public int getClassId() {
    return or.getClassId();
  }

  @Override
  public void writeData(ObjectDataOutput out) throws IOException {
    or.writeData(out);
  }

  /** It is read as Hazelcast's own. */
  @Override
  public void readData(ObjectDataInput in) {
    throw new UnsupportedOperationException("read as an OrPredicate");
  }

  @Override
  public String toString() {
    return or.toString();
  }
}
