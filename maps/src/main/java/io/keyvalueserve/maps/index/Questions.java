package io.keyvalueserve.maps.index;

import static com.hazelcast.query.impl.AbstractIndex.NULL;
import static com.hazelcast.query.impl.CompositeValue.NEGATIVE_INFINITY;
import static com.hazelcast.query.impl.CompositeValue.POSITIVE_INFINITY;

import com.hazelcast.query.impl.CompositeValue;
import com.hazelcast.query.impl.OrderedIndexStore;
import java.util.Comparator;
import java.util.HashSet;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Turns questions into selections: ranges of codes, or tests where a value has no code that
 * compares with others.
 */
@SuppressWarnings({"rawtypes", "ReferenceEquality"}) // as Hazelcast's own
final class Questions {
  private final IndexContents contents;
  private final int components;
  private final boolean ordered;

  Questions(IndexContents contents, boolean ordered) {
    this.contents = contents;
    this.components = contents.code().components();
    this.ordered = ordered;
  }

  /** Adds the values that are the same as one. */
  Selection addEqual(Selection selection, @Nullable Comparable value) {
    if (value == null) {
      return selection;
    }
    byte[] argument = codeOf(value);
    if (argument != null) {
      return components > 1 && !(value instanceof CompositeValue)
          ? selection
          : selection.add(new Selection.Range(argument, before(value, argument, true)));
    }
    return ordered
        ? selection.add(
            found -> OrderedIndexStore.SPECIAL_AWARE_COMPARATOR.compare(found, value) == 0)
        : selection;
  }

  /** Adds the values between two; nulls too, where a bound is null and included. */
  Selection addRange(
      Selection selection,
      Comparable from,
      boolean fromInclusive,
      Comparable to,
      boolean toInclusive) {
    Selection.Range range = rangeOf(from, fromInclusive, to, toInclusive);
    return range != null
        ? selection.add(range)
        : selection.add(found -> isBetween(found, from, fromInclusive, to, toInclusive));
  }

  /**
   * The lower bound, excluded, of a comparison that has none ({@code a = 1 and b < 2}) behind all
   * nulls of what is compared. Hazelcast 5.7 ({@code CompositeIndexVisitor}) asks for everything
   * above {@code (1, null, -inf)} if the index has a component more behind the compared one, and so
   * for {@code (1, null, c)} too, which the predicate excludes.
   */
  static Comparable afterNulls(Comparable from, Comparable to) {
    if (!(from instanceof CompositeValue low) || !(to instanceof CompositeValue high)) {
      return from;
    }
    Comparable[] lower = low.getComponents();
    Comparable[] upper = high.getComponents();
    int compared = 0;
    while (compared < lower.length && lower[compared].equals(upper[compared])) {
      compared++;
    }
    if (compared == 0 || compared >= lower.length - 1 || lower[compared] != NULL) {
      return from;
    }
    Comparable[] behind = lower.clone();
    for (int i = compared + 1; i < behind.length; i++) {
      if (behind[i] != NEGATIVE_INFINITY) {
        return from;
      }
      behind[i] = POSITIVE_INFINITY;
    }
    return new CompositeValue(behind);
  }

  /**
   * Returns a test of whether a value, as an index on the heap keeps it, is the same as {@code
   * value}.
   */
  java.util.function.Predicate<Comparable> isSame(@Nullable Comparable value) {
    if (ordered) {
      return value == null
          ? kept -> false
          : kept -> OrderedIndexStore.SPECIAL_AWARE_COMPARATOR.compare(kept, value) == 0;
    }
    Comparable asked = value == null ? null : contents.kept(value);
    return kept -> kept.equals(asked);
  }

  /** The same of several; these are gone through when the first value is asked for. One thread. */
  java.util.function.Predicate<Comparable> isOneOf(Set<Comparable> values) {
    return new java.util.function.Predicate<>() {
      private @Nullable Set<Comparable> asked;

      @Override
      public boolean test(Comparable kept) {
        Set<Comparable> known = asked;
        if (known == null) {
          known =
              ordered ? new TreeSet<>(OrderedIndexStore.SPECIAL_AWARE_COMPARATOR) : new HashSet<>();
          for (Comparable value : values) {
            Comparable same = value == null || ordered ? value : contents.kept(value);
            if (same != null) {
              known.add(same);
            }
          }
          asked = known;
        }
        return known.contains(kept);
      }
    };
  }

  static boolean isBetween(
      Comparable value,
      Comparable from,
      boolean fromInclusive,
      Comparable to,
      boolean toInclusive) {
    Comparator<Comparable> order = OrderedIndexStore.SPECIAL_AWARE_COMPARATOR;
    return order.compare(value, from) >= (fromInclusive ? 0 : 1)
        && order.compare(value, to) <= (toInclusive ? 0 : -1);
  }

  /** The range of codes, null if a bound has no code here. */
  Selection.@Nullable Range rangeOf(
      Comparable from, boolean fromInclusive, Comparable to, boolean toInclusive) {
    byte[] low = codeOf(from);
    byte[] high = codeOf(to);
    if (low == null || high == null) {
      return null;
    }
    return new Selection.Range(from(from, low, fromInclusive), before(to, high, toInclusive));
  }

  private byte[] from(Comparable value, byte[] argument, boolean inclusive) {
    return components > 1 && value == NULL
        ? Selection.EVERYTHING.from() // before all composite values, whatever they begin with
        : Selection.from(argument, inclusive);
  }

  private byte[] before(Comparable value, byte[] argument, boolean inclusive) {
    return components > 1 && value == NULL
        ? Selection.EVERYTHING.from()
        : Selection.before(argument, inclusive);
  }

  /** The code of what is asked for, null if it has none that compares with those that are here. */
  byte @Nullable [] codeOf(Comparable value) {
    CodeWriter out = new CodeWriter();
    if (components > 1 && (value == NULL || value == POSITIVE_INFINITY)) {
      int _ = new AttributeCode(ordered).put(value, out);
      return out.copyFrom(0);
    }
    int[] found = new int[components];
    if (!contents.code().put(value, out, found) || !contents.mayMix(found)) {
      return null;
    }
    return out.copyFrom(0);
  }
}
