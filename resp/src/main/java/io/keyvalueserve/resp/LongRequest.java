package io.keyvalueserve.resp;

import io.keyvalueserve.engine.KeyCommand;
import io.keyvalueserve.engine.KeyMap;
import io.keyvalueserve.engine.Outcome;
import io.keyvalueserve.resp.command.Errors;
import io.keyvalueserve.resp.command.KeyedPlan;
import io.keyvalueserve.resp.protocol.Reply;
import io.keyvalueserve.resp.protocol.ReplyWriter;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A request on more keys than an event loop can serve at a stretch, or one whose reply has as many
 * elements.
 *
 * <p>First all keys are checked, if they have to be; then the commands are carried out, at once as
 * long as the map can, else many together by the engine; then the reply is written. On the
 * connection's event loop only.
 */
final class LongRequest implements PartedRequest {
  /** A request on more keys, or a reply of more elements, is long. */
  static final int FEW = 1024;

  /** The keys or elements in a part. */
  private static final int PART = 64;

  /** The commands that go to the engine together at most. */
  private static final int MOST_SUBMITTED = 4096;

  private final SessionLoop session;
  private final RespClient client;
  private final KeyedPlan plan;
  private final List<KeyCommand> commands;
  private final Outcome[] outcomes;
  private final KeyChecks checks;
  private final boolean isWrite;
  private int done;

  /** The batch that the engine is carrying out. */
  private @Nullable Batch submitted;

  private @Nullable List<? extends Reply> elements;
  private int written;
  private boolean isAnswered;

  /** Creates a request that carries a plan out, of which reads are each for itself. */
  LongRequest(SessionLoop session, RespClient client, KeyedPlan plan, Batch.Unity unity) {
    // More would not be one write in any case, so they go to the engine in parts.
    this.isWrite = unity == Batch.Unity.WRITE && plan.commands().size() <= KeyMap.MOST_TOGETHER;
    this.session = session;
    this.client = client;
    this.plan = plan;
    this.commands = plan.commands();
    this.outcomes = new Outcome[commands.size()];
    this.checks = new KeyChecks(client, commands);
  }

  /** Creates a request that has only its reply left to write. */
  LongRequest(SessionLoop session, RespClient client, Reply.Array reply) {
    this(session, client, KeyedPlan.answered(reply), Batch.Unity.NONE);
  }

  /** Returns whether a plan is too long to be carried out in one go. */
  static boolean isLong(KeyedPlan plan) {
    return plan.commands().size() > FEW;
  }

  /** Returns whether a reply is too long to be written in one go. */
  static boolean isLong(Reply reply) {
    return reply instanceof Reply.Array array && array.elements().size() > FEW;
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
  public int step(ReplyWriter writer) {
    if (elements != null) {
      return writePart(writer, elements);
    }
    if (!checks.areDone()) {
      return checkPart(writer);
    }
    if (done < commands.size()) {
      return carryOutPart();
    }
    answer(plan.renderer().render(Arrays.asList(outcomes)), writer);
    return 1;
  }

  private int checkPart(ReplyWriter writer) {
    Outcome.Failure refusal = checks.next(PART);
    if (refusal != null) {
      answer(Errors.of(refusal), writer);
    }
    return PART;
  }

  private int carryOutPart() {
    if (isWrite) {
      return submit(commands.size());
    }
    int from = done;
    int to = Math.min(from + PART, commands.size());
    while (done < to) {
      Outcome outcome = client.direct().execute(commands.get(done));
      if (outcome == null) {
        return submit(MOST_SUBMITTED);
      }
      outcomes[done++] = outcome;
    }
    return done - from;
  }

  private int submit(int most) {
    List<KeyCommand> next = commands.subList(done, Math.min(done + most, commands.size()));
    Batch batch = new Batch(session, 1, List.of());
    batch.add(new KeyedPlan(next, plan.renderer()), 0);
    if (isWrite) {
      batch.unity(Batch.Unity.WRITE);
    }
    submitted = batch;
    if (batch.submit(client.map())) {
      completed(batch);
    }
    return next.size();
  }

  @Override
  public void completed(Batch batch) {
    submitted = null;
    for (Outcome outcome : batch.nextOutcomes(batch.nextPlan())) {
      outcomes[done++] = outcome;
    }
  }

  @Override
  public void answer(Reply reply, ReplyWriter writer) {
    if (reply instanceof Reply.Array array && isLong(reply)) {
      elements = array.elements();
      writer.mark();
      writer.array(array.elements().size());
    } else {
      writer.write(reply);
      isAnswered = true;
    }
  }

  private int writePart(ReplyWriter writer, List<? extends Reply> all) {
    int from = written;
    int to = Math.min(from + PART, all.size());
    while (written < to) {
      writer.write(all.get(written++));
    }
    isAnswered = written == all.size();
    return written - from;
  }

  @Override
  public boolean isAnswering() {
    return elements != null;
  }
}
