package io.keyvalueserve.bench;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicInteger;

/** The keys of a round, which no other round uses. Thread-safe. */
final class NemesisRound {
  private static final int REGISTERS = 30;
  private static final int COUNTERS = 4;
  private static final int LOCKS = 4;

  final int number;
  private final List<NemesisKey> keys = new ArrayList<>();
  private final AtomicInteger underWay = new AtomicInteger();
  private volatile boolean ended;

  NemesisRound(int number) {
    this.number = number;
    add(NemesisKey.Use.REGISTER, REGISTERS);
    add(NemesisKey.Use.COUNTER, COUNTERS);
    add(NemesisKey.Use.LOCK, LOCKS);
  }

  private void add(NemesisKey.Use use, int count) {
    for (int i = 0; i < count; i++) {
      keys.add(new NemesisKey("r" + number + "." + keys.size(), use));
    }
  }

  List<NemesisKey> keys() {
    return keys;
  }

  NemesisKey draw(SplittableRandom random) {
    return keys.get(random.nextInt(keys.size()));
  }

  /** Begins an operation; returns whether it may, as the round goes on. */
  boolean begin() {
    underWay.incrementAndGet();
    if (ended) {
      underWay.decrementAndGet();
      return false;
    }
    return true;
  }

  /** Ends an operation that was begun. */
  void end() {
    underWay.decrementAndGet();
  }

  /** Has no more operations begin. */
  void close() {
    ended = true;
  }

  /** Whether none is under way, and none will be. */
  boolean isOver() {
    return ended && underWay.get() == 0;
  }
}
