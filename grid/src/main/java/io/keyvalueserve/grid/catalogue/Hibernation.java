package io.keyvalueserve.grid.catalogue;

import java.time.Duration;
import java.util.BitSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Where the data of a tenant is: in memory, or in a repository.
 *
 * @param tenant the tenant's name
 * @param revision greater with each change
 * @param phase what is the case, or under way
 * @param after how long after its last use the tenant leaves memory; zero for never; null for the
 *     members' own setting
 * @param sinceMillis when the tenant last began to leave memory, left it or was back, in
 *     milliseconds since 1970; 0 if it never did
 * @param coordinator the id of the member that carries a change out; empty if none is under way
 * @param image where the data is; null if it is in memory alone
 * @param loaded the partitions that are in memory again, in phase {@link Phase#WAKING}; not changed
 */
public record Hibernation(
    String tenant,
    long revision,
    Phase phase,
    @Nullable Duration after,
    long sinceMillis,
    String coordinator,
    @Nullable Image image,
    BitSet loaded) {
  /** The least time without use after which a tenant leaves memory. */
  public static final Duration LEAST_AFTER = Duration.ofSeconds(1);

  /** The most time without use after which a tenant leaves memory. */
  public static final Duration MOST_AFTER = Duration.ofDays(3_660);

  /** The phases. */
  public enum Phase {
    /** The data is in memory. */
    AWAKE("awake"),
    /** The data is in memory, and is being written to a repository. Requests wait. */
    FALLING_ASLEEP("falling-asleep"),
    /** The data is in a repository alone. */
    ASLEEP("hibernated"),
    /** The data is being read from a repository. Requests for what is there are served. */
    WAKING("waking");

    private final String text;

    Phase(String text) {
      this.text = text;
    }

    /** Returns the name that answers use. */
    public String text() {
      return text;
    }
  }

  /**
   * The data of a tenant in a repository.
   *
   * @param repository the address
   * @param snapshot the id of the snapshot
   * @param entries the number of entries
   * @param bytes the bytes that the repository has
   * @param maps the names of the maps that there are, without the tenant's name
   */
  public record Image(
      String repository, String snapshot, long entries, long bytes, List<String> maps) {
    /** Copies the list. */
    public Image {
      maps = List.copyOf(maps);
    }
  }

  /**
   * @throws InvalidException if the time is not possible
   */
  public Hibernation {
    if (after != null
        && !after.isZero()
        && (after.compareTo(LEAST_AFTER) < 0 || after.compareTo(MOST_AFTER) > 0)) {
      throw new InvalidException(
          "after: " + after.toSeconds() + " s is not possible; use 1s to 3660d, never, or default");
    }
  }

  /** Tells that a setting is not possible, and the remedy. */
  public static final class InvalidException extends IllegalArgumentException {
    private static final long serialVersionUID = 1L;

    InvalidException(String message) {
      super(message);
    }
  }

  /** Returns the record of a tenant for which nothing was ever set. */
  static Hibernation none(String tenant) {
    return new Hibernation(tenant, 0, Phase.AWAKE, null, 0, "", null, new BitSet(0));
  }

  /** Returns whether operations on the tenant's maps have to wait. */
  public boolean isHeld() {
    return phase != Phase.AWAKE;
  }

  /** Returns the next record with another setting. */
  public Hibernation after(@Nullable Duration next) {
    return new Hibernation(
        tenant, revision + 1, phase, next, sinceMillis, coordinator, image, loaded);
  }

  /** Returns the next record, in which a member begins to write the data to a repository. */
  public Hibernation fallingAsleep(String by, long nowMillis) {
    return next(Phase.FALLING_ASLEEP, nowMillis, by, image, new BitSet(0));
  }

  /** Returns the next record, in which the data is in a repository alone. */
  public Hibernation asleep(Image in, long nowMillis) {
    return next(Phase.ASLEEP, nowMillis, "", in, new BitSet(0));
  }

  /** Returns the next record, in which a member reads the data, or goes on with it. */
  public Hibernation waking(String by) {
    return next(Phase.WAKING, sinceMillis, by, image, loaded);
  }

  /** Returns the next record, in which more partitions are in memory. */
  public Hibernation loaded(BitSet partitions) {
    BitSet all = (BitSet) loaded.clone();
    all.or(partitions);
    return next(phase, sinceMillis, coordinator, image, all);
  }

  /** Returns the next record, in which the data is in memory. */
  public Hibernation awake(long nowMillis) {
    return next(Phase.AWAKE, nowMillis, "", null, new BitSet(0));
  }

  /**
   * Returns this record as it holds when the sides of a split meet again, and this side goes on:
   * with a revision that is newer than those that members of either side know.
   */
  public Hibernation mergedWith(Hibernation other) {
    boolean isSame = equals(other);
    return isSame
        ? this
        : new Hibernation(
            tenant,
            Math.max(revision, other.revision) + 1,
            phase,
            other.revision > revision ? other.after : after,
            sinceMillis,
            coordinator,
            image,
            loaded);
  }

  /** Returns the next record, of a tenant that was deleted. */
  public Hibernation gone() {
    return new Hibernation(tenant, revision + 1, Phase.AWAKE, null, 0, "", null, new BitSet(0));
  }

  private Hibernation next(Phase to, long since, String by, @Nullable Image in, BitSet partitions) {
    return new Hibernation(tenant, revision + 1, to, after, since, by, in, partitions);
  }
}
