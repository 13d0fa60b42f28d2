package io.keyvalueserve.resp.command;

import io.keyvalueserve.engine.DirectMap;
import io.keyvalueserve.engine.ExpireCondition;
import io.keyvalueserve.engine.Expiry;
import io.keyvalueserve.engine.KeyCommand;
import io.keyvalueserve.engine.Outcome;
import io.keyvalueserve.resp.command.Descriptor.Flag;
import io.keyvalueserve.resp.command.Descriptor.Group;
import io.keyvalueserve.resp.protocol.Reply;
import io.keyvalueserve.resp.protocol.ReplyWriter;
import io.keyvalueserve.resp.protocol.Request;
import io.keyvalueserve.resp.protocol.RequestView;
import java.time.InstantSource;
import java.util.List;

/**
 * Commands on when a key expires: EXPIRE, PEXPIRE, EXPIREAT, PEXPIREAT, TTL, PTTL, EXPIRETIME,
 * PEXPIRETIME, PERSIST.
 */
final class Expiries {
  private static final long MILLIS_PER_SECOND = 1000;

  static final List<Command> ALL =
      List.of(
          new Expire("expire", true, true, "seconds", "1.0.0"),
          new Expire("pexpire", false, true, "milliseconds", "2.6.0"),
          new Expire("expireat", true, false, "unix-time-seconds", "1.2.0"),
          new Expire("pexpireat", false, false, "unix-time-milliseconds", "2.6.0"),
          new Tell("ttl", true, true, "1.0.0"),
          new Tell("pttl", false, true, "2.6.0"),
          new Tell("expiretime", true, false, "7.0.0"),
          new Tell("pexpiretime", false, false, "7.0.0"),
          new Persist());

  private Expiries() {}

  private static final class Expire implements KeyedCommand {
    private final Descriptor descriptor;
    private final boolean seconds;
    private final boolean fromNow;

    Expire(String name, boolean seconds, boolean fromNow, String unit, String since) {
      this.descriptor =
          Descriptor.of(
                  name,
                  -3,
                  Group.GENERIC,
                  "key " + unit + " [NX|XX|GT|LT]",
                  "Sets when a key expires.")
              .with(Flag.WRITE, Flag.FAST)
              .keys(1, 1, 1)
              .since(since);
      this.seconds = seconds;
      this.fromNow = fromNow;
    }

    @Override
    public Descriptor descriptor() {
      return descriptor;
    }

    @Override
    public KeyedPlan plan(Request request, PlanContext context) {
      ExpireCondition condition = condition(request);
      long when = Parsing.integer(request, 2);
      long base = fromNow ? context.nowMillis() : 0;
      if (seconds) {
        if (when > Long.MAX_VALUE / MILLIS_PER_SECOND
            || when < Long.MIN_VALUE / MILLIS_PER_SECOND) {
          throw new CommandException(Errors.invalidExpireTime(descriptor.name()));
        }
        when *= MILLIS_PER_SECOND;
      }
      if (when > Long.MAX_VALUE - base) {
        throw new CommandException(Errors.invalidExpireTime(descriptor.name()));
      }
      long past = 1; // any time that has passed is as good as another, but 0 and -1 mean more
      return KeyedPlan.one(
          new KeyCommand.Expire(request.argument(1), Math.max(when + base, past), condition),
          Rendering::oneOrZero);
    }

    private static ExpireCondition condition(Request request) {
      boolean nx = false;
      boolean xx = false;
      boolean gt = false;
      boolean lt = false;
      for (int i = 3; i < request.count(); i++) {
        if (request.is(i, "NX")) {
          nx = true;
        } else if (request.is(i, "XX")) {
          xx = true;
        } else if (request.is(i, "GT")) {
          gt = true;
        } else if (request.is(i, "LT")) {
          lt = true;
        } else {
          throw new CommandException("ERR Unsupported option " + request.text(i));
        }
      }
      if (nx && (xx || gt || lt)) {
        throw new CommandException(
            "ERR NX and XX, GT or LT options at the same time are not compatible");
      }
      if (gt && lt) {
        throw new CommandException("ERR GT and LT options at the same time are not compatible");
      }
      if (nx) {
        return ExpireCondition.IF_NONE;
      }
      if (gt) {
        return ExpireCondition.IF_LATER; // never holds without an expiry, so XX adds nothing
      }
      if (lt) {
        return xx ? ExpireCondition.IF_SOME_AND_EARLIER : ExpireCondition.IF_EARLIER;
      }
      return xx ? ExpireCondition.IF_SOME : ExpireCondition.ALWAYS;
    }
  }

  private static final class Tell implements KeyedCommand, DirectCommand {
    private static final Reply NO_KEY = Reply.integer(-2);
    private static final long NEVER = -1;

    private final Descriptor descriptor;
    private final boolean seconds;
    private final boolean fromNow;

    Tell(String name, boolean seconds, boolean fromNow, String since) {
      this.descriptor =
          Descriptor.of(name, 2, Group.GENERIC, "key", "Returns when a key expires.")
              .with(Flag.READONLY, Flag.FAST)
              .keys(1, 1, 1)
              .since(since);
      this.seconds = seconds;
      this.fromNow = fromNow;
    }

    @Override
    public Descriptor descriptor() {
      return descriptor;
    }

    @Override
    public KeyedPlan plan(Request request, PlanContext context) {
      long base = fromNow ? context.nowMillis() : 0;
      return KeyedPlan.one(
          new KeyCommand.Probe(request.argument(1), false),
          outcome -> outcome instanceof Outcome.Missing ? NO_KEY : render(outcome, base));
    }

    @Override
    public boolean answer(
        RequestView request, DirectMap map, ReplyWriter replies, InstantSource clock) {
      long base = fromNow ? clock.millis() : 0;
      long at = map.expireAt(request.bytes(), request.offset(1), request.length(1));
      if (at == DirectMap.NOT_NOW) {
        return false;
      }
      if (at == DirectMap.MISSING) {
        replies.write(NO_KEY);
      } else {
        replies.integer(told(at, base));
      }
      return true;
    }

    private Reply render(Outcome outcome, long base) {
      return Reply.integer(told(Rendering.expireAt(outcome), base));
    }

    private long told(long at, long base) {
      if (at == Expiry.NONE) {
        return NEVER;
      }
      long millis = Math.max(at - base, 0);
      return seconds
          ? millis / MILLIS_PER_SECOND + (millis % MILLIS_PER_SECOND >= 500 ? 1 : 0)
          : millis;
    }
  }

  private static final class Persist implements KeyedCommand {
    private static final Descriptor DESCRIPTOR =
        Descriptor.of("persist", 2, Group.GENERIC, "key", "Takes the expiry of a key away.")
            .with(Flag.WRITE, Flag.FAST)
            .keys(1, 1, 1)
            .since("2.2.0");

    @Override
    public Descriptor descriptor() {
      return DESCRIPTOR;
    }

    @Override
    public KeyedPlan plan(Request request, PlanContext context) {
      return KeyedPlan.one(
          new KeyCommand.Expire(request.argument(1), Expiry.NONE, ExpireCondition.IF_SOME),
          Rendering::oneOrZero);
    }
  }
}
