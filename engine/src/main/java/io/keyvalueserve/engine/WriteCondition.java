package io.keyvalueserve.engine;

/** The condition for writing a value. */
public enum WriteCondition {
  ALWAYS,
  IF_ABSENT,
  IF_PRESENT
}
