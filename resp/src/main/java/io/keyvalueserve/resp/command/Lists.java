package io.keyvalueserve.resp.command;

import io.keyvalueserve.engine.Arithmetic;
import io.keyvalueserve.engine.Outcome;
import io.keyvalueserve.engine.collection.Arguments;
import io.keyvalueserve.engine.collection.ListOperation;
import io.keyvalueserve.resp.command.CollectionCommand.Reader;
import io.keyvalueserve.resp.command.Descriptor.Flag;
import io.keyvalueserve.resp.command.Descriptor.Group;
import io.keyvalueserve.resp.protocol.Reply;
import io.keyvalueserve.resp.protocol.Request;
import java.util.List;

/** Commands on one list. */
final class Lists {
  private static final String EACH = "O(N) where N is the number of elements that are named";
  private static final String ALL_OF_IT = "O(N) where N is the size of the list";
  private static final String ELEMENTS = "key element [element ...]";

  static final List<Command> ALL =
      List.of(
          push("lpush", "Puts elements before the first one.", ListOperation.PUSH_FIRST),
          push("rpush", "Puts elements behind the last one.", ListOperation.PUSH_LAST),
          push(
              "lpushx",
              "Puts elements before the first one of a list that exists.",
              ListOperation.PUSH_FIRST_IF_PRESENT),
          push(
              "rpushx",
              "Puts elements behind the last one of a list that exists.",
              ListOperation.PUSH_LAST_IF_PRESENT),
          new Pop(
              "lpop",
              "Takes out and returns the first elements.",
              ListOperation.POP_FIRST,
              ListOperation.POP_FIRST_MANY),
          new Pop(
              "rpop",
              "Takes out and returns the last elements.",
              ListOperation.POP_LAST,
              ListOperation.POP_LAST_MANY),
          new CollectionCommand(
              descriptor("llen", 2, "key", "Returns the number of elements.", "O(1)")
                  .with(Flag.READONLY, Flag.FAST),
              ListOperation.SIZE,
              CollectionCommand.from(2),
              Rendering::integer),
          new CollectionCommand(
              descriptor("lrange", 4, "key start stop", "Returns a range of elements.", ALL_OF_IT)
                  .with(Flag.READONLY),
              ListOperation.RANGE,
              integers(2, 3),
              CollectionCommand::array),
          new CollectionCommand(
              descriptor("lindex", 3, "key index", "Returns the element at an index.", ALL_OF_IT)
                  .with(Flag.READONLY),
              ListOperation.GET,
              integers(2),
              Rendering::value),
          new CollectionCommand(
              descriptor(
                      "lset",
                      4,
                      "key index element",
                      "Replaces the element at an index.",
                      ALL_OF_IT)
                  .with(Flag.WRITE, Flag.DENYOOM),
              ListOperation.SET,
              (request, context) ->
                  Arguments.of(request.argument(3)).with(Parsing.integer(request, 2)),
              outcome -> Reply.OK),
          new CollectionCommand(
              descriptor(
                      "linsert",
                      5,
                      "key <BEFORE|AFTER> pivot element",
                      "Puts an element before or behind another one.",
                      ALL_OF_IT)
                  .with(Flag.WRITE, Flag.DENYOOM)
                  .since("2.2.0"),
              ListOperation.INSERT,
              Lists::insertion,
              Rendering::integer),
          new CollectionCommand(
              descriptor("lrem", 4, "key count element", "Takes elements out by value.", ALL_OF_IT)
                  .with(Flag.WRITE),
              ListOperation.REMOVE,
              (request, context) ->
                  Arguments.of(request.argument(3))
                      .with(Math.max(Parsing.integer(request, 2), -Long.MAX_VALUE)),
              Rendering::integer),
          new CollectionCommand(
              descriptor("ltrim", 4, "key start stop", "Takes out all but a range.", ALL_OF_IT)
                  .with(Flag.WRITE),
              ListOperation.TRIM,
              integers(2, 3),
              outcome -> Reply.OK),
          new Positions());

  private Lists() {}

  private static Command push(String name, String summary, ListOperation operation) {
    boolean since2 = name.endsWith("x");
    return new CollectionCommand(
        descriptor(name, -3, ELEMENTS, summary, EACH)
            .with(Flag.WRITE, Flag.DENYOOM, Flag.FAST)
            .since(since2 ? "2.2.0" : "1.0.0"),
        operation,
        CollectionCommand.from(2),
        Rendering::integer);
  }

  static Descriptor descriptor(
      String name, int arity, String usage, String summary, String complexity) {
    return Descriptor.of(name, arity, Group.LIST, usage, summary)
        .keys(1, 1, 1)
        .complexity(complexity);
  }

  private static Reader integers(int... indexes) {
    return (request, context) -> {
      long[] numbers = new long[indexes.length];
      for (int i = 0; i < numbers.length; i++) {
        numbers[i] = Parsing.integer(request, indexes[i]);
      }
      return Arguments.NONE.with(numbers);
    };
  }

  private static Arguments insertion(Request request, KeyedCommand.PlanContext context) {
    boolean before = request.is(2, "BEFORE");
    if (!before && !request.is(2, "AFTER")) {
      throw Parsing.syntaxError();
    }
    return Arguments.of(request.argument(3), request.argument(4)).with(before ? 1 : 0);
  }

  /** Elements in order; the null array if there is no list. */
  static Reply arrayOrNull(Outcome outcome) {
    return outcome instanceof Outcome.Missing
        ? Reply.NullArray.NULL_ARRAY
        : CollectionCommand.array(outcome);
  }

  /** Takes out one element, or as many as are asked for. */
  private record Pop(Descriptor descriptor, ListOperation one, ListOperation many)
      implements KeyedCommand {
    Pop(String name, String summary, ListOperation one, ListOperation many) {
      this(
          Lists.descriptor(name, -2, "key [count]", summary, EACH).with(Flag.WRITE, Flag.FAST),
          one,
          many);
    }

    @Override
    public KeyedPlan plan(Request request, PlanContext context) {
      if (request.count() == 2) {
        return CollectionCommand.plan(one, Arguments.NONE, request, context, Rendering::value);
      }
      if (request.count() > 3) {
        throw new CommandException(Errors.wrongArity(descriptor));
      }
      long count = Parsing.notNegative(request, 2);
      return CollectionCommand.plan(
          many, Arguments.NONE.with(count), request, context, Lists::arrayOrNull);
    }
  }

  /** Finds the indexes of an element. */
  private static final class Positions implements KeyedCommand {
    private static final Descriptor DESCRIPTOR =
        Lists.descriptor(
                "lpos",
                -3,
                "key element [RANK rank] [COUNT num-matches] [MAXLEN len]",
                "Returns the index of an element.",
                ALL_OF_IT)
            .with(Flag.READONLY)
            .since("6.0.6");

    @Override
    public Descriptor descriptor() {
      return DESCRIPTOR;
    }

    @Override
    public KeyedPlan plan(Request request, PlanContext context) {
      long rank = 1;
      long count = -1;
      long most = 0;
      for (int i = 3; i < request.count(); i += 2) {
        if (i + 1 >= request.count()) {
          throw Parsing.syntaxError();
        }
        if (request.is(i, "RANK")) {
          rank = Parsing.integer(request, i + 1);
          if (rank == 0) {
            throw new CommandException(
                "ERR RANK can't be zero: use 1 to start from the first match, 2 from the second ..."
                    + " or use negative to start from the end of the list");
          }
          if (rank == Long.MIN_VALUE) {
            throw new CommandException("ERR value is out of range");
          }
        } else if (request.is(i, "COUNT")) {
          count = notNegative(request, i + 1, "COUNT");
        } else if (request.is(i, "MAXLEN")) {
          most = notNegative(request, i + 1, "MAXLEN");
        } else {
          throw Parsing.syntaxError();
        }
      }
      boolean one = count < 0;
      return CollectionCommand.plan(
          ListOperation.POSITIONS,
          Arguments.of(request.argument(2)).with(rank, one ? 1 : count, most),
          request,
          context,
          outcome -> {
            if (!one) {
              return CollectionCommand.array(outcome);
            }
            List<Reply> found = CollectionCommand.replies(outcome);
            return found.isEmpty() ? Reply.Null.NULL : found.getFirst();
          });
    }

    private static long notNegative(Request request, int index, String name) {
      return Arithmetic.parseInteger(request.argument(index))
          .filter(value -> value >= 0)
          .orElseThrow(() -> new CommandException("ERR " + name + " can't be negative"));
    }
  }
}
