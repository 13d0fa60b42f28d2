package io.keyvalueserve.resp;

import io.keyvalueserve.engine.KeyCommand;
import io.keyvalueserve.engine.KeyMap;
import io.keyvalueserve.engine.Outcome;
import io.keyvalueserve.resp.command.KeyedPlan;
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
  private final SessionLoop session;
  private final List<KeyedPlan> plans;
  private final List<KeyCommand> commands;
  private final List<Outcome> known;
  private final AtomicInteger missing = new AtomicInteger();
  private Outcome[] outcomes = {};
  private long requestBytes;
  private int nextPlan;
  private int nextOutcome;
  private long replyBytes;

  /**
   * An empty one.
   *
   * @param known the outcomes of the first commands, which have been carried out already
   */
  Batch(SessionLoop session, int expectedRequests, List<Outcome> known) {
    this.session = session;
    this.known = known;
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

  /**
   * Hands it to the engine.
   *
   * @return whether it is complete already; else {@link RespSession#completed(Batch)} is called
   *     later
   */
  boolean submit(KeyMap map) {
    outcomes = known.toArray(new Outcome[commands.size()]);
    List<KeyCommand> unknown = commands.subList(known.size(), commands.size());
    missing.set(unknown.size() + 1);
    if (!unknown.isEmpty()) {
      map.submit(unknown, this);
    }
    return missing.decrementAndGet() == 0;
  }

  @Override
  public void accept(int index, Outcome outcome) {
    outcomes[known.size() + index] = outcome; // published by the counter
    if (missing.decrementAndGet() == 0) {
      session.onEventLoop(this);
    }
  }

  @Override
  public void run() {
    session.completed(this);
  }

  // ---- when it is complete, on the event loop

  /** Returns the number of replies that are still to be written. */
  int unanswered() {
    return plans.size() - nextPlan;
  }

  boolean hasMoreReplies() {
    return nextPlan < plans.size();
  }

  /** The plan of the next reply. Each is given once. */
  KeyedPlan nextPlan() {
    return plans.get(nextPlan++);
  }

  /** The outcomes of the plan that was given last. */
  List<Outcome> nextOutcomes(KeyedPlan plan) {
    int from = nextOutcome;
    nextOutcome += plan.commands().size();
    List<Outcome> all = Arrays.asList(outcomes);
    return plans.size() == 1 ? all : all.subList(from, nextOutcome);
  }

  void answered(long bytes) {
    replyBytes += bytes;
  }

  long replyBytes() {
    return replyBytes;
  }
}
