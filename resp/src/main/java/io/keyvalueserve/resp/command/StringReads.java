package io.keyvalueserve.resp.command;

import io.keyvalueserve.engine.DirectMap;
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

/** Commands that read values: GET, GETEX, GETDEL, MGET, STRLEN, GETRANGE, SUBSTR. */
final class StringReads {
  static final List<Command> ALL =
      List.of(
          new Get(),
          new GetEx(),
          new GetDel(),
          new MGet(),
          new StrLen(),
          new GetRange("getrange", "2.4.0"),
          new GetRange("substr", "1.0.0"));

  private StringReads() {}

  private static final class Get implements KeyedCommand, DirectCommand {
    private static final Descriptor DESCRIPTOR =
        Descriptor.of("get", 2, Group.STRING, "key", "Returns the value of a key.")
            .with(Flag.READONLY, Flag.FAST)
            .keys(1, 1, 1);

    @Override
    public Descriptor descriptor() {
      return DESCRIPTOR;
    }

    @Override
    public KeyedPlan plan(Request request, PlanContext context) {
      return KeyedPlan.one(new KeyCommand.Read(request.argument(1)), Rendering::value);
    }

    @Override
    public boolean answer(
        RequestView request, DirectMap map, ReplyWriter replies, InstantSource clock) {
      int length = map.read(request.bytes(), request.offset(1), request.length(1), replies);
      if (length == DirectMap.NOT_NOW) {
        return false;
      }
      if (length == DirectMap.MISSING) {
        replies.none();
      } else {
        replies.endValue(length);
      }
      return true;
    }
  }

  private static final class GetEx implements KeyedCommand {
    private static final Descriptor DESCRIPTOR =
        Descriptor.of(
                "getex",
                -2,
                Group.STRING,
                "key [EX seconds|PX milliseconds|EXAT unix-time-seconds|PXAT unix-time-milliseconds|PERSIST]",
                "Returns the value of a key and sets or takes away its expiry.")
            .with(Flag.WRITE, Flag.FAST)
            .keys(1, 1, 1)
            .since("6.2.0");

    @Override
    public Descriptor descriptor() {
      return DESCRIPTOR;
    }

    @Override
    public KeyedPlan plan(Request request, PlanContext context) {
      SetOptions options = SetOptions.ofGetEx(request);
      byte[] key = request.argument(1);
      long expireAt = Expiry.KEEP;
      try {
        if (options.has(SetOptions.PERSIST)) {
          expireAt = Expiry.NONE;
        } else if (options.hasTime()) {
          expireAt = options.expireAtMillis(request, "getex", context.nowMillis());
        }
      } catch (CommandException e) {
        // Redis looks at the entry first: one that is missing is answered before a bad time is.
        return KeyedPlan.one(
            new KeyCommand.Probe(key, false), outcome -> afterBadTime(outcome, e.reply()));
      }
      return KeyedPlan.one(new KeyCommand.ReadAndExpire(key, expireAt), Rendering::value);
    }

    private static Reply afterBadTime(Outcome outcome, Reply error) {
      return switch (outcome) {
        case Outcome.Missing _ -> Reply.Null.NULL;
        case Outcome.Info info when info.length() < 0 -> Errors.WRONG_TYPE;
        case Outcome _ -> error;
      };
    }
  }

  private static final class GetDel implements KeyedCommand {
    private static final Descriptor DESCRIPTOR =
        Descriptor.of(
                "getdel", 2, Group.STRING, "key", "Returns the value of a key and removes it.")
            .with(Flag.WRITE, Flag.FAST)
            .keys(1, 1, 1)
            .since("6.2.0");

    @Override
    public Descriptor descriptor() {
      return DESCRIPTOR;
    }

    @Override
    public KeyedPlan plan(Request request, PlanContext context) {
      return KeyedPlan.one(new KeyCommand.Remove(request.argument(1), true), Rendering::value);
    }
  }

  private static final class MGet implements KeyedCommand, DirectCommand {
    /** More take an event loop too long at a stretch. */
    private static final int MOST_AT_ONCE = 256;

    private static final Descriptor DESCRIPTOR =
        Descriptor.of("mget", -2, Group.STRING, "key [key ...]", "Returns the values of keys.")
            .with(Flag.READONLY, Flag.FAST)
            .keys(1, -1, 1)
            .complexity("O(N) where N is the number of keys");

    @Override
    public Descriptor descriptor() {
      return DESCRIPTOR;
    }

    @Override
    public KeyedPlan plan(Request request, PlanContext context) {
      return KeyedPlan.many(
          Many.of(request.count() - 1, i -> new KeyCommand.Read(request.argument(i + 1))),
          MGet::render);
    }

    @Override
    public boolean readsItsArguments() {
      return true;
    }

    /**
     * Answers if there are not too many keys. The reply is not sent until all values have been
     * read.
     */
    @Override
    public boolean answer(
        RequestView request, DirectMap map, ReplyWriter replies, InstantSource clock) {
      if (request.count() - 1 > MOST_AT_ONCE) {
        return false;
      }
      int mark = replies.mark();
      long stamp = map.stamp();
      replies.array(request.count() - 1);
      for (int i = 1; i < request.count(); i++) {
        int length = map.read(request.bytes(), request.offset(i), request.length(i), replies);
        if (length == DirectMap.NOT_NOW || replies.isValueLarge()) {
          return false;
        }
        if (length == DirectMap.MISSING) {
          replies.none();
        } else {
          replies.endValue(length);
        }
        if (replies.bytesSince(mark) > ReplyWriter.CHUNK_BYTES) {
          return false;
        }
      }
      return map.stamp() == stamp; // else it may be half of a transaction
    }

    private static Reply render(List<Outcome> outcomes) {
      return new Reply.Array(Many.of(outcomes.size(), i -> value(outcomes.get(i))));
    }

    private static Reply value(Outcome outcome) {
      return outcome instanceof Outcome.Rejected ? Reply.Null.NULL : Rendering.value(outcome);
    }
  }

  private static final class StrLen implements KeyedCommand {
    private static final Descriptor DESCRIPTOR =
        Descriptor.of("strlen", 2, Group.STRING, "key", "Returns the length of a value in bytes.")
            .with(Flag.READONLY, Flag.FAST)
            .keys(1, 1, 1)
            .since("2.2.0");

    @Override
    public Descriptor descriptor() {
      return DESCRIPTOR;
    }

    @Override
    public KeyedPlan plan(Request request, PlanContext context) {
      return KeyedPlan.one(new KeyCommand.Probe(request.argument(1), true), Rendering::length);
    }
  }

  private static final class GetRange implements KeyedCommand {
    private final Descriptor descriptor;

    GetRange(String name, String since) {
      this.descriptor =
          Descriptor.of(
                  name,
                  4,
                  Group.STRING,
                  "key start end",
                  "Returns a part of a value: negative positions count from its end.")
              .with(Flag.READONLY)
              .keys(1, 1, 1)
              .since(since)
              .complexity("O(N) where N is the length of the value");
    }

    @Override
    public Descriptor descriptor() {
      return descriptor;
    }

    @Override
    public KeyedPlan plan(Request request, PlanContext context) {
      long start = Parsing.integer(request, 2);
      long end = Parsing.integer(request, 3);
      return KeyedPlan.one(
          new KeyCommand.Read(request.argument(1)),
          outcome ->
              switch (outcome) {
                case Outcome.Missing _ -> Reply.EMPTY_BULK;
                case Outcome.Entry entry -> slice(entry.value(), start, end);
                case Outcome other -> throw Rendering.unexpected(other);
              });
    }

    private static Reply slice(byte[] value, long start, long end) {
      int length = value.length;
      if (start < 0 && end < 0 && start > end) {
        return Reply.EMPTY_BULK;
      }
      long from = Math.max(start < 0 ? length + start : start, 0);
      long to = Math.min(Math.max(end < 0 ? length + end : end, 0), length - 1L);
      if (from > to || length == 0) {
        return Reply.EMPTY_BULK;
      }
      return new Reply.Bulk(value, (int) from, (int) (to - from + 1));
    }
  }
}
