package io.keyvalueserve.bench;

import io.keyvalueserve.bench.Violation.Kind;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.IntUnaryOperator;

/**
 * The check after a round: reads every key, judges it, and takes what is there as the truth that
 * the next round begins with. Not thread-safe.
 */
final class Check {
  /**
   * The findings.
   *
   * @param present how many keys are there
   * @param lost acknowledged writes that are lost, within the promise
   * @param oldestLostNanos the age of the oldest of them when it was lost
   * @param readErrors questions that were answered by an error, and asked again
   */
  record Result(
      int present, long lost, long oldestLostNanos, long readErrors, List<Violation> violations) {}

  private final List<KeyHistory> keys;
  private final Kills kills;
  private final Judge judge;
  private final LogOrder order;
  private final List<Violation> violations = new ArrayList<>();
  private final BitSet present = new BitSet();
  private final BitSet mayGo = new BitSet();
  private long lost;
  private long oldestLostNanos;

  /**
   * @param keys histories of all keys, by number
   * @param salt of the run's values
   * @param writers the writer of a key
   * @param partitions the partition of a key
   */
  Check(
      List<KeyHistory> keys,
      Kills kills,
      long salt,
      IntUnaryOperator writers,
      IntUnaryOperator partitions) {
    this.keys = keys;
    this.kills = kills;
    this.judge = new Judge(kills, salt);
    this.order = new LogOrder(writers, partitions);
  }

  /** Reads and judges. */
  Result of(CrashCluster cluster) {
    try (Survey survey = new Survey(cluster)) {
      survey.read(keys, this::take);
      return result(survey.list(), survey.errors());
    }
  }

  /** Judges what was found in a key. */
  void take(KeyHistory key, Found found) {
    boolean there = found.value() != null;
    present.set(key.number(), there);
    switch (judge.judge(key, found)) {
      case Judgement.Broken(Violation violation) -> violations.add(violation);
      case Judgement.Kept kept -> {
        order.add(key, kept, there);
        for (KeyWrite write : kept.lost()) {
          long age = kills.ageNanos(write.acknowledgedNanos()).orElseThrow();
          lost++;
          oldestLostNanos = Math.max(oldestLostNanos, age);
        }
        mayGo.set(key.number(), kept.state().expires());
        key.settle(there ? kept.state() : KeyWrite.absent(0));
      }
    }
  }

  /** What all that was found comes to, when all keys were taken and these names were listed. */
  Result result(Set<String> listed, long readErrors) {
    violations.addAll(order.violations());
    compare(listed);
    return new Result(
        present.cardinality(), lost, oldestLostNanos, readErrors, List.copyOf(violations));
  }

  /** What is listed is there, and what is there is listed. */
  private void compare(Set<String> listed) {
    Set<String> rest = new HashSet<>(listed);
    for (KeyHistory key : keys) {
      boolean isListed = rest.remove(key.name());
      boolean isPresent = present.get(key.number());
      if (isListed && !isPresent) {
        violations.add(new Violation(key.name(), Kind.STRAY, "SCAN lists it, GET finds nothing"));
      } else if (isPresent && !isListed && !mayGo.get(key.number())) {
        violations.add(new Violation(key.name(), Kind.UNLISTED, "GET finds it, SCAN does not"));
      }
    }
    rest.forEach(
        name -> violations.add(new Violation(name, Kind.STRAY, "SCAN lists it; nobody wrote it")));
  }
}
