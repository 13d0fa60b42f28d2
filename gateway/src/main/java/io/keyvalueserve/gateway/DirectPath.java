package io.keyvalueserve.gateway;

import io.keyvalueserve.engine.DirectMap;
import io.keyvalueserve.engine.Outcome;
import io.keyvalueserve.engine.Outcome.Failure.Kind;
import io.keyvalueserve.gateway.command.Command;
import io.keyvalueserve.gateway.command.CommandException;
import io.keyvalueserve.gateway.command.DirectCommand;
import io.keyvalueserve.gateway.command.KeyedCommand;
import io.keyvalueserve.gateway.command.KeyedPlan;
import io.keyvalueserve.gateway.protocol.ReplyBuffer;
import io.keyvalueserve.gateway.protocol.ReplyWriter;
import io.keyvalueserve.gateway.protocol.RequestView;
import io.keyvalueserve.tenancy.admission.NotAdmitted;
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
  private final SessionHost host;
  private final RequestWindow window;
  private final ReplyBuffer replies = new ReplyBuffer();
  private byte[] copied = {};

  /** How often something uncertain was done before the present command. */
  private long additions;

  DirectPath(SessionHost host) {
    this.host = host;
    this.window = new RequestWindow(host.commands(), host.requestLimits());
  }

  /** Where the replies of the loop's sessions are gathered. */
  ReplyBuffer replies() {
    return replies;
  }

  /**
   * Answers requests from the beginning of what was read on, and takes their bytes. Stops when the
   * slice is over.
   *
   * @return how many it answered
   */
  int serve(ByteBuf in, RespClient client, ReplyWriter writer, QueuedPath otherWay, Slice slice) {
    int length = in.readableBytes();
    byte[] bytes;
    int begin;
    if (in.hasArray()) {
      bytes = in.array();
      begin = in.arrayOffset() + in.readerIndex();
    } else {
      if (copied.length < length) {
        copied = new byte[Math.max(length, 2 * copied.length)];
      }
      bytes = copied;
      begin = 0;
      in.getBytes(in.readerIndex(), bytes, 0, length);
    }
    int limit = begin + length;
    int at = begin;
    int served = 0;
    Command last = null;
    long written = writer.bytesWritten();
    additions = otherWay.additions();
    while (at < limit && !slice.isOver()) {
      int count = window.fill(bytes, at, limit);
      window.announce(client.direct());
      int i = 0;
      while (i < count
          && !client.hasEnded()
          && !slice.isOver()
          && otherWay.isWritable()
          && answer(
              window.command(i), window.request(i), window.end(i) - at, client, writer, otherWay)) {
        last = window.command(i);
        if (slice.isBounded()) {
          long before = written;
          written = writer.bytesWritten();
          slice.worked(window.request(i).count(), window.end(i) - at + written - before);
        }
        at = window.end(i);
        i++;
      }
      served += i;
      if (i == 0 || i < count) {
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
      Command command,
      RequestView request,
      int bytes,
      RespClient client,
      ReplyWriter writer,
      QueuedPath otherWay) {
    NotAdmitted why = client.admit(command, request.count(), bytes);
    if (why != null) {
      otherWay.turnAway(why);
      return true;
    }
    long from = writer.bytesWritten();
    if (serve(command, request, client, writer, otherWay)) {
      additions = otherWay.note(additions, from);
      client.used(command, request.count());
      return true;
    }
    client.prepay();
    return false;
  }

  private boolean serve(
      Command command,
      RequestView request,
      RespClient client,
      ReplyWriter writer,
      QueuedPath otherWay) {
    int mark = writer.mark();
    try {
      if (command instanceof DirectCommand direct
          && direct.answer(request, client.direct(), writer, host.clock())) {
        return true;
      }
      writer.rollBack(mark);
      return command instanceof KeyedCommand keyed
          && hasOneKey(command, request)
          && execute(keyed, request, client.direct(), writer);
    } catch (CommandException e) {
      writer.write(e.reply());
      return true;
    } catch (RuntimeException e) {
      // The engine broke its word never to throw; what it did is not known.
      writer.rollBack(mark);
      writer.write(otherWay.failed(e));
      return true;
    }
  }

  private boolean hasOneKey(Command command, RequestView request) {
    return command.descriptor().lastKey() == 1 || request.count() == 2;
  }

  /** Carries a command on one key out, as one that is queued would be. */
  private boolean execute(
      KeyedCommand command, RequestView request, DirectMap map, ReplyWriter writer) {
    KeyedPlan plan = command.plan(request.toRequest(), host.planContext());
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
