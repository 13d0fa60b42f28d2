package io.keyvalueserve.resp.command;

import io.keyvalueserve.engine.Arithmetic;
import io.keyvalueserve.engine.Outcome;
import io.keyvalueserve.engine.collection.Arguments;
import io.keyvalueserve.engine.collection.SetOperation;
import io.keyvalueserve.resp.command.Descriptor.Flag;
import io.keyvalueserve.resp.command.Descriptor.Group;
import io.keyvalueserve.resp.protocol.Reply;
import io.keyvalueserve.resp.protocol.Request;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Function;

/** Commands on one set; those on several are in {@link SetAlgebra}. */
final class Sets {
  private static final String EACH = "O(N) where N is the number of members that are named";
  private static final String ALL_OF_IT = "O(N) where N is the size of the set";

  static final List<Command> ALL =
      List.of(
          command(
              descriptor("sadd", -3, "key member [member ...]", "Adds members.", EACH)
                  .with(Flag.WRITE, Flag.DENYOOM, Flag.FAST),
              SetOperation.ADD,
              Rendering::integer),
          command(
              descriptor("srem", -3, "key member [member ...]", "Removes members.", EACH)
                  .with(Flag.WRITE, Flag.FAST),
              SetOperation.REMOVE,
              Rendering::integer),
          command(
              descriptor("smembers", 2, "key", "Returns all members.", ALL_OF_IT)
                  .with(Flag.READONLY),
              SetOperation.ALL,
              CollectionCommand::set),
          command(
              descriptor("sismember", 3, "key member", "Returns whether it is a member.", "O(1)")
                  .with(Flag.READONLY, Flag.FAST),
              SetOperation.CONTAINS,
              Rendering::integer),
          command(
              descriptor(
                      "smismember",
                      -3,
                      "key member [member ...]",
                      "Returns which of them are members.",
                      EACH)
                  .with(Flag.READONLY, Flag.FAST)
                  .since("6.2.0"),
              SetOperation.CONTAINS_MANY,
              CollectionCommand::array),
          command(
              descriptor("scard", 2, "key", "Returns the number of members.", "O(1)")
                  .with(Flag.READONLY, Flag.FAST),
              SetOperation.SIZE,
              Rendering::integer),
          new Pop(),
          new RandomMember(),
          new CollectionScan(
              descriptor(
                      "sscan",
                      -3,
                      "key cursor [MATCH pattern] [COUNT count]",
                      "Lists the members, some at a time.",
                      ALL_OF_IT)
                  .with(Flag.READONLY)
                  .since("2.8.0"),
              SetOperation.SCAN,
              SetOperation.SIZE,
              false));

  private Sets() {}

  private static Command command(
      Descriptor descriptor, SetOperation operation, Function<Outcome, Reply> renderer) {
    return new CollectionCommand(descriptor, operation, CollectionCommand.from(2), renderer);
  }

  private static Descriptor descriptor(
      String name, int arity, String usage, String summary, String complexity) {
    return Descriptor.of(name, arity, Group.SET, usage, summary)
        .keys(1, 1, 1)
        .complexity(complexity);
  }

  private static long seed() {
    return ThreadLocalRandom.current().nextLong();
  }

  private static Reply first(Outcome outcome) {
    List<Reply> replies = CollectionCommand.replies(outcome);
    return replies.isEmpty() ? Reply.Null.NULL : replies.getFirst();
  }

  private static final class Pop implements KeyedCommand {
    private static final Descriptor DESCRIPTOR =
        Sets.descriptor(
                "spop",
                -2,
                "key [count]",
                "Removes members chosen at random, and returns them.",
                ALL_OF_IT)
            .with(Flag.WRITE, Flag.FAST);

    @Override
    public Descriptor descriptor() {
      return DESCRIPTOR;
    }

    @Override
    public KeyedPlan plan(Request request, PlanContext context) {
      if (request.count() > 3) {
        throw Parsing.syntaxError();
      }
      boolean hasCount = request.count() == 3;
      return CollectionCommand.plan(
          SetOperation.POP,
          Arguments.NONE.with(hasCount ? count(request) : 1, seed()),
          request,
          context,
          hasCount ? CollectionCommand::set : Sets::first);
    }

    private static long count(Request request) {
      Optional<Long> count = Arithmetic.parseInteger(request.argument(2));
      if (count.isEmpty() || count.get() < 0) {
        throw new CommandException("ERR value is out of range, must be positive");
      }
      return count.get();
    }
  }

  private static final class RandomMember implements KeyedCommand {
    private static final Descriptor DESCRIPTOR =
        Sets.descriptor(
                "srandmember", -2, "key [count]", "Returns members chosen at random.", ALL_OF_IT)
            .with(Flag.READONLY);

    @Override
    public Descriptor descriptor() {
      return DESCRIPTOR;
    }

    @Override
    public KeyedPlan plan(Request request, PlanContext context) {
      if (request.count() > 3) {
        throw Parsing.syntaxError();
      }
      boolean hasCount = request.count() == 3;
      return CollectionCommand.plan(
          SetOperation.RANDOM,
          Arguments.NONE.with(hasCount ? Parsing.sample(request, 2) : 1, seed()),
          request,
          context,
          hasCount ? CollectionCommand::array : Sets::first);
    }
  }
}
