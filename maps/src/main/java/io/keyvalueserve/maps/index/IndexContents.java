package io.keyvalueserve.maps.index;

import static com.hazelcast.query.impl.AbstractIndex.NULL;

import com.hazelcast.internal.json.NonTerminalJsonValue;
import com.hazelcast.internal.monitor.impl.HDGlobalPerIndexStats;
import com.hazelcast.internal.monitor.impl.IndexOperationStats;
import com.hazelcast.internal.monitor.impl.PerIndexStats;
import com.hazelcast.internal.serialization.Data;
import com.hazelcast.query.impl.CompositeValue;
import com.hazelcast.query.impl.QueryableEntry;
import com.hazelcast.query.impl.TypeConverters;
import com.hazelcast.query.impl.getters.MultiResult;
import io.keyvalueserve.memory.NativeHeap;
import io.keyvalueserve.store.ByteTree;
import io.keyvalueserve.store.TreeCursor;
import java.math.BigDecimal;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.NavigableSet;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The strings of an index, in one {@link IndexStripe} for each thread that writes its map, and what
 * they are made from. An entry has one string for each value that it is found under; those of an
 * update change at once.
 *
 * <p>Thread-safe.
 */
@SuppressWarnings({"rawtypes", "unchecked", "ReferenceEquality"}) // as Hazelcast's own
final class IndexContents {
  /** The outcomes of a write. */
  enum Outcome {
    WRITTEN,
    /** The index is elsewhere now. */
    MOVED,
    /** The new value has no place here. */
    REFUSED
  }

  /** Stands for no value at all; null is one. */
  static final Object NOTHING = new Object();

  private final String[] components;
  private final IndexCode code;
  private final boolean ordered;
  private final AtomicIntegerArray families;
  private final PerIndexStats stats;
  private final NativeHeap heap;
  private final IndexedMap map;
  private final IndexStripe[] stripes;

  private volatile boolean multiValued;
  private volatile boolean fractional;
  private volatile boolean moved;
  private volatile boolean destroyed;

  IndexContents(
      String[] components,
      boolean ordered,
      PerIndexStats stats,
      NativeHeap heap,
      int writers,
      IndexedMap map) {
    this.components = components;
    this.code = new IndexCode(ordered, components.length);
    this.ordered = ordered;
    this.families = new AtomicIntegerArray(components.length);
    this.stats = stats;
    this.heap = heap;
    this.map = map;
    this.stripes = new IndexStripe[writers];
    for (int i = 0; i < writers; i++) {
      stripes[i] = new IndexStripe(heap, i, components.length);
    }
  }

  /** Counts a query that uses the index. */
  void countQuery() {
    stats.incrementQueryCount();
  }

  IndexCode code() {
    return code;
  }

  NativeHeap heap() {
    return heap;
  }

  IndexedMap map() {
    return map;
  }

  IndexStripe[] stripes() {
    return stripes;
  }

  /** Returns whether an entry may be found under several values. */
  boolean isMultiValued() {
    return multiValued;
  }

  /** Returns whether it may have numbers that are not whole. It never ceases to. */
  boolean isFractional() {
    return fractional;
  }

  /** Returns whether the index was moved elsewhere. */
  boolean isMoved() {
    return moved;
  }

  /** Returns whether the index was destroyed and keeps nothing. */
  boolean isDestroyed() {
    return destroyed;
  }

  /** Takes the string of the old value out and puts that of the new one in, at once. */
  Outcome write(
      Data key,
      @Nullable Object oldValue,
      @Nullable Object newValue,
      IndexOperationStats operation) {
    IndexStripe stripe = stripes[map.writerOf(key) % stripes.length];
    stripe.lock();
    try {
      if (moved) {
        return Outcome.MOVED;
      }
      if (destroyed) {
        return Outcome.WRITTEN;
      }
      boolean several = oldValue instanceof MultiResult || newValue instanceof MultiResult;
      boolean written =
          several
              ? changeSeveral(stripe, oldValue, newValue, key)
              : change(stripe, oldValue, newValue, key);
      if (!written) {
        return Outcome.REFUSED;
      }
      count(stripe);
      for (int i = stripe.removed(); i > 0; i--) {
        operation.onEntryRemoved(oldValue);
      }
      for (int i = stripe.added(); i > 0; i--) {
        operation.onEntryAdded(newValue);
      }
      return Outcome.WRITTEN;
    } finally {
      stripe.unlock();
    }
  }

  private boolean change(
      IndexStripe stripe, @Nullable Object oldValue, @Nullable Object newValue, Data key) {
    CodeWriter from = stripe.oldCodes.truncate(0);
    CodeWriter to = stripe.newCodes.truncate(0);
    boolean fresh = isSomething(newValue);
    if (fresh && !put(newValue, key, to, stripe.families, true)) {
      return false;
    }
    boolean old = isSomething(oldValue) && put(oldValue, key, from, stripe.families, false);
    if (old && fresh) {
      if (Arrays.equals(from.array(), 0, from.length(), to.array(), 0, to.length())) {
        stripe.unchanged();
      } else {
        stripe.move(from.array(), from.length(), to.array(), to.length());
      }
    } else if (fresh) {
      stripe.add(to.array(), to.length());
    } else if (old) {
      stripe.remove(from.array(), from.length());
    } else {
      stripe.unchanged();
    }
    return true;
  }

  private boolean changeSeveral(
      IndexStripe stripe, @Nullable Object oldValue, @Nullable Object newValue, Data key) {
    multiValued = true;
    NavigableSet<byte[]> from = new TreeSet<>(Arrays::compareUnsigned);
    NavigableSet<byte[]> to = new TreeSet<>(Arrays::compareUnsigned);
    for (Object value : valuesOf(newValue)) {
      CodeWriter out = stripe.newCodes.truncate(0);
      if (!put(value, key, out, stripe.families, true)) {
        return false;
      }
      to.add(out.copyFrom(0));
    }
    for (Object value : valuesOf(oldValue)) {
      CodeWriter out = stripe.oldCodes.truncate(0);
      if (put(value, key, out, stripe.families, false)) {
        from.add(out.copyFrom(0));
      }
    }
    NavigableSet<byte[]> before = new TreeSet<>(from);
    from.removeAll(to);
    to.removeAll(before);
    stripe.change(from, to);
    return true;
  }

  private static boolean isSomething(@Nullable Object value) {
    return value != NOTHING && value != NonTerminalJsonValue.INSTANCE;
  }

  /** The values that an entry is found under. */
  static List<@Nullable Object> valuesOf(@Nullable Object value) {
    if (value instanceof MultiResult several) {
      return several.getResults();
    }
    return isSomething(value) ? Collections.singletonList(value) : List.of();
  }

  /** Writes an entry's string; returns whether it has a place here. */
  private boolean put(
      @Nullable Object value, Data key, CodeWriter out, int[] found, boolean isNew) {
    if (!code.put(value, out, found)) {
      return false;
    }
    if (isNew) {
      if (mayBeFraction(value)) {
        fractional = true;
      }
      for (int i = 0; i < found.length; i++) {
        if (!admit(i, found[i])) {
          return false;
        }
      }
    }
    KeyReference.put(key, out);
    return out.length() <= ByteTree.MOST_KEY_BYTES;
  }

  private static boolean mayBeFraction(@Nullable Object value) {
    if (value instanceof CompositeValue composite) {
      for (Comparable each : composite.getComponents()) {
        if (mayBeFraction(each)) {
          return true;
        }
      }
    }
    return value instanceof Double || value instanceof Float || value instanceof BigDecimal;
  }

  /**
   * Returns whether values of a family may stand here. The first value decides which families may.
   */
  private boolean admit(int component, int family) {
    int present = families.get(component);
    if (family == present || family == AttributeCode.ANY) {
      return true;
    }
    if (present == AttributeCode.ANY) {
      present = families.compareAndExchange(component, AttributeCode.ANY, family);
    }
    return code.mayMix(present, family);
  }

  private void count(IndexStripe stripe) {
    long delta = stripe.takeGrowth();
    if (delta != 0) {
      map.addBytes(delta);
      if (stats instanceof HDGlobalPerIndexStats) {
        stats.updateMemoryCost(delta);
      }
    }
  }

  /** Returns whether values of these families compare with those that are here. */
  boolean mayMix(int[] others) {
    for (int i = 0; i < others.length; i++) {
      if (!code.mayMix(families.get(i), others[i])) {
        return false;
      }
    }
    return true;
  }

  // ---- all of it, with all locks

  /** Lets the first value decide again which families may stand here. */
  void resetFamilies() {
    for (int i = 0; i < components.length; i++) {
      families.set(i, AttributeCode.ANY);
    }
  }

  /** Returns whether {@link #write} would find a place for an entry's new value. */
  boolean hasPlaceFor(Data key, @Nullable Object newValue) {
    int[] present = new int[components.length];
    for (int i = 0; i < present.length; i++) {
      present[i] = families.get(i);
    }
    int[] found = new int[components.length];
    for (Object value : valuesOf(newValue)) {
      if (!put(value, key, new CodeWriter(), found, false)) {
        return false;
      }
      for (int i = 0; i < found.length; i++) {
        if (!code.mayMix(present[i], found[i])) {
          return false;
        }
        present[i] = present[i] == AttributeCode.ANY ? found[i] : present[i];
      }
    }
    return true;
  }

  /**
   * Returns whether other entries have values that a new value must compare with. Nulls compare
   * with everything. With several attributes, nulls are not looked for, because that would need a
   * walk through all of the index.
   */
  boolean hasValuesBeside(Data key) {
    return components.length == 1 ? greatestBeside(key) != NULL : !isEmpty();
  }

  /** The greatest value of some stripe that is not null, of another entry, if there is any. */
  Comparable greatestBeside(Data key) {
    Comparable[] found = {NULL};
    CodeReader reader = new CodeReader();
    visitAll(
        true, // nulls come first
        (array, offset, length) -> {
          int end = code.end(array, offset, reader);
          if (found[0] == NULL && !KeyReference.get(array, end, offset + length).equals(key)) {
            found[0] = code.get(array, offset);
            return false;
          }
          return found[0] == NULL;
        });
    return found[0];
  }

  private boolean isEmpty() {
    for (IndexStripe stripe : stripes) {
      if (stripe.size() > 0) {
        return false;
      }
    }
    return true;
  }

  void lockAll() {
    for (IndexStripe stripe : stripes) {
      stripe.lock();
    }
  }

  void unlockAll() {
    for (IndexStripe stripe : stripes) {
      stripe.unlock();
    }
  }

  /** Visits all strings, stripe by stripe. */
  void visitAll(boolean descending, IndexStripe.Visitor visitor) {
    for (IndexStripe stripe : stripes) {
      stripe
          .view(new TreeCursor())
          .scan(Selection.EVERYTHING.from(), Selection.EVERYTHING.before(), descending, visitor);
    }
  }

  /** Removes everything; from now on the index is here, or elsewhere. */
  void clear(boolean moved) {
    this.moved = moved;
    multiValued = false;
    resetFamilies();
    for (IndexStripe stripe : stripes) {
      stripe.clear();
      count(stripe);
    }
  }

  /** Removes everything; from now on, nothing is kept. */
  void destroy() {
    destroyed = true;
    clear(false);
  }

  // ---- entries

  /** Returns whether the value that an entry has now is in a selection. */
  boolean isOf(Selection selection, QueryableEntry entry, CodeWriter out) {
    int[] found = new int[components.length];
    for (Object value : valuesOf(valueOf(entry))) {
      if (code.put(value, out.truncate(0), found)
          && selection.has(code, out.array(), 0, out.length())) {
        return true;
      }
    }
    return false;
  }

  /** The same of a question about values as an index on the heap keeps them. */
  boolean isOf(Predicate<Comparable> question, QueryableEntry entry) {
    for (Object value : valuesOf(valueOf(entry))) {
      Comparable kept = kept(value);
      try {
        if (kept != null && question.test(kept)) {
          return true;
        }
      } catch (ClassCastException e) {
        // It does not compare with what is asked for, so it is none of that.
      }
    }
    return false;
  }

  /** A value as an index on the heap keeps it; null if it keeps no such value. */
  @Nullable Comparable kept(@Nullable Object value) {
    if (value instanceof CompositeValue several) {
      Comparable[] parts = several.getComponents().clone();
      for (int i = 0; i < parts.length; i++) {
        parts[i] = keptPart(parts[i]);
      }
      return new CompositeValue(parts);
    }
    return value == null || value instanceof Comparable ? keptPart((Comparable) value) : null;
  }

  private Comparable keptPart(@Nullable Comparable part) {
    if (part == null) {
      return NULL;
    }
    Comparable plain =
        part.getClass().isEnum() ? TypeConverters.ENUM_CONVERTER.convert(part) : part;
    return ordered ? plain : AttributeCode.canonical(plain);
  }

  /** Returns the value that an entry is indexed by, in the form that Hazelcast's index takes. */
  private @Nullable Object valueOf(QueryableEntry entry) {
    if (components.length == 1) {
      return entry.getAttributeValue(components[0]);
    }
    Comparable[] parts = new Comparable[components.length];
    for (int i = 0; i < components.length; i++) {
      Object part = entry.getAttributeValue(components[i]);
      if (part != null && !(part instanceof Comparable)) {
        return NOTHING;
      }
      parts[i] = (Comparable) part;
    }
    return new CompositeValue(parts);
  }
}
