package io.keyvalueserve.resp.watch;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The moments at which requests of one tenant took long at one member, by sort. Of each sort, it
 * keeps the last {@link #MOST_SAMPLES} seconds that had any. Thread-safe; its lock is taken for
 * slow requests only, and when somebody looks.
 */
public final class LatencyEvents {
  /** The sort of requests whose cost does not grow with the data. */
  public static final String FAST_COMMAND = "fast-command";

  /** The sort of all other requests. */
  public static final String COMMAND = "command";

  /** The samples that are kept of a sort. */
  static final int MOST_SAMPLES = 160;

  private final Map<String, Samples> samples = new TreeMap<>();

  /**
   * The longest request of a second.
   *
   * @param millis how long it took
   */
  public record Sample(long unixSeconds, long millis) {}

  /**
   * The last sample of a sort of requests.
   *
   * @param longestMillis of all samples since it was reset
   */
  public record Latest(String event, Sample sample, long longestMillis) {}

  private static final class Samples {
    private final List<Sample> all = new ArrayList<>();
    private long longest;
  }

  synchronized void add(String event, long unixSeconds, long millis) {
    Samples of = samples.computeIfAbsent(event, any -> new Samples());
    of.longest = Math.max(of.longest, millis);
    Sample sample = new Sample(unixSeconds, millis);
    if (!of.all.isEmpty() && of.all.getLast().unixSeconds() == unixSeconds) {
      if (of.all.getLast().millis() < millis) {
        of.all.set(of.all.size() - 1, sample);
      }
      return;
    }
    if (of.all.size() == MOST_SAMPLES) {
      of.all.removeFirst();
    }
    of.all.add(sample);
  }

  /** Returns the last sample of each sort that has any. */
  public synchronized List<Latest> latest() {
    List<Latest> found = new ArrayList<>();
    samples.forEach((event, of) -> found.add(new Latest(event, of.all.getLast(), of.longest)));
    return found;
  }

  /** Returns the samples of a sort, oldest first. */
  public synchronized List<Sample> history(String event) {
    Samples of = samples.get(event);
    return of == null ? List.of() : List.copyOf(of.all);
  }

  /** Forgets the samples of a sort; returns whether there were any. */
  public synchronized boolean reset(String event) {
    return samples.remove(event) != null;
  }

  /** Forgets all samples; returns how many sorts had any. */
  public synchronized int reset() {
    int count = samples.size();
    samples.clear();
    return count;
  }
}
