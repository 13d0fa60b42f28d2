package io.keyvalueserve.resp.command;

import io.keyvalueserve.engine.DirectMap;
import io.keyvalueserve.resp.command.Descriptor.Flag;
import io.keyvalueserve.resp.command.Descriptor.Group;
import io.keyvalueserve.resp.protocol.Reply;
import io.keyvalueserve.resp.protocol.ReplyWriter;
import io.keyvalueserve.resp.protocol.Request;
import io.keyvalueserve.resp.protocol.RequestView;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Small commands that need the session alone: PING, ECHO, SELECT, TIME. */
final class ConnectionCommands {
  static final List<Command> ALL = List.of(new Ping(), new Echo(), new Select(), new Time());

  private ConnectionCommands() {}

  private static final class Ping implements SessionCommand, DirectCommand, ViewCommand {
    private static final Descriptor DESCRIPTOR =
        Descriptor.of("ping", -1, Group.CONNECTION, "[message]", "Answers PONG, or the message.")
            .with(Flag.FAST);
    private static final Reply PONG = new Reply.Status("PONG");
    private static final Reply SUBSCRIBED_PONG = Reply.bulk("pong");
    private static final byte[] PONG_LINE = "+PONG\r\n".getBytes(StandardCharsets.US_ASCII);

    @Override
    public Descriptor descriptor() {
      return DESCRIPTOR;
    }

    @Override
    public Reply execute(Client client, Request request) {
      if (client.channels().isRestricted() && request.count() <= 2) {
        return new Reply.Array(
            List.of(
                SUBSCRIBED_PONG,
                request.count() == 1 ? Reply.EMPTY_BULK : new Reply.Bulk(request.argument(1))));
      }
      return answer(request);
    }

    @Override
    public Reply run(TransactionScope scope, Request request) {
      return answer(request);
    }

    private static Reply answer(Request request) {
      return switch (request.count()) {
        case 1 -> PONG;
        case 2 -> new Reply.Bulk(request.argument(1));
        default -> throw new CommandException(Errors.wrongArity(DESCRIPTOR));
      };
    }

    @Override
    public boolean answer(
        RequestView request, DirectMap map, ReplyWriter replies, InstantSource clock) {
      switch (request.count()) {
        case 1 -> replies.line(PONG_LINE);
        case 2 -> replies.copy(request.bytes(), request.offset(1), request.length(1));
        default -> {
          return false;
        }
      }
      return true;
    }
  }

  private static final class Echo implements SessionCommand, DirectCommand, ViewCommand {
    private static final Descriptor DESCRIPTOR =
        Descriptor.of("echo", 2, Group.CONNECTION, "message", "Answers the message.")
            .with(Flag.LOADING, Flag.STALE, Flag.FAST);

    @Override
    public Descriptor descriptor() {
      return DESCRIPTOR;
    }

    @Override
    public Reply execute(Client client, Request request) {
      return new Reply.Bulk(request.argument(1));
    }

    @Override
    public Reply run(TransactionScope scope, Request request) {
      return new Reply.Bulk(request.argument(1));
    }

    @Override
    public boolean answer(
        RequestView request, DirectMap map, ReplyWriter replies, InstantSource clock) {
      replies.copy(request.bytes(), request.offset(1), request.length(1));
      return true;
    }
  }

  private static final class Select implements SessionCommand, ViewCommand {
    private static final Descriptor DESCRIPTOR =
        Descriptor.of(
                "select",
                2,
                Group.CONNECTION,
                "map",
                "Selects a map by its name or number, or another tenant's by tenant/map.")
            .with(Flag.LOADING, Flag.STALE, Flag.FAST);

    @Override
    public Descriptor descriptor() {
      return DESCRIPTOR;
    }

    @Override
    public Reply execute(Client client, Request request) {
      client.select(Parsing.mapName(request.text(1), client.identity().tenant()));
      return Reply.OK;
    }

    /** Selects the map for what follows in the transaction. */
    @Override
    public Reply run(TransactionScope scope, Request request) {
      scope.select(request.text(1));
      return Reply.OK;
    }
  }

  private static final class Time implements SessionCommand, ViewCommand {
    private static final Descriptor DESCRIPTOR =
        Descriptor.of("time", 1, Group.SERVER, "", "Returns the time in seconds and microseconds.")
            .with(Flag.LOADING, Flag.STALE, Flag.FAST)
            .since("2.6.0");

    @Override
    public Descriptor descriptor() {
      return DESCRIPTOR;
    }

    @Override
    public Reply execute(Client client, Request request) {
      return answer(client.member().clock().instant());
    }

    /** The time of a transaction stands still. */
    @Override
    public Reply run(TransactionScope scope, Request request) {
      return answer(Instant.ofEpochMilli(scope.nowMillis()));
    }

    private static Reply answer(Instant now) {
      return new Reply.Array(
          List.of(
              Reply.bulk(Long.toString(now.getEpochSecond())),
              Reply.bulk(Long.toString(TimeUnit.NANOSECONDS.toMicros(now.getNano())))));
    }
  }
}
