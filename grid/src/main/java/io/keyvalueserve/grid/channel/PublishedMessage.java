package io.keyvalueserve.grid.channel;

import io.keyvalueserve.grid.link.Passenger;
import org.jspecify.annotations.Nullable;

/** A published message on its way to one member. */
final class PublishedMessage implements Passenger<Long> {
  private static final int FRAME_BYTES = 16;

  private final Publishing publishing;
  private final int tenant;
  private final boolean sharded;
  private final byte[] channel;
  private final byte[] payload;

  PublishedMessage(
      Publishing publishing, int tenant, boolean sharded, byte[] channel, byte[] payload) {
    this.publishing = publishing;
    this.tenant = tenant;
    this.sharded = sharded;
    this.channel = channel;
    this.payload = payload;
  }

  ChannelMessage.Part part() {
    return new ChannelMessage.Part(tenant, sharded, channel, payload);
  }

  @Override
  public long bytes() {
    return (long) FRAME_BYTES + channel.length + payload.length;
  }

  @Override
  public void sendAlone() {
    throw new IllegalStateException("one message is enough for a load");
  }

  @Override
  public void answeredTogether(Long answer) {
    publishing.answered(answer);
  }

  /** The member has left, or is not ready: it has no receivers that anybody could know of. */
  @Override
  public void failedTogether(@Nullable Throwable failure) {
    publishing.answered(0);
  }
}
