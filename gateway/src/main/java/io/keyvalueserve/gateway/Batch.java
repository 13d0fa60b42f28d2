package io.keyvalueserve.gateway;

import io.keyvalueserve.engine.KeyCommand;
import io.keyvalueserve.engine.KeyMap;
import io.keyvalueserve.engine.Outcome;
import io.keyvalueserve.gateway.command.KeyedPlan;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Consecutive requests on keys of one map, on their way through the engine.
 *
 * <p>The session's event loop fills it and submits it; engine threads put outcomes in; whoever puts
 * the last one in sends it back to the event loop. The submitter counts as one more to wait for, so
 * that a batch which is complete when {@link KeyMap#submit} returns is answered on the spot, and
 * none is answered twice.
 */
final class Batch implements KeyMap.OutcomeSink, Runnable {
  private final RespSession session;
  private final List<KeyedPlan> plans;
  private final List<KeyCommand> commands;
  private final AtomicInteger missing = new AtomicInteger();
  private Outcome[] outcomes = {};
  private long requestBytes;

  Batch(RespSession session, int expectedRequests) {
    this.session = session;
    this.plans = new ArrayList<>(expectedRequests);
    this.commands = new ArrayList<>(expectedRequests);
  }

  void add(KeyedPlan plan, long bytes) {
    plans.add(plan);
    commands.addAll(plan.commands());
    requestBytes += bytes;
  }

  int commandCount() {
    return commands.size();
  }

  int requestCount() {
    return plans.size();
  }

  long requestBytes() {
    return requestBytes;
  }

  List<KeyedPlan> plans() {
    return plans;
  }

  /**
   * Hands it to the engine.
   *
   * @return whether it is complete already; else {@link RespSession#completed} is called later
   */
  boolean submit(KeyMap map) {
    outcomes = new Outcome[commands.size()];
    missing.set(commands.size() + 1);
    if (!commands.isEmpty()) {
      map.submit(commands, this);
    }
    return missing.decrementAndGet() == 0;
  }

  @Override
  public void accept(int index, Outcome outcome) {
    outcomes[index] = outcome; // published by the counter
    if (missing.decrementAndGet() == 0) {
      session.onEventLoop(this);
    }
  }

  @Override
  public void run() {
    session.completed(this);
  }

  /** The outcomes of so many commands from this one on. Only when complete. */
  List<Outcome> outcomes(int from, int count) {
    List<Outcome> all = Arrays.asList(outcomes);
    return count == outcomes.length ? all : all.subList(from, from + count);
  }
}
