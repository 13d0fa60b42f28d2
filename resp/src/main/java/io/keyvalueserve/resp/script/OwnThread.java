package io.keyvalueserve.resp.script;

import io.keyvalueserve.engine.DeadlinePassed;
import io.keyvalueserve.engine.TransactionBody;
import io.keyvalueserve.engine.TransactionView;
import io.keyvalueserve.lua.BudgetExceeded.Bound;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.LinkedBlockingQueue;

/**
 * Has the body of a transaction run on the thread that waits for the transaction, wherever the
 * engine runs it. A long script would otherwise keep a carrier of virtual threads from all others.
 *
 * @param <T> the answer of the transaction
 */
final class OwnThread<T> implements TransactionBody<T> {
  private final TransactionBody<T> body;
  private final Thread owner = Thread.currentThread();
  private final BlockingQueue<Runnable> work = new LinkedBlockingQueue<>();
  private boolean isOver;

  /** Makes a body for the current thread. */
  OwnThread(TransactionBody<T> body) {
    this.body = body;
  }

  @Override
  public T run(TransactionView view) {
    if (view.deadlineNanos() != 0) {
      throw new DeadlinePassed(); // it takes long, and would hold up others of its partitions
    }
    Thread present = Thread.currentThread();
    if (present.equals(owner) || !present.isVirtual()) {
      return body.run(view);
    }
    CompletableFuture<T> answer = new CompletableFuture<>();
    work.add(
        () -> {
          try {
            answer.complete(body.run(view));
          } catch (RuntimeException | Error e) {
            answer.completeExceptionally(e);
          }
        });
    try {
      return answer.join();
    } catch (CompletionException e) {
      throw e.getCause() instanceof RuntimeException cause ? cause : e;
    }
  }

  /**
   * Waits for the transaction, and runs its body meanwhile. On the thread that made this.
   *
   * @throws CompletionException with what the transaction failed with
   * @throws ScriptEnded if the thread is interrupted
   */
  Optional<T> await(CompletionStage<Optional<T>> transaction) {
    CompletableFuture<Optional<T>> answer = transaction.toCompletableFuture();
    var _ = answer.whenComplete((reply, failure) -> work.add(() -> isOver = true));
    try {
      while (!isOver) {
        work.take().run();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new ScriptEnded(Bound.KILLED);
    }
    return answer.join();
  }
}
