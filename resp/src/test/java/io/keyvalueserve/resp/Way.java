package io.keyvalueserve.resp;

import io.keyvalueserve.engine.Engine;
import io.keyvalueserve.engine.MapEngine;
import java.time.InstantSource;
import java.util.Random;
import java.util.function.BooleanSupplier;

/** How often the maps of the reference engine do directly what they are asked to. */
public enum Way {
  /** Always: requests are answered where they lie. */
  DIRECT,
  /** Never: every request is queued. */
  QUEUED,
  /** Now and then, at random: both, and all that lies between. */
  MIXED;

  private static final int DECLINED_PERCENT = 30;

  /** A new engine. Its seed is the property {@code kvs.seed}, or the time. */
  public Engine engine(InstantSource clock) {
    return engine(clock, Long.getLong("kvs.seed", System.nanoTime()));
  }

  Engine engine(InstantSource clock, long seed) {
    Random random = new Random(seed);
    BooleanSupplier declines =
        switch (this) {
          case DIRECT -> () -> false;
          case QUEUED -> () -> true;
          case MIXED -> () -> random.nextInt(100) < DECLINED_PERCENT;
        };
    return new MapEngine(clock, declines);
  }
}
