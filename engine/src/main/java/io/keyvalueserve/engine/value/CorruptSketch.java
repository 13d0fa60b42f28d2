package io.keyvalueserve.engine.value;

/** Says that a value has the head of a sketch, but not what must follow. It has no stack trace. */
public final class CorruptSketch extends Exception {
  private static final long serialVersionUID = 1L;

  CorruptSketch() {
    super("a sketch whose runs are wrong", null, false, false);
  }
}
