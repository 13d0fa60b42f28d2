package io.keyvalueserve.grid.link;

import com.hazelcast.cluster.Address;
import com.hazelcast.internal.util.ConcurrencyUtil;
import com.hazelcast.map.impl.MapService;
import com.hazelcast.spi.impl.NodeEngine;
import com.hazelcast.spi.impl.operationservice.Operation;
import com.hazelcast.spi.impl.operationservice.impl.InvocationFuture;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The way to one other member: what any number of clients ask of it travels in a few messages at a
 * time (seed 004, section 3.7: many connections coalesced into few channels).
 *
 * <p>At most so many messages are under way as there are <em>channels</em>. What comes in while all
 * of them are busy waits, and leaves together as soon as one is answered: so a message grows with
 * the load and nothing waits for others when there are none (natural batching, as in a group
 * commit). And what one event loop finds in one turn leaves together even when channels are free. A
 * message whose answer takes long (a backup has died, say) does not keep others from leaving. What
 * waits is bounded by what clients may have under way.
 *
 * <p>Thread-safe, never blocks.
 *
 * @param <P> what travels
 * @param <A> what comes back for each
 */
public final class MemberLink<P extends Passenger<A>, A> {
  private static final int MOST_BYTES = 1 << 20;
  private static final int MOST_PASSENGERS = 4_096;

  /**
   * The time without a message after which the channels count as stuck, and one more message may
   * go.
   */
  private static final long PATIENCE_NANOS = 20_000_000;

  private static final VarHandle SCHEDULED;

  static {
    try {
      SCHEDULED =
          MethodHandles.lookup().findVarHandle(MemberLink.class, "scheduled", boolean.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private final NodeEngine nodeEngine;
  private final Address member;
  private final Function<List<P>, Operation> message;
  private final int channels;
  private final int fewest;
  private final Queue<P> waiting = new ConcurrentLinkedQueue<>();
  private final AtomicInteger busy = new AtomicInteger();
  private volatile long lastSentNanos;
  private volatile boolean scheduled;

  /**
   * A way that nothing is on.
   *
   * @param message makes a message of some passengers, which is answered by {@link Answers}
   * @param channels how many messages may be under way, 1 or more
   * @param fewest how many passengers make a message; fewer are sent each by itself
   */
  public MemberLink(
      NodeEngine nodeEngine,
      Address member,
      Function<List<P>, Operation> message,
      int channels,
      int fewest) {
    this.nodeEngine = nodeEngine;
    this.member = member;
    this.message = message;
    this.channels = channels;
    this.fewest = fewest;
  }

  /**
   * Sends a passenger with all that is sent in the same turn of the calling thread, and with what
   * else has gathered until then.
   *
   * @param endOfTurn runs what it gets when the thread has seen all that there is to send
   */
  public void send(P passenger, Executor endOfTurn) {
    waiting.add(passenger);
    if (!scheduled && SCHEDULED.compareAndSet(this, false, true)) {
      try {
        endOfTurn.execute(this::endTurn);
      } catch (RejectedExecutionException e) {
        endTurn(); // the thread is about to end
      }
    }
  }

  private void endTurn() {
    scheduled = false;
    proceed();
  }

  /** Sends what waits, as long as a channel is free. */
  private void proceed() {
    while (!waiting.isEmpty()) {
      int now = busy.get();
      if (now >= channels && System.nanoTime() - lastSentNanos < PATIENCE_NANOS) {
        return; // whoever frees a channel comes here
      }
      if (busy.compareAndSet(now, now + 1)) {
        lastSentNanos = System.nanoTime();
        List<P> load = load();
        if (load.size() < fewest) {
          busy.decrementAndGet();
          load.forEach(Passenger::sendAlone);
        } else {
          transmit(load);
        }
      }
    }
  }

  private List<P> load() {
    List<P> load = new ArrayList<>();
    long bytes = 0;
    while (bytes < MOST_BYTES && load.size() < MOST_PASSENGERS) {
      P next = waiting.poll();
      if (next == null) {
        break;
      }
      load.add(next);
      bytes += next.bytes();
    }
    return load;
  }

  private void transmit(List<P> load) {
    InvocationFuture<Answers<A>> sent;
    try {
      sent =
          nodeEngine
              .getOperationService()
              .createInvocationBuilder(MapService.SERVICE_NAME, message.apply(load), member)
              .setTryCount(1)
              .setAsync()
              .invoke();
    } catch (RuntimeException e) {
      busy.decrementAndGet();
      hand(load, null, e);
      return;
    }
    // An answer that is there already comes while this thread is in proceed(), which goes on by
    // itself; were it to begin anew each time, a line of failures could use up the stack.
    AtomicBoolean later = new AtomicBoolean();
    var _ =
        sent.whenCompleteAsync(
            (answer, failure) -> {
              busy.decrementAndGet();
              if (later.get()) {
                proceed();
              }
              hand(load, answer, failure);
            },
            ConcurrencyUtil.CALLER_RUNS);
    later.set(true);
  }

  private void hand(List<P> load, @Nullable Answers<A> answer, @Nullable Throwable failure) {
    for (int i = 0; i < load.size(); i++) {
      if (answer == null) {
        load.get(i).failedTogether(failure);
      } else {
        load.get(i).answeredTogether(answer.of(i));
      }
    }
  }
}
