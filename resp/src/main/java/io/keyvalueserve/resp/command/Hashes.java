package io.keyvalueserve.resp.command;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.keyvalueserve.engine.Arithmetic;
import io.keyvalueserve.engine.collection.Arguments;
import io.keyvalueserve.engine.collection.HashOperation;
import io.keyvalueserve.resp.command.CollectionCommand.Reader;
import io.keyvalueserve.resp.command.Descriptor.Flag;
import io.keyvalueserve.resp.command.Descriptor.Group;
import io.keyvalueserve.resp.protocol.Reply;
import io.keyvalueserve.resp.protocol.Request;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;

/** Commands on hashes; those on when fields expire are in {@link ExpiringFields}. */
final class Hashes {
  private static final String EACH = "O(N) where N is the number of fields that are named";
  private static final String ALL_OF_IT = "O(N) where N is the size of the hash";

  static final List<Command> ALL =
      List.of(
          new CollectionCommand(
              write("hset", -4, "key field value [field value ...]", "Writes fields.", EACH),
              HashOperation.SET,
              pairs("hset"),
              Rendering::integer),
          new CollectionCommand(
              write("hmset", -4, "key field value [field value ...]", "Writes fields.", EACH),
              HashOperation.SET,
              pairs("hmset"),
              outcome -> Reply.OK),
          new CollectionCommand(
              write("hsetnx", 4, "key field value", "Writes a field that is not there.", "O(1)"),
              HashOperation.SET_IF_ABSENT,
              CollectionCommand.from(2),
              Rendering::integer),
          new CollectionCommand(
              read("hget", 3, "key field", "Returns the value of a field.", "O(1)"),
              HashOperation.GET,
              CollectionCommand.from(2),
              Rendering::value),
          new CollectionCommand(
              read("hmget", -3, "key field [field ...]", "Returns the values of fields.", EACH),
              HashOperation.GET_MANY,
              CollectionCommand.from(2),
              CollectionCommand::array),
          new CollectionCommand(
              slowRead("hgetall", 2, "key", "Returns all fields and their values.", ALL_OF_IT),
              HashOperation.ALL,
              CollectionCommand.from(2),
              CollectionCommand::map),
          new CollectionCommand(
              slowRead("hkeys", 2, "key", "Returns all fields.", ALL_OF_IT),
              HashOperation.NAMES,
              CollectionCommand.from(2),
              CollectionCommand::array),
          new CollectionCommand(
              slowRead("hvals", 2, "key", "Returns the values of all fields.", ALL_OF_IT),
              HashOperation.VALUES,
              CollectionCommand.from(2),
              CollectionCommand::array),
          new CollectionCommand(
              write("hdel", -3, "key field [field ...]", "Removes fields.", EACH)
                  .with(Flag.WRITE, Flag.FAST),
              HashOperation.REMOVE,
              CollectionCommand.from(2),
              Rendering::integer),
          new CollectionCommand(
              read("hexists", 3, "key field", "Returns whether a field is there.", "O(1)"),
              HashOperation.EXISTS,
              CollectionCommand.from(2),
              Rendering::integer),
          new CollectionCommand(
              read("hlen", 2, "key", "Returns the number of fields.", "O(1)"),
              HashOperation.SIZE,
              CollectionCommand.from(2),
              Rendering::integer),
          new CollectionCommand(
              read("hstrlen", 3, "key field", "Returns the length of a value in bytes.", "O(1)")
                  .since("3.2.0"),
              HashOperation.VALUE_LENGTH,
              CollectionCommand.from(2),
              Rendering::integer),
          new CollectionCommand(
              write("hincrby", 4, "key field increment", "Adds an integer to a field.", "O(1)"),
              HashOperation.INCREMENT,
              (request, context) ->
                  Arguments.of(request.argument(2)).with(Parsing.integer(request, 3)),
              Rendering::integer),
          new CollectionCommand(
              write("hincrbyfloat", 4, "key field increment", "Adds a number to a field.", "O(1)")
                  .since("2.6.0"),
              HashOperation.INCREMENT_DECIMAL,
              Hashes::decimal,
              Rendering::value),
          new RandomField(),
          new CollectionScan(
              slowRead(
                      "hscan",
                      -3,
                      "key cursor [MATCH pattern] [COUNT count] [NOVALUES]",
                      "Lists the fields, some at a time.",
                      "O(N) where N is the size of the hash")
                  .since("2.8.0"),
              HashOperation.SCAN,
              HashOperation.SIZE,
              true));

  private Hashes() {}

  private static Descriptor write(
      String name, int arity, String usage, String summary, String complexity) {
    return descriptor(name, arity, usage, summary, complexity)
        .with(Flag.WRITE, Flag.DENYOOM, Flag.FAST);
  }

  private static Descriptor read(
      String name, int arity, String usage, String summary, String complexity) {
    return descriptor(name, arity, usage, summary, complexity).with(Flag.READONLY, Flag.FAST);
  }

  private static Descriptor slowRead(
      String name, int arity, String usage, String summary, String complexity) {
    return descriptor(name, arity, usage, summary, complexity).with(Flag.READONLY);
  }

  private static Descriptor descriptor(
      String name, int arity, String usage, String summary, String complexity) {
    return Descriptor.of(name, arity, Group.HASH, usage, summary)
        .keys(1, 1, 1)
        .since("2.0.0")
        .complexity(complexity);
  }

  /** HRANDFIELD. */
  private static final class RandomField implements KeyedCommand {
    private static final Descriptor DESCRIPTOR =
        slowRead(
                "hrandfield",
                -2,
                "key [count [WITHVALUES]]",
                "Returns fields chosen at random.",
                "O(N) where N is the size of the hash")
            .since("6.2.0");

    @Override
    public Descriptor descriptor() {
      return DESCRIPTOR;
    }

    @Override
    public KeyedPlan plan(Request request, PlanContext context) {
      boolean hasCount = request.count() > 2;
      long count = hasCount ? Parsing.sample(request, 2) : 1;
      boolean withValues = request.count() == 4 && request.is(3, "WITHVALUES");
      if (request.count() > 3 && !withValues) {
        throw Parsing.syntaxError();
      }
      if (withValues && Math.abs(count) > Long.MAX_VALUE / 2) {
        throw new CommandException("ERR value is out of range");
      }
      Arguments arguments = Arguments.NONE.with(count, ThreadLocalRandom.current().nextLong());
      return CollectionCommand.plan(
          HashOperation.RANDOM,
          arguments,
          request,
          context,
          outcome -> {
            List<Reply> pairs = CollectionCommand.replies(outcome);
            if (withValues) {
              return new Reply.PairsOf(pairs);
            }
            List<Reply> names = Many.of(pairs.size() / 2, i -> pairs.get(2 * i));
            if (hasCount) {
              return new Reply.Array(names);
            }
            return names.isEmpty() ? Reply.Null.NULL : names.getFirst();
          });
    }
  }

  private static Reader pairs(String name) {
    return (request, context) -> {
      if (request.count() % 2 != 0) {
        throw new CommandException("ERR wrong number of arguments for '" + name + "' command");
      }
      return CollectionCommand.rest(request, 2);
    };
  }

  private static Arguments decimal(Request request, KeyedCommand.PlanContext context) {
    String delta = request.latin(3);
    if (Arithmetic.isInfinite(delta)) {
      throw new CommandException("ERR value is NaN or Infinity");
    }
    if (Arithmetic.parseDecimal(delta).isEmpty()) {
      throw new CommandException(Errors.NOT_A_FLOAT);
    }
    return Arguments.of(request.argument(2), delta.getBytes(US_ASCII));
  }
}
