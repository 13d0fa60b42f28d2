package io.keyvalueserve.resp;

import io.keyvalueserve.engine.DirectMap;
import io.keyvalueserve.engine.KeyCommand;
import io.keyvalueserve.engine.Outcome;
import io.keyvalueserve.resp.command.Errors;
import io.keyvalueserve.resp.command.KeyedPlan;
import io.keyvalueserve.resp.protocol.Reply;
import io.keyvalueserve.resp.protocol.ReplyWriter;
import io.keyvalueserve.resp.protocol.Request;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A request for more values than an event loop can give at a stretch. They are gathered from where
 * they are as long as the map can, else from the engine.
 */
final class LongRead extends GatheringRequest {
  /** A request for more values is long. */
  static final int FEW = 256;

  /** The keys in a part. */
  private static final int PART = 64;

  /** The keys that go to the engine together at first. {@link #MOST_SUBMITTED} is the most. */
  private static final int FIRST_SUBMITTED = 256;

  private static final int MOST_SUBMITTED = 4096;

  private final KeyedPlan plan;
  private final Request request;
  private final EncodedValues values;
  private final KeyChecks checks;
  private final int count;
  private int read;
  private int mostSubmitted = FIRST_SUBMITTED;

  /** The batch that the engine is reading. */
  private @Nullable Batch submitted;

  /** The batch that the engine has read. */
  private @Nullable Batch arrived;

  /**
   * @param plan reads the keys that are the request's arguments
   * @param resp3 whether the client speaks it
   */
  LongRead(
      SessionLoop session,
      RespClient client,
      KeyedPlan plan,
      Request request,
      SessionHost host,
      boolean resp3) {
    super(session, client, host);
    this.plan = plan;
    this.request = request;
    this.values = new EncodedValues(resp3, host.replyChunks());
    this.checks = new KeyChecks(client, plan.commands());
    this.count = plan.commands().size();
  }

  @Override
  public boolean isWaiting() {
    return submitted != null;
  }

  @Override
  public long gatheredBytes() {
    return values.bytes();
  }

  @Override
  public int step(ReplyWriter writer) {
    if (!checks.areDone()) {
      Outcome.Failure refusal = checks.next(PART);
      if (refusal != null) {
        answer(Errors.of(refusal), writer);
      }
      return PART;
    }
    Batch batch = arrived;
    if (batch != null) {
      arrived = null;
      return take(batch, writer);
    }
    if (isTooLong()) {
      answer(Reply.error("ERR the values are too long for one reply: ask for fewer keys"), writer);
      return 1;
    }
    if (read < count) {
      return readPart();
    }
    writePart(writer);
    return PART;
  }

  private int readPart() {
    DirectMap map = client.direct();
    int from = read;
    int to = Math.min(from + PART, count);
    while (read < to) {
      int at = 1 + read;
      int length = map.read(request.array(at), request.offset(at), request.length(at), values);
      if (length == DirectMap.NOT_NOW) {
        submit();
        return 1 + read - from;
      }
      if (length == DirectMap.MISSING) {
        values.keepNone();
      } else {
        values.keep(length);
      }
      read++;
    }
    mostSubmitted = FIRST_SUBMITTED;
    return to - from;
  }

  /** Twice as many as the last time if that was just before: the next will be declined too. */
  private void submit() {
    List<KeyCommand> next = plan.commands().subList(read, Math.min(read + mostSubmitted, count));
    mostSubmitted = Math.min(2 * mostSubmitted, MOST_SUBMITTED);
    Batch batch = new Batch(session, 1, List.of());
    batch.add(new KeyedPlan(next, plan.renderer()), 0);
    submitted = batch;
    if (batch.submit(client.map())) {
      completed(batch);
    }
  }

  @Override
  public void completed(Batch batch) {
    submitted = null;
    arrived = batch;
  }

  private int take(Batch batch, ReplyWriter writer) {
    List<Outcome> outcomes = batch.nextOutcomes(batch.nextPlan());
    for (Outcome outcome : outcomes) {
      switch (outcome) {
        case Outcome.Failure failure -> {
          answer(Errors.of(failure), writer);
          return outcomes.size();
        }
        case Outcome.Entry entry -> values.keep(entry.value());
        case Outcome.Missing _, Outcome.Rejected _ -> values.keepNone();
        default -> throw new IllegalStateException("a read came to " + outcome);
      }
    }
    read += outcomes.size();
    return outcomes.size();
  }

  @Override
  void writeHead(ReplyWriter writer) {
    writer.array(count);
  }

  @Override
  boolean writeNext(ReplyWriter writer) {
    return values.writeNext(writer);
  }
}
