package com.hazelcast.internal.networking.nio;

import com.hazelcast.internal.networking.Channel;
import io.keyvalueserve.grid.turn.Reading;
import java.nio.channels.SelectionKey;

/**
 * The reading of a channel. Lives in Hazelcast's package because whether a pipeline wants to be
 * told of what has come is package-private.
 */
public final class PipelineReading implements Reading {
  private final NioInboundPipeline pipeline;

  private PipelineReading(NioInboundPipeline pipeline) {
    this.pipeline = pipeline;
  }

  /** That of a channel of Hazelcast's own network threads. */
  public static PipelineReading of(Channel channel) {
    return new PipelineReading((NioInboundPipeline) channel.inboundPipeline());
  }

  @Override
  public boolean isHere() {
    return Thread.currentThread().equals(pipeline.owner());
  }

  @Override
  public boolean isClosed() {
    return pipeline.getChannel().isClosed();
  }

  @Override
  public void stop() {
    pipeline.unregisterOp(SelectionKey.OP_READ);
  }

  @Override
  public void goOn() {
    pipeline.registerOp(SelectionKey.OP_READ);
  }

  @Override
  public void wakeUp() {
    NioInboundPipeline _ = pipeline.wakeup();
  }

  @Override
  public void failed(Throwable cause) {
    pipeline.onError(cause);
  }
}
