package io.keyvalueserve.bench;

import org.jspecify.annotations.Nullable;

/**
 * What the process of aggressors is told to do.
 *
 * @param name of the aggressor that is meant; what it has made it keeps until it is told to clean
 *     up
 * @param step what to do
 * @param kind what it does
 * @param target where
 * @param hoard the map whose keys are locked; null if locks cannot be expressed
 * @param force how hard
 * @param begin when it begins, in the time of {@link System#nanoTime}, which processes share
 * @param from when what is answered begins to count
 * @param to when it ends
 * @param seed of what is random
 */
record IsolationOrder(
    String name,
    Step step,
    IsolationAggression kind,
    IsolationTarget target,
    @Nullable IsolationTarget hoard,
    IsolationForce force,
    long begin,
    long from,
    long to,
    long seed) {
  /** The parts of an aggression. */
  enum Step {
    /** Make clients and what else takes long. */
    PREPARE,
    /** Do it. */
    RUN,
    /** Remove what was written and what is held. */
    CLEAN
  }

  IsolationOrder step(Step other) {
    return new IsolationOrder(name, other, kind, target, hoard, force, begin, from, to, seed);
  }

  /** To do it from a time on. */
  IsolationOrder during(long newBegin, long newFrom, long newTo) {
    return new IsolationOrder(
        name, Step.RUN, kind, target, hoard, force, newBegin, newFrom, newTo, seed);
  }
}
