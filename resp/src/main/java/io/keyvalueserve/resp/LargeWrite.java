package io.keyvalueserve.resp;

import io.keyvalueserve.engine.KeyCommand;
import io.keyvalueserve.engine.Outcome;
import io.keyvalueserve.engine.StagedValue;
import io.keyvalueserve.resp.command.KeyedCommand;
import io.keyvalueserve.resp.command.KeyedPlan;
import io.keyvalueserve.resp.protocol.Reply;
import io.keyvalueserve.resp.protocol.ReplyWriter;
import io.keyvalueserve.resp.protocol.Request;
import java.util.List;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * A request that writes a value which was received where it is to stay: nothing is copied if the
 * map takes it so, at once or after it has prepared for that; else it is carried out like any
 * other. On the connection's event loop only.
 */
final class LargeWrite implements PartedRequest {
  private final SessionLoop session;
  private final RespClient client;
  private final KeyedCommand command;
  private final Request request;
  private final KeyedCommand.PlanContext planning;
  private final KeyedPlan plan;
  private final KeyCommand.Write write;

  private boolean isPreparing;
  private boolean isDropped;
  private boolean isAnswered;

  /** The request that is carried out instead if the map does not take the value. */
  private @Nullable LongRequest otherwise;

  private LargeWrite(
      SessionLoop session,
      RespClient client,
      KeyedCommand command,
      Request request,
      KeyedCommand.PlanContext planning,
      KeyedPlan plan,
      KeyCommand.Write write) {
    this.session = session;
    this.client = client;
    this.command = command;
    this.request = request;
    this.planning = planning;
    this.plan = plan;
    this.write = write;
  }

  /**
   * Returns the write of a request with a staged argument, or null if the request does anything
   * else than to write that value in any case.
   *
   * @throws io.keyvalueserve.resp.command.CommandException as {@link KeyedCommand#plan}
   */
  static @Nullable LargeWrite of(
      SessionLoop session,
      RespClient client,
      KeyedCommand command,
      Request request,
      KeyedCommand.PlanContext planning) {
    KeyedPlan plan = command.plan(request.head(), planning);
    return plan.commands().size() == 1
            && plan.commands().getFirst() instanceof KeyCommand.Write write
            && Request.isStandIn(write.value())
            && write.isUnconditional()
        ? new LargeWrite(session, client, command, request, planning, plan, write)
        : null;
  }

  /**
   * Writes the value where it is, and answers.
   *
   * @return whether the map took it
   */
  boolean writeAtOnce(ReplyWriter writer) {
    StagedValue value = request.staged();
    if (value == null || !client.direct().write(write.key(), value, write.expireAtMillis())) {
      return false;
    }
    writer.write(plan.renderer().render(List.of(Outcome.Applied.WITHOUT_PREVIOUS)));
    isAnswered = true;
    return true;
  }

  /** Has the map prepare for the value, if it has to; then {@link #step} writes it. */
  boolean prepare() {
    StagedValue value = request.staged();
    if (value == null) {
      return false;
    }
    CompletionStage<StagedValue> prepared =
        client.direct().prepare(write.key(), value, write.expireAtMillis());
    if (prepared == null) {
      return false;
    }
    isPreparing = true;
    var _ = request.takeStaged();
    prepared.thenAccept(
        next -> {
          if (!session.onEventLoop(() -> prepared(next))) {
            next.discard();
          }
        });
    return true;
  }

  private void prepared(StagedValue value) {
    isPreparing = false;
    request.giveStaged(value);
    if (isDropped) {
      request.discard();
    } else {
      session.resume();
    }
  }

  @Override
  public boolean isWaiting() {
    return isPreparing || (otherwise != null && otherwise.isWaiting());
  }

  @Override
  public boolean isAnswered() {
    return isAnswered || (otherwise != null && otherwise.isAnswered());
  }

  @Override
  public boolean isAnswering() {
    return otherwise != null && otherwise.isAnswering();
  }

  @Override
  public int step(ReplyWriter writer) {
    if (otherwise != null) {
      return otherwise.step(writer);
    }
    if (!writeAtOnce(writer)) {
      KeyedPlan plan = command.plan(request, planning);
      otherwise = new LongRequest(session, client, plan, Batch.Unity.of(command, plan));
    }
    return 1;
  }

  @Override
  public void completed(Batch batch) {
    if (otherwise != null) {
      otherwise.completed(batch);
    }
  }

  @Override
  public void answer(Reply reply, ReplyWriter writer) {
    writer.write(reply);
    isAnswered = true;
  }

  @Override
  public void discard() {
    isDropped = true;
    request.discard();
  }
}
