package io.keyvalueserve.bench;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;

/**
 * Loads a server until it is as fast as it gets: until the processor time for an operation has
 * stopped falling. How long that takes depends on how many JVMs share the core, so no fixed time
 * does. The load comes in slices, in each of which every shape has its turn at full speed.
 *
 * <p>The figure of a slice is the geometric mean over the shapes, as those with long pipelines
 * would else hide the others. It has the whole cluster's processor time, since all of its members
 * have to be warm.
 */
final class WarmUp {
  private static final long SLICE_NANOS = TimeUnit.SECONDS.toNanos(2);
  private static final int FEWEST_SLICES = Settling.PATIENCE + 2;

  /** Processor times come in ticks of 10 ms. */
  private static final long SHORTEST_TURN_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

  private final Progress progress;
  private final Preparation preparation;
  private final Loads loads;

  /** A short load. */
  interface Slice {
    /**
     * @param shape its number, from 0
     */
    Window run(int shape, int seed, long nanos);
  }

  /**
   * What it took.
   *
   * @param server the contender's name
   * @param seconds how long it was loaded
   * @param settled false if it was still getting faster when the time was up
   * @param cpuMicros of each slice: the cluster's processor time for an operation
   */
  record Result(String server, double seconds, boolean settled, List<Double> cpuMicros) {
    @Override
    public String toString() {
      return String.format(
          Locale.ROOT,
          "%s %.0f s, from %.2f to %.2f us%s",
          server,
          seconds,
          cpuMicros.getFirst(),
          cpuMicros.getLast(),
          settled ? "" : " and STILL FALLING");
    }
  }

  /**
   * @param progress gets a line for each step
   * @param preparation how many keys there are, and how long it may take
   */
  WarmUp(Progress progress, Preparation preparation) {
    this(progress, preparation, new KeyLoads(preparation.entries));
  }

  /** Warms servers up with other loads than those of keys. */
  WarmUp(Progress progress, Preparation preparation, Loads loads) {
    this.progress = progress;
    this.preparation = preparation;
    this.loads = loads;
  }

  /** Writes every key, then loads the server with each of the shapes in turns. */
  Result of(Contender server, List<Shape> shapes) {
    progress.say("%s: writing %s, then warming up", server.name(), loads);
    loads.fill(server);
    return settle(
        progress,
        server.name(),
        preparation.warmUpNanos(),
        shapes.size(),
        (shape, seed, nanos) -> loads.once(server, shapes.get(shape).at(0), seed, 0, nanos));
  }

  /**
   * Loads a server that is filled with each of some shapes in turns.
   *
   * @param most nanoseconds, if it goes on getting faster
   * @param shapes how many
   */
  static Result settle(Progress progress, String server, long most, int shapes, Slice load) {
    long slice = Math.min(SLICE_NANOS, most / FEWEST_SLICES);
    long turn = Math.max(slice / shapes, SHORTEST_TURN_NANOS);
    Settling settling = new Settling();
    List<Double> figures = new ArrayList<>();
    long begin = System.nanoTime();
    long elapsed;
    do {
      figures.add(slice(load, shapes, turn, figures.size()));
      settling.add(figures.getLast());
      elapsed = System.nanoTime() - begin;
      progress.say(
          "%s: warming up, %.1f s: %.2f us of CPU", server, elapsed / 1e9, figures.getLast());
    } while (!settling.isSettled() && elapsed < most);
    Result result = new Result(server, elapsed / 1e9, settling.isSettled(), figures);
    progress.say(
        result.settled ? "%s: warm" : "%s: still getting faster: give it more time with --warm-up",
        server);
    return result;
  }

  private static double slice(Slice load, int shapes, long turnNanos, int seed) {
    double logs = 0;
    for (int shape = 0; shape < shapes; shape++) {
      Window window = load.run(shape, seed, turnNanos);
      // A microsecond and an operation more than there were, as neither may be none.
      logs +=
          Math.log(
              (window.costs().serverNanos() + window.costs().companionNanos() + 1e3)
                  / (window.allOperations() + 1));
    }
    return Math.exp(logs / shapes) / 1e3;
  }
}
