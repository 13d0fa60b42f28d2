package io.keyvalueserve.grid.channel;

import io.keyvalueserve.engine.channel.ChannelBus;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/** A message on its way to several members. Thread-safe. */
final class Publishing {
  private final AtomicInteger missing;
  private final AtomicLong receivers = new AtomicLong();
  private final CompletableFuture<Long> result = new CompletableFuture<>();
  private volatile boolean tooCostly;

  /**
   * @param members how many answers there will be, 1 or more
   */
  Publishing(int members) {
    this.missing = new AtomicInteger(members);
  }

  CompletionStage<Long> result() {
    return result;
  }

  /** A member has answered. */
  void answered(long count) {
    if (count == ChannelBus.TOO_COSTLY) {
      tooCostly = true;
    } else {
      receivers.addAndGet(count);
    }
    if (missing.decrementAndGet() == 0) {
      result.complete(tooCostly ? ChannelBus.TOO_COSTLY : receivers.get());
    }
  }
}
