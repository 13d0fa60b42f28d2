package io.keyvalueserve.cli;

/** The use of colours: where they are seen, always, or never. */
enum Color {
  AUTO,
  ALWAYS,
  NEVER
}
