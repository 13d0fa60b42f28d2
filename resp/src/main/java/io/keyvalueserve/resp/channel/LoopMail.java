package io.keyvalueserve.resp.channel;

import io.netty.channel.EventLoop;
import io.netty.util.internal.PlatformDependent;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The messages for subscribers on one event loop. Tenants take turns, and after half a millisecond
 * the loop looks after its connections. {@link #list} is for any thread, the rest is of the event
 * loop.
 */
public final class LoopMail implements Runnable {
  private static final Logger LOG = LoggerFactory.getLogger(LoopMail.class);
  private static final long SLICE_NANOS = TimeUnit.MICROSECONDS.toNanos(500);

  /** The steps between two looks at the clock. */
  private static final int STEPS_AT_ONCE = 8;

  private final EventLoop loop;
  private final Consumer<Runnable> nextIteration;
  private final Queue<TenantMail> listed = PlatformDependent.newMpscQueue();
  private final Queue<TenantMail> due = new ArrayDeque<>();
  private final AtomicBoolean isScheduled = new AtomicBoolean();

  /**
   * @param nextIteration runs a task on the loop when that has looked after its connections
   */
  public LoopMail(EventLoop loop, Consumer<Runnable> nextIteration) {
    this.loop = loop;
    this.nextIteration = nextIteration;
  }

  /** A tenant has messages for this loop. */
  void list(TenantMail mail) {
    listed.add(mail);
    schedule();
  }

  /** A tenant's messages go on. */
  void due(TenantMail mail) {
    due.add(mail);
    schedule();
  }

  /** Runs a task on the loop. Any thread. */
  void execute(Runnable task) {
    try {
      loop.execute(task);
    } catch (RejectedExecutionException e) {
      LOG.debug("the event loop is gone, and with it its subscribers");
    }
  }

  /** Runs a task on the loop later. Any thread. */
  void later(Runnable task, long millis) {
    try {
      var _ = loop.schedule(task, millis, TimeUnit.MILLISECONDS);
    } catch (RejectedExecutionException e) {
      LOG.debug("the event loop is gone, and with it its subscribers");
    }
  }

  private void schedule() {
    if (!isScheduled.get() && isScheduled.compareAndSet(false, true)) {
      try {
        loop.execute(this);
      } catch (RejectedExecutionException e) {
        LOG.debug("the event loop is gone, and with it its subscribers");
      }
    }
  }

  @Override
  public void run() {
    long end = System.nanoTime() + SLICE_NANOS;
    int steps = 0;
    while (true) {
      TenantMail fresh;
      while ((fresh = listed.poll()) != null) {
        due.add(fresh);
      }
      TenantMail next = due.poll();
      if (next == null) {
        isScheduled.set(false);
        if (listed.isEmpty() || !isScheduled.compareAndSet(false, true)) {
          return;
        }
        continue;
      }
      if (next.step()) {
        due.add(next);
      }
      steps++;
      if (steps % STEPS_AT_ONCE == 0 && System.nanoTime() - end >= 0) {
        nextIteration.accept(this);
        return;
      }
    }
  }
}
