package io.keyvalueserve.cli;

/** When colours are used: where they are seen, always, or never. */
enum Color {
  AUTO,
  ALWAYS,
  NEVER
}
