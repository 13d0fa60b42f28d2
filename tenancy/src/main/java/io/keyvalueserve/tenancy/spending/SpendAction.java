package io.keyvalueserve.tenancy.spending;

/** What becomes of requests that a spend cap does not admit. */
public enum SpendAction {
  /**
   * They are told to come later. Part of the cap may be spent at once, the rest comes in evenly
   * until the period ends, so the tenant is slowed down and not cut off.
   */
  THROTTLE,
  /** The cap may be spent at once; when it is used up they are refused until the period ends. */
  REFUSE
}
