package io.keyvalueserve.resp;

import io.keyvalueserve.engine.EngineException;
import io.keyvalueserve.engine.Outcome;
import io.keyvalueserve.gates.admission.NotAdmitted;
import io.keyvalueserve.resp.command.CommandException;
import io.keyvalueserve.resp.command.Errors;
import io.keyvalueserve.resp.protocol.Reply;
import io.keyvalueserve.resp.protocol.ReplyWriter;
import io.netty.channel.Channel;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The way of a session's replies. {@link DirectPath} and {@link QueuedPath} both write to it, so
 * that a request is answered in the same words whichever path it takes. On the connection's event
 * loop only.
 */
final class ReplyLane {
  private static final Logger LOG = LoggerFactory.getLogger(ReplyLane.class);

  private final RespClient client;
  private final ReplyWriter writer;
  private final ReplyGate gate;
  private final LargeRoom room;
  private final Channel channel;

  ReplyLane(
      RespClient client, ReplyWriter writer, ReplyGate gate, LargeRoom room, Channel channel) {
    this.client = client;
    this.writer = writer;
    this.gate = gate;
    this.room = room;
    this.channel = channel;
  }

  /** Returns the writer of the replies. */
  ReplyWriter writer() {
    return writer;
  }

  /**
   * Returns whether the client reads its replies and there is room for more. If not, no request is
   * begun.
   */
  boolean isWritable() {
    return channel.isWritable() && gate.hasRoom() && room.mayReply();
  }

  // ---- uncertain changes

  /** Returns the number of uncertain changes so far, by any session of the event loop. */
  long additions() {
    return gate.additions();
  }

  /**
   * Notes the reply that was just written, if its command made an uncertain change. Nothing is
   * noted where the client wants no reply: should the change be lost, it is cut off.
   *
   * @param additionsBefore the {@link #additions} before the command
   * @param from the bytes of replies that had been written before it
   * @return the number of uncertain changes until now
   */
  long note(long additionsBefore, long from) {
    long additions = gate.additions();
    if (additions != additionsBefore && writer.bytesWritten() != from) {
      gate.markDoubtful(additionsBefore, from, writer.bytesWritten());
    }
    return additions;
  }

  // ---- errors

  /**
   * Answers a request that is not served, because its tenant has used up a rate or its spending.
   */
  void turnAway(NotAdmitted why) {
    long before = writer.bytesWritten();
    writer.write(Errors.notAdmitted(why));
    client.notServed(why, writer.bytesWritten() - before);
  }

  /** Returns the error reply for a failure. Counts a refusal. Logs a defect. */
  Reply failed(@Nullable Throwable failure) {
    Throwable cause = failure;
    while (cause instanceof CompletionException && cause.getCause() != null) {
      cause = cause.getCause();
    }
    return switch (cause) {
      case EngineException e -> {
        if (e.failure().kind() == Outcome.Failure.Kind.REFUSED) {
          client.refused(e.failure().message());
        }
        yield Errors.of(e.failure());
      }
      case CommandException e -> e.reply();
      case null -> defect(new IllegalStateException("a command completed without a reply"));
      default -> defect(cause);
    };
  }

  /** Logs a defect. The reply refers to the log, and says nothing else of it. */
  Reply defect(Throwable cause) {
    String reference = Long.toHexString(System.nanoTime() & 0xffff_ffffL);
    LOG.error("a command failed, ref {}; last command {}", reference, client.lastCommand(), cause);
    return Errors.internal(reference);
  }
}
