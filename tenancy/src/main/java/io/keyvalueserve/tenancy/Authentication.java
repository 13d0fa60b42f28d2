package io.keyvalueserve.tenancy;

/** The result of an attempt to authenticate. */
public sealed interface Authentication {
  /** The client is who it says. */
  record Accepted(Identity identity) implements Authentication {}

  /** The client is not let in. */
  enum Refused implements Authentication {
    /** The client is refused and not told why, because a reason would tell which tenants exist. */
    REFUSED,
    /** Nobody is yet: the member has just started. The same client may be let in soon. */
    NOT_READY
  }
}
