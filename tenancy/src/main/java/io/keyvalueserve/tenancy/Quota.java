package io.keyvalueserve.tenancy;

import java.util.Collections;
import java.util.EnumMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The quota of a tenant: how much it may use. Immutable.
 *
 * @param limits what is set; where nothing is, {@link Limit#usual} holds
 */
public record Quota(Map<Limit, Long> limits) {
  /** The value that stands for no limit. */
  public static final long UNLIMITED = Long.MAX_VALUE;

  /** The quota in which nothing is set. */
  public static final Quota USUAL = new Quota(Map.of());

  /**
   * @throws InvalidQuotaException if a number is out of its range
   */
  public Quota {
    EnumMap<Limit, Long> copy = new EnumMap<>(Limit.class);
    limits.forEach((limit, value) -> copy.put(limit, checked(limit, value)));
    limits = Collections.unmodifiableMap(copy);
  }

  /** Returns the value of a limit in the limit's own unit, or {@link #UNLIMITED}. */
  public long of(Limit limit) {
    Long set = limits.get(limit);
    return set == null ? limit.usual() : set;
  }

  /**
   * Returns this quota with another limit.
   *
   * @param value null for what is usual
   * @throws InvalidQuotaException if it is out of its range
   */
  public Quota with(Limit limit, @Nullable Long value) {
    EnumMap<Limit, Long> changed = new EnumMap<>(Limit.class);
    changed.putAll(limits);
    if (value == null) {
      changed.remove(limit);
    } else {
      changed.put(limit, value);
    }
    return new Quota(changed);
  }

  private static long checked(Limit limit, long value) {
    if (value < limit.least() || value > limit.most()) {
      throw new InvalidQuotaException(
          limit,
          "'" + limit.text() + "' is " + limit.least() + " to " + limit.most() + ", not " + value);
    }
    return value;
  }
}
