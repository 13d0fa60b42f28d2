package io.keyvalueserve.bench;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Fills servers, kills them and starts them again in turns: A, B, A, B. One runs at a time. The
 * disk itself is measured in each round.
 */
final class RestartRun {
  private static final long MOST_PROBED_BYTES = 1L << 30;

  private final Progress progress;
  private final RestartPlan plan;
  private final Path folder;
  private final Path redis;
  private final RestartResults results = new RestartResults();

  /**
   * @param progress gets a line for each step
   * @param folder for data and output of the servers
   * @param redis where Redis is installed
   */
  RestartRun(Progress progress, RestartPlan plan, Path folder, Path redis) {
    this.progress = progress;
    this.plan = plan;
    this.folder = folder;
    this.redis = redis;
  }

  RestartResults run() throws IOException {
    for (RestartData data : plan.data()) {
      List<RestartSubject> subjects = new ArrayList<>();
      try {
        List<Fill> fills = new ArrayList<>();
        for (RestartKind kind : plan.kinds()) {
          Path own = folder.resolve(kind.name().toLowerCase(Locale.ROOT) + "-" + subjects.size());
          FileTree.delete(own);
          RestartSubject subject = new RestartSubject(kind, data, own, redis);
          subjects.add(subject);
          fills.add(fill(subject, data));
        }
        fills.removeIf(fill -> fill.kind().isEmpty());
        results.fills().put(data, fills);
        for (int round = 1; round <= plan.rounds; round++) {
          round(round, data, subjects);
        }
      } finally {
        subjects.forEach(RestartSubject::close);
      }
    }
    return results;
  }

  /** As the other benches load servers: the server on one core, the load on the others. */
  private Fill fill(RestartSubject subject, RestartData data) throws IOException {
    Cores.moveLoad();
    try {
      Fill fill = subject.fill();
      if (!subject.kind().isEmpty()) {
        progress.say("%s: %s: %,.0f MiB/s written", data, subject.kind(), fill.mibPerSecond());
      }
      return fill;
    } finally {
      Cores.spreadLoad();
    }
  }

  private void round(int round, RestartData data, List<RestartSubject> subjects)
      throws IOException {
    results.memory().add(MemoryLimits.measure(Math.min(data.bytes(), MOST_PROBED_BYTES)));
    results
        .disk()
        .add(
            DiskProbe.measure(
                folder, Math.min(data.bytes(), MOST_PROBED_BYTES), plan.caches().contains(true)));
    for (int cores : plan.cores()) {
      for (boolean cold : plan.caches()) {
        RestartShape shape = new RestartShape(data, cores, cold);
        List<RestartCell> cells =
            results
                .cells()
                .computeIfAbsent(
                    shape,
                    _ -> subjects.stream().map(s -> new RestartCell(shape, s.kind())).toList());
        for (int i = 0; i < subjects.size(); i++) {
          if (cold) {
            PageCache.drop();
          } else {
            subjects.get(i).warm();
          }
          if (plan.preTouch) {
            MemoryLimits.preTouch(RestartSubject.memoryBytes(data));
          }
          Restart restart = subjects.get(i).restart(cores);
          cells.get(i).rounds().add(restart);
          progress.say(
              "%s, round %d/%d: %s %.3f s, all there after %.3f s",
              shape,
              round,
              plan.rounds,
              subjects.get(i).kind(),
              restart.firstSeconds(),
              restart.allSeconds());
        }
      }
    }
  }
}
