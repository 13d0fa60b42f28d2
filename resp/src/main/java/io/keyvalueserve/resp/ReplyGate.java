package io.keyvalueserve.resp;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.keyvalueserve.engine.Outcome;
import io.keyvalueserve.engine.Uncertain;
import io.keyvalueserve.resp.command.Errors;
import io.keyvalueserve.resp.protocol.ReplyOutlet;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Lets a connection's replies out to the network, in their order, and none before all is certain
 * that it may tell: those of a turn that did something uncertain are held back, and with them all
 * that follow.
 *
 * <p>If it will never be known whether something survives, the command that did it is answered so,
 * and the others with the replies that they have. Where it is not known which replies tell of it,
 * the client is told once, in the place of all, and cut off.
 *
 * <p>So one connection can have several turns waiting, and one sync of the log covers whatever all
 * connections have done until then. What is held is bounded by {@link #hasRoom}. On the
 * connection's event loop only.
 */
final class ReplyGate implements ReplyOutlet {
  /** The turns that may wait at most. */
  private static final int MOST_TURNS = 64;

  private final RespSession session;
  private final ChannelHandlerContext context;
  private final PacedReplies paced;
  private final HeldTurns loop;

  // The turns that wait, oldest first, and the one that is going on if it will have to.
  private @Nullable Turn oldest;
  private @Nullable Turn newest;
  private @Nullable Turn present;
  private int turns;
  private long heldBytes;

  // Requests whose replies are written: those that the next flush lets go, and those that wait.
  private int finished;
  private long finishedNanos;
  private int heldRequests;

  // Up to where replies have come here, in bytes, and where those of the present turn begin and end
  // that tell of something uncertain: two numbers for each, and how often they did something.
  private long passed;
  private long[] doubtful = {};
  private int doubtfulLength;
  private long doubtfulAdditions;

  private boolean unflushed;
  private boolean failed;
  private @Nullable Runnable whenEmpty;

  ReplyGate(
      RespSession session, ChannelHandlerContext context, PacedReplies paced, HeldTurns loop) {
    this.paced = paced;
    this.session = session;
    this.context = context;
    this.loop = loop;
  }

  /** Returns the changes of the session that are not certain yet. */
  Uncertain uncertain() {
    return loop.uncertain();
  }

  @Override
  public void write(ByteBuf bytes, @Nullable ChannelFutureListener sent) {
    Turn turn = turnToHold();
    if (turn == null) {
      passed += bytes.readableBytes();
      send(bytes, sent);
    } else {
      hold(turn, bytes, sent);
    }
  }

  private void hold(Turn turn, ByteBuf bytes, @Nullable ChannelFutureListener sent) {
    int length = bytes.readableBytes();
    turn.held.add(new Held(bytes, passed, sent));
    passed += length;
    heldBytes += length;
  }

  /** Returns the number of uncertain changes so far, by any session of the loop. */
  long additions() {
    return loop.uncertain().additions();
  }

  /**
   * A command has done something uncertain, and its reply is written: what tells of it.
   *
   * @param additions before it
   * @param from how many bytes of replies had been written before it
   * @param to and with its own
   */
  void markDoubtful(long additions, long from, long to) {
    if (doubtfulLength + 2 > doubtful.length) {
      doubtful = Arrays.copyOf(doubtful, Math.max(16, 2 * doubtful.length));
    }
    doubtful[doubtfulLength] = from;
    doubtful[doubtfulLength + 1] = to;
    doubtfulLength += 2;
    doubtfulAdditions += additions() - additions;
  }

  /** The turn that bytes have to wait with; null if they need not. */
  private @Nullable Turn turnToHold() {
    long fresh = loop.takeNote();
    if (fresh != 0 && !failed) {
      if (present == null) {
        present = new Turn();
      }
      present.additions += fresh;
    }
    return present == null ? newest : present;
  }

  /** The next {@link #flush} ends the replies of so many requests. */
  void finish(int requests, long nanos) {
    finished = requests;
    finishedNanos = nanos;
  }

  /** Returns the number of requests that were answered and whose replies wait. */
  int heldRequests() {
    return heldRequests;
  }

  /** Times what is finished, unless it has to wait with a turn. */
  private void time(@Nullable Turn turn) {
    int requests = finished;
    finished = 0;
    if (turn == null) {
      session.answered(requests, finishedNanos);
    } else {
      turn.requests += requests;
      heldRequests += requests;
    }
  }

  @Override
  public void flush(@Nullable ByteBuf rest) {
    Turn turn = turnToHold();
    time(turn);
    if (turn == null) {
      doubtfulLength = 0;
      doubtfulAdditions = 0;
      if (rest != null) {
        passed += rest.readableBytes();
        unflushed = false;
        paced.writeAndFlush(rest);
      } else if (unflushed) {
        unflushed = false;
        paced.flush();
      }
      return;
    }
    if (rest != null) {
      hold(turn, rest, null);
    }
    if (unflushed) {
      unflushed = false;
      paced.flush();
    }
    if (turn == present) {
      present = null;
      turn.doubtful = Arrays.copyOf(doubtful, doubtfulLength);
      turn.isWhole = doubtfulAdditions == turn.additions;
      hold(turn);
    }
    doubtfulLength = 0;
    doubtfulAdditions = 0;
  }

  private void hold(Turn turn) {
    if (newest == null) {
      oldest = turn;
    } else {
      newest.next = turn;
    }
    newest = turn;
    turns++;
    loop.hold(turn);
  }

  private void send(ByteBuf bytes, @Nullable ChannelFutureListener sent) {
    unflushed = true;
    paced.write(bytes, sent);
  }

  // ---- what is held

  /** Returns whether any replies wait. */
  boolean isHolding() {
    return newest != null || present != null;
  }

  /**
   * Returns whether another request may be begun. If not, {@link RespSession#resume} is called when
   * it may be.
   */
  boolean hasRoom() {
    return turns < MOST_TURNS
        && heldBytes <= context.channel().config().getWriteBufferHighWaterMark();
  }

  /** Returns the bytes that wait. */
  long waitingBytes() {
    return heldBytes + paced.waitingBytes();
  }

  /** Has somebody told when all was sent, or that it will not be. */
  void whenSent(ChannelFutureListener told) {
    if (isHolding()) {
      whenEmpty = () -> whenPaced(told);
    } else {
      whenPaced(told);
    }
  }

  private void whenPaced(ChannelFutureListener told) {
    paced.write(Unpooled.EMPTY_BUFFER, told);
    paced.flush();
  }

  /** The connection is gone: drops what waits. */
  void close() {
    drop();
    paced.drop();
  }

  /** Drops what is held, and what was to be done then; nothing will be held again. */
  void drop() {
    failed = true;
    for (Turn turn = oldest; turn != null; turn = turn.next) {
      turn.drop();
    }
    if (present != null) {
      present.drop();
    }
    oldest = null;
    newest = null;
    present = null;
    turns = 0;
    heldBytes = 0;
    heldRequests = 0;
    whenEmpty = null;
  }

  /** Sends what need not wait any more. */
  private void release() {
    Turn turn = oldest;
    if (turn == null || !turn.certain) {
      return;
    }
    int released = 0;
    while (turn != null && turn.certain) {
      released += turn.requests;
      for (Held each : turn.held) {
        heldBytes -= each.bytes.readableBytes();
        send(turn.told(each), each.sent);
      }
      turns--;
      turn = turn.next;
    }
    oldest = turn;
    if (turn == null) {
      newest = null;
    }
    heldRequests -= released;
    session.answered(released);
    if (unflushed) {
      unflushed = false;
      paced.flush();
    }
    Runnable task = whenEmpty;
    if (task != null && !isHolding()) {
      whenEmpty = null;
      task.run();
    }
  }

  private record Held(ByteBuf bytes, long begin, @Nullable ChannelFutureListener sent) {}

  /** The replies of a turn. */
  final class Turn {
    private final List<Held> held = new ArrayList<>(1);
    private int requests;
    private boolean certain;
    private long additions;
    private long[] doubtful = {};
    private boolean isWhole; // each of the additions is told of by one of the doubtful replies
    private byte @Nullable [] inDoubt; // what is told in their place
    private @Nullable Turn next;

    /** They may be sent. */
    void certain() {
      certain = true;
      if (!failed) {
        release();
        session.resume();
      }
    }

    /** Nobody will ever know whether what they tell is so. */
    void failed(Outcome.Failure failure) {
      if (failed) {
        return;
      }
      if (isWhole) {
        inDoubt = ("-" + Errors.text(failure) + "\r\n").getBytes(UTF_8);
        certain();
      } else {
        ReplyGate.this.drop();
        session.lost(failure);
      }
    }

    /** Returns the bytes to send. Replies that report changes in doubt are replaced by an error. */
    private ByteBuf told(Held replies) {
      byte[] error = inDoubt;
      if (error == null) {
        return replies.bytes;
      }
      ByteBuf from = replies.bytes;
      long begin = replies.begin;
      long end = begin + from.readableBytes();
      ByteBuf to = context.alloc().buffer();
      long at = begin;
      for (int i = 0; i < doubtful.length; i += 2) {
        long first = doubtful[i];
        long behind = doubtful[i + 1];
        if (behind > at && first < end) {
          if (first > at) {
            to.writeBytes(from, (int) (first - at));
          }
          if (first >= begin) { // else it was told before
            to.writeBytes(error);
          }
          int skipped = (int) (Math.min(behind, end) - Math.max(first, at));
          ByteBuf _ = from.skipBytes(skipped);
          at = Math.min(behind, end);
        }
      }
      to.writeBytes(from);
      from.release();
      return to;
    }

    private void drop() {
      held.forEach(each -> each.bytes.release());
      held.clear();
    }
  }
}
