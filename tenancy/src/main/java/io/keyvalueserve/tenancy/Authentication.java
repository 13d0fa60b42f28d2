package io.keyvalueserve.tenancy;

/** What became of an attempt to authenticate. */
public sealed interface Authentication {
  /** The client is who it says. */
  record Accepted(Identity identity) implements Authentication {}

  /** The client is not let in, and is not told why: a reason would tell which tenants exist. */
  enum Refused implements Authentication {
    REFUSED
  }
}
