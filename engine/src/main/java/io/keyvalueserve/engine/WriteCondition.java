package io.keyvalueserve.engine;

/** When a value is written. */
public enum WriteCondition {
  ALWAYS,
  IF_ABSENT,
  IF_PRESENT
}
