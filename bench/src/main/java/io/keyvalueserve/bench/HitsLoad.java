package io.keyvalueserve.bench;

import java.util.List;
import java.util.SplittableRandom;
import java.util.function.DoubleConsumer;

/**
 * The load: which tenant asks next is drawn by how active they are, and the keys by Zipf's
 * distribution, those of each tenant on their own. It is the same for all servers. One thread.
 */
final class HitsLoad {
  private static final int TOGETHER = 16;
  private static final int ACTIVITY = 10;
  private static final long SEED = 2018;
  private static final int TOLD = 10;

  private final int active;
  private final int quiet;
  private final long asked;
  private final Keys keys;

  /**
   * @param requests of each active tenant
   */
  HitsLoad(int active, int quiet, int keys, int requests) {
    this.active = active;
    this.quiet = quiet;
    this.asked = (long) requests * (active * ACTIVITY + quiet) / ACTIVITY;
    this.keys = new Zipfian(keys);
  }

  /**
   * Which part of a tenant's requests found what it asked for, in the last half.
   *
   * @param hits by tenant
   */
  record Ratios(List<Double> hits, double requestsPerSecond) {}

  /**
   * Asks.
   *
   * @param clients one for each tenant, the active ones first
   * @param progress is told which part is done
   */
  Ratios run(List<HitsClient> clients, DoubleConsumer progress) {
    SplittableRandom random = new SplittableRandom(SEED);
    long[] found = new long[active + quiet];
    long[] counted = new long[active + quiet];
    int[] together = new int[TOGETHER];
    long begin = System.nanoTime();
    long done = 0;
    for (int told = 1; done < asked; done += TOGETHER) {
      int tenant = next(random);
      for (int i = 0; i < TOGETHER; i++) {
        together[i] = keys.next(random);
      }
      int hits = clients.get(tenant).ask(together);
      if (done >= asked / 2) {
        found[tenant] += hits;
        counted[tenant] += TOGETHER;
      }
      if (done * TOLD >= asked * told) {
        progress.accept((double) done / asked);
        told++;
      }
    }
    double perSecond = done / ((System.nanoTime() - begin) / 1e9);
    Double[] ratios = new Double[active + quiet];
    for (int i = 0; i < ratios.length; i++) {
      ratios[i] = counted[i] == 0 ? 0 : (double) found[i] / counted[i];
    }
    return new Ratios(List.of(ratios), perSecond);
  }

  private int next(SplittableRandom random) {
    int drawn = random.nextInt(active * ACTIVITY + quiet);
    int ofActive = active * ACTIVITY;
    return drawn < ofActive ? drawn / ACTIVITY : active + drawn - ofActive;
  }
}
