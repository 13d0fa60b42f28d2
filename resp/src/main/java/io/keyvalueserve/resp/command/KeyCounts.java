package io.keyvalueserve.resp.command;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.keyvalueserve.engine.DirectMap;
import io.keyvalueserve.engine.KeyCommand;
import io.keyvalueserve.engine.Outcome;
import io.keyvalueserve.engine.collection.CollectionType;
import io.keyvalueserve.resp.command.Descriptor.Flag;
import io.keyvalueserve.resp.command.Descriptor.Group;
import io.keyvalueserve.resp.protocol.Reply;
import io.keyvalueserve.resp.protocol.ReplyWriter;
import io.keyvalueserve.resp.protocol.Request;
import io.keyvalueserve.resp.protocol.RequestView;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;

/** Commands on keys whatever their values: DEL, UNLINK, EXISTS, TOUCH, TYPE. */
final class KeyCounts {
  static final List<Command> ALL =
      List.of(
          new Each(
              Descriptor.of("del", -2, Group.GENERIC, "key [key ...]", "Removes keys.")
                  .with(Flag.WRITE),
              key -> new KeyCommand.Remove(key, false)),
          new Each(
              Descriptor.of("unlink", -2, Group.GENERIC, "key [key ...]", "Removes keys.")
                  .with(Flag.WRITE, Flag.FAST)
                  .since("4.0.0"),
              key -> new KeyCommand.Remove(key, false)),
          new Exists(),
          new Each(
              Descriptor.of(
                      "touch",
                      -2,
                      Group.GENERIC,
                      "key [key ...]",
                      "Counts the keys that exist, as a use of each.")
                  .with(Flag.READONLY, Flag.FAST)
                  .since("3.2.1"),
              key -> new KeyCommand.Probe(key, true)),
          new Type());

  private KeyCounts() {}

  /** A command that does the same to each key. The reply counts the keys that existed. */
  private record Each(Descriptor descriptor, Function<byte[], KeyCommand> command)
      implements KeyedCommand {
    Each {
      descriptor = descriptor.keys(1, -1, 1).complexity("O(N) where N is the number of keys");
    }

    @Override
    public KeyedPlan plan(Request request, PlanContext context) {
      return KeyedPlan.many(
          Many.of(request.count() - 1, i -> command.apply(request.argument(i + 1))),
          Rendering::count);
    }
  }

  private static final class Exists implements KeyedCommand, DirectCommand {
    private static final Descriptor DESCRIPTOR =
        Descriptor.of("exists", -2, Group.GENERIC, "key [key ...]", "Counts the keys that exist.")
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
          Many.of(request.count() - 1, i -> new KeyCommand.Probe(request.argument(i + 1), false)),
          Rendering::count);
    }

    @Override
    public boolean answer(
        RequestView request, DirectMap map, ReplyWriter replies, InstantSource clock) {
      int found = 0;
      long stamp = map.stamp();
      for (int i = 1; i < request.count(); i++) {
        long at = map.expireAt(request.bytes(), request.offset(i), request.length(i));
        if (at == DirectMap.NOT_NOW) {
          return false;
        }
        found += at == DirectMap.MISSING ? 0 : 1;
      }
      if (map.stamp() != stamp) {
        return false; // it may be half of a transaction
      }
      replies.integer(found);
      return true;
    }
  }

  private static final class Type implements KeyedCommand, DirectCommand {
    private static final Descriptor DESCRIPTOR =
        Descriptor.of("type", 2, Group.GENERIC, "key", "Returns what sort of value a key has.")
            .with(Flag.READONLY, Flag.FAST)
            .keys(1, 1, 1);

    private static final Reply NONE = new Reply.Status("none");
    private static final byte[] NONE_LINE = "+none\r\n".getBytes(US_ASCII);
    private static final byte[] STRING_LINE = "+string\r\n".getBytes(US_ASCII);

    @Override
    public Descriptor descriptor() {
      return DESCRIPTOR;
    }

    @Override
    public KeyedPlan plan(Request request, PlanContext context) {
      return KeyedPlan.one(
          new KeyCommand.Probe(request.argument(1), false),
          outcome ->
              switch (outcome) {
                case Outcome.Missing _ -> NONE;
                case Outcome.Info info -> new Reply.Status(TypeName.of(info));
                case Outcome other -> throw Rendering.unexpected(other);
              });
    }

    /** A value that has a length is a string; what others are is not for here. */
    @Override
    public boolean answer(
        RequestView request, DirectMap map, ReplyWriter replies, InstantSource clock) {
      int length = map.length(request.bytes(), request.offset(1), request.length(1));
      if (length == DirectMap.NOT_NOW) {
        return false;
      }
      replies.line(length == DirectMap.MISSING ? NONE_LINE : STRING_LINE);
      return true;
    }
  }

  /** The sorts of values, as TYPE and SCAN have them. */
  static final class TypeName {
    /** A value that has a text. */
    static final String STRING = "string";

    /** A value that has none: a Hazelcast client wrote it. */
    static final String OBJECT = "object";

    private TypeName() {}

    /** Returns whether a value may be of this sort. */
    static boolean exists(String type) {
      return type.equals(STRING)
          || type.equals(OBJECT)
          || Arrays.stream(CollectionType.values()).anyMatch(each -> each.word().equals(type));
    }

    /** The sort of an entry's value. */
    static String of(Outcome.Info info) {
      CollectionType collection = info.collection();
      if (collection != null) {
        return collection.word();
      }
      return info.length() < 0 ? OBJECT : STRING;
    }
  }
}
