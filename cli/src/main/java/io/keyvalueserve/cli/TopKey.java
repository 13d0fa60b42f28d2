package io.keyvalueserve.cli;

/** A key that does something in {@code kvs top}. */
enum TopKey {
  QUIT,
  SWITCH,
  PAUSE,
  REVERSE,
  LEFT,
  RIGHT,
  UP,
  DOWN
}
