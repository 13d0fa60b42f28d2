package io.keyvalueserve.resp;

import io.netty.util.concurrent.DefaultThreadFactory;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntConsumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Makes the threads of event loops; each does something before it serves anybody. Thread-safe. */
final class LoopThreads extends DefaultThreadFactory {
  private static final Logger LOG = LoggerFactory.getLogger(LoopThreads.class);

  private final IntConsumer start;
  private final AtomicInteger next = new AtomicInteger();

  /**
   * Makes none yet.
   *
   * @param start is told the number of a loop, from 0, by its thread
   */
  LoopThreads(IntConsumer start) {
    super("resp", true);
    this.start = start;
  }

  /** A loop that could not do it serves all the same: else whoever waits for it waits for good. */
  private void begin(int number) {
    try {
      start.accept(number);
    } catch (RuntimeException e) {
      LOG.warn("event loop {} goes on without what it should have done first", number, e);
    }
  }

  @Override
  public Thread newThread(Runnable loop) {
    int number = next.getAndIncrement();
    return super.newThread(
        () -> {
          begin(number);
          loop.run();
        });
  }
}
