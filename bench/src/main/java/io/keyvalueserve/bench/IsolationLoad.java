package io.keyvalueserve.bench;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.hazelcast.client.HazelcastClient;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReferenceArray;

/**
 * A process of aggressors. It takes orders, a line of JSON for all that work at the same time, from
 * its standard input and answers each line with one on its standard output; it ends when there are
 * no more. When it was told to run, it says that all are at work, and is told when that counts and
 * ends.
 */
final class IsolationLoad {
  /** What it says when all are at work. */
  static final String BEGUN = "begun";

  private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(15);
  private static final long STEP_NANOS = TimeUnit.SECONDS.toNanos(90);
  private static final ObjectMapper JSON = new ObjectMapper();

  private final Map<String, IsolationAttack> attacks = new HashMap<>();
  private final PrintStream out;

  private IsolationLoad(PrintStream out) {
    this.out = out;
  }

  public static void main(String[] arguments) throws IOException {
    IsolationLoad load = new IsolationLoad(System.out);
    BufferedReader orders =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    for (String line; (line = orders.readLine()) != null; ) {
      List<IsolationDone> done = load.follow(JSON.readValue(line, IsolationOrder[].class), orders);
      load.out.println(OrderedProcess.ANSWER + JSON.writeValueAsString(done));
      load.out.flush();
    }
    HazelcastClient.shutdownAll();
  }

  private List<IsolationDone> follow(IsolationOrder[] orders, BufferedReader more)
      throws IOException {
    List<IsolationTally> tallies = new ArrayList<>();
    List<Thread> threads = new ArrayList<>();
    AtomicReferenceArray<IsolationDone> done = new AtomicReferenceArray<>(orders.length);
    for (int i = 0; i < orders.length; i++) {
      IsolationOrder order = orders[i];
      int number = i;
      if (order.step() == IsolationOrder.Step.PREPARE) {
        attacks.put(order.name(), IsolationAttack.of(order));
      }
      IsolationTally tally = new IsolationTally();
      tallies.add(tally);
      threads.add(Thread.ofPlatform().start(() -> done.set(number, follow(order, tally))));
    }
    long end = System.nanoTime() + STEP_NANOS;
    if (orders[0].step() == IsolationOrder.Step.RUN) {
      end = direct(tallies, more) + PATIENCE_NANOS;
    }
    for (int i = 0; i < orders.length; i++) {
      join(threads.get(i), orders[i], end);
    }
    List<IsolationDone> all = new ArrayList<>();
    for (int i = 0; i < orders.length; i++) {
      IsolationDone one = done.get(i);
      all.add(one == null ? failure("an aggressor did not end: " + orders[i].kind()) : one);
      if (orders[i].step() == IsolationOrder.Step.CLEAN) {
        attacks.remove(orders[i].name());
      }
    }
    return all;
  }

  /** Says when all are at work, takes word when that counts, and returns when it is over. */
  private long direct(List<IsolationTally> tallies, BufferedReader more) throws IOException {
    long deadline = System.nanoTime() + PATIENCE_NANOS;
    tallies.forEach(tally -> tally.awaitBegin(deadline - System.nanoTime()));
    out.println(BEGUN);
    out.flush();
    IsolationTally.Times times = JSON.readValue(more.readLine(), IsolationTally.Times.class);
    tallies.forEach(tally -> tally.during(times));
    return times.to();
  }

  private IsolationDone follow(IsolationOrder order, IsolationTally tally) {
    IsolationAttack attack = attacks.get(order.name());
    if (attack == null) {
      tally.begin();
      return failure("not prepared: " + order.name());
    }
    try {
      switch (order.step()) {
        case PREPARE -> attack.prepare();
        case RUN -> attack.run(order, tally);
        case CLEAN -> attack.clean();
      }
      return tally.done();
    } catch (RuntimeException e) {
      tally.begin(); // nobody waits for it
      return failure(e.toString());
    }
  }

  private static IsolationDone failure(String why) {
    return new IsolationDone(why, 0, 0, 0, new TreeMap<>(), Map.of());
  }

  /** Waits until it is done, and stops it if that takes much longer than it should. */
  private void join(Thread thread, IsolationOrder order, long end) {
    try {
      thread.join(Math.max(1, TimeUnit.NANOSECONDS.toMillis(end - System.nanoTime())));
      IsolationAttack attack = attacks.get(order.name());
      if (thread.isAlive() && attack != null) {
        attack.stop();
        thread.join(TimeUnit.NANOSECONDS.toMillis(PATIENCE_NANOS));
      }
    } catch (InterruptedException e) {
      throw Clock.interrupted(e);
    }
  }
}
