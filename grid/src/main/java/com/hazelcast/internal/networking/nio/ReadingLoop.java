package com.hazelcast.internal.networking.nio;

import io.keyvalueserve.grid.turn.ThreadTurns;
import java.io.IOException;
import java.nio.channels.CancelledKeyException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.util.Iterator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A thread that reads connections, which can be told to do so in the midst of its tasks. Lives in
 * Hazelcast's package because what a pipeline does with what has come is package-private.
 */
public final class ReadingLoop implements ThreadTurns.Loop {
  private static final Logger LOG = LoggerFactory.getLogger(ReadingLoop.class);

  private final NioThread thread;

  public ReadingLoop(NioThread thread) {
    this.thread = thread;
  }

  @Override
  public void addTask(Runnable task) {
    thread.addTask(task);
  }

  @Override
  public void execute(Runnable task) {
    thread.addTaskAndWakeup(task);
  }

  /**
   * Serves the connections as {@link NioThread} does between its tasks, but does not wait for any.
   */
  @Override
  public void look() {
    Selector selector = thread.getSelector();
    try {
      if (selector.selectNow() == 0) {
        return;
      }
    } catch (IOException e) {
      LOG.warn("connections cannot be looked after: {}", e.getMessage());
      return;
    }
    Iterator<SelectionKey> keys = selector.selectedKeys().iterator();
    while (keys.hasNext()) {
      SelectionKey key = keys.next();
      keys.remove();
      process(key);
    }
  }

  private static void process(SelectionKey key) {
    NioPipeline pipeline = (NioPipeline) key.attachment();
    try {
      if (!key.isValid()) {
        throw new CancelledKeyException();
      }
      pipeline.process();
    } catch (Throwable t) {
      pipeline.onError(t);
    }
  }
}
