package io.keyvalueserve.bench;

/**
 * A load of writes.
 *
 * @param valueBytes the size of values
 * @param load its form
 */
record WriteShape(int valueBytes, Shape load) {
  private static final Mix SET = Mix.of("set");

  /** As fast as they are answered. */
  static WriteShape of(int valueBytes, int connections, int pipeline) {
    return new WriteShape(valueBytes, new Shape(1, connections, pipeline, SET, 0));
  }

  @Override
  public String toString() {
    return String.format("%,d B, %s", valueBytes, load);
  }
}
