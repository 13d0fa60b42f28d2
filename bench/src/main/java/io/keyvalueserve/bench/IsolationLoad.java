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
 * no more.
 */
final class IsolationLoad {
  /** What begins an answer: other lines are a library's. */
  static final String ANSWER = "answer ";

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
      List<IsolationDone> done = load.follow(JSON.readValue(line, IsolationOrder[].class));
      load.out.println(ANSWER + JSON.writeValueAsString(done));
      load.out.flush();
    }
    HazelcastClient.shutdownAll();
  }

  private List<IsolationDone> follow(IsolationOrder[] orders) {
    List<Thread> threads = new ArrayList<>();
    AtomicReferenceArray<IsolationDone> done = new AtomicReferenceArray<>(orders.length);
    for (int i = 0; i < orders.length; i++) {
      IsolationOrder order = orders[i];
      int number = i;
      if (order.step() == IsolationOrder.Step.PREPARE) {
        attacks.put(order.name(), IsolationAttack.of(order));
      }
      threads.add(Thread.ofPlatform().start(() -> done.set(number, follow(order))));
    }
    for (int i = 0; i < orders.length; i++) {
      join(threads.get(i), orders[i]);
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

  private IsolationDone follow(IsolationOrder order) {
    IsolationAttack attack = attacks.get(order.name());
    if (attack == null) {
      return failure("not prepared: " + order.name());
    }
    IsolationTally tally = new IsolationTally(order.from(), order.to());
    try {
      switch (order.step()) {
        case PREPARE -> attack.prepare();
        case RUN -> attack.run(order, tally);
        case CLEAN -> attack.clean();
      }
      return tally.done();
    } catch (RuntimeException e) {
      return failure(e.toString());
    }
  }

  private static IsolationDone failure(String why) {
    return new IsolationDone(why, 0, 0, 0, new TreeMap<>());
  }

  /** Waits until it is done, and stops it if that takes much longer than it should. */
  private void join(Thread thread, IsolationOrder order) {
    boolean runs = order.step() == IsolationOrder.Step.RUN;
    long rest = runs ? order.to() - System.nanoTime() + PATIENCE_NANOS : STEP_NANOS;
    try {
      thread.join(Math.max(1, TimeUnit.NANOSECONDS.toMillis(rest)));
      IsolationAttack attack = attacks.get(order.name());
      if (thread.isAlive() && attack != null) {
        attack.stop();
        thread.join(TimeUnit.NANOSECONDS.toMillis(PATIENCE_NANOS));
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new BenchException("interrupted", e);
    }
  }
}
