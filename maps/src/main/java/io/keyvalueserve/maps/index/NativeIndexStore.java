package io.keyvalueserve.maps.index;

import static com.hazelcast.query.impl.AbstractIndex.NULL;
import static com.hazelcast.query.impl.CompositeValue.POSITIVE_INFINITY;
import static java.util.Objects.requireNonNull;
import static java.util.Objects.requireNonNullElse;

import com.hazelcast.core.TypeConverter;
import com.hazelcast.internal.monitor.impl.IndexOperationStats;
import com.hazelcast.internal.monitor.impl.PerIndexStats;
import com.hazelcast.internal.serialization.Data;
import com.hazelcast.query.Predicate;
import com.hazelcast.query.impl.CachedQueryEntry;
import com.hazelcast.query.impl.Comparables;
import com.hazelcast.query.impl.Comparison;
import com.hazelcast.query.impl.IndexCopyBehavior;
import com.hazelcast.query.impl.IndexKeyEntries;
import com.hazelcast.query.impl.IndexStore;
import com.hazelcast.query.impl.OrderedIndexStore;
import com.hazelcast.query.impl.QueryableEntry;
import com.hazelcast.query.impl.TypeConverters;
import com.hazelcast.query.impl.UnorderedIndexStore;
import io.keyvalueserve.memory.NativeHeap;
import io.keyvalueserve.store.TreeCursor;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps the contents of one of Hazelcast's indexes off the heap, in several {@link IndexStripe}s,
 * so that threads that write different partitions do not wait for each other.
 *
 * <p>Questions are answered as {@link OrderedIndexStore} and {@link UnorderedIndexStore} answer
 * them. If a value cannot be written as bytes, or does not compare with those that are here, the
 * whole index moves to one of these two. It stays there until it is empty again.
 *
 * <p>Thread-safe.
 */
@SuppressWarnings({"rawtypes", "unchecked", "ReferenceEquality"}) // as Hazelcast's own
final class NativeIndexStore implements IndexStore {
  private static final Logger LOG = LoggerFactory.getLogger(NativeIndexStore.class);

  private static final CachedQueryEntry NO_ENTRY = new CachedQueryEntry();
  private static final IndexStore EMPTY = new UnorderedIndexStore(IndexCopyBehavior.COPY_ON_READ);

  private final String name;
  private final String[] components;
  private final boolean ordered;
  private final IndexCopyBehavior copyBehavior;
  private final PerIndexStats stats;

  private @Nullable IndexContents attached;
  private @Nullable Questions asked;
  private @Nullable Supplier<@Nullable TypeConverter> converter;

  /** The index on the heap that has taken over; null if there is none. */
  private volatile @Nullable IndexStore moved;

  NativeIndexStore(
      String name,
      String[] components,
      boolean ordered,
      IndexCopyBehavior copyBehavior,
      PerIndexStats stats) {
    this.name = name;
    this.components = components;
    this.ordered = ordered;
    this.copyBehavior = copyBehavior;
    this.stats = stats;
  }

  /**
   * Connects the store to its index. To be called once, before anything else, because Hazelcast's
   * index makes its store before itself.
   */
  void attach(
      NativeHeap heap, int writers, IndexedMap map, Supplier<@Nullable TypeConverter> converter) {
    this.attached = new IndexContents(components, ordered, stats, heap, writers, map);
    this.asked = new Questions(contents(), ordered);
    this.converter = converter;
  }

  /** Returns whether the index is on the heap now. */
  boolean isMoved() {
    return moved != null;
  }

  private IndexContents contents() {
    return requireNonNull(attached);
  }

  private Questions questions() {
    return requireNonNull(asked);
  }

  /** Returns the contents; null if they are on the heap, or nothing is kept. */
  @Nullable IndexContents offHeap() {
    IndexContents contents = contents();
    return moved == null && !contents.isMoved() && !contents.isDestroyed() ? contents : null;
  }

  // ---- writing

  @Override
  public void insert(
      @Nullable Object newValue,
      @Nullable CachedQueryEntry entry,
      QueryableEntry entryToStore,
      IndexOperationStats operation) {
    Object value = ComparableValues.ofNew(newValue);
    Data key = entryToStore.getKeyData();
    while (true) {
      IndexStore onHeap = moved;
      if (onHeap != null) {
        onHeap.insert(value, entry, contents().map().reference(key), operation);
        return;
      }
      switch (contents().write(key, IndexContents.NOTHING, value, operation)) {
        case WRITTEN -> {
          return;
        }
        case MOVED -> {}
        case REFUSED -> makePlace(key, value);
      }
    }
  }

  @Override
  public void update(
      @Nullable Object before,
      @Nullable Object after,
      CachedQueryEntry entry,
      QueryableEntry entryToStore,
      IndexOperationStats operation) {
    Object oldValue = ComparableValues.ofOld(before);
    Object newValue = ComparableValues.ofNew(after);
    Data key = entryToStore.getKeyData();
    while (true) {
      IndexStore onHeap = moved;
      if (onHeap != null) {
        onHeap.update(oldValue, newValue, entry, contents().map().reference(key), operation);
        return;
      }
      switch (contents().write(key, oldValue, newValue, operation)) {
        case WRITTEN -> {
          return;
        }
        case MOVED -> {}
        case REFUSED -> makePlaceOrLeave(key, oldValue, newValue, operation);
      }
    }
  }

  /**
   * The new value may have no place at all; then the entry is not found under the old one either.
   */
  private void makePlaceOrLeave(
      Data key,
      @Nullable Object oldValue,
      @Nullable Object newValue,
      IndexOperationStats operation) {
    try {
      makePlace(key, newValue);
    } catch (ClassCastException e) {
      IndexContents.Outcome _ = contents().write(key, oldValue, IndexContents.NOTHING, operation);
      throw e;
    }
  }

  @Override
  public void remove(
      @Nullable Object oldValue, CachedQueryEntry entry, IndexOperationStats operation) {
    Object value = ComparableValues.ofOld(oldValue);
    Data key = entry.getKeyData();
    while (true) {
      IndexStore onHeap = moved;
      if (onHeap != null) {
        onHeap.remove(value, entry, operation);
        return;
      }
      if (contents().write(key, value, IndexContents.NOTHING, operation)
          == IndexContents.Outcome.WRITTEN) {
        return;
      }
    }
  }

  // ---- moving to the heap

  /**
   * Sees to it that a value that was refused can be written, in place of what the entry has.
   *
   * @throws ClassCastException if it does not compare with those of the other entries, as
   *     Hazelcast's index does
   */
  private void makePlace(Data key, @Nullable Object value) {
    IndexContents contents = contents();
    contents.lockAll();
    try {
      if (contents.isMoved() || contents.isDestroyed()) {
        return;
      }
      if (!contents.hasValuesBeside(key)) {
        contents.resetFamilies();
      }
      if (contents.hasPlaceFor(key, value)) {
        return;
      }
      if (ordered && components.length == 1) {
        requireComparable(key, value);
      }
      moveToHeap(value);
    } finally {
      contents.unlockAll();
    }
  }

  private void requireComparable(Data key, @Nullable Object value) {
    Comparable present = contents().greatestBeside(key);
    for (Object each : IndexContents.valuesOf(value)) {
      if (each != null && present != NULL) {
        int _ = OrderedIndexStore.SPECIAL_AWARE_COMPARATOR.compare(sanitized(each), present);
      } else if (each != null) {
        present = sanitized(each);
      }
    }
  }

  private static Comparable sanitized(Object value) {
    return value.getClass().isEnum()
        ? TypeConverters.ENUM_CONVERTER.convert((Comparable) value)
        : (Comparable) value;
  }

  private void moveToHeap(@Nullable Object cause) {
    LOG.warn(
        "an index moves to the Java heap, with all of its entries: map={} index={} attributes={}:"
            + " a value of {} cannot be kept in order as bytes, or does not compare with the"
            + " others, or is too long; index attributes of plain types",
        contents().map().name(),
        name,
        List.of(components),
        cause == null ? "null" : cause.getClass().getName());
    IndexStore onHeap =
        ordered ? new OrderedIndexStore(copyBehavior) : new UnorderedIndexStore(copyBehavior);
    IndexContents contents = contents();
    CodeReader reader = new CodeReader();
    contents.visitAll(
        false,
        (array, offset, length) -> {
          int end = contents.code().end(array, offset, reader);
          Data key = KeyReference.get(array, end, offset + length);
          onHeap.insert(
              contents.code().get(array, offset),
              NO_ENTRY,
              contents.map().reference(key),
              IndexOperationStats.EMPTY);
          return true;
        });
    moved = onHeap;
    contents.clear(true);
  }

  /** Empties the index; it begins anew, off the heap. */
  @Override
  public void clear() {
    contents().lockAll();
    try {
      contents().clear(false);
      moved = null;
    } finally {
      contents().unlockAll();
    }
  }

  /** Gives all memory back; what is written from now on is not kept. */
  @Override
  public void destroy() {
    contents().lockAll();
    try {
      contents().destroy();
      moved = null;
    } finally {
      contents().unlockAll();
    }
  }

  // ---- questions of predicates

  @Override
  public Comparable canonicalizeQueryArgumentScalar(Comparable value) {
    return ordered ? Comparables.canonicalizeForHashLookup(value) : AttributeCode.canonical(value);
  }

  @Override
  public boolean isEvaluateOnly() {
    return false;
  }

  @Override
  public boolean canEvaluate(Class<? extends Predicate> predicateClass) {
    return false;
  }

  @Override
  public Set<QueryableEntry> evaluate(Predicate predicate, TypeConverter converter) {
    throw new UnsupportedOperationException("canEvaluate says that no predicate is evaluated here");
  }

  @Override
  public Set<QueryableEntry> getRecords(@Nullable Comparable value) {
    return select(
        questions().addEqual(new Selection(), value),
        questions().isSame(value),
        onHeap -> onHeap.getRecords(value));
  }

  @Override
  public Set<QueryableEntry> getRecords(Set<Comparable> values) {
    Selection selection = new Selection();
    for (Comparable value : values) {
      Selection _ = questions().addEqual(selection, value);
    }
    return select(selection, questions().isOneOf(values), onHeap -> onHeap.getRecords(values));
  }

  @Override
  public Set<QueryableEntry> getRecords(Comparison comparison, Comparable value) {
    if (ordered) {
      return switch (comparison) {
        case LESS -> getRecords(NULL, false, value, false);
        case LESS_OR_EQUAL -> getRecords(NULL, false, value, true);
        case GREATER -> getRecords(value, false, POSITIVE_INFINITY, true);
        case GREATER_OR_EQUAL -> getRecords(value, true, POSITIVE_INFINITY, true);
      };
    }
    java.util.function.Predicate<Comparable> question =
        found -> {
          if (found == NULL) {
            return false;
          }
          int order = Comparables.compare(value, found);
          return switch (comparison) {
            case LESS -> order > 0;
            case LESS_OR_EQUAL -> order >= 0;
            case GREATER -> order < 0;
            case GREATER_OR_EQUAL -> order <= 0;
          };
        };
    return select(
        new Selection().add(question), question, onHeap -> onHeap.getRecords(comparison, value));
  }

  @Override
  public Set<QueryableEntry> getRecords(
      Comparable lower, boolean fromInclusive, Comparable to, boolean toInclusive) {
    Comparable from = fromInclusive ? lower : Questions.afterNulls(lower, to);
    Selection selection = new Selection();
    java.util.function.Predicate<Comparable> question;
    if (!ordered) {
      if (Comparables.compare(from, to) == 0) {
        question = questions().isSame(from);
        if (fromInclusive && toInclusive && from != NULL) { // nulls are in no range
          Selection _ = questions().addEqual(selection, from);
        }
      } else {
        int fromBound = fromInclusive ? 0 : 1;
        int toBound = toInclusive ? 0 : -1;
        question =
            found ->
                found != NULL
                    && Comparables.compare(found, from) >= fromBound
                    && Comparables.compare(found, to) <= toBound;
        Selection _ = selection.add(question);
      }
    } else {
      question = found -> Questions.isBetween(found, from, fromInclusive, to, toInclusive);
      int order = OrderedIndexStore.SPECIAL_AWARE_COMPARATOR.compare(from, to);
      if (order < 0 || (order == 0 && fromInclusive && toInclusive)) {
        Selection _ = questions().addRange(selection, from, fromInclusive, to, toInclusive);
      }
    }
    return select(
        selection, question, onHeap -> onHeap.getRecords(from, fromInclusive, to, toInclusive));
  }

  /**
   * Finds the keys at once, and reads their entries as the result is walked through.
   *
   * @param question the same as the selection, of values as an index on the heap keeps them
   * @param onHeap finds references to entries there
   */
  private Set<QueryableEntry> select(
      Selection selection,
      java.util.function.Predicate<Comparable> question,
      Function<IndexStore, Set<QueryableEntry>> onHeap) {
    if (moved == null) {
      FoundKeys keys = find(selection);
      if (moved == null) {
        return new FoundEntries(contents(), selection, keys);
      }
    }
    return new PresentEntries(contents(), onHeap.apply(requireNonNullElse(moved, EMPTY)), question);
  }

  private FoundKeys find(Selection selection) {
    FoundKeys keys = new FoundKeys();
    if (selection.isNothing()) {
      return keys;
    }
    IndexContents contents = contents();
    IndexCode code = contents.code();
    boolean multiValued = contents.isMultiValued();
    Set<ByteBuffer> seen = multiValued ? new HashSet<>() : Set.of();
    CodeReader reader = new CodeReader();
    IndexStripe.Visitor take =
        (array, offset, length) -> {
          int key = code.end(array, offset, reader);
          int keyLength = offset + length - key;
          if (!multiValued || seen.add(copy(array, key, keyLength))) {
            keys.add(array, key, keyLength);
          }
          return true;
        };
    TreeCursor cursor = new TreeCursor();
    int guard = contents.heap().epochs().enter();
    try {
      for (IndexStripe stripe : contents.stripes()) {
        IndexStripe.View view = stripe.view(cursor);
        if (selection.tests()) {
          view.scan(
              Selection.EVERYTHING.from(),
              Selection.EVERYTHING.before(),
              false,
              (array, offset, length) ->
                  !selection.has(code, array, offset, length) || take.visit(array, offset, length));
        } else {
          for (Selection.Range range : selection.ranges()) {
            view.scan(range.from(), range.before(), false, take);
          }
        }
      }
    } finally {
      contents.heap().epochs().exit(guard);
    }
    return keys;
  }

  private static ByteBuffer copy(byte[] array, int from, int length) {
    return ByteBuffer.wrap(Arrays.copyOfRange(array, from, from + length));
  }

  // ---- questions of SQL

  @Override
  public Iterator<QueryableEntry> getSqlRecordIterator(boolean descending) {
    if (ordered) {
      return new FlatIterator(getSqlRecordIteratorBatch(descending));
    }
    IndexStore onHeap = moved;
    return onHeap != null
        ? new PresentEntries.Walk(contents(), onHeap.getSqlRecordIterator(descending), kept -> true)
        : new FlatIterator(scan(Selection.EVERYTHING, null, descending));
  }

  @Override
  public Iterator<QueryableEntry> getSqlRecordIterator(Comparable value) {
    IndexStore onHeap = moved;
    return onHeap != null
        ? new PresentEntries.Walk(
            contents(), onHeap.getSqlRecordIterator(value), questions().isSame(value))
        : new FlatIterator(between(value, true, value, true, false, null));
  }

  @Override
  public Iterator<QueryableEntry> getSqlRecordIterator(
      Comparison comparison, Comparable value, boolean descending) {
    requireOrdered();
    return new FlatIterator(getSqlRecordIteratorBatch(comparison, value, descending));
  }

  @Override
  public Iterator<QueryableEntry> getSqlRecordIterator(
      Comparable from,
      boolean fromInclusive,
      Comparable to,
      boolean toInclusive,
      boolean descending) {
    requireOrdered();
    return new FlatIterator(
        getSqlRecordIteratorBatch(from, fromInclusive, to, toInclusive, descending));
  }

  @Override
  public Iterator<IndexKeyEntries> getSqlRecordIteratorBatch(Comparable value, boolean descending) {
    return getSqlRecordIteratorBatch(value, descending, null);
  }

  @Override
  public Iterator<IndexKeyEntries> getSqlRecordIteratorBatch(
      Comparable value, boolean descending, @Nullable Data lastKey) {
    requireOrdered();
    IndexStore onHeap = moved;
    return onHeap != null
        ? PresentEntries.of(
            contents(), onHeap.getSqlRecordIteratorBatch(value, descending, lastKey))
        : between(value, true, value, true, descending, lastKey);
  }

  @Override
  public Iterator<IndexKeyEntries> getSqlRecordIteratorBatch(boolean descending) {
    requireOrdered();
    IndexStore onHeap = moved;
    return onHeap != null
        ? PresentEntries.of(contents(), onHeap.getSqlRecordIteratorBatch(descending))
        : scan(Selection.EVERYTHING, null, descending);
  }

  @Override
  public Iterator<IndexKeyEntries> getSqlRecordIteratorBatch(
      Comparison comparison, Comparable value, boolean descending) {
    return getSqlRecordIteratorBatch(comparison, value, descending, null);
  }

  @Override
  public Iterator<IndexKeyEntries> getSqlRecordIteratorBatch(
      Comparison comparison, Comparable value, boolean descending, @Nullable Data lastKey) {
    return switch (comparison) {
      case LESS -> getSqlRecordIteratorBatch(NULL, false, value, false, descending, lastKey);
      case LESS_OR_EQUAL ->
          getSqlRecordIteratorBatch(NULL, false, value, true, descending, lastKey);
      case GREATER ->
          getSqlRecordIteratorBatch(value, false, POSITIVE_INFINITY, true, descending, lastKey);
      case GREATER_OR_EQUAL ->
          getSqlRecordIteratorBatch(value, true, POSITIVE_INFINITY, true, descending, lastKey);
    };
  }

  @Override
  public Iterator<IndexKeyEntries> getSqlRecordIteratorBatch(
      Comparable from,
      boolean fromInclusive,
      Comparable to,
      boolean toInclusive,
      boolean descending) {
    return getSqlRecordIteratorBatch(from, fromInclusive, to, toInclusive, descending, null);
  }

  /**
   * The entries of a range, by value, and those of one value by key, in the order of their bytes.
   *
   * @param lastKey the key after which to go on, of those that have the value of the bound that the
   *     walk begins at
   */
  @Override
  public Iterator<IndexKeyEntries> getSqlRecordIteratorBatch(
      Comparable from,
      boolean fromInclusive,
      Comparable to,
      boolean toInclusive,
      boolean descending,
      @Nullable Data lastKey) {
    requireOrdered();
    if (lastKey != null && !(descending ? toInclusive : fromInclusive)) {
      throw new IllegalArgumentException(
          "the bound that a walk goes on from must be inclusive: descending=" + descending);
    }
    IndexStore onHeap = moved;
    return onHeap != null
        ? PresentEntries.of(
            contents(),
            onHeap.getSqlRecordIteratorBatch(
                from, fromInclusive, to, toInclusive, descending, lastKey))
        : between(from, fromInclusive, to, toInclusive, descending, lastKey);
  }

  private Iterator<IndexKeyEntries> between(
      Comparable from,
      boolean fromInclusive,
      Comparable to,
      boolean toInclusive,
      boolean descending,
      @Nullable Data lastKey) {
    int order = ordered ? OrderedIndexStore.SPECIAL_AWARE_COMPARATOR.compare(from, to) : 0;
    if (order > 0 || (order == 0 && !(fromInclusive && toInclusive))) {
      return Collections.emptyIterator();
    }
    Selection.Range range = questions().rangeOf(from, fromInclusive, to, toInclusive);
    if (range == null) {
      // A bound of another type: as rare as it is slow.
      return scan(
          Selection.EVERYTHING,
          isBetween(from, fromInclusive, to, toInclusive, descending, lastKey),
          descending);
    }
    if (lastKey == null) {
      return scan(range, null, descending);
    }
    CodeWriter last = new CodeWriter();
    byte[] bound = requireNonNull(questions().codeOf(descending ? to : from));
    last.put(bound, 0, bound.length);
    KeyReference.put(lastKey, last);
    if (!descending) {
      last.put(0); // the string that follows
    }
    return scan(
        descending
            ? new Selection.Range(range.from(), last.copyFrom(0))
            : new Selection.Range(last.copyFrom(0), range.before()),
        null,
        descending);
  }

  /**
   * Returns a test of whether a string lies in a range by its value, for ranges that no code
   * describes.
   */
  private java.util.function.Predicate<byte[]> isBetween(
      Comparable from,
      boolean fromInclusive,
      Comparable to,
      boolean toInclusive,
      boolean descending,
      @Nullable Data lastKey) {
    IndexCode code = contents().code();
    CodeReader reader = new CodeReader();
    CodeWriter last = new CodeWriter();
    if (lastKey != null) {
      KeyReference.put(lastKey, last);
    }
    Comparable bound = descending ? to : from;
    return string -> {
      Comparable value = code.get(string, 0);
      if (!Questions.isBetween(value, from, fromInclusive, to, toInclusive)) {
        return false;
      }
      if (lastKey == null
          || OrderedIndexStore.SPECIAL_AWARE_COMPARATOR.compare(value, bound) != 0) {
        return true;
      }
      int key = code.end(string, 0, reader);
      int order =
          Arrays.compareUnsigned(string, key, string.length, last.array(), 0, last.length());
      return descending ? order < 0 : order > 0;
    };
  }

  private Iterator<IndexKeyEntries> scan(
      Selection.Range range,
      java.util.function.@Nullable Predicate<byte[]> test,
      boolean descending) {
    return new OrderedScan(contents(), this::converted, range, test, descending);
  }

  /** A value as the index's own type has it, so that it compares with what a question brings. */
  private Comparable converted(Comparable value) {
    TypeConverter own = requireNonNull(converter).get();
    return own == null ? value : requireNonNull(own.convert(value));
  }

  private void requireOrdered() {
    if (!ordered) {
      throw new UnsupportedOperationException("a hash index has no order");
    }
  }
}
