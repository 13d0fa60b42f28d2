package io.keyvalueserve.resp.command;

import io.keyvalueserve.engine.KeyCommand;
import io.keyvalueserve.engine.Outcome;
import io.keyvalueserve.engine.ValueOperation;
import io.keyvalueserve.engine.value.CorruptSketch;
import io.keyvalueserve.engine.value.Sketch;
import io.keyvalueserve.resp.command.Descriptor.Flag;
import io.keyvalueserve.resp.command.Descriptor.Group;
import io.keyvalueserve.resp.protocol.Reply;
import io.keyvalueserve.resp.protocol.Request;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Commands on HyperLogLog sketches: PFADD, PFCOUNT, PFMERGE. */
final class Sketches {
  static final List<Command> ALL = List.of(new PfAdd(), new PfCount(), new PfMerge());

  private Sketches() {}

  private static Descriptor descriptor(String name, String usage, String summary) {
    return Descriptor.of(name, -2, Group.HYPERLOGLOG, usage, summary)
        .keys(1, name.equals("pfadd") ? 1 : -1, 1)
        .since("2.8.9");
  }

  private static List<byte[]> arguments(Request request, int from, int to) {
    List<byte[]> arguments = new ArrayList<>(to - from);
    for (int i = from; i < to; i++) {
      arguments.add(request.argument(i));
    }
    return arguments;
  }

  private static final class PfAdd implements KeyedCommand {
    /** More elements are added in parts. */
    private static final int PART = 256;

    private static final Descriptor DESCRIPTOR =
        Sketches.descriptor(
                "pfadd",
                "key [element [element ...]]",
                "Adds elements to a sketch that counts different ones.")
            .with(Flag.WRITE, Flag.DENYOOM, Flag.FAST)
            .complexity("O(1) for each element");

    @Override
    public Descriptor descriptor() {
      return DESCRIPTOR;
    }

    @Override
    public KeyedPlan plan(Request request, PlanContext context) {
      return KeyedPlan.one(part(request, 2, request.count()), Rendering::integer);
    }

    private static KeyCommand part(Request request, int from, int to) {
      return new KeyCommand.Operate(
          request.argument(1), new ValueOperation.AddToSketch(arguments(request, from, to)));
    }

    @Override
    public @Nullable Computation computation(Request request, PlanContext context) {
      return request.count() - 2 > PART ? new Adding(request) : null;
    }

    private static final class Adding implements Computation {
      private final Request request;
      private int at = 2;
      private boolean changed;

      Adding(Request request) {
        this.request = request;
      }

      @Override
      public Step step() {
        if (at == request.count()) {
          return new Step.Done(changed ? Reply.Int.ONE : Reply.Int.ZERO);
        }
        int from = at;
        at = Math.min(from + PART, request.count());
        return new Step.Ask(part(request, from, at));
      }

      @Override
      public void take(Outcome outcome) {
        if (outcome instanceof Outcome.Rejected rejected) {
          throw new CommandException(Errors.of(rejected));
        }
        if (!(outcome instanceof Outcome.IntegerResult result)) {
          throw Rendering.unexpected(outcome);
        }
        changed |= result.value() != 0;
      }

      @Override
      public long heldBytes() {
        return 0;
      }
    }
  }

  private static final class PfCount implements KeyedCommand {
    private static final Descriptor DESCRIPTOR =
        Sketches.descriptor(
                "pfcount",
                "key [key ...]",
                "Returns about how many different elements were added to sketches.")
            .with(Flag.READONLY)
            .complexity("O(N) where N is the number of keys");

    @Override
    public Descriptor descriptor() {
      return DESCRIPTOR;
    }

    @Override
    public KeyedPlan plan(Request request, PlanContext context) {
      if (request.count() == 2) {
        return KeyedPlan.one(
            new KeyCommand.Operate(request.argument(1), new ValueOperation.CountSketch()),
            Rendering::integer);
      }
      return KeyedPlan.many(commands(request), PfCount::render);
    }

    private static List<KeyCommand> commands(Request request) {
      return Many.of(request.count() - 1, i -> reading(request.argument(i + 1)));
    }

    private static Reply render(List<Outcome> outcomes) {
      Union union = new Union();
      for (Outcome outcome : outcomes) {
        if (outcome instanceof Outcome.Rejected rejected) {
          return Errors.of(rejected);
        }
        Outcome.Rejected obstacle = union.add(outcome);
        if (obstacle != null) {
          return Errors.of(obstacle);
        }
      }
      return Reply.integer(Sketch.countRegisters(union.registers));
    }

    @Override
    public @Nullable Computation computation(Request request, PlanContext context) {
      return request.count() > 2 ? new Counting(request) : null;
    }

    private static final class Counting implements Computation {
      private final Request request;
      private final Union union = new Union();
      private int at = 1;

      Counting(Request request) {
        this.request = request;
      }

      @Override
      public List<KeyCommand> known() {
        return commands(request);
      }

      @Override
      public Step step() {
        return at == request.count()
            ? new Step.Done(Reply.integer(Sketch.countRegisters(union.registers)))
            : new Step.Ask(reading(request.argument(at++)));
      }

      @Override
      public void take(Outcome outcome) {
        Outcome.Rejected obstacle =
            outcome instanceof Outcome.Rejected rejected ? rejected : union.add(outcome);
        if (obstacle != null) {
          throw new CommandException(Errors.of(obstacle));
        }
      }

      @Override
      public long heldBytes() {
        return Sketch.REGISTERS;
      }
    }
  }

  private static KeyCommand reading(byte[] key) {
    return new KeyCommand.Operate(key, new ValueOperation.ReadSketch());
  }

  /** The registers of several sketches together. */
  private static final class Union {
    private final byte[] registers = new byte[Sketch.REGISTERS];
    private boolean dense;

    /** Adds a sketch, if it was found; returns what is wrong with it, or null. */
    Outcome.@Nullable Rejected add(Outcome found) {
      switch (found) {
        case Outcome.Missing _ -> {}
        case Outcome.Entry entry -> {
          dense |= Sketch.isDense(entry.value());
          try {
            Sketch.merge(entry.value(), registers);
          } catch (CorruptSketch e) {
            return Outcome.Rejected.CORRUPT_SKETCH;
          }
        }
        default -> throw Rendering.unexpected(found);
      }
      return null;
    }
  }

  private static final class PfMerge extends MultiKeyCommand {
    private static final Descriptor DESCRIPTOR =
        Sketches.descriptor(
                "pfmerge",
                "destkey [sourcekey [sourcekey ...]]",
                "Adds the elements of sketches to another one.")
            .with(Flag.WRITE, Flag.DENYOOM)
            .complexity("O(N) where N is the number of keys");

    @Override
    public Descriptor descriptor() {
      return DESCRIPTOR;
    }

    @Override
    Reply run(TransactionScope scope, Request request) {
      return switch (new SketchMerge(keys(request)).run(scope)) {
        case Outcome.Rejected rejected -> Errors.of(rejected);
        case Outcome.Failure failure -> Errors.of(failure);
        case Outcome _ -> Reply.OK;
      };
    }
  }

  /** Merges sketches into the first of them, which is looked at as the others are. */
  private static final class SketchMerge implements KeyMerge {
    private final List<byte[]> keys;
    private final Union union = new Union();

    SketchMerge(List<byte[]> keys) {
      this.keys = keys;
    }

    @Override
    public List<byte[]> sources() {
      return keys;
    }

    @Override
    public KeyCommand reading(byte[] source) {
      return Sketches.reading(source);
    }

    @Override
    public @Nullable Outcome take(Outcome found) {
      return found instanceof Outcome.Rejected ? found : union.add(found);
    }

    @Override
    public KeyCommand writing() {
      return new KeyCommand.Operate(
          keys.getFirst(), new ValueOperation.MergeSketch(union.registers, union.dense));
    }
  }
}
