package io.keyvalueserve.bench;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * The process of the aggressors. It runs where the bench runs. Beside a victim it is scheduled as
 * idle work is: the victim's threads, which sleep most of the time, have the core as soon as they
 * wake up. Low priority alone would not do: Linux lets whoever runs keep the core for a millisecond
 * then.
 */
final class IsolationCrew implements AutoCloseable {
  private static final Path POLICY = Path.of("/usr/bin/chrt");
  private static final String HEAP = "-Xmx768m";

  private final OrderedProcess process;

  /**
   * Starts it.
   *
   * @param log for what it says
   * @param polite whether it is scheduled as idle work is
   * @param before what goes before its command
   */
  IsolationCrew(Path log, boolean polite, List<String> before) {
    List<String> all = new ArrayList<>(before);
    if (polite && Files.isExecutable(POLICY)) {
      all.addAll(List.of(POLICY.toString(), "--idle", "0"));
    }
    process = new OrderedProcess(log, all, HEAP, IsolationLoad.class);
  }

  /** Has a step done by all of them at the same time, and waits for it. */
  List<IsolationDone> call(IsolationOrder.Step step, List<IsolationOrder> all) {
    process.send(all.stream().map(order -> order.step(step)).toList());
    return receive();
  }

  /** Has all of them begin, and returns when they are at work. */
  void begin(List<IsolationOrder> all) {
    process.send(all.stream().map(order -> order.step(IsolationOrder.Step.RUN)).toList());
    process.next(IsolationLoad.BEGUN);
  }

  /** Says when what they do counts, and when it is over. */
  void during(IsolationTally.Times times) {
    process.send(times);
  }

  /**
   * Waits until all have ended, and returns what they did, in the order of their orders.
   *
   * @throws BenchException if one could not
   */
  List<IsolationDone> receive() {
    List<IsolationDone> done = List.of(process.answer(IsolationDone[].class));
    for (IsolationDone one : done) {
      if (!one.failure().isEmpty()) {
        throw new BenchException("an aggressor failed: " + one.failure());
      }
    }
    return done;
  }

  /** The processor time it has used, in nanoseconds. */
  long cpuNanos() {
    return process.cpuNanos();
  }

  @Override
  public void close() {
    process.close();
  }
}
