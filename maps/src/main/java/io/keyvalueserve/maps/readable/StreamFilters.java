package io.keyvalueserve.maps.readable;

import java.io.ObjectInputFilter;
import java.io.ObjectInputFilter.FilterInfo;
import java.io.ObjectInputFilter.Status;

/**
 * Makes the filters that bound what Java serialization may make of one stream. They are the second
 * barrier, behind {@link ValueCheck}.
 */
public final class StreamFilters {
  private static final long MOST_ELEMENTS_OF_MEMBERS = 1 << 24;
  private static final long MOST_DEPTH_OF_MEMBERS = 500;

  private StreamFilters() {}

  /**
   * Returns a filter for bytes of a tenant.
   *
   * @param bytes how many there are: more elements, or objects, are not in them
   */
  public static ObjectInputFilter ofTenant(ReadableTypes types, int bytes) {
    return info -> {
      Class<?> type = info.serialClass();
      if (info.arrayLength() > bytes
          || info.references() > bytes
          || info.depth() > 2L * ReadableTypes.MOST_DEPTH
          || (type != null && !types.isJavaClass(type.getName()))) {
        return Status.REJECTED;
      }
      return type == null ? Status.UNDECIDED : Status.ALLOWED;
    };
  }

  /** Bounds what members say to each other: their errors. Classes have a filter of their own. */
  public static Status ofMember(FilterInfo info) {
    return info.arrayLength() > MOST_ELEMENTS_OF_MEMBERS || info.depth() > MOST_DEPTH_OF_MEMBERS
        ? Status.REJECTED
        : Status.UNDECIDED;
  }
}
