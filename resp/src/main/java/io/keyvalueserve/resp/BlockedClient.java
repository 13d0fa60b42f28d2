package io.keyvalueserve.resp;

import io.keyvalueserve.engine.KeyRef;
import io.keyvalueserve.engine.TenantSpace;
import io.keyvalueserve.engine.blocking.KeyWaiting;
import io.keyvalueserve.gates.heap.HeapLease;
import io.keyvalueserve.resp.command.BlockedRequest;
import io.keyvalueserve.resp.command.CommandException;
import io.keyvalueserve.resp.protocol.Reply;
import io.netty.util.concurrent.ScheduledFuture;
import java.util.ArrayDeque;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * A session's request that waits for elements: it tries, takes places at its keys, and tries again
 * with each turn that it gets there. Meanwhile it is some hundred bytes and a timer, and uses no
 * thread.
 *
 * <p>On the session's event loop but for {@link #unblock}, which any thread may call.
 */
final class BlockedClient {
  /** About what a place takes of the Java heap, here and at the key's owner, without the key. */
  private static final long PLACE_BYTES = 512;

  private static final int NONE = -1;

  private static final Reply.ErrorLine UNBLOCKED =
      Reply.error("UNBLOCKED client unblocked via CLIENT UNBLOCK");
  private static final Reply.ErrorLine STOPPING =
      Reply.error("UNBLOCKED the member stops: connect to another, and ask again");

  private static final Reply.ErrorLine LARGE_BEHIND =
      Reply.error(
          "UNBLOCKED a large request has come behind it: send large values on another connection");

  private enum State {
    TRYING,
    WAITING,
    ENDED
  }

  private final RespSession session;
  private final TenantSpace space;
  private final HeapLease heap;
  private final BlockedRequest request;
  private final Runnable whenDone;
  private final long beganNanos;
  private final CompletableFuture<Reply> reply = new CompletableFuture<>();
  private final AtomicReference<State> state = new AtomicReference<>(State.TRYING);

  /** The keys whose turn has come while another was tried. */
  private final ArrayDeque<Integer> turns = new ArrayDeque<>(1);

  private @Nullable KeyWaiting waiting;
  private @Nullable ScheduledFuture<?> timer;
  private long heldBytes;

  /** The reply if nothing is taken by the present try; null to wait on. */
  private @Nullable Reply reasonToEnd;

  private boolean hasEnded;

  /**
   * @param heap what it takes of the Java heap is taken from there
   * @param whenDone called when it does not wait any more
   */
  BlockedClient(
      RespSession session,
      TenantSpace space,
      HeapLease heap,
      BlockedRequest request,
      long beganNanos,
      Runnable whenDone) {
    this.session = session;
    this.space = space;
    this.heap = heap;
    this.request = request;
    this.beganNanos = beganNanos;
    this.whenDone = whenDone;
  }

  /** Begins. Those who wait already come first. */
  CompletionStage<Reply> begin() {
    boolean isBehind = false;
    for (KeyRef key : request.keys()) {
      isBehind |= space.isAwaited(key, request.type());
    }
    if (isBehind) {
      takePlaces();
    } else {
      attempt(BlockedRequest.ALL);
    }
    return reply;
  }

  /** Returns whether it has taken places. */
  boolean hasWaited() {
    return heldBytes > 0;
  }

  /** Returns whether it waits. Any thread. */
  boolean isWaiting() {
    return state.get() == State.WAITING;
  }

  private void attempt(int index) {
    CompletionStage<Optional<Reply>> attempted;
    try {
      attempted = request.attempt(index);
    } catch (RuntimeException e) {
      end(null, e, NONE);
      return;
    }
    CompletableFuture<Optional<Reply>> attempt = attempted.toCompletableFuture();
    if (attempt.isDone()) {
      tried(index, attempt);
    } else {
      var _ =
          attempt.whenComplete(
              (_, _) -> {
                boolean _ = session.onEventLoop(() -> tried(index, attempt));
              });
    }
  }

  private void tried(int index, CompletableFuture<Optional<Reply>> attempt) {
    if (state.get() == State.ENDED) {
      return; // the connection has gone
    }
    if (attempt.isCompletedExceptionally()) {
      end(null, attempt.exceptionNow(), NONE);
      return;
    }
    Optional<Reply> taken = attempt.resultNow();
    KeyWaiting places = waiting;
    if (taken.isPresent()) {
      end(taken.get(), null, index);
    } else if (reasonToEnd != null) {
      end(reasonToEnd, null, NONE);
    } else if (places == null) {
      takePlaces();
    } else {
      places.goOn(index);
      Integer next = turns.poll();
      if (next != null) {
        attempt(next);
      } else {
        state.set(State.WAITING);
      }
    }
  }

  private void takePlaces() {
    if (session.hasLargeRequests()) {
      end(LARGE_BEHIND, null, NONE);
      return;
    }
    long bytes = 0;
    for (KeyRef key : request.keys()) {
      bytes += PLACE_BYTES + key.key().length;
    }
    if (!heap.take(bytes)) {
      end(null, new CommandException("QUOTA " + heap.refusal()), NONE);
      return;
    }
    heldBytes = bytes;
    state.set(State.WAITING);
    try {
      waiting =
          space.await(
              request.keys(),
              request.type(),
              index -> {
                boolean _ = session.onEventLoop(() -> turn(index));
              });
    } catch (RuntimeException e) {
      end(null, e, NONE);
      return;
    }
    startTimer();
  }

  private void startTimer() {
    long millis = request.timeoutMillis();
    if (millis > 0) {
      long left =
          Math.max(0, TimeUnit.MILLISECONDS.toNanos(millis) - (System.nanoTime() - beganNanos));
      try {
        timer = session.context().executor().schedule(this::timeIsOver, left, TimeUnit.NANOSECONDS);
      } catch (RejectedExecutionException e) {
        end(STOPPING, null, NONE);
      }
    }
  }

  private void turn(int index) {
    if (state.compareAndSet(State.WAITING, State.TRYING)) {
      attempt(index);
    } else if (state.get() == State.TRYING) {
      turns.add(index);
    }
  }

  private void timeIsOver() {
    reasonToEnd = request.nothing(); // if it just tries, that decides
    if (state.compareAndSet(State.WAITING, State.ENDED)) {
      end(request.nothing(), null, NONE);
    }
  }

  /** Ends the wait, see {@link io.keyvalueserve.resp.command.Client#unblock}. Any thread. */
  boolean unblock(boolean withError) {
    if (!state.compareAndSet(State.WAITING, State.ENDED)) {
      return false;
    }
    boolean _ =
        session.onEventLoop(() -> end(withError ? UNBLOCKED : request.nothing(), null, NONE));
    return true;
  }

  /** The member stops: ends the wait, unless it just tries. */
  void stop() {
    giveUp(STOPPING);
  }

  /**
   * A large request has come behind this one: ends the wait, unless it just tries. All clients
   * share the memory of large values, so none may hold it while it waits.
   */
  void largeRequestCame() {
    giveUp(LARGE_BEHIND);
  }

  private void giveUp(Reply.ErrorLine why) {
    reasonToEnd = why;
    if (state.compareAndSet(State.WAITING, State.ENDED)) {
      end(why, null, NONE);
    }
  }

  /** The connection has gone: nobody is answered. */
  void departed() {
    end(null, new IllegalStateException("the connection is gone"), NONE);
  }

  /**
   * @param taken the index of the key from which something was taken, or {@link #NONE}
   */
  private void end(@Nullable Reply answer, @Nullable Throwable failure, int taken) {
    if (hasEnded) {
      return;
    }
    hasEnded = true;
    state.set(State.ENDED);
    ScheduledFuture<?> running = timer;
    if (running != null) {
      boolean _ = running.cancel(false);
      timer = null;
    }
    KeyWaiting places = waiting;
    if (places != null) {
      waiting = null;
      places.end(taken);
    }
    if (heldBytes > 0) {
      heap.give(heldBytes);
    }
    whenDone.run();
    heldBytes = 0;
    if (failure != null) {
      boolean _ = reply.completeExceptionally(failure);
    } else if (answer != null) {
      boolean _ = reply.complete(answer);
    }
  }
}
