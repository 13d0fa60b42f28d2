package io.keyvalueserve.resp;

import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Something of the engine that is waited for. Like {@link Batch}, it comes back through the event
 * loop unless it is there at once.
 */
final class Awaited<T> implements Runnable {
  private final SessionLoop session;
  private final Consumer<Awaited<T>> whenThere;
  private final AtomicInteger missing = new AtomicInteger(2);
  private @Nullable T value;
  private @Nullable Throwable failure;

  /**
   * @param whenThere called later, on the session's event loop, unless it is there at once
   */
  Awaited(SessionLoop session, Consumer<Awaited<T>> whenThere) {
    this.session = session;
    this.whenThere = whenThere;
  }

  /**
   * Waits for the stage, without blocking.
   *
   * @return whether it is complete already
   */
  boolean await(CompletionStage<T> stage) {
    var _ =
        stage.whenComplete(
            (result, error) -> {
              value = result;
              failure = error;
              if (missing.decrementAndGet() == 0) {
                session.onEventLoop(this);
              }
            });
    return missing.decrementAndGet() == 0;
  }

  @Override
  public void run() {
    whenThere.accept(this);
  }

  @Nullable T value() {
    return value;
  }

  @Nullable Throwable failure() {
    return failure;
  }
}
