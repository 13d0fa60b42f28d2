package io.keyvalueserve.gates.reclaim;

/** The reason why a tenant gives up memory. */
public sealed interface ReclaimReason {
  /** Returns the kind, which metrics use as a label. */
  Kind kind();

  /** The reasons, in the order in which a plan goes through them. */
  enum Kind {
    /** {@link OverQuota}. */
    OVER_QUOTA,
    /** {@link InactiveFor}. */
    INACTIVE,
    /** {@link LessActive}. */
    LESS_ACTIVE,
    /** {@link OverFairShare}. */
    OVER_FAIR_SHARE
  }

  /**
   * The tenant holds more than it may, whether memory is short or not.
   *
   * @param bytes by how much
   */
  record OverQuota(long bytes) implements ReclaimReason {
    @Override
    public Kind kind() {
      return Kind.OVER_QUOTA;
    }
  }

  /**
   * The tenant has asked for nothing for a long time.
   *
   * @param millis for how long
   */
  record InactiveFor(long millis) implements ReclaimReason {
    @Override
    public Kind kind() {
      return Kind.INACTIVE;
    }
  }

  /**
   * The tenant asks for so little, compared with others and for its weight, that it counts as
   * inactive.
   *
   * @param usesPerSecond what it asks for
   * @param activeFrom from which rate on it would count as active
   */
  record LessActive(double usesPerSecond, double activeFrom) implements ReclaimReason {
    @Override
    public Kind kind() {
      return Kind.LESS_ACTIVE;
    }
  }

  /**
   * The tenant is active and holds more than its fair share of what is left for the active ones.
   *
   * @param bytes by how much
   */
  record OverFairShare(long bytes) implements ReclaimReason {
    @Override
    public Kind kind() {
      return Kind.OVER_FAIR_SHARE;
    }
  }
}
