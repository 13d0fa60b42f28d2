package com.hazelcast.internal.networking.nio;

import com.hazelcast.internal.networking.Channel;

/**
 * The writing of a channel. Lives in Hazelcast's package because the thread that has a pipeline is
 * package-private.
 */
public final class PipelineWriting {
  private final NioOutboundPipeline pipeline;

  private PipelineWriting(NioOutboundPipeline pipeline) {
    this.pipeline = pipeline;
  }

  /** Returns that of a channel of Hazelcast's own network threads. */
  public static PipelineWriting of(Channel channel) {
    return new PipelineWriting((NioOutboundPipeline) channel.outboundPipeline());
  }

  /**
   * Has the thread that writes notice that the socket took only a part. A thread that reads has
   * tried to write, and Hazelcast wakes the other one for threads that do neither: it would go on
   * after up to a second.
   */
  public void goOn() {
    NioThread owner = pipeline.owner();
    if (owner != null && !owner.equals(Thread.currentThread())) {
      var _ = owner.getSelector().wakeup();
    }
  }
}
