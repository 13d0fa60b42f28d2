package io.keyvalueserve.resp;

import io.keyvalueserve.resp.protocol.Reply;
import io.keyvalueserve.resp.protocol.ReplyWriter;

/**
 * A request whose reply is gathered as the bytes that the client gets, some with each part, and
 * written when all is there, as until then it can still become an error. On the connection's event
 * loop only.
 */
abstract class GatheringRequest implements PartedRequest {
  final SessionLoop session;
  final RespClient client;
  private final long mostBytes;
  private boolean isAnswering;
  private boolean isAnswered;

  /** Creates a request that has gathered nothing yet. */
  GatheringRequest(SessionLoop session, RespClient client, SessionHost host) {
    this.session = session;
    this.client = client;
    this.mostBytes = host.config().output().mostPendingBytes();
  }

  @Override
  public final boolean isAnswering() {
    return isAnswering;
  }

  @Override
  public final boolean isAnswered() {
    return isAnswered;
  }

  @Override
  public final void answer(Reply reply, ReplyWriter writer) {
    writer.write(reply);
    isAnswered = true;
  }

  /** Returns whether more was gathered than may wait for a client to read it. */
  final boolean isTooLong() {
    return gatheredBytes() > mostBytes;
  }

  /** Writes some of what was gathered. */
  final void writePart(ReplyWriter writer) {
    if (!isAnswering) {
      isAnswering = true;
      int _ = writer.mark();
      writeHead(writer);
    }
    isAnswered = !writeNext(writer);
  }

  /** Writes what comes before all that was gathered. */
  abstract void writeHead(ReplyWriter writer);

  /**
   * Writes some of what was gathered, and forgets it.
   *
   * @return whether there is more
   */
  abstract boolean writeNext(ReplyWriter writer);
}
