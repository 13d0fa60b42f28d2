package io.keyvalueserve.maps.index;

import com.hazelcast.internal.json.NonTerminalJsonValue;
import com.hazelcast.query.impl.QueryableEntry;
import com.hazelcast.query.impl.getters.MultiResult;
import io.keyvalueserve.maps.readable.Unreadable;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Passes over attributes that no index can keep, as their values do not compare with anything, such
 * as arrays of bytes. An entry that has such an attribute is in the map and not in the index.
 */
@SuppressWarnings({"rawtypes", "ReferenceEquality"}) // as Hazelcast's own
final class ComparableValues {
  private ComparableValues() {}

  /** Returns what an index keeps of a new value, and counts what it passes over. */
  static @Nullable Object ofNew(@Nullable Object value) {
    return of(value, true);
  }

  /** Returns what an index keeps of a value that an entry had. */
  static @Nullable Object ofOld(@Nullable Object value) {
    return of(value, false);
  }

  private static @Nullable Object of(@Nullable Object value, boolean isNew) {
    if (isKept(value)) {
      return value;
    }
    if (value instanceof MultiResult several) {
      return ofSeveral(several, isNew);
    }
    passOver(value, isNew);
    return NonTerminalJsonValue.INSTANCE; // indexes keep no such value
  }

  private static MultiResult ofSeveral(MultiResult<?> several, boolean isNew) {
    List<@Nullable Object> kept = new ArrayList<>();
    for (Object each : several.getResults()) {
      if (isKept(each)) {
        kept.add(each);
      } else {
        passOver(each, isNew);
      }
    }
    return kept.size() == several.getResults().size() ? several : new MultiResult<>(kept);
  }

  private static boolean isKept(@Nullable Object value) {
    return value == null || value instanceof Comparable || value == NonTerminalJsonValue.INSTANCE;
  }

  /**
   * Returns whether an index has a place for an entry.
   *
   * @param attributes if there are several, each must have one value
   */
  static boolean hasPlaceFor(QueryableEntry entry, String[] attributes) {
    for (String attribute : attributes) {
      Object value = entry.getAttributeValue(attribute);
      boolean fits =
          attributes.length == 1
              ? isKept(value) || value instanceof MultiResult
              : value == null || value instanceof Comparable;
      if (!fits) {
        return false;
      }
    }
    return true;
  }

  /** Counts an entry for which {@link #hasPlaceFor} finds no place. */
  static void passOver(String[] attributes) {
    Unreadable.passedOver(
        "an index of " + String.join(", ", attributes) + " needs values that compare");
  }

  private static void passOver(@Nullable Object value, boolean isNew) {
    if (isNew && value != null) {
      Unreadable.passedOver("an index needs values that compare: " + value.getClass().getName());
    }
  }
}
