package io.keyvalueserve.gateway;

import io.keyvalueserve.gateway.protocol.Reply;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * The reply of a command that is waited for. Like {@link Batch}, it comes back through the event
 * loop unless it is there at once.
 */
final class PendingReply implements Runnable {
  private final RespSession session;
  private final AtomicInteger missing = new AtomicInteger(2);
  private @Nullable Reply reply;
  private @Nullable Throwable failure;

  PendingReply(RespSession session) {
    this.session = session;
  }

  /**
   * Waits for the stage, without blocking.
   *
   * @return whether it is complete already; else {@link RespSession#completed(PendingReply)} is
   *     called later
   */
  boolean await(CompletionStage<Reply> stage) {
    var _ =
        stage.whenComplete(
            (value, error) -> {
              reply = value;
              failure = error;
              if (missing.decrementAndGet() == 0) {
                session.onEventLoop(this);
              }
            });
    return missing.decrementAndGet() == 0;
  }

  @Override
  public void run() {
    session.completed(this);
  }

  @Nullable Reply reply() {
    return reply;
  }

  @Nullable Throwable failure() {
    return failure;
  }
}
