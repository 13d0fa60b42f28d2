package io.keyvalueserve.resp.command;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.keyvalueserve.engine.Arithmetic;
import io.keyvalueserve.engine.KeyCommand;
import io.keyvalueserve.engine.Outcome;
import io.keyvalueserve.resp.command.Descriptor.Flag;
import io.keyvalueserve.resp.command.Descriptor.Group;
import io.keyvalueserve.resp.protocol.Request;
import java.util.List;

/** Commands that count: INCR, DECR, INCRBY, DECRBY, INCRBYFLOAT. */
final class Counters {
  static final List<Command> ALL =
      List.of(
          new Step("incr", 1, "Adds 1 to a counter."),
          new Step("decr", -1, "Takes 1 from a counter."),
          new By("incrby", false, "key increment", "Adds an integer to a counter."),
          new By("decrby", true, "key decrement", "Takes an integer from a counter."),
          new ByDecimal());

  private Counters() {}

  private static Descriptor descriptor(String name, int arity, String usage, String summary) {
    return Descriptor.of(name, arity, Group.STRING, usage, summary)
        .with(Flag.WRITE, Flag.DENYOOM, Flag.FAST)
        .keys(1, 1, 1);
  }

  private static final class Step implements KeyedCommand {
    private final Descriptor descriptor;
    private final long delta;

    Step(String name, long delta, String summary) {
      this.descriptor = Counters.descriptor(name, 2, "key", summary);
      this.delta = delta;
    }

    @Override
    public Descriptor descriptor() {
      return descriptor;
    }

    @Override
    public KeyedPlan plan(Request request, PlanContext context) {
      return KeyedPlan.one(
          new KeyCommand.Increment(request.argument(1), delta), Rendering::integer);
    }
  }

  private static final class By implements KeyedCommand {
    private final Descriptor descriptor;
    private final boolean takes;

    By(String name, boolean takes, String usage, String summary) {
      this.descriptor = Counters.descriptor(name, 3, usage, summary);
      this.takes = takes;
    }

    @Override
    public Descriptor descriptor() {
      return descriptor;
    }

    @Override
    public KeyedPlan plan(Request request, PlanContext context) {
      long delta = Parsing.integer(request, 2);
      if (takes && delta == Long.MIN_VALUE) {
        throw new CommandException("ERR decrement would overflow");
      }
      return KeyedPlan.one(
          new KeyCommand.Increment(request.argument(1), takes ? -delta : delta),
          Rendering::integer);
    }
  }

  private static final class ByDecimal implements KeyedCommand {
    private static final Descriptor DESCRIPTOR =
        Counters.descriptor("incrbyfloat", 3, "key increment", "Adds a number to a counter.")
            .since("2.6.0");

    @Override
    public Descriptor descriptor() {
      return DESCRIPTOR;
    }

    @Override
    public KeyedPlan plan(Request request, PlanContext context) {
      byte[] key = request.argument(1);
      String delta = request.latin(2);
      if (Arithmetic.isInfinite(delta)) {
        // Redis looks at the value first.
        return KeyedPlan.one(
            new KeyCommand.Read(key),
            outcome ->
                outcome instanceof Outcome.Entry entry && !isNumber(entry.value())
                    ? Errors.NOT_A_FLOAT
                    : Errors.NOT_FINITE);
      }
      return KeyedPlan.one(new KeyCommand.IncrementDecimal(key, delta), Rendering::value);
    }

    private static boolean isNumber(byte[] value) {
      String text = new String(value, ISO_8859_1);
      return Arithmetic.isInfinite(text) || Arithmetic.parseDecimal(text).isPresent();
    }
  }
}
