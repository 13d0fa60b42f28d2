package io.keyvalueserve.maps.query;

import com.hazelcast.core.TypeConverter;
import com.hazelcast.query.impl.TypeConverters;
import io.keyvalueserve.engine.query.Condition;
import io.keyvalueserve.engine.query.Condition.Comparison;
import io.keyvalueserve.engine.query.Field;
import io.keyvalueserve.engine.query.FieldType;
import io.keyvalueserve.maps.index.IndexRange;
import io.keyvalueserve.maps.index.IndexReader;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Chooses the indexes by which a condition's entries are found. What it chooses finds all of them
 * and perhaps more.
 */
@SuppressWarnings("rawtypes") // as Hazelcast's own
final class AccessPlanner {
  private static final int MOST_RANGES = 256;
  private static final char BEFORE_SURROGATES = Character.MIN_SURROGATE - 1;

  /** From so many keys on, it is worth to find out which of them another index has too. */
  private static final int WORTH_A_SECOND = 256;

  /** A second index may have so many times as many keys as the first: to walk is to read less. */
  private static final int MOST_OF_SECOND = 2;

  private final List<IndexReader> indexes;

  /** The number of keys that are worth it: beyond that, counting ends. */
  private final long most;

  AccessPlanner(List<IndexReader> indexes, long most) {
    this.indexes = // for equal values, an index that has nothing but these
        indexes.stream().sorted(Comparator.comparing(IndexReader::isOrdered)).toList();
    this.most = most;
  }

  /** Returns the best way; null if none is better than to look at all entries. */
  @Nullable Access plan(Condition condition) {
    if (indexes.isEmpty()) {
      return null;
    }
    Access access = best(condition);
    if (access == null) {
      return null;
    }
    long count = access.count(most);
    if (count > most) {
      return null;
    }
    Access second =
        count < WORTH_A_SECOND || !(condition instanceof Condition.And)
            ? null
            : second(flat(List.of(condition)), access, MOST_OF_SECOND * count);
    return second == null ? access : access.and(second);
  }

  /** The fewest keys of another index, if not too many, that all entries are among too. */
  private @Nullable Access second(List<Condition> parts, Access first, long bound) {
    Access best = null;
    long fewest = bound + 1;
    for (IndexReader index : indexes) {
      Access access = first.uses(index) ? null : byIndex(index, parts);
      long count = access == null ? Long.MAX_VALUE : access.count(fewest);
      if (count < fewest) {
        best = access;
        fewest = count;
      }
    }
    return best;
  }

  /**
   * Returns the range of an index that has all entries which meet a condition, and no others.
   *
   * @return null if no index tells
   */
  @Nullable IndexRange exact(Condition condition) {
    List<Condition> parts = flat(List.of(condition));
    if (parts.isEmpty() || !(parts.getFirst() instanceof Condition.Compare first)) {
      return null;
    }
    Comparable from = null;
    Comparable to = null;
    boolean fromInclusive = false;
    boolean toInclusive = false;
    for (Condition part : parts) {
      if (!(part instanceof Condition.Compare compare)
          || !compare.field().equals(first.field())
          || !(compare.value() instanceof Comparable value)) {
        return null;
      }
      Comparison comparison = compare.comparison();
      boolean isEqual = comparison == Comparison.EQUAL;
      if (isEqual
          || comparison == Comparison.GREATER
          || comparison == Comparison.GREATER_OR_EQUAL) {
        if (from != null) {
          return null;
        }
        from = value;
        fromInclusive = comparison != Comparison.GREATER;
      }
      if (isEqual || comparison == Comparison.LESS || comparison == Comparison.LESS_OR_EQUAL) {
        if (to != null) {
          return null;
        }
        to = value;
        toInclusive = comparison != Comparison.LESS;
      }
    }
    for (IndexReader index : indexes) {
      if (isOf(index, 0, first.field())) {
        IndexRange range = index.exactRange(from, fromInclusive, to, toInclusive);
        IndexRange good = range == null ? null : goodFor(first.field().type(), range);
        if (good != null) {
          return good;
        }
      }
    }
    return null;
  }

  /** Returns a range in which values are as they are compared once they have a type. */
  private static @Nullable IndexRange goodFor(FieldType type, IndexRange range) {
    return switch (type) {
      case OBJECT, VARCHAR -> range;
      case INTEGER, BIGINT -> {
        IndexRange whole = range.wholeOnly();
        yield whole.isGood() ? whole : null;
      }
      default -> null;
    };
  }

  private @Nullable Access best(Condition condition) {
    return switch (condition) {
      case Condition.And and -> intersection(and.parts());
      case Condition.Or or -> union(or.parts());
      default -> intersection(List.of(condition));
    };
  }

  private @Nullable Access union(List<Condition> parts) {
    List<Access> found = new ArrayList<>();
    for (Condition part : parts) {
      Access access = best(part);
      if (access == null) {
        return null;
      }
      found.add(access);
    }
    Access all = found.isEmpty() ? null : Access.union(found);
    return all == null || all.ranges().size() > MOST_RANGES ? null : all;
  }

  /** The fewest keys that all entries which meet all parts are among. */
  private @Nullable Access intersection(List<Condition> conditions) {
    List<Condition> parts = flat(conditions);
    Access best = null;
    long fewest = Long.MAX_VALUE;
    for (IndexReader index : indexes) {
      Access access = byIndex(index, parts);
      long count = access == null ? Long.MAX_VALUE : access.count(Math.min(most, fewest));
      if (count < fewest) {
        best = access;
        fewest = count;
      }
    }
    for (Condition part : parts) {
      Access access = part instanceof Condition.Or or ? union(or.parts()) : null;
      long count = access == null ? Long.MAX_VALUE : access.count(Math.min(most, fewest));
      if (count < fewest) {
        best = access;
        fewest = count;
      }
    }
    return best;
  }

  private static List<Condition> flat(List<Condition> parts) {
    List<Condition> flat = new ArrayList<>();
    for (Condition part : parts) {
      if (part instanceof Condition.And and) {
        flat.addAll(flat(and.parts()));
      } else {
        flat.add(part);
      }
    }
    return flat;
  }

  /** The keys that an index has for the parts that are about its attributes. */
  private static @Nullable Access byIndex(IndexReader index, List<Condition> parts) {
    List<Comparable> equal = new ArrayList<>();
    int attributes = index.attributes().size();
    while (equal.size() < attributes) {
      Comparable value = equalTo(index, equal.size(), parts);
      if (value == null) {
        break;
      }
      equal.add(value);
    }
    if (equal.size() == attributes) {
      return access(
          index, index.range(equal, null, false, null, false), asksWhole(index, parts), "equal");
    }
    if (equal.isEmpty() && attributes == 1) {
      Access several = oneOf(index, parts);
      if (several != null) {
        return several;
      }
    }
    return index.isOrdered() ? byRange(index, equal, parts) : null;
  }

  private static @Nullable Access access(
      IndexReader index, @Nullable IndexRange range, boolean wholeOnly, String words) {
    IndexRange good = range == null ? null : checked(range, wholeOnly);
    return good == null ? null : new Access(List.of(good), "index " + index.name() + ", " + words);
  }

  private static @Nullable IndexRange checked(IndexRange range, boolean wholeOnly) {
    IndexRange checked = wholeOnly ? range.wholeOnly() : range;
    return checked.isGood() ? checked : null;
  }

  /** Returns whether a part asks for whole numbers by one of an index's attributes. */
  private static boolean asksWhole(IndexReader index, List<Condition> parts) {
    for (Condition part : parts) {
      Field field =
          switch (part) {
            case Condition.Compare compare -> compare.field();
            case Condition.In in -> in.field();
            default -> null;
          };
      if (field != null
          && isWhole(field.type())
          && index.attributes().contains(FieldReader.attribute(field))) {
        return true;
      }
    }
    return false;
  }

  private static boolean isWhole(FieldType type) {
    return switch (type) {
      case TINYINT, SMALLINT, INTEGER, BIGINT -> true;
      default -> false;
    };
  }

  private static @Nullable Comparable equalTo(
      IndexReader index, int attribute, List<Condition> parts) {
    for (Condition part : parts) {
      if (part instanceof Condition.Compare compare
          && compare.comparison() == Comparison.EQUAL
          && isOf(index, attribute, compare.field())
          && compare.value() instanceof Comparable value) {
        return value;
      }
      if (part instanceof Condition.IsNull isNull
          && isOf(index, attribute, isNull.field())
          && isNull.field().type() == FieldType.OBJECT) {
        return IndexReader.nullValue();
      }
    }
    return null;
  }

  private static @Nullable Access oneOf(IndexReader index, List<Condition> parts) {
    for (Condition part : parts) {
      if (part instanceof Condition.In in
          && isOf(index, 0, in.field())
          && in.values().size() <= MOST_RANGES) {
        List<IndexRange> ranges = new ArrayList<>();
        for (Object value : in.values()) {
          Comparable one =
              value == null
                  ? IndexReader.nullValue()
                  : value instanceof Comparable comparable ? comparable : null;
          IndexRange range =
              one == null ? null : index.range(List.of(one), null, false, null, false);
          IndexRange good = range == null ? null : checked(range, isWhole(in.field().type()));
          if (good == null) {
            return null;
          }
          ranges.add(good);
        }
        return new Access(ranges, "index " + index.name() + ", equal to one of several");
      }
    }
    return null;
  }

  private static @Nullable Access byRange(
      IndexReader index, List<Comparable> equal, List<Condition> parts) {
    int attribute = equal.size();
    Comparable from = null;
    Comparable to = null;
    boolean fromInclusive = false;
    boolean toInclusive = false;
    for (Condition part : parts) {
      if (part instanceof Condition.Compare compare
          && isOf(index, attribute, compare.field())
          && compare.value() instanceof Comparable value) {
        Comparison comparison = compare.comparison();
        boolean isLower =
            comparison == Comparison.GREATER || comparison == Comparison.GREATER_OR_EQUAL;
        // Of several bounds one will do; of several values of an entry, only one may be meant.
        if (isLower && from == null && (to == null || isSingle(compare.field()))) {
          from = value;
          fromInclusive = comparison == Comparison.GREATER_OR_EQUAL;
        } else if (!isLower
            && comparison != Comparison.EQUAL
            && to == null
            && (from == null || isSingle(compare.field()))) {
          to = value;
          toInclusive = comparison == Comparison.LESS_OR_EQUAL;
        }
      } else if (part instanceof Condition.Like like
          && from == null
          && to == null
          && isOf(index, attribute, like.field())) {
        String prefix = LikeScalar.prefix(like);
        from = prefix;
        fromInclusive = true;
        to = prefix == null ? null : behind(prefix);
        toInclusive = false;
      }
    }
    if (from == null && to == null && equal.isEmpty()) {
      return null;
    }
    return access(
        index,
        index.range(equal, from, fromInclusive, to, toInclusive),
        asksWhole(index, parts),
        equal.isEmpty() ? "range" : from == null && to == null ? "equal" : "equal and range");
  }

  /** Returns the least text behind all that begin with a prefix; null if none is known. */
  private static @Nullable String behind(String prefix) {
    int last = prefix.length() - 1;
    char end = last < 0 ? Character.MAX_VALUE : prefix.charAt(last);
    return end == Character.MAX_VALUE || Character.isSurrogate(end) || end == BEFORE_SURROGATES
        ? null
        : prefix.substring(0, last) + (char) (end + 1);
  }

  private static boolean isSingle(Field field) {
    return !field.path().contains("[any]");
  }

  /**
   * Returns whether an index is of a field. A field with a type is one only if the index has values
   * of that kind: what is converted has another order.
   */
  @SuppressWarnings("ReferenceEquality") // there is one of each
  private static boolean isOf(IndexReader index, int attribute, Field field) {
    if (!index.attributes().get(attribute).equals(FieldReader.attribute(field))) {
      return false;
    }
    TypeConverter converter = index.converter(attribute);
    return switch (field.type()) {
      case OBJECT -> true;
      case VARCHAR -> converter == TypeConverters.STRING_CONVERTER;
      case BOOLEAN -> converter == TypeConverters.BOOLEAN_CONVERTER;
      case TINYINT, SMALLINT, INTEGER, BIGINT ->
          converter == TypeConverters.INTEGER_CONVERTER
              || converter == TypeConverters.LONG_CONVERTER
              || converter == TypeConverters.SHORT_CONVERTER
              || converter == TypeConverters.BYTE_CONVERTER;
      case REAL -> converter == TypeConverters.FLOAT_CONVERTER;
      case DOUBLE ->
          converter == TypeConverters.DOUBLE_CONVERTER
              || converter == TypeConverters.FLOAT_CONVERTER;
      case DATE -> converter == TypeConverters.LOCAL_DATE_CONVERTER;
      case TIME -> converter == TypeConverters.LOCAL_TIME_CONVERTER;
      case TIMESTAMP -> converter == TypeConverters.LOCAL_DATE_TIME_CONVERTER;
      default -> false;
    };
  }
}
