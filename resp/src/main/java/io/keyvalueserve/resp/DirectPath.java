package io.keyvalueserve.resp;

import io.keyvalueserve.engine.DirectMap;
import io.keyvalueserve.engine.Outcome;
import io.keyvalueserve.engine.Outcome.Failure.Kind;
import io.keyvalueserve.gates.admission.NotAdmitted;
import io.keyvalueserve.gates.fairness.Slice;
import io.keyvalueserve.resp.command.Command;
import io.keyvalueserve.resp.command.CommandException;
import io.keyvalueserve.resp.command.DirectClientCommand;
import io.keyvalueserve.resp.command.DirectCommand;
import io.keyvalueserve.resp.command.KeyedCommand;
import io.keyvalueserve.resp.command.KeyedPlan;
import io.keyvalueserve.resp.protocol.ReplyBuffer;
import io.keyvalueserve.resp.protocol.ReplyWriter;
import io.keyvalueserve.resp.protocol.Request;
import io.keyvalueserve.resp.protocol.RequestView;
import io.netty.buffer.ByteBuf;
import java.util.List;

/**
 * The short way of requests: each is answered where it lies in what was read, at once, in the
 * session's turn.
 *
 * <p>It ends at the first request that is not for it (not all of it has come, it is not written as
 * usual, it needs more than its map can do at once); that one and all behind it go the way over the
 * {@link QueuedPath}, with the same replies. One for each event loop, used by one session at a
 * time: it and its {@link #replies} are the memory that the loop's sessions share.
 */
final class DirectPath {
  /** The bytes copied at once while the session's slice is bounded. */
  private static final int COPIED_AT_ONCE = 8 << 10;

  private final SessionHost host;
  private final RequestWindow window;
  private final ReplyBuffer replies = new ReplyBuffer();
  private final DirectTimes times;
  private byte[] copied = {};

  /** True if somebody watches the client's requests. */
  private boolean isMonitored;

  /** True if {@link #serve} stopped at a request that is incomplete or unusual. */
  private boolean isAtEnd;

  /** The number of uncertain changes before the present command. */
  private long additions;

  DirectPath(SessionHost host) {
    this.host = host;
    this.window = new RequestWindow(host.commands(), host.requestLimits());
    this.times = new DirectTimes(host, window);
  }

  /** Returns the buffer in which the replies of the loop's sessions are gathered. */
  ReplyBuffer replies() {
    return replies;
  }

  /**
   * Answers requests from the beginning of what was read on, and takes their bytes. Stops when the
   * slice is over.
   *
   * @param nanos about the time now
   * @return how many it answered
   */
  int serve(ByteBuf in, RespClient client, ReplyLane lane, Slice slice, long nanos) {
    times.begin(client, nanos);
    if (in.hasArray()) {
      int begin = in.arrayOffset() + in.readerIndex();
      return serve(in, in.array(), begin, begin + in.readableBytes(), client, lane, slice);
    }
    // A slice may end soon, and the next one copies what this one has not served.
    int served = 0;
    int part = slice.isBounded() ? COPIED_AT_ONCE : Integer.MAX_VALUE;
    while (true) {
      int length = Math.min(in.readableBytes(), part);
      if (copied.length < length) {
        copied = new byte[Math.max(length, 2 * copied.length)];
      }
      in.getBytes(in.readerIndex(), copied, 0, length);
      int more = serve(in, copied, 0, length, client, lane, slice);
      served += more;
      if (!isAtEnd || !in.isReadable() || length == in.readableBytes()) {
        return served;
      }
      if (more == 0) {
        part = Integer.MAX_VALUE; // of a request that is longer, or none that is served here
      }
    }
  }

  private int serve(
      ByteBuf in,
      byte[] bytes,
      int begin,
      int limit,
      RespClient client,
      ReplyLane lane,
      Slice slice) {
    int at = begin;
    int served = 0;
    Command last = null;
    ReplyWriter writer = lane.writer();
    long written = writer.bytesWritten();
    additions = lane.additions();
    isAtEnd = false;
    while (at < limit && !slice.isOver() && client.mayGoDirect()) {
      int count = window.fill(bytes, at, limit);
      window.announce(client.direct());
      isMonitored = client.isMonitored();
      int i = 0;
      while (i < count
          && !client.hasEnded()
          && !slice.isOver()
          && lane.isWritable()
          && answer(window.command(i), window.request(i), window.end(i) - at, client, lane)) {
        last = window.command(i);
        if (slice.isBounded() || times.isOn()) {
          long before = written;
          written = writer.bytesWritten();
          long moved = window.end(i) - at + written - before;
          if (slice.isBounded()) {
            slice.worked(WorkSorts.direct(host.commands(), last), window.request(i).count(), moved);
          }
          times.answered(i, moved, client);
        }
        at = window.end(i);
        i++;
      }
      times.endWindow(client);
      served += i;
      if (count == 0 || i < count) {
        isAtEnd = count == 0;
        break;
      }
    }
    in.skipBytes(at - begin);
    if (last != null) {
      client.ran(last, served);
    }
    return served;
  }

  private boolean answer(
      Command command, RequestView request, int bytes, RespClient client, ReplyLane lane) {
    NotAdmitted why = client.admit(command, request.count(), bytes);
    if (why != null) {
      lane.turnAway(why);
      return true;
    }
    long from = lane.writer().bytesWritten();
    if (serve(command, request, client, lane)) {
      additions = lane.note(additions, from);
      client.used(command, request.count());
      if (isMonitored) {
        client.show(command, request);
      }
      return true;
    }
    client.prepay();
    return false;
  }

  private boolean serve(Command command, RequestView request, RespClient client, ReplyLane lane) {
    ReplyWriter writer = lane.writer();
    int mark = writer.mark();
    try {
      if (command instanceof DirectCommand direct
          && direct.answer(request, client.direct(), writer, host.clock())) {
        return true;
      }
      writer.rollBack(mark);
      if (command instanceof DirectClientCommand direct) {
        return direct.answer(request, client, writer);
      }
      return command instanceof KeyedCommand keyed
          && hasOneKey(command, request)
          && execute(keyed, request, client.direct(), writer);
    } catch (CommandException e) {
      writer.write(e.reply());
      return true;
    } catch (RuntimeException e) {
      // The engine broke its word never to throw; what it did is not known.
      writer.rollBack(mark);
      writer.write(lane.failed(e));
      return true;
    }
  }

  private boolean hasOneKey(Command command, RequestView request) {
    return command.descriptor().lastKey() == 1 || request.count() == 2;
  }

  /** Carries a command on one key out, as one that is queued would be. */
  private boolean execute(
      KeyedCommand command, RequestView request, DirectMap map, ReplyWriter writer) {
    Request asked = request.toRequest();
    if (command.computation(asked, host.planContext()) != null) {
      return false; // it is done step by step
    }
    KeyedPlan plan = command.plan(asked, host.planContext());
    if (plan.commands().size() != 1) {
      return false;
    }
    Outcome outcome = map.execute(plan.commands().getFirst());
    if (outcome == null
        || (outcome instanceof Outcome.Failure failure && failure.kind() == Kind.REFUSED)) {
      return false; // the other way words and counts refusals
    }
    writer.write(plan.renderer().render(List.of(outcome)));
    return true;
  }
}
