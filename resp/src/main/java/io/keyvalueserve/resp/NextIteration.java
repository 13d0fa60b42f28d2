package io.keyvalueserve.resp;

import io.netty.channel.EventLoop;
import io.netty.channel.SingleThreadEventLoop;

/** A task of an event loop's that runs when the loop has looked after its connections. */
final class NextIteration {
  private final EventLoop loop;
  private final Runnable task;
  private final Runnable execute = this::execute;

  NextIteration(EventLoop loop, Runnable task) {
    this.loop = loop;
    this.task = task;
  }

  /** Has it run when the loop has gone through what it has found to do. */
  void execute() {
    loop.execute(task);
  }

  /** Has it run when the loop has looked after its connections once more, and not before. */
  void executeAfterConnections() {
    if (loop instanceof SingleThreadEventLoop turning) {
      turning.executeAfterEventLoopIteration(execute);
    } else {
      execute();
    }
  }
}
