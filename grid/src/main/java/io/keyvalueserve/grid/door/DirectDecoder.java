package io.keyvalueserve.grid.door;

import com.hazelcast.internal.networking.HandlerStatus;
import com.hazelcast.internal.networking.nio.InboundHandlerWithCounters;
import com.hazelcast.internal.nio.Connection;
import com.hazelcast.internal.nio.IOUtil;
import io.keyvalueserve.tenancy.metering.Measure;
import java.nio.ByteBuffer;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The first step behind a client's socket. Looks at the bytes of each message where they lie: what
 * {@link DirectDoor} can answer is answered at once, and all such answers of one read go out in one
 * write; everything else goes the long way ({@link WholeMessages}).
 *
 * <p>Runs on the IO thread that has the connection. Makes no garbage for a message that it answers.
 */
final class DirectDecoder extends InboundHandlerWithCounters<ByteBuffer, Consumer<Object>> {
  /** Answers are sent when there are so many, even if more requests are there. */
  private static final int FLUSH_BYTES = 64 << 10;

  /** What a thread needs while it is in one connection's {@link #onRead}. */
  private static final class Desk {
    static final ThreadLocal<Desk> OF_THREAD = ThreadLocal.withInitial(Desk::new);

    final DirectRequest request = new DirectRequest();
    ReplyFrame reply = new ReplyFrame();
  }

  private final Connection connection;
  private final DirectDoor direct;
  private final ReplyBacklog backlog;
  private final UnansweredMessages unanswered;
  private final WholeMessages messages;
  private final ElasticSize size;

  // Of the read that goes on, to be metered at its end.
  private long operations;
  private long bytesIn;
  private long bytesOut;

  /** What was used last, which is not told yet. */
  private @Nullable MapUse present;

  /**
   * @param mostBytes the largest that the buffer for requests may become
   */
  DirectDecoder(
      Connection connection,
      DirectDoor direct,
      ReplyBacklog backlog,
      UnansweredMessages unanswered,
      WholeMessages messages,
      int mostBytes) {
    this.connection = connection;
    this.direct = direct;
    this.backlog = backlog;
    this.unanswered = unanswered;
    this.messages = messages;
    this.size = new ElasticSize(mostBytes);
    this.src = ByteBuffer.allocate(size.size());
  }

  @Override
  public HandlerStatus onRead() {
    unanswered.times().read();
    src.flip();
    int held = src.limit();
    boolean stopped;
    try {
      stopped = readAll();
    } finally {
      IOUtil.compactOrClear(src);
    }
    if (!stopped) {
      resize(held);
    }
    return stopped ? HandlerStatus.BLOCKED : HandlerStatus.CLEAN;
  }

  /** Whether it stopped because the client takes no answers. */
  private boolean readAll() {
    DoorSession session =
        direct.isOpen() && messages.isTrusted() ? DoorSession.of(connection) : null;
    if (session == null) {
      return readLongWay();
    }
    Desk desk = Desk.OF_THREAD.get();
    try {
      return read(desk, session);
    } finally {
      meter(session);
      flush(desk);
    }
  }

  private boolean readLongWay() {
    while (src.hasRemaining()) {
      if (!readMessage()) {
        return false;
      }
    }
    return false;
  }

  private boolean read(Desk desk, DoorSession session) {
    DirectRequest request = desk.request;
    while (src.hasRemaining()) {
      if (backlog.mustStop()) {
        return true;
      }
      if (!messages.isMidway()) {
        int start = src.position();
        switch (request.parse(src.array(), start, src.limit())) {
          case INCOMPLETE -> {
            if (hasRoomFor(start)) {
              return false;
            }
          }
          case WHOLE -> {
            if (answer(request, session, desk)) {
              src.position(request.end());
              count(request.end() - start);
              continue;
            }
          }
          case OTHER -> {}
        }
      }
      if (!readMessage()) {
        return false;
      }
    }
    return false;
  }

  private boolean answer(DirectRequest request, DoorSession session, Desk desk) {
    if (session.hasEnded()
        || unanswered.has(request.partition())
        || session
                .admission()
                .admit(
                    request.isWrite() ? Measure.WRITES : Measure.READS,
                    request.operations(),
                    request.length())
            != null) {
      return false; // the other way words and counts refusals
    }
    ReplyFrame reply = desk.reply;
    int before = reply.getFrameLength();
    if (!direct.answer(request, session.maps(direct), reply)) {
      session.prepay();
      return false;
    }
    int answerBytes = reply.getFrameLength() - before;
    bytesOut += answerBytes;
    use(session.maps(direct).lastUse(), request, answerBytes);
    if (reply.getFrameLength() >= FLUSH_BYTES) {
      flush(desk);
    }
    return true;
  }

  private void use(@Nullable MapUse used, DirectRequest request, int answerBytes) {
    MapUse before = present;
    if (before != null && !before.equals(used)) {
      before.tell();
    }
    present = used;
    if (used != null) {
      used.add(request, answerBytes);
    }
  }

  /** Whether the rest of a message that begins there can still be read into the buffer. */
  private boolean hasRoomFor(int start) {
    return start > 0 || src.limit() < src.capacity() || !size.isLargest();
  }

  /** Whether a message or fragment came to its end. */
  private boolean readMessage() {
    int delivered = messages.read(src);
    if (delivered > 0) {
      normalPacketsRead.inc();
    }
    return delivered >= 0;
  }

  private void count(int bytes) {
    operations++;
    bytesIn += bytes;
  }

  private void flush(Desk desk) {
    ReplyFrame reply = desk.reply;
    if (reply.isEmpty()) {
      return;
    }
    backlog.add(reply.getFrameLength());
    boolean taken = connection.write(reply);
    if (!taken || reply.isWritten()) {
      reply.clear();
    } else {
      desk.reply = new ReplyFrame(); // the writer has the other
    }
  }

  private void meter(DoorSession session) {
    if (operations > 0) {
      unanswered.times().answered(operations, session);
      session.meter().operations(operations);
      session.meter().bytesIn(bytesIn);
      session.meter().bytesOut(bytesOut);
      session.admission().sent(bytesOut);
      MapUse used = present;
      if (used != null) {
        used.tell();
        present = null;
      }
      normalPacketsRead.inc(operations);
      direct.countAnswered(operations);
      operations = 0;
      bytesIn = 0;
      bytesOut = 0;
    }
  }

  /**
   * Takes a larger or smaller buffer, if it is time. The pipeline looks which buffer to read into
   * only when a handler is exchanged; it then calls {@link #onRead} again.
   */
  private void resize(int held) {
    if (held == src.capacity() && !size.isLargest()) {
      size.grow();
    } else {
      size.held(held);
    }
    if (size.size() != src.capacity() && src.position() < size.size()) {
      src = ByteBuffer.allocate(size.size()).put(src.flip());
      channel.inboundPipeline().replace(this, this);
    }
  }
}
