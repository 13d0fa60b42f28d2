package io.keyvalueserve.engine.collection;

import io.keyvalueserve.engine.Expiry;

/** When the expiry of an element is set. */
public enum ElementCondition {
  ALWAYS(0),
  /** It has none. */
  IF_NONE(1),
  /** It has one. */
  IF_SOME(2),
  /** It has an earlier one; none is later than any. */
  IF_LATER(3),
  /** It has a later one, or none. */
  IF_EARLIER(4);

  private final int code;

  ElementCondition(int code) {
    this.code = code;
  }

  /** Its code: on the wire, so it stays. */
  public int code() {
    return code;
  }

  /** The condition of a code; the first for one that is none. */
  static ElementCondition ofCode(long code) {
    for (ElementCondition condition : values()) {
      if (condition.code == code) {
        return condition;
      }
    }
    return ALWAYS;
  }

  boolean holds(long before, long after) {
    return switch (this) {
      case ALWAYS -> true;
      case IF_NONE -> before == Expiry.NONE;
      case IF_SOME -> before != Expiry.NONE;
      case IF_LATER -> before != Expiry.NONE && after > before;
      case IF_EARLIER -> before == Expiry.NONE || after < before;
    };
  }
}
