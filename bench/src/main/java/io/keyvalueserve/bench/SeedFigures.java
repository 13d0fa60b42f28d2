package io.keyvalueserve.bench;

import java.util.List;

/**
 * What the paper "Hot Restart Store Performance Benchmark" measured with one member on an SSD, a
 * machine of 20 cores and 768 GB. The GiB/s are its sizes divided by its times; its own column says
 * more.
 *
 * @param dataGib of data
 * @param valueBytes of a value
 * @param partitionThreads of the member
 * @param restartSeconds until the data were read
 * @param writers threads
 * @param writesPerSecond by all of them
 */
record SeedFigures(
    int dataGib,
    int valueBytes,
    int partitionThreads,
    int restartSeconds,
    int writers,
    int writesPerSecond) {
  static final List<SeedFigures> ALL =
      List.of(
          new SeedFigures(100, 1007, 8, 82, 16, 425_000),
          new SeedFigures(50, 495, 40, 49, 40, 400_000),
          new SeedFigures(25, 239, 40, 39, 40, 502_254));

  double gibPerSecond() {
    return (double) dataGib / restartSeconds;
  }
}
