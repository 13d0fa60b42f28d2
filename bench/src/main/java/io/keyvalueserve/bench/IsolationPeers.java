package io.keyvalueserve.bench;

import java.util.EnumMap;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Very many peers without a key at all doors of a member, as {@link KeylessCrowd} has them: a
 * thread and an equal number of connections for each door. Together they are held to a share of a
 * core, so that a victim beside them waits for the server and not for what loads it.
 */
final class IsolationPeers implements IsolationAttack {
  private static final long OPENING_NANOS = TimeUnit.SECONDS.toNanos(10);
  private static final long LOOK_MILLIS = 20;

  private volatile boolean stopped;

  @Override
  public void run(IsolationOrder order, IsolationTally tally) {
    Map<HostileDoor, KeylessCrowd> crowds = new EnumMap<>(HostileDoor.class);
    Map<HostileDoor, Thread> threads = new EnumMap<>(HostileDoor.class);
    AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
    SplittableRandom random = new SplittableRandom(order.seed());
    int doors = order.doors().size();
    int left = order.force().connections();
    for (Map.Entry<HostileDoor, Integer> door : order.doors().entrySet()) {
      int own = left / (doors - crowds.size());
      left -= own;
      KeylessWords words = new KeylessWords(door.getKey(), order.target().login(), random.split());
      crowds.put(
          door.getKey(),
          new KeylessCrowd(
              door.getValue(),
              words,
              own,
              order.force().depth() / 100.0 / doors,
              () -> stopped || tally.isOver(),
              tally::isTime));
    }
    crowds.forEach(
        (door, crowd) ->
            threads.put(
                door,
                Thread.ofPlatform()
                    .name("peers-" + door)
                    .uncaughtExceptionHandler((_, e) -> failure.compareAndSet(null, e))
                    .start(crowd)));
    Map<HostileDoor, Double> open = watch(crowds, threads, tally);
    Throwable first = failure.get();
    if (first != null) {
      throw new BenchException("peers without a key failed: " + first, first);
    }
    Map<HostileDoor, KeylessSeen> seen = new EnumMap<>(HostileDoor.class);
    crowds.forEach((door, crowd) -> seen.put(door, crowd.seen(open.getOrDefault(door, 0.0))));
    tally.peers(seen);
  }

  /** Waits until all have ended; returns how many connections were open on average. */
  private static Map<HostileDoor, Double> watch(
      Map<HostileDoor, KeylessCrowd> crowds,
      Map<HostileDoor, Thread> threads,
      IsolationTally tally) {
    Map<HostileDoor, Double> open = new EnumMap<>(HostileDoor.class);
    long deadline = System.nanoTime() + OPENING_NANOS;
    boolean begun = false;
    int looks = 0;
    while (threads.values().stream().anyMatch(Thread::isAlive)) {
      if (!begun
          && (crowds.values().stream().allMatch(KeylessCrowd::wasFull)
              || System.nanoTime() - deadline > 0)) {
        begun = true;
        tally.begin();
      }
      if (tally.isTime()) {
        looks++;
        crowds.forEach((door, crowd) -> open.merge(door, (double) crowd.open(), Double::sum));
      }
      Clock.sleepMillis(LOOK_MILLIS);
    }
    double all = Math.max(1, looks);
    open.replaceAll((_, sum) -> sum / all);
    return open;
  }

  @Override
  public void stop() {
    stopped = true;
  }
}
