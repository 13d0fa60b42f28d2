package io.keyvalueserve.gates.reclaim;

import java.util.Comparator;
import java.util.SplittableRandom;
import java.util.TreeSet;

/** What other stores do, for comparison: each knows nothing of tenants. */
enum Peers {
  /** The least recently used goes, exactly. */
  LRU {
    @Override
    Cache cache(Workload workload, long seed) {
      return new Exact(workload, key -> 0);
    }
  },
  /** The least often used goes, exactly, and of these the least recently used. */
  LFU {
    @Override
    Cache cache(Workload workload, long seed) {
      return new Exact(workload, uses -> uses);
    }
  },
  /** 5 samples and a pool of 16, a clock of seconds. */
  REDIS_ALLKEYS_LRU {
    @Override
    Cache cache(Workload workload, long seed) {
      return new Sampled(workload, seed, 5, 16) {
        @Override
        long score(int key, int now) {
          return lastUse[key];
        }
      };
    }
  },
  /** 5 samples and a pool of 16, a logarithmic counter that begins at 5 and loses 1 a minute. */
  REDIS_ALLKEYS_LFU {
    @Override
    Cache cache(Workload workload, long seed) {
      return new Sampled(workload, seed, 5, 16) {
        private final int[] decayedMinute = new int[counts.length];

        @Override
        void use(int key, int now, boolean isNew) {
          int count = isNew ? 5 : (int) score(key, now);
          if (!isNew
              && count < 255
              && random.nextDouble() * (Math.max(0, count - 5) * 10 + 1) < 1) {
            count++;
          }
          counts[key] = count;
          decayedMinute[key] = now / 60;
        }

        @Override
        long score(int key, int now) {
          return Math.max(0, counts[key] - (now / 60 - decayedMinute[key]));
        }
      };
    }
  },
  /** The least recently used of 15 samples. */
  HAZELCAST_LRU {
    @Override
    Cache cache(Workload workload, long seed) {
      return new Sampled(workload, seed, 15, 1) {
        @Override
        long score(int key, int now) {
          return lastUse[key];
        }
      };
    }
  },
  /** The least often used of 15 samples, and of these the least recently used. */
  HAZELCAST_LFU {
    @Override
    Cache cache(Workload workload, long seed) {
      return new Sampled(workload, seed, 15, 1) {
        @Override
        long score(int key, int now) {
          return ((long) counts[key] << 32) + lastUse[key];
        }
      };
    }
  };

  abstract Cache cache(Workload workload, long seed);

  /** Keeps all keys in order. */
  private static final class Exact implements Cache {
    private final Workload workload;
    private final int[] uses;
    private final long[] lastUse;
    private final TreeSet<Integer> order;
    private final boolean[] there;
    private long clock;

    Exact(Workload workload, java.util.function.IntUnaryOperator rank) {
      this.workload = workload;
      int all = workload.tenants() * workload.keys();
      uses = new int[all];
      lastUse = new long[all];
      there = new boolean[all];
      order =
          new TreeSet<>(
              Comparator.<Integer>comparingInt(key -> rank.applyAsInt(uses[key]))
                  .thenComparingLong(key -> lastUse[key]));
    }

    @Override
    public boolean access(int tenant, int key, int nowSeconds) {
      boolean hit = there[key];
      if (hit) {
        order.remove(key);
      } else {
        if (order.size() == workload.cachedRecords()) {
          Integer victim = order.pollFirst();
          if (victim != null) {
            there[victim] = false;
          }
        }
        there[key] = true;
        uses[key] = 0;
      }
      uses[key]++;
      lastUse[key] = clock++;
      order.add(key);
      return hit;
    }
  }

  /** Looks at some keys and takes one; keeps the others for the next time if it has a pool. */
  private abstract static class Sampled implements Cache {
    final SplittableRandom random;
    final int[] counts;
    final int[] lastUse;
    private final Workload workload;
    private final Residents residents;
    private final int samples;
    private final int[] pool;
    private final long[] poolScores;
    private int pooled;

    Sampled(Workload workload, long seed, int samples, int pool) {
      this.workload = workload;
      this.samples = samples;
      int all = workload.tenants() * workload.keys();
      random = new SplittableRandom(seed);
      counts = new int[all];
      lastUse = new int[all];
      residents = new Residents(all);
      this.pool = new int[pool];
      poolScores = new long[pool];
    }

    /** The least goes first. */
    abstract long score(int key, int now);

    void use(int key, int now, boolean isNew) {
      counts[key] = isNew ? 1 : counts[key] + 1;
      lastUse[key] = now;
    }

    @Override
    public boolean access(int tenant, int key, int nowSeconds) {
      boolean hit = residents.has(key);
      if (!hit) {
        if (residents.size() == workload.cachedRecords()) {
          evict(nowSeconds);
        }
        residents.add(key);
      }
      use(key, nowSeconds, !hit);
      return hit;
    }

    private void evict(int now) {
      for (int victim = -1; victim < 0; ) {
        if (pool.length == 1) {
          pooled = 0;
        }
        for (int i = 0; i < samples; i++) {
          int key = residents.any(random);
          offer(key, score(key, now));
        }
        victim = take();
        if (victim >= 0) {
          residents.remove(victim);
        }
      }
    }

    private void offer(int key, long score) {
      for (int i = 0; i < pooled; i++) {
        if (pool[i] == key) {
          return;
        }
      }
      int at = pooled;
      while (at > 0 && poolScores[at - 1] > score) {
        at--;
      }
      if (at == pool.length) {
        return;
      }
      int last = Math.min(pooled, pool.length - 1);
      System.arraycopy(pool, at, pool, at + 1, last - at);
      System.arraycopy(poolScores, at, poolScores, at + 1, last - at);
      pool[at] = key;
      poolScores[at] = score;
      pooled = last + 1;
    }

    /** The first that is still there, -1 if none is. */
    private int take() {
      while (pooled > 0) {
        int key = pool[0];
        pooled--;
        System.arraycopy(pool, 1, pool, 0, pooled);
        System.arraycopy(poolScores, 1, poolScores, 0, pooled);
        if (residents.has(key)) {
          return key;
        }
      }
      return -1;
    }
  }
}
