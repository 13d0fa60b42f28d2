package io.keyvalueserve.hazelcast;

import com.hazelcast.client.impl.protocol.ClientMessage;
import com.hazelcast.client.impl.protocol.ClientMessageWriter;
import com.hazelcast.client.impl.protocol.codec.builtin.ErrorsCodec;
import com.hazelcast.internal.networking.HandlerStatus;
import com.hazelcast.internal.networking.OutboundFrame;
import com.hazelcast.internal.networking.OutboundHandler;
import com.hazelcast.internal.nio.Connection;
import com.hazelcast.internal.nio.IOUtil;
import java.nio.ByteBuffer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The last step before a client's socket: puts Hazelcast's messages and direct answers into the
 * buffer that is sent. Runs on the thread that has the outbound pipeline: mostly that which wrote.
 */
final class ReplyEncoder extends OutboundHandler<Supplier<OutboundFrame>, ByteBuffer> {
  private final Connection connection;
  private final ReplyBacklog backlog;
  private final UnansweredMessages unanswered;
  private final UnreadAnswers.OfConnection unread;
  private final ClientMessageWriter writer = new ClientMessageWriter();
  private final ElasticSize size;
  private @Nullable OutboundFrame current;

  /**
   * @param unread is told what was written or left out
   * @param mostBytes the largest that the buffer for answers may become
   */
  ReplyEncoder(
      Connection connection,
      ReplyBacklog backlog,
      UnansweredMessages unanswered,
      UnreadAnswers.OfConnection unread,
      int mostBytes) {
    this.unread = unread;
    this.connection = connection;
    this.backlog = backlog;
    this.unanswered = unanswered;
    this.size = new ElasticSize(mostBytes);
    this.dst = ByteBuffer.allocate(size.size()).flip();
  }

  @Override
  public HandlerStatus onWrite() {
    int capacity = dst.capacity();
    if (dst.position() > 0) { // the socket has taken some
      unread.progressed();
    }
    IOUtil.compactOrClear(dst);
    boolean all = writeAll();
    size.held(dst.position());
    dst.flip();
    if (dst.capacity() > size.size() && dst.remaining() < size.size()) {
      dst = ByteBuffer.allocate(size.size()).put(dst).flip();
    }
    if (dst.capacity() != capacity) {
      // The pipeline looks which buffer to send only when a handler is exchanged, and then calls
      // this again.
      channel.outboundPipeline().replace(this, this);
    }
    return all ? HandlerStatus.CLEAN : HandlerStatus.DIRTY;
  }

  /**
   * Writes all that there is to send into the buffer. Returns whether the buffer had room for it.
   */
  private boolean writeAll() {
    OutboundFrame frame = current == null ? next() : current;
    while (frame != null) {
      if (!writeGrowing(frame)) {
        current = frame;
        return false;
      }
      frame = next();
    }
    current = null;
    return true;
  }

  /**
   * Returns the next frame to be sent; null if there is none. Drops events that the client may not
   * hear.
   */
  private @Nullable OutboundFrame next() {
    OutboundFrame frame = src.get();
    while (frame instanceof ClientMessage message && !mayHear(message)) {
      unread.remove(AnswerQueue.bytesOf(message));
      frame = src.get();
    }
    return frame;
  }

  private boolean mayHear(ClientMessage message) {
    if (!ClientMessage.isFlagSet(message.getHeaderFlags(), ClientMessage.IS_EVENT_FLAG)) {
      return true;
    }
    DoorSession session = DoorSession.of(connection);
    return session == null || session.granted().hearing().mayHear(message);
  }

  private boolean writeGrowing(OutboundFrame frame) {
    while (!write(frame)) {
      if (size.isLargest()) {
        return false;
      }
      size.grow();
      dst = ByteBuffer.allocate(size.size()).put(dst.flip());
    }
    return true;
  }

  private boolean write(OutboundFrame frame) {
    if (frame instanceof ReplyFrame reply) {
      return writeReply(reply);
    }
    if (frame instanceof RowsReply rows) {
      return rows.writeTo(dst) && written(rows, rows.head());
    }
    ClientMessage message = (ClientMessage) frame;
    return writer.writeTo(dst, message) && written(message, message);
  }

  /** Settles what a frame counted for until now. Returns true. */
  private boolean written(OutboundFrame frame, ClientMessage message) {
    unread.remove(AnswerQueue.bytesOf(frame));
    unanswered.answered(message);
    DoorSession session = DoorSession.of(connection);
    if (session != null) {
      unanswered.times().answered(message, session);
      boolean isEvent =
          ClientMessage.isFlagSet(message.getHeaderFlags(), ClientMessage.IS_EVENT_FLAG);
      int bytes = frame.getFrameLength();
      boolean isError = message.getMessageType() == ErrorsCodec.EXCEPTION_MESSAGE_TYPE;
      session
          .visit()
          .answered(
              session.usage().ofAnswer(message.getCorrelationId(), isEvent),
              bytes,
              isError ? bytes : 0);
      if (!isEvent) {
        session.waiting().answered(message.getCorrelationId());
        session.transactions().answered(message);
        if (!session.listeners().answered(message)) {
          session.end("a request had the number of one that was not answered");
        }
      }
    }
    return true;
  }

  private boolean writeReply(ReplyFrame reply) {
    reply.writeTo(dst);
    if (reply.remaining() > 0) {
      return false;
    }
    int length = reply.getFrameLength();
    unread.remove(AnswerQueue.bytesOf(reply));
    reply.giveBack();
    backlog.remove(length);
    return true;
  }
}
