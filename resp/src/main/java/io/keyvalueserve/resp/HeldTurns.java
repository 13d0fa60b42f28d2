package io.keyvalueserve.resp;

import io.keyvalueserve.engine.Outcome;
import io.keyvalueserve.engine.Uncertain;
import io.netty.channel.EventLoop;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The turns of an event loop's sessions whose replies are held back: those of one round of the loop
 * wait together, so that one sync of the log covers them and the loop is woken once. On the event
 * loop only.
 */
final class HeldTurns implements Runnable {
  private static final Logger LOG = LoggerFactory.getLogger(HeldTurns.class);

  private final EventLoop loop;
  private final Uncertain uncertain;
  private long seen;
  private Round round = new Round();

  HeldTurns(EventLoop loop, Uncertain uncertain) {
    this.loop = loop;
    this.uncertain = uncertain;
  }

  /** Returns the changes by the loop's sessions that are not certain yet. */
  Uncertain uncertain() {
    return uncertain;
  }

  /** Returns the number of uncertain changes since the last call. */
  long takeNote() {
    long additions = uncertain.additions();
    long fresh = additions - seen;
    seen = additions;
    return fresh;
  }

  /** Has a turn told when all is certain that was done until now. */
  void hold(ReplyGate.Turn turn) {
    if (round.turns.isEmpty()) {
      loop.execute(this);
    }
    round.turns.add(turn);
  }

  /** The loop has gone through what it had found to do. */
  @Override
  public void run() {
    Round full = round;
    round = new Round();
    uncertain.await(full);
  }

  private final class Round implements Uncertain.Waiter, Runnable {
    private final List<ReplyGate.Turn> turns = new ArrayList<>();

    @Override
    public void certain() {
      onLoop(this);
    }

    @Override
    public void run() {
      turns.forEach(ReplyGate.Turn::certain);
    }

    @Override
    public void failed(Outcome.Failure failure) {
      onLoop(() -> turns.forEach(turn -> turn.failed(failure)));
    }

    private void onLoop(Runnable task) {
      try {
        loop.execute(task);
      } catch (RejectedExecutionException e) {
        LOG.debug("{} connections are gone, and with them their event loop", turns.size());
      }
    }
  }
}
