package io.keyvalueserve.bench;

/** A garbage collector to run both sides with. */
enum Collector {
  G1("-XX:+UseG1GC"),
  ZGC("-XX:+UseZGC");

  final String option;

  Collector(String option) {
    this.option = option;
  }
}
