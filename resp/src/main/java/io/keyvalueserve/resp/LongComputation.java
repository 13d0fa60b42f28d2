package io.keyvalueserve.resp;

import io.keyvalueserve.engine.KeyCommand;
import io.keyvalueserve.engine.Outcome;
import io.keyvalueserve.resp.command.CommandException;
import io.keyvalueserve.resp.command.Computation;
import io.keyvalueserve.resp.command.Computation.Step;
import io.keyvalueserve.resp.command.Errors;
import io.keyvalueserve.resp.command.KeyedPlan;
import io.keyvalueserve.resp.protocol.Reply;
import io.keyvalueserve.resp.protocol.ReplyWriter;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A request that is computed step by step. Its commands are carried out one after the other: at
 * once if the map can, else by the engine. On the connection's event loop only.
 */
final class LongComputation implements PartedRequest {
  /** The commands that are checked in a step. */
  private static final int CHECKED = 64;

  private final SessionLoop session;
  private final RespClient client;
  private final Computation computation;
  private final KeyChecks checks;

  /** The command that the engine is carrying out. */
  private @Nullable Batch submitted;

  private @Nullable Outcome arrived;
  private boolean isAnswered;

  LongComputation(SessionLoop session, RespClient client, Computation computation) {
    this.session = session;
    this.client = client;
    this.computation = computation;
    this.checks = new KeyChecks(client, computation.known());
  }

  @Override
  public boolean isWaiting() {
    return submitted != null;
  }

  @Override
  public boolean isAnswered() {
    return isAnswered;
  }

  @Override
  public boolean isAnswering() {
    return false;
  }

  @Override
  public long gatheredBytes() {
    return computation.heldBytes();
  }

  @Override
  public int step(ReplyWriter writer) {
    if (!checks.areDone()) {
      Outcome.Failure refusal = checks.next(CHECKED);
      if (refusal != null) {
        answer(Errors.of(refusal), writer);
      }
      return CHECKED;
    }
    try {
      Outcome outcome = arrived;
      if (outcome != null) {
        arrived = null;
        take(outcome, writer);
      } else {
        switch (computation.step()) {
          case Step.More _ -> {}
          case Step.Ask ask -> ask(ask.command(), writer);
          case Step.Done done -> answer(done.reply(), writer);
        }
      }
    } catch (CommandException e) {
      answer(e.reply(), writer);
    }
    return 1;
  }

  private void ask(KeyCommand command, ReplyWriter writer) {
    Outcome.Failure refusal = client.isGuarded() ? client.map().refusal(command) : null;
    if (refusal != null) {
      client.refused(refusal.message());
      answer(Errors.of(refusal), writer);
      return;
    }
    Outcome outcome = client.direct().execute(command);
    if (outcome != null) {
      take(outcome, writer);
      return;
    }
    Batch batch = new Batch(session, 1, List.of());
    batch.add(new KeyedPlan(List.of(command), outcomes -> Reply.OK), 0);
    submitted = batch;
    if (batch.submit(client.map())) {
      completed(batch);
    }
  }

  private void take(Outcome outcome, ReplyWriter writer) {
    switch (outcome) {
      case Outcome.Failure failure -> answer(Errors.of(failure), writer);
      default -> computation.take(outcome);
    }
  }

  @Override
  public void completed(Batch batch) {
    submitted = null;
    arrived = batch.nextOutcomes(batch.nextPlan()).getFirst();
  }

  @Override
  public void answer(Reply reply, ReplyWriter writer) {
    writer.write(reply);
    isAnswered = true;
  }
}
