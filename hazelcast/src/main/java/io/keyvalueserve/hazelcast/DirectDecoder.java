package io.keyvalueserve.hazelcast;

import com.hazelcast.internal.networking.HandlerStatus;
import com.hazelcast.internal.networking.nio.InboundHandlerWithCounters;
import com.hazelcast.internal.nio.Connection;
import com.hazelcast.internal.nio.IOUtil;
import io.keyvalueserve.billing.metering.Measure;
import io.keyvalueserve.gates.fairness.Claim;
import io.keyvalueserve.gates.fairness.Slice;
import io.keyvalueserve.gates.visit.Tab;
import io.keyvalueserve.grid.turn.Reading;
import io.keyvalueserve.grid.turn.ThreadTurns;
import io.keyvalueserve.grid.turn.TurnTaker;
import java.nio.ByteBuffer;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The first step behind a client's socket. Looks at the bytes of each message where they lie: what
 * {@link DirectDoor} can answer is answered at once, and all such answers of one read go out in one
 * write; everything else goes the long way ({@link WholeMessages}).
 *
 * <p>While the thread reads connections of several tenants, what was read stays in the buffer until
 * it is the connection's turn ({@link ThreadTurns}). More is read meanwhile as long as there is
 * room. When the connection moves to another thread it waits there anew, and leaves where it was.
 *
 * <p>Runs on the IO thread that has the connection. Makes no garbage for a message that it answers.
 */
final class DirectDecoder extends InboundHandlerWithCounters<ByteBuffer, Consumer<Object>>
    implements TurnTaker {
  /** Answers are sent when there are so many, even if more requests are there. */
  private static final int FLUSH_BYTES = 64 << 10;

  // Sorts of work.
  private static final int READ = 0;
  private static final int WRITE = 1;
  private static final int LONG_WAY = 2;

  /** The number of sorts of work. */
  static final int SORTS = 3;

  /** A message that goes the long way costs about as much as so many requests answered here. */
  private static final int COST_OF_LONG_WAY = 4;

  /** The reasons for which decoding stops. */
  private enum End {
    /** More has to be read first. */
    DRY,
    /** The client takes no answers. */
    STOPPED,
    /** The slice is over. */
    OVER
  }

  /** The place where the connection waits for its turns. */
  private record Seat(ThreadTurns turns, Claim<TurnTaker> claim) {
    void leaveLater() {
      turns.leaveLater(claim);
    }
  }

  private final Connection connection;
  private final Reading reading;
  private final Supplier<ReadingDesk> desks;
  private final DirectDoor direct;
  private final ReplyBacklog backlog;
  private final UnansweredMessages unanswered;
  private final WholeMessages messages;
  private final Runnable writer;
  private final ElasticSize size;

  /** The largest number of bytes in the buffer since its size was last adjusted. */
  private int held;

  /** True if nothing is read until there is room. */
  private boolean isFull;

  /** Null if it has not had to wait on this thread. Changed by the thread that reads. */
  private volatile @Nullable Seat seat;

  // Of the read or the turn that goes on, to be metered at its end.
  private @Nullable DoorSession served;
  private long operations;
  private long bytesIn;
  private long bytesOut;

  /** The tab of the map that was used last; it is not settled yet. */
  private @Nullable Tab present;

  /**
   * @param desks has what the calling thread needs
   * @param writer has the thread that writes go on with what was not written at once
   * @param mostBytes the largest that the buffer for requests may become
   */
  DirectDecoder(
      Connection connection,
      Reading reading,
      Supplier<ReadingDesk> desks,
      DirectDoor direct,
      ReplyBacklog backlog,
      UnansweredMessages unanswered,
      WholeMessages messages,
      Runnable writer,
      int mostBytes) {
    this.connection = connection;
    this.reading = reading;
    this.desks = desks;
    this.direct = direct;
    this.backlog = backlog;
    this.unanswered = unanswered;
    this.messages = messages;
    this.writer = writer;
    this.size = new ElasticSize(mostBytes);
    this.src = ByteBuffer.allocate(size.size());
  }

  // ---- when it is decoded

  @Override
  public HandlerStatus onRead() {
    ReadingDesk desk = desks.get();
    Seat before = seat;
    if (before != null && before.turns() != desk.turns) { // it has moved
      before.leaveLater();
      seat = null;
    }
    DoorSession session = messages.isTrusted() ? DoorSession.of(connection) : null;
    if (session != null && src.position() > 0 && desk.turns.mustWait(session.identity().number())) {
      return await(desk.turns, session);
    }
    unanswered.times().read();
    try {
      return decode(desk, session) == End.STOPPED ? HandlerStatus.BLOCKED : HandlerStatus.CLEAN;
    } finally {
      settle(desk);
    }
  }

  /** Has what was read decoded when it is the connection's turn. */
  private HandlerStatus await(ThreadTurns turns, DoorSession session) {
    Seat here = seat;
    if (here == null) {
      here = new Seat(turns, turns.enter(session.identity().number(), this));
      seat = here;
    }
    if (!here.claim().isReady()) {
      unanswered.times().read();
      turns.ready(here.claim());
    }
    isFull = !src.hasRemaining();
    return isFull ? HandlerStatus.BLOCKED : HandlerStatus.CLEAN;
  }

  @Override
  public boolean takeTurn(Claim<TurnTaker> claim) {
    ReadingDesk desk = desks.get();
    if (!reading.isHere()) { // so nothing here may be looked at
      desk.turns.leave(claim);
      if (!reading.isClosed()) {
        reading.wakeUp(); // it waits there, if it does not already
      }
      return false;
    }
    Seat here = seat;
    if (here == null || here.claim() != claim) { // it has been elsewhere, and is back
      desk.turns.leave(claim);
      return false;
    }
    if (reading.isClosed()) {
      leave(here);
      return false;
    }
    desk.isMyTurn = true;
    try {
      return decodeSlice(desk);
    } catch (Throwable t) { // as in Hazelcast's own loop: the connection ends, and not the thread
      leave(here);
      reading.failed(t);
      return false;
    }
  }

  @Override
  public void endTurn() {
    ReadingDesk desk = desks.get();
    if (desk.isMyTurn) {
      desk.isMyTurn = false;
      try {
        settle(desk);
      } catch (Throwable t) {
        reading.failed(t);
      }
    }
  }

  private void leave(Seat here) {
    here.turns().leave(here.claim());
    seat = null;
  }

  /** Decodes one slice of what was read. Returns whether there is more to decode. */
  private boolean decodeSlice(ReadingDesk desk) {
    End end = decode(desk, messages.isTrusted() ? DoorSession.of(connection) : null);
    if (end == End.OVER) {
      return true;
    }
    if (end == End.STOPPED) {
      reading.stop(); // who wakes it up has it go on
    } else if (isFull) {
      isFull = false;
      reading.goOn();
    }
    return false;
  }

  /** The connection is closed: it waits no more. Any thread. */
  void closed() {
    messages.closed();
    Seat last = seat;
    if (last != null) {
      last.leaveLater();
    }
  }

  // ---- how it is decoded

  private End decode(ReadingDesk desk, @Nullable DoorSession session) {
    src.flip();
    held = Math.max(held, src.limit());
    End end;
    try {
      end = decodeAll(desk, session);
    } finally {
      IOUtil.compactOrClear(src);
    }
    if (end == End.DRY) {
      resize(held);
      held = 0;
    }
    return end;
  }

  private End decodeAll(ReadingDesk desk, @Nullable DoorSession session) {
    Slice slice = desk.turns.slice();
    if (session == null || !direct.isOpen()) {
      return readLongWay(slice);
    }
    served = session;
    return read(desk, session, slice);
  }

  /** Counts and sends what was answered. */
  private void settle(ReadingDesk desk) {
    DoorSession session = served;
    if (session != null) {
      served = null;
      meter(session);
      flush(desk);
    }
  }

  private End readLongWay(Slice slice) {
    while (src.hasRemaining()) {
      if (slice.isOver()) {
        return End.OVER;
      }
      if (!readMessage(slice)) {
        return End.DRY;
      }
    }
    return End.DRY;
  }

  private End read(ReadingDesk desk, DoorSession session, Slice slice) {
    DirectRequest request = desk.request;
    while (src.hasRemaining()) {
      if (slice.isOver()) {
        return End.OVER;
      }
      if (backlog.mustStop()) {
        return End.STOPPED;
      }
      if (!messages.isMidway()) {
        int start = src.position();
        switch (request.parse(src.array(), start, src.limit())) {
          case INCOMPLETE -> {
            if (hasRoomFor(start)) {
              return End.DRY;
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
      if (!readMessage(slice)) {
        return End.DRY;
      }
    }
    return End.DRY;
  }

  private boolean answer(DirectRequest request, DoorSession session, ReadingDesk desk) {
    Measure measure = request.descriptor().measure();
    if (session.hasEnded()
        || unanswered.has(request.partition())
        || session.visit().admit(measure, request.operations(), request.length()) != null) {
      return false; // the other way words and counts refusals
    }
    ReplyFrame reply = desk.reply;
    int before = reply.getFrameLength();
    if (!direct.answer(request, session.maps(direct), reply)) {
      session.visit().prepay();
      return false;
    }
    int answerBytes = reply.getFrameLength() - before;
    bytesOut += answerBytes;
    charge(session, request, measure, answerBytes);
    desk.turns
        .slice()
        .worked(
            request.isWrite() ? WRITE : READ,
            request.operations(),
            (long) request.length() + answerBytes);
    if (reply.getFrameLength() >= FLUSH_BYTES) {
      flush(desk);
    }
    return true;
  }

  private void charge(
      DoorSession session, DirectRequest request, @Nullable Measure measure, int answerBytes) {
    Tab used = session.maps(direct).lastTab();
    Tab before = present;
    if (before != null && !before.equals(used)) {
      before.settle();
    }
    present = used;
    if (used != null) {
      session.visit().served(used, measure, request.operations());
      used.add(Measure.BYTES_IN, request.length());
      used.add(Measure.BYTES_OUT, answerBytes);
    }
  }

  /**
   * Returns whether the rest of a message that begins at {@code start} can still be read into the
   * buffer.
   */
  private boolean hasRoomFor(int start) {
    return start > 0 || src.limit() < src.capacity() || !size.isLargest();
  }

  /** Reads a message or fragment that goes the long way. Returns whether it came to its end. */
  private boolean readMessage(Slice slice) {
    int start = src.position();
    int delivered = messages.read(src);
    slice.worked(LONG_WAY, COST_OF_LONG_WAY, src.position() - start);
    if (delivered > 0) {
      normalPacketsRead.inc();
    }
    return delivered >= 0;
  }

  private void count(int bytes) {
    operations++;
    bytesIn += bytes;
  }

  private void flush(ReadingDesk desk) {
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
      writer.run();
    }
  }

  private void meter(DoorSession session) {
    if (operations > 0) {
      unanswered.times().answered(operations, session);
      session.visit().operations(operations);
      session.visit().arrived(bytesIn);
      session.visit().answeredAndCharged(bytesOut, 0);
      Tab used = present;
      if (used != null) {
        used.settle();
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
   * Takes a larger or smaller buffer, if it is time. Before the client has authenticated it keeps
   * the buffer that it began with. The pipeline looks which buffer to read into only when a handler
   * is exchanged; if that was while it read, it then calls {@link #onRead} again.
   */
  private void resize(int most) {
    if (!messages.isTrusted()) {
      return;
    }
    if (most == src.capacity() && !size.isLargest()) {
      size.grow();
    } else {
      size.held(most);
    }
    if (size.size() != src.capacity() && src.position() < size.size()) {
      src = ByteBuffer.allocate(size.size()).put(src.flip());
      channel.inboundPipeline().replace(this, this);
    }
  }
}
