package io.keyvalueserve.maps.index;

import com.hazelcast.core.TypeConverter;
import com.hazelcast.query.impl.AbstractIndex;
import com.hazelcast.query.impl.CompositeConverter;
import com.hazelcast.query.impl.CompositeValue;
import com.hazelcast.query.impl.IndexRegistry;
import com.hazelcast.query.impl.InternalIndex;
import com.hazelcast.query.impl.TypeConverters;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An index of a map as queries read it: it finds keys of entries that may meet a condition, and
 * never leaves out one that does. Thread-safe.
 */
@SuppressWarnings({"rawtypes", "ReferenceEquality"}) // as Hazelcast's own
public final class IndexReader {
  private final NativeIndex index;
  private final IndexContents contents;
  private final String[] attributes;
  private final boolean ordered;

  private IndexReader(NativeIndex index, IndexContents contents) {
    this.index = index;
    this.contents = contents;
    this.attributes = index.getComponents();
    this.ordered = index.isOrdered();
  }

  /** Returns those of a map's indexes that are off the heap now. */
  public static List<IndexReader> of(@Nullable IndexRegistry registry) {
    if (registry == null) {
      return List.of();
    }
    List<IndexReader> readers = new ArrayList<>();
    for (InternalIndex each : registry.getIndexes()) {
      if (each instanceof NativeIndex index) {
        IndexContents contents = index.offHeap();
        if (contents != null) {
          readers.add(new IndexReader(index, contents));
        }
      }
    }
    return readers;
  }

  public String name() {
    return index.getName();
  }

  /** Returns about how many values it has, of all entries of this member's partitions. */
  public long size() {
    long size = 0;
    for (IndexStripe stripe : contents.stripes()) {
      size += stripe.size();
    }
    return size;
  }

  /** Returns the names of the attributes, as Hazelcast has them. */
  public List<String> attributes() {
    return List.of(attributes);
  }

  /** Returns whether it finds ranges, too. */
  public boolean isOrdered() {
    return ordered;
  }

  /** Returns whether all entries of a partition are in the index. To be asked before it is read. */
  public boolean covers(int partition) {
    return index.hasPartitionIndexed(partition);
  }

  /** Returns the class that tells to which type values of an attribute belong; null if unknown. */
  public @Nullable TypeConverter converter(int attribute) {
    TypeConverter converter = index.getConverter();
    if (attributes.length > 1) {
      converter =
          converter instanceof CompositeConverter several
              ? several.getComponentConverter(attribute)
              : null;
    }
    return converter == TypeConverters.NULL_CONVERTER
            || converter == TypeConverters.IDENTITY_CONVERTER
        ? null
        : converter;
  }

  /** Returns the stand-in for null in what is asked for. */
  public static Comparable nullValue() {
    return AbstractIndex.NULL;
  }

  /**
   * Returns the keys of the entries whose attributes lie in a range.
   *
   * @param equal values of the first attributes; {@link #nullValue} for null
   * @param from the least value of the attribute that follows; null for none
   * @param to its greatest value; null for none
   * @return null if the index cannot tell
   */
  public @Nullable IndexRange range(
      List<Comparable> equal,
      @Nullable Comparable from,
      boolean fromInclusive,
      @Nullable Comparable to,
      boolean toInclusive) {
    boolean isPoint = from == null && to == null && equal.size() == attributes.length;
    if (!ordered && !isPoint) {
      return null;
    }
    List<Comparable> values = new ArrayList<>();
    for (int i = 0; i < equal.size(); i++) {
      Comparable value = converted(i, equal.get(i));
      if (value == null) {
        return null;
      }
      values.add(value);
    }
    Comparable low = from == null ? null : converted(equal.size(), from);
    Comparable high = to == null ? null : converted(equal.size(), to);
    if ((from != null && low == null) || (to != null && high == null)) {
      return null;
    }
    Questions questions = new Questions(contents, ordered);
    if (attributes.length > 1) {
      return composite(questions, values, low, fromInclusive, high, toInclusive);
    }
    if (isPoint) {
      return range(questions.addEqual(new Selection(), values.getFirst()));
    }
    return range(
        questions.addRange(
            new Selection(),
            low == null ? AbstractIndex.NULL : low,
            low != null && fromInclusive,
            high == null ? CompositeValue.POSITIVE_INFINITY : high,
            toInclusive));
  }

  /**
   * Returns the values of the one attribute that lie in a range, and no others.
   *
   * @param from the least value; null for none
   * @param to the greatest value; null for none
   * @return null if the index cannot tell them from others, or entries may have several values
   */
  public @Nullable IndexRange exactRange(
      @Nullable Comparable from,
      boolean fromInclusive,
      @Nullable Comparable to,
      boolean toInclusive) {
    if (!ordered || attributes.length > 1 || !isKept(from) || !isKept(to)) {
      return null;
    }
    IndexRange range = range(List.of(), from, fromInclusive, to, toInclusive);
    return contents.isMultiValued() ? null : range; // asked last: it never becomes false
  }

  /** Returns whether a value is the same once it has the type of the index. */
  private boolean isKept(@Nullable Comparable value) {
    if (value == null) {
      return true;
    }
    Comparable converted = value == AbstractIndex.NULL ? null : converted(0, value);
    return converted != null
        && (converted.equals(value)
            || (converted instanceof Number one
                && value instanceof Number other
                && isWhole(one)
                && isWhole(other)
                && one.longValue() == other.longValue()));
  }

  private static boolean isWhole(Number number) {
    return number instanceof Integer
        || number instanceof Long
        || number instanceof Short
        || number instanceof Byte;
  }

  private @Nullable IndexRange composite(
      Questions questions,
      List<Comparable> equal,
      @Nullable Comparable low,
      boolean fromInclusive,
      @Nullable Comparable high,
      boolean toInclusive) {
    if (equal.size() == attributes.length) {
      return range(
          questions.addEqual(
              new Selection(), new CompositeValue(equal.toArray(Comparable[]::new))));
    }
    boolean before = low == null || fromInclusive;
    boolean behind = high == null || toInclusive;
    return range(
        questions.addRange(
            new Selection(),
            bound(
                equal,
                low,
                before ? CompositeValue.NEGATIVE_INFINITY : CompositeValue.POSITIVE_INFINITY),
            true,
            bound(
                equal,
                high,
                behind ? CompositeValue.POSITIVE_INFINITY : CompositeValue.NEGATIVE_INFINITY),
            true));
  }

  private CompositeValue bound(
      List<Comparable> equal, @Nullable Comparable value, Comparable filler) {
    Comparable[] parts = new Comparable[attributes.length];
    Arrays.fill(parts, filler);
    for (int i = 0; i < equal.size(); i++) {
      parts[i] = equal.get(i);
    }
    if (value != null) {
      parts[equal.size()] = value;
    }
    return new CompositeValue(parts);
  }

  private @Nullable IndexRange range(Selection selection) {
    return selection.tests() ? null : new IndexRange(this, contents, selection.ranges());
  }

  /** Returns whether the index is where it was: else what was read of it is void. */
  boolean isThere() {
    return index.offHeap() == contents;
  }

  private @Nullable Comparable converted(int attribute, Comparable value) {
    if (value == AbstractIndex.NULL) {
      return value;
    }
    TypeConverter converter = converter(attribute);
    if (converter == null) {
      return null;
    }
    try {
      Comparable converted = converter.convert(value);
      return ordered ? converted : AttributeCode.canonical(converted);
    } catch (RuntimeException e) { // of as many kinds as there are types
      return null;
    }
  }
}
