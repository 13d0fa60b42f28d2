package io.keyvalueserve.resp.command;

import io.keyvalueserve.engine.DirectMap;
import io.keyvalueserve.engine.Expiry;
import io.keyvalueserve.engine.KeyCommand;
import io.keyvalueserve.engine.KeyMap;
import io.keyvalueserve.engine.Outcome;
import io.keyvalueserve.engine.WriteCondition;
import io.keyvalueserve.resp.command.Descriptor.Flag;
import io.keyvalueserve.resp.command.Descriptor.Group;
import io.keyvalueserve.resp.protocol.Reply;
import io.keyvalueserve.resp.protocol.ReplyWriter;
import io.keyvalueserve.resp.protocol.Request;
import io.keyvalueserve.resp.protocol.RequestView;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.CompletionStage;

/**
 * Commands that write values: SET, GETSET, SETNX, SETEX, PSETEX, MSET, MSETNX, APPEND, SETRANGE.
 */
final class StringWrites {
  static final List<Command> ALL =
      List.of(
          new Set(),
          new GetSet(),
          new SetNx(),
          new SetEx("setex", true),
          new SetEx("psetex", false),
          new MSet(),
          new MSetNx(),
          new Append(),
          new SetRange());

  private StringWrites() {}

  private static Descriptor descriptor(String name, int arity, String usage, String summary) {
    return Descriptor.of(name, arity, Group.STRING, usage, summary)
        .with(Flag.WRITE, Flag.DENYOOM)
        .keys(1, 1, 1);
  }

  private static final class Set implements LargeValueCommand, DirectCommand {
    private static final Descriptor DESCRIPTOR =
        StringWrites.descriptor(
            "set",
            -3,
            "key value [NX|XX] [GET] [EX seconds|PX milliseconds|EXAT unix-time-seconds|PXAT unix-time-milliseconds|KEEPTTL]",
            "Writes the value of a key, whatever was there before.");

    @Override
    public Descriptor descriptor() {
      return DESCRIPTOR;
    }

    @Override
    public KeyedPlan plan(Request request, PlanContext context) {
      SetOptions options = SetOptions.ofSet(request);
      long expireAt = options.has(SetOptions.KEEPTTL) ? Expiry.KEEP : Expiry.NONE;
      if (options.hasTime()) {
        expireAt = options.expireAtMillis(request, "set", context.nowMillis());
      }
      WriteCondition condition =
          options.has(SetOptions.NX)
              ? WriteCondition.IF_ABSENT
              : options.has(SetOptions.XX) ? WriteCondition.IF_PRESENT : WriteCondition.ALWAYS;
      boolean get = options.has(SetOptions.GET);
      return KeyedPlan.one(
          new KeyCommand.Write(request.argument(1), request.argument(2), expireAt, condition, get),
          get ? Rendering::value : Rendering::okOrNull);
    }

    @Override
    public int valueIndex(int count) {
      return count == 3 || hasTime(count) ? 2 : -1;
    }

    @Override
    public boolean hasTime(int count) {
      return count == 5;
    }

    /** Without options, or with a time alone. */
    @Override
    public boolean answer(
        RequestView request, DirectMap map, ReplyWriter replies, InstantSource clock) {
      long expireAt = Expiry.NONE;
      if (request.count() == 5) {
        expireAt = SetOptions.expireAtMillis(request, clock);
        if (expireAt < 0) {
          return false;
        }
      } else if (request.count() != 3) {
        return false;
      }
      return write(request, 2, expireAt, map, replies);
    }
  }

  private static final class GetSet implements KeyedCommand {
    private static final Descriptor DESCRIPTOR =
        Descriptor.of(
                "getset",
                3,
                Group.STRING,
                "key value",
                "Writes the value of a key and returns the one before.")
            .with(Flag.WRITE, Flag.DENYOOM, Flag.FAST)
            .keys(1, 1, 1);

    @Override
    public Descriptor descriptor() {
      return DESCRIPTOR;
    }

    @Override
    public KeyedPlan plan(Request request, PlanContext context) {
      return KeyedPlan.one(
          new KeyCommand.Write(
              request.argument(1), request.argument(2), Expiry.NONE, WriteCondition.ALWAYS, true),
          Rendering::value);
    }
  }

  private static final class SetNx implements KeyedCommand {
    private static final Descriptor DESCRIPTOR =
        Descriptor.of(
                "setnx",
                3,
                Group.STRING,
                "key value",
                "Writes the value of a key that does not exist.")
            .with(Flag.WRITE, Flag.DENYOOM, Flag.FAST)
            .keys(1, 1, 1);

    @Override
    public Descriptor descriptor() {
      return DESCRIPTOR;
    }

    @Override
    public KeyedPlan plan(Request request, PlanContext context) {
      return KeyedPlan.one(
          new KeyCommand.Write(
              request.argument(1),
              request.argument(2),
              Expiry.NONE,
              WriteCondition.IF_ABSENT,
              false),
          Rendering::oneOrZero);
    }
  }

  private static final class SetEx implements LargeValueCommand, DirectCommand {
    private final Descriptor descriptor;
    private final boolean seconds;

    SetEx(String name, boolean seconds) {
      this.descriptor =
          StringWrites.descriptor(
                  name,
                  4,
                  seconds ? "key seconds value" : "key milliseconds value",
                  "Writes the value and the expiry of a key.")
              .since(seconds ? "2.0.0" : "2.6.0");
      this.seconds = seconds;
    }

    @Override
    public Descriptor descriptor() {
      return descriptor;
    }

    @Override
    public KeyedPlan plan(Request request, PlanContext context) {
      long expireAt =
          Parsing.expireAtMillis(
              Parsing.integer(request, 2), seconds, context.nowMillis(), descriptor.name());
      return KeyedPlan.one(
          new KeyCommand.Write(
              request.argument(1), request.argument(3), expireAt, WriteCondition.ALWAYS, false),
          Rendering::okOrNull);
    }

    @Override
    public int valueIndex(int count) {
      return count == 4 ? 3 : -1;
    }

    @Override
    public boolean hasTime(int count) {
      return true;
    }

    @Override
    public boolean answer(
        RequestView request, DirectMap map, ReplyWriter replies, InstantSource clock) {
      long time = request.positive(2);
      if (time < 0) {
        return false;
      }
      long expireAt = Parsing.expireAtMillis(time, seconds, clock.millis(), descriptor.name());
      return write(request, 3, expireAt, map, replies);
    }
  }

  /** Writes the first argument's key in any case, and says OK. */
  private static boolean write(
      RequestView request, int valueIndex, long expireAt, DirectMap map, ReplyWriter replies) {
    boolean written =
        map.write(
            request.bytes(),
            request.offset(1),
            request.length(1),
            request.offset(valueIndex),
            request.length(valueIndex),
            expireAt);
    if (written) {
      replies.ok();
    }
    return written;
  }

  /** The pairs of MSET and MSETNX. */
  private static List<KeyCommand.Write> writes(Request request, Descriptor descriptor) {
    if (request.count() % 2 == 0) {
      throw new CommandException(Errors.wrongArity(descriptor));
    }
    return Many.of(
        request.count() / 2,
        i -> KeyCommand.Write.of(request.argument(2 * i + 1), request.argument(2 * i + 2)));
  }

  private static final class MSet implements KeyedCommand {
    private static final Descriptor DESCRIPTOR =
        StringWrites.descriptor(
                "mset", -3, "key value [key value ...]", "Writes the values of keys.")
            .keys(1, -1, 2)
            .since("1.0.1")
            .complexity("O(N) where N is the number of keys");

    @Override
    public Descriptor descriptor() {
      return DESCRIPTOR;
    }

    @Override
    public KeyedPlan plan(Request request, PlanContext context) {
      return KeyedPlan.many(writes(request, DESCRIPTOR), outcomes -> Reply.OK);
    }

    @Override
    public boolean writesTogether() {
      return true;
    }
  }

  private static final class MSetNx implements SpaceCommand {
    private static final Descriptor DESCRIPTOR =
        StringWrites.descriptor(
                "msetnx",
                -3,
                "key value [key value ...]",
                "Writes the values of keys if none of them exists.")
            .keys(1, -1, 2)
            .since("1.0.1")
            .complexity("O(N) where N is the number of keys");

    @Override
    public Descriptor descriptor() {
      return DESCRIPTOR;
    }

    @Override
    public CompletionStage<Reply> execute(Client client, Request request) {
      return client
          .map()
          .insertAll(List.copyOf(writes(request, DESCRIPTOR)))
          .thenApply(written -> written ? Reply.Int.ONE : Reply.Int.ZERO);
    }

    @Override
    public boolean isTransactional() {
      return true;
    }

    @Override
    public TransactionStep inTransaction(Client client, KeyMap map, Request request) {
      List<KeyCommand.Write> writes = List.copyOf(writes(request, DESCRIPTOR));
      return view -> {
        for (KeyCommand.Write write : writes) {
          Outcome.Failure refusal = map.refusal(write);
          if (refusal != null) {
            return Errors.of(refusal);
          }
        }
        for (KeyCommand.Write write : writes) {
          Outcome found = view.execute(map, new KeyCommand.Probe(write.key(), false));
          if (found instanceof Outcome.Failure failure) {
            return Errors.of(failure);
          }
          if (found != Outcome.Missing.MISSING) {
            return Reply.Int.ZERO;
          }
        }
        for (KeyCommand.Write write : writes) {
          Outcome _ = view.execute(map, write);
        }
        return Reply.Int.ONE;
      };
    }
  }

  private static final class Append implements KeyedCommand {
    private static final Descriptor DESCRIPTOR =
        Descriptor.of(
                "append",
                3,
                Group.STRING,
                "key value",
                "Adds bytes to the end of a value and returns its new length.")
            .with(Flag.WRITE, Flag.DENYOOM, Flag.FAST)
            .keys(1, 1, 1)
            .since("2.0.0");

    @Override
    public Descriptor descriptor() {
      return DESCRIPTOR;
    }

    @Override
    public KeyedPlan plan(Request request, PlanContext context) {
      return KeyedPlan.one(
          new KeyCommand.Append(request.argument(1), request.argument(2), context.mostValueBytes()),
          Rendering::integer);
    }
  }

  private static final class SetRange implements KeyedCommand {
    private static final Descriptor DESCRIPTOR =
        StringWrites.descriptor(
                "setrange",
                4,
                "key offset value",
                "Writes bytes over a part of a value and returns its new length.")
            .since("2.2.0");

    @Override
    public Descriptor descriptor() {
      return DESCRIPTOR;
    }

    @Override
    public KeyedPlan plan(Request request, PlanContext context) {
      long offset = Parsing.integer(request, 2);
      if (offset < 0) {
        throw new CommandException("ERR offset is out of range");
      }
      return KeyedPlan.one(
          new KeyCommand.Overwrite(
              request.argument(1),
              (int) Math.min(offset, Integer.MAX_VALUE), // beyond any limit either way
              request.argument(3),
              context.mostValueBytes()),
          Rendering::integer);
    }
  }
}
