package io.keyvalueserve.resp.command;

/**
 * A message for the subscribers of a channel.
 *
 * @param owner the number of the tenant whose channel it is; {@link #AS_SAID} if the name says it
 * @param sharded whether it is for those of SSUBSCRIBE
 * @param channel the channel's name; not changed by anyone, as the payload is not
 */
@SuppressWarnings("ArrayRecordComponent") // nobody compares messages
public record OutgoingMessage(int owner, boolean sharded, byte[] channel, byte[] payload) {
  /** No number: the client has named the channel. */
  public static final int AS_SAID = -1;

  /** A message that a client sends. */
  OutgoingMessage(boolean sharded, byte[] channel, byte[] payload) {
    this(AS_SAID, sharded, channel, payload);
  }

  /** Returns its length in bytes, with the name of the channel. */
  long bytes() {
    return (long) channel.length + payload.length;
  }
}
