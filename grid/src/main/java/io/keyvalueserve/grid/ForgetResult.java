package io.keyvalueserve.grid;

import java.util.UUID;

/** The outcome of taking a member off the cluster for good. */
public sealed interface ForgetResult {
  /**
   * A majority of the voters knows that the member never comes back.
   *
   * @param member its id
   * @param address its address, {@code HOST:PORT}; its id if that is not known any more
   */
  record Forgotten(UUID member, String address) implements ForgetResult {}

  /**
   * Nothing was changed, or, if it is in doubt, that is not known.
   *
   * @param message says why, and what to do
   */
  record Refused(Reason reason, String message) implements ForgetResult {}

  /** The reasons for which a member is not forgotten. */
  enum Reason {
    UNKNOWN,
    AMBIGUOUS,
    ALIVE,
    NO_MAJORITY,
    NOT_CONSISTENT,
    IN_DOUBT
  }
}
