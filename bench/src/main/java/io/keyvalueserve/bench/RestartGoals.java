package io.keyvalueserve.bench;

import java.util.ArrayList;
import java.util.List;

/** What restarts with values of about 1 KiB are held to, and whether they keep it. */
final class RestartGoals {
  private static final int VALUE_BYTES = 1007;
  private static final double MIB_PER_SECOND = 1536;
  private static final double SHARE_OF_DISK = 0.8;
  private static final double FASTER_THAN_REDIS = 4;
  private static final double SERVED_SHARE = 0.1;

  private final RestartResults results;
  private final List<Goal> goals = new ArrayList<>();

  private RestartGoals(RestartResults results) {
    this.results = results;
  }

  /** In the order of the cells, for the most cores; none if there were no such values. */
  static List<Goal> of(RestartResults results) {
    RestartGoals goals = new RestartGoals(results);
    int most = results.cells().keySet().stream().mapToInt(RestartShape::cores).max().orElse(0);
    results
        .cells()
        .forEach(
            (shape, cells) -> {
              if (shape.data().valueBytes() >= VALUE_BYTES && shape.cores() == most) {
                goals.add(cells);
              }
            });
    return goals.goals;
  }

  private void add(List<RestartCell> cells) {
    for (RestartCell cell : cells) {
      if (cell.kind().isOwn() && !cell.kind().isEmpty()) {
        add(cell, cells);
      }
    }
  }

  private void add(RestartCell own, List<RestartCell> cells) {
    RestartCell empty = results.empty(own);
    String shape = own.shape() + ", " + own.kind() + ": ";
    double bound = leastMibPerSecond();
    goals.add(
        new Goal(
            shape + "MiB/s of log, as it says itself",
            own.median(restart -> restart.loading().mibPerSecond()),
            false,
            bound));
    goals.add(
        new Goal(
            shape + "MiB/s of data, by what it says or takes beyond an empty start",
            own.mibPerSecond(own.longerSeconds(empty)),
            false,
            bound));
    double served = own.servedShare(empty);
    if (own.kind().servesWhileLoading() && !Double.isNaN(served)) {
      goals.add(
          new Goal(
              shape + "time to the first GET, of that until all is there, beyond an empty start",
              served,
              true,
              SERVED_SHARE));
    }
    for (RestartCell peer : cells) {
      if (peer.kind().isOwn() || peer.kind().isEmpty()) {
        continue;
      }
      String than = shape + "x as fast as " + peer.kind();
      goals.add(
          new Goal(
              than + ", as both say themselves",
              own.faster(peer, restart -> restart.loading().seconds()),
              false,
              FASTER_THAN_REDIS));
      goals.add(
          new Goal(
              than + ", by what it says or takes beyond an empty start",
              own.fasterAtLeast(empty, peer),
              false,
              FASTER_THAN_REDIS));
    }
  }

  /** 1.5 GiB/s, or most of what the disk can where that is less. */
  private double leastMibPerSecond() {
    double disk = results.diskLimits().mostDirectRead();
    return disk == 0 ? MIB_PER_SECOND : Math.min(MIB_PER_SECOND, disk * SHARE_OF_DISK);
  }
}
