package io.keyvalueserve.resp;

import io.keyvalueserve.engine.KeyCommand;
import io.keyvalueserve.engine.KeyMap;
import io.keyvalueserve.engine.Outcome;
import io.keyvalueserve.resp.command.Command;
import io.keyvalueserve.resp.command.KeyedCommand;
import io.keyvalueserve.resp.command.KeyedPlan;
import io.keyvalueserve.resp.protocol.Request;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

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
  private Unity unity = Unity.NONE;
  private Outcome[] outcomes = {};

  /** The requests, one for each plan, if they are timed. */
  private @Nullable List<TimedRequest> requests;

  /** The command whose outcome came last; the first one if all were there at once. */
  private int lastIndex;

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

  /** Says which commands are carried out as one. */
  enum Unity {
    /** Each stands for itself. */
    NONE,
    /** All are reads, and see one state. */
    READ,
    /** All are writes of one request: all or nothing. */
    WRITE;

    /** Returns how a request is carried out. */
    static Unity of(KeyedCommand command, KeyedPlan plan) {
      if (plan.commands().size() < 2) {
        return NONE;
      }
      if (command.writesTogether()) {
        return WRITE;
      }
      return reads(plan) ? READ : NONE;
    }

    /** Returns whether a plan only reads. */
    static boolean reads(KeyedPlan plan) {
      for (KeyCommand command : plan.commands()) {
        if (command.writes()) {
          return false;
        }
      }
      return true;
    }
  }

  /** Sets how it is carried out. */
  void unity(Unity next) {
    unity = next;
  }

  Unity unity() {
    return unity;
  }

  void add(KeyedPlan plan, long bytes) {
    plans.add(plan);
    commands.addAll(plan.commands());
    requestBytes += bytes;
  }

  /** A request, and the command that it names. */
  record TimedRequest(Command command, Request request) {}

  /** Keeps the request of the plan that was added last, so that it can be told if it is slow. */
  void time(Command command, Request request) {
    List<TimedRequest> known = requests;
    if (known == null) {
      known = new ArrayList<>(4);
      requests = known;
    }
    known.add(new TimedRequest(command, request));
  }

  /** Returns the request that was done last, or null if they are not timed. */
  @Nullable TimedRequest slowest() {
    List<TimedRequest> known = requests;
    if (known == null) {
      return null;
    }
    int end = 0;
    for (int i = 0; i < known.size(); i++) {
      end += plans.get(i).commands().size();
      if (lastIndex < end) {
        return known.get(i);
      }
    }
    return known.getFirst();
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
      switch (unity) {
        case NONE -> map.submit(unknown, this);
        case READ -> map.readTogether(unknown, this);
        case WRITE -> map.writeTogether(unknown, this);
      }
    }
    return missing.decrementAndGet() == 0;
  }

  @Override
  public void accept(int index, Outcome outcome) {
    outcomes[known.size() + index] = outcome; // published by the counter
    if (missing.decrementAndGet() == 0) {
      lastIndex = known.size() + index; // published by the event loop's queue
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
