package io.keyvalueserve.bench;

import java.util.Map;
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
 * @param doors the ports that peers without a key reach; empty if the server is another product
 * @param data the server's folder, which has the operator's key; null if it is another product
 * @param force how hard
 * @param seed of what is random
 */
record IsolationOrder(
    String name,
    Step step,
    IsolationAggression kind,
    IsolationTarget target,
    @Nullable IsolationTarget hoard,
    Map<HostileDoor, Integer> doors,
    @Nullable String data,
    IsolationForce force,
    long seed) {
  /** The parts of an aggression. */
  enum Step {
    /** Make clients and what else takes long. */
    PREPARE,
    /** Do it, until it is told when that is over. */
    RUN,
    /** Remove what was written and what is held. */
    CLEAN
  }

  IsolationOrder step(Step other) {
    return new IsolationOrder(name, other, kind, target, hoard, doors, data, force, seed);
  }
}
