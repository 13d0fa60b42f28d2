package io.keyvalueserve.server;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** A request about snapshots that is refused. The message names the remedy. */
public final class SnapshotRefusal extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final Kind kind;
  private final @Nullable String field;

  /** The kinds of refusals. */
  public enum Kind {
    /** Neither the request nor the settings name a repository. */
    NO_REPOSITORY,
    /** There is no such snapshot. */
    NO_SUCH_SNAPSHOT,
    /** The tenant has no key, as it has no snapshots. */
    NO_SNAPSHOT_KEY,
    /** The tenant has no plan. */
    NO_SNAPSHOT_PLAN,
    /** No member knows the job. */
    NO_SUCH_JOB,
    /** Another job works with the same tenant or snapshot. */
    SNAPSHOT_BUSY,
    /** The target's quota has no room for the snapshot. */
    OVER_QUOTA,
    /** A table is behind a map that the snapshot would replace. */
    STORE_IN_USE,
    /** The snapshot, or a part of it, is not what was written. */
    SNAPSHOT_DAMAGED,
    /** Too many jobs wait at this member. */
    TOO_MANY_JOBS,
    /** A job failed in the middle; the message says what is left. */
    SNAPSHOT_FAILED;

    /** Returns the code that answers use. */
    public String code() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  SnapshotRefusal(Kind kind, @Nullable String field, String message) {
    super(message, null, false, false);
    this.kind = kind;
    this.field = field;
  }

  /** Returns the kind of refusal. */
  public Kind kind() {
    return kind;
  }

  /** Returns the field of the request that is at fault; null if none is. */
  public @Nullable String field() {
    return field;
  }
}
