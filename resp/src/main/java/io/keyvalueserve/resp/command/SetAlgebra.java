package io.keyvalueserve.resp.command;

import io.keyvalueserve.engine.Arithmetic;
import io.keyvalueserve.engine.KeyCommand;
import io.keyvalueserve.engine.Outcome;
import io.keyvalueserve.engine.collection.Arguments;
import io.keyvalueserve.engine.collection.Bytes;
import io.keyvalueserve.engine.collection.Element;
import io.keyvalueserve.engine.collection.SetOperation;
import io.keyvalueserve.resp.command.Descriptor.Flag;
import io.keyvalueserve.resp.command.Descriptor.Group;
import io.keyvalueserve.resp.protocol.Reply;
import io.keyvalueserve.resp.protocol.Request;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Commands on several sets: SINTER, SINTERCARD, SUNION, SDIFF, each of them with STORE, and SMOVE.
 *
 * <p>Those that only read ask for each set by itself: sets that change meanwhile may be seen at
 * different times. Those that write are transactions.
 */
final class SetAlgebra {
  private static final String COMPLEXITY = "O(N) where N is the size of all the sets";

  static final List<Command> ALL =
      List.of(
          new Combine("sinter", Operation.INTERSECTION),
          new Combine("sunion", Operation.UNION),
          new Combine("sdiff", Operation.DIFFERENCE),
          new IntersectionSize(),
          new Store("sinterstore", Operation.INTERSECTION),
          new Store("sunionstore", Operation.UNION),
          new Store("sdiffstore", Operation.DIFFERENCE),
          new Move());

  private SetAlgebra() {}

  /** The ways to make one set of several. */
  private enum Operation {
    INTERSECTION("the members that sets have in common"),
    UNION("the members of sets"),
    DIFFERENCE("the members of a set that others have not");

    private final String what;

    Operation(String what) {
      this.what = what;
    }
  }

  private static List<KeyCommand> reads(
      Request request, int first, int count, KeyedCommand.PlanContext context) {
    MultiKeyCommand.requireFew(
        Many.of(count, i -> request.argument(first + i)), context.mostCollectionBytes());
    return Many.of(count, i -> all(request.argument(first + i), context.mostCollectionBytes()));
  }

  private static KeyedPlan plan(Combining combining) {
    return KeyedPlan.many(
        combining.known(),
        outcomes -> {
          Iterator<Outcome> read = outcomes.iterator();
          try {
            return Computation.run(combining, command -> read.next(), () -> {});
          } catch (CommandException e) {
            return e.reply();
          }
        });
  }

  private static KeyCommand all(byte[] key, int mostBytes) {
    return new KeyCommand.OnCollection(key, SetOperation.ALL, Arguments.NONE, mostBytes);
  }

  /** Makes one set of several, some members at a time. */
  private abstract static class Combining implements Computation {
    /** The members that are handled in a step. */
    private static final int STEP_MEMBERS = 512;

    /** About the bytes that a member takes beside its own. */
    private static final int MEMBER_BYTES = 64;

    private final Operation operation;
    private final List<KeyCommand> reads;
    private Set<Bytes> result = new LinkedHashSet<>();

    /** The members of the result that the present set has too. */
    private Set<Bytes> common = new LinkedHashSet<>();

    private List<Element> source = List.of();
    private int at;
    private int taken;
    private @Nullable Iterator<Bytes> results;
    private long bytes;

    Combining(Operation operation, List<KeyCommand> reads) {
      this.operation = operation;
      this.reads = reads;
    }

    /** Takes the next member of the result. */
    abstract void add(byte[] member);

    /** Says what follows when all members of the result were taken. */
    abstract Step end();

    /** Returns whether the members of the result are of interest, or only their number. */
    boolean listsMembers() {
      return true;
    }

    final int size() {
      return result.size();
    }

    /** Returns whether the result is known and all its members were taken. */
    final boolean isCombined() {
      return results != null;
    }

    @Override
    public final List<KeyCommand> known() {
      return reads;
    }

    @Override
    public final Step step() {
      for (int i = 0; i < STEP_MEMBERS; i++) {
        if (at < source.size()) {
          combine(source.get(at++));
          if (at == source.size()) {
            endSource();
          }
        } else if (taken < reads.size()) {
          return new Step.Ask(reads.get(taken));
        } else {
          Iterator<Bytes> rest = results;
          if (rest == null) {
            rest = listsMembers() ? result.iterator() : Collections.emptyIterator();
            results = rest;
          }
          if (!rest.hasNext()) {
            return end();
          }
          add(rest.next().toArray());
        }
      }
      return Step.More.MORE;
    }

    private void combine(Element element) {
      if (!(element instanceof Element.Text text)) {
        return;
      }
      Bytes member = Bytes.of(text.bytes());
      bytes += text.bytes().length + MEMBER_BYTES;
      if (taken == 1) {
        boolean _ = result.add(member);
        return;
      }
      boolean _ =
          switch (operation) {
            case UNION -> result.add(member);
            case DIFFERENCE -> result.remove(member);
            case INTERSECTION -> result.contains(member) && common.add(member);
          };
    }

    private void endSource() {
      if (operation == Operation.INTERSECTION && taken > 1) {
        result = common;
        common = new LinkedHashSet<>();
      }
    }

    @Override
    public void take(Outcome outcome) {
      switch (outcome) {
        case Outcome.Rejected rejected -> throw new CommandException(Errors.of(rejected));
        case Outcome.Elements all -> {
          source = all.elements();
          at = 0;
          taken++;
          if (source.isEmpty()) {
            endSource();
          }
        }
        default -> throw Rendering.unexpected(outcome);
      }
    }

    @Override
    public final long heldBytes() {
      return bytes;
    }
  }

  private static final class Combine implements KeyedCommand {
    private final Descriptor descriptor;
    private final Operation operation;

    Combine(String name, Operation operation) {
      this.descriptor =
          Descriptor.of(name, -2, Group.SET, "key [key ...]", "Returns " + operation.what + ".")
              .with(Flag.READONLY)
              .keys(1, -1, 1)
              .complexity(COMPLEXITY);
      this.operation = operation;
    }

    @Override
    public Descriptor descriptor() {
      return descriptor;
    }

    @Override
    public KeyedPlan plan(Request request, PlanContext context) {
      return SetAlgebra.plan(new Listing(operation, request, context));
    }

    @Override
    public @Nullable Computation computation(Request request, PlanContext context) {
      return request.count() > 2 ? new Listing(operation, request, context) : null;
    }

    private static final class Listing extends Combining {
      private final List<Reply> members = new ArrayList<>();

      Listing(Operation operation, Request request, PlanContext context) {
        super(operation, reads(request, 1, request.count() - 1, context));
      }

      @Override
      void add(byte[] member) {
        members.add(new Reply.Bulk(member));
      }

      @Override
      Step end() {
        return new Step.Done(new Reply.SetOf(members));
      }
    }
  }

  private static final class IntersectionSize implements KeyedCommand {
    private static final Descriptor DESCRIPTOR =
        Descriptor.of(
                "sintercard",
                -3,
                Group.SET,
                "numkeys key [key ...] [LIMIT limit]",
                "Returns how many members sets have in common.")
            .with(Flag.READONLY, Flag.MOVABLEKEYS)
            .since("7.0.0")
            .complexity(COMPLEXITY);

    @Override
    public Descriptor descriptor() {
      return DESCRIPTOR;
    }

    private static int keyCount(Request request) {
      Optional<Long> number = Arithmetic.parseInteger(request.argument(1));
      if (number.isEmpty() || number.get() < 1) {
        throw new CommandException("ERR numkeys should be greater than 0");
      }
      if (number.get() > request.count() - 2) {
        throw new CommandException("ERR Number of keys can't be greater than number of args");
      }
      return number.get().intValue();
    }

    @Override
    public List<byte[]> keys(Request request) {
      return MultiKeyCommand.numbered(request, 1, keyCount(request));
    }

    @Override
    public KeyedPlan plan(Request request, PlanContext context) {
      return SetAlgebra.plan(counting(request, context));
    }

    @Override
    public @Nullable Computation computation(Request request, PlanContext context) {
      return counting(request, context);
    }

    private static Counting counting(Request request, PlanContext context) {
      int keys = keyCount(request);
      long limit = 0;
      for (int i = 2 + keys; i < request.count(); i += 2) {
        if (!request.is(i, "LIMIT") || i + 1 == request.count()) {
          throw Parsing.syntaxError();
        }
        Optional<Long> given = Arithmetic.parseInteger(request.argument(i + 1));
        if (given.isEmpty() || given.get() < 0) {
          throw new CommandException("ERR LIMIT can't be negative");
        }
        limit = given.get();
      }
      return new Counting(reads(request, 2, keys, context), limit == 0 ? Long.MAX_VALUE : limit);
    }

    private static final class Counting extends Combining {
      private final long most;

      Counting(List<KeyCommand> reads, long most) {
        super(Operation.INTERSECTION, reads);
        this.most = most;
      }

      @Override
      boolean listsMembers() {
        return false;
      }

      @Override
      void add(byte[] member) {}

      @Override
      Step end() {
        return new Step.Done(Reply.integer(Math.min(size(), most)));
      }
    }
  }

  private static final class Store extends MultiKeyCommand {
    private final Descriptor descriptor;
    private final Operation operation;

    Store(String name, Operation operation) {
      this.descriptor =
          Descriptor.of(
                  name,
                  -3,
                  Group.SET,
                  "destination key [key ...]",
                  "Stores " + operation.what + ".")
              .with(Flag.WRITE, Flag.DENYOOM)
              .keys(1, -1, 1)
              .complexity(COMPLEXITY);
      this.operation = operation;
    }

    @Override
    public Descriptor descriptor() {
      return descriptor;
    }

    @Override
    Reply run(TransactionScope scope, Request request) {
      scope.require(List.of(scope.on(request.argument(1), SetOperation.REPLACE, Arguments.NONE)));
      return Computation.run(
          new Storing(operation, scope, request), scope::demand, scope::checkTime);
    }

    private static final class Storing extends Combining {
      private final TransactionScope scope;
      private final byte[] destination;
      private final List<byte[]> members = new ArrayList<>();
      private @Nullable Outcome stored;

      Storing(Operation operation, TransactionScope scope, Request request) {
        super(
            operation,
            Many.of(
                request.count() - 2,
                i -> scope.on(request.argument(2 + i), SetOperation.ALL, Arguments.NONE)));
        this.scope = scope;
        this.destination = request.argument(1);
      }

      @Override
      void add(byte[] member) {
        members.add(member);
      }

      @Override
      Step end() {
        Outcome done = stored;
        return done == null
            ? new Step.Ask(scope.on(destination, SetOperation.REPLACE, Arguments.of(members)))
            : new Step.Done(Rendering.integer(done));
      }

      @Override
      public void take(Outcome outcome) {
        if (isCombined()) {
          stored = outcome;
        } else {
          super.take(outcome);
        }
      }
    }
  }

  private static final class Move extends MultiKeyCommand {
    private static final Descriptor DESCRIPTOR =
        Descriptor.of(
                "smove",
                4,
                Group.SET,
                "source destination member",
                "Moves a member from one set to another.")
            .with(Flag.WRITE, Flag.FAST)
            .keys(1, 2, 1);

    @Override
    public Descriptor descriptor() {
      return DESCRIPTOR;
    }

    /** The member is added first: that may fail, and then nothing was removed. */
    @Override
    Reply run(TransactionScope scope, Request request) {
      byte[] source = request.argument(1);
      byte[] destination = request.argument(2);
      Arguments member = Arguments.of(request.argument(3));
      KeyCommand removal = scope.on(source, SetOperation.REMOVE, member);
      KeyCommand addition = scope.on(destination, SetOperation.ADD, member);
      scope.require(List.of(removal, addition));
      Outcome exists = scope.demand(new KeyCommand.Probe(source, false));
      if (exists instanceof Outcome.Missing) {
        return Reply.Int.ZERO;
      }
      Outcome found = scope.demand(scope.on(source, SetOperation.CONTAINS, member));
      Outcome _ = scope.demand(scope.on(destination, SetOperation.CONTAINS, member));
      if (found instanceof Outcome.IntegerResult none && none.value() == 0) {
        return Reply.Int.ZERO;
      }
      if (!Arrays.equals(source, destination)) {
        Outcome _ = scope.demand(addition);
        Outcome _ = scope.demand(removal);
      }
      return Reply.Int.ONE;
    }
  }
}
