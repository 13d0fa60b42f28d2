package io.keyvalueserve.maps.predicate;

import com.hazelcast.nio.ObjectDataInput;
import com.hazelcast.nio.ObjectDataOutput;
import com.hazelcast.nio.serialization.IdentifiedDataSerializable;
import com.hazelcast.query.Predicate;
import com.hazelcast.query.impl.IndexRegistry;
import com.hazelcast.query.impl.QueryContext;
import com.hazelcast.query.impl.QueryableEntry;
import com.hazelcast.query.impl.predicates.AndPredicate;
import com.hazelcast.query.impl.predicates.InPredicate;
import com.hazelcast.query.impl.predicates.IndexAwarePredicate;
import com.hazelcast.query.impl.predicates.NegatablePredicate;
import com.hazelcast.query.impl.predicates.NotPredicate;
import com.hazelcast.query.impl.predicates.OrPredicate;
import com.hazelcast.query.impl.predicates.PredicateDataSerializerHook;
import com.hazelcast.query.impl.predicates.PredicateParts;
import com.hazelcast.query.impl.predicates.SqlPredicate;
import com.hazelcast.query.impl.predicates.VisitablePredicate;
import com.hazelcast.query.impl.predicates.Visitor;
import java.io.IOException;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Stands for a predicate whose own class would take memory for as many parts as the bytes name, or
 * make unbounded ones of a text. It reads them and makes one; where queries are rewritten it gives
 * way to that.
 */
@SuppressWarnings({"rawtypes", "unchecked", "NullAway"}) // as Hazelcast's own
final class ReadPredicate
    implements IndexAwarePredicate,
        VisitablePredicate,
        NegatablePredicate,
        IdentifiedDataSerializable {
  private static final long serialVersionUID = 1;

  private final int classId;
  private @Nullable Predicate made;

  /**
   * The form in which the predicate is sent to others. It is the same predicate, except for a text,
   * which means no more than that.
   */
  private @Nullable IdentifiedDataSerializable told;

  ReadPredicate(int classId) {
    this.classId = classId;
  }

  @Override
  public void readData(ObjectDataInput in) throws IOException {
    switch (classId) {
      case PredicateDataSerializerHook.AND_PREDICATE -> makeAs(new AndPredicate(parts(in)));
      case PredicateDataSerializerHook.OR_PREDICATE -> makeAs(new OrPredicate(parts(in)));
      case PredicateDataSerializerHook.IN_PREDICATE ->
          makeAs(new InPredicate(in.readString(), values(in)));
      case PredicateDataSerializerHook.SQL_PREDICATE -> {
        SqlPredicate sql = new SqlPredicate(in.readString());
        made = Bounds.bounded(PredicateParts.parsed(sql));
        told = sql;
      }
      default -> throw new IOException("a predicate of another class: " + classId);
    }
  }

  private <P extends Predicate & IdentifiedDataSerializable> void makeAs(P predicate) {
    made = predicate;
    told = predicate;
  }

  private static Predicate[] parts(ObjectDataInput in) throws IOException {
    Predicate[] parts = new Predicate[Bounds.count(in)];
    for (int i = 0; i < parts.length; i++) {
      parts[i] = Objects.requireNonNull(in.readObject(), "a part of a predicate is null");
    }
    return parts;
  }

  private static Comparable[] values(ObjectDataInput in) throws IOException {
    Comparable[] values = new Comparable[Bounds.count(in)];
    for (int i = 0; i < values.length; i++) {
      values[i] = in.readObject();
    }
    return values;
  }

  /** Returns the predicate that this stands for. */
  Predicate made() {
    return Objects.requireNonNull(made, "nothing has been read");
  }

  @Override
  public Predicate accept(Visitor visitor, IndexRegistry indexes) {
    Predicate predicate = made();
    return predicate instanceof VisitablePredicate visitable
        ? visitable.accept(visitor, indexes)
        : predicate;
  }

  @Override
  public Predicate negate() {
    Predicate predicate = made();
    return predicate instanceof NegatablePredicate negatable
        ? negatable.negate()
        : new NotPredicate(predicate);
  }

  @Override
  public boolean isIndexed(QueryContext context) {
    return made() instanceof IndexAwarePredicate aware && aware.isIndexed(context);
  }

  @Override
  public @Nullable Set<QueryableEntry> filter(QueryContext context) {
    return ((IndexAwarePredicate) made()).filter(context);
  }

  @Override
  public boolean apply(Map.Entry entry) {
    return made().apply(entry);
  }

  @Override
  public void writeData(ObjectDataOutput out) throws IOException {
    Objects.requireNonNull(told, "nothing has been read").writeData(out);
  }

  @Override
  public int getFactoryId() {
    return PredicateDataSerializerHook.F_ID;
  }

  @Override
  public int getClassId() {
    return classId;
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof ReadPredicate that
        && classId == that.classId
        && Objects.equals(made, that.made);
  }

  @Override
  public int hashCode() {
    return Objects.hashCode(made);
  }

  @Override
  public String toString() {
    return String.valueOf(told);
  }
}
