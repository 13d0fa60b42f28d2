package io.keyvalueserve.resp.command;

import io.keyvalueserve.engine.Arithmetic;
import io.keyvalueserve.engine.KeyCommand;
import io.keyvalueserve.engine.Outcome;
import io.keyvalueserve.engine.ValueOperation;
import io.keyvalueserve.engine.value.BitField;
import io.keyvalueserve.engine.value.BitRange;
import io.keyvalueserve.resp.command.Descriptor.Flag;
import io.keyvalueserve.resp.command.Descriptor.Group;
import io.keyvalueserve.resp.protocol.Reply;
import io.keyvalueserve.resp.protocol.Request;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Commands on bits: SETBIT, GETBIT, BITCOUNT, BITPOS, BITOP, BITFIELD, BITFIELD_RO. */
final class Bitmaps {
  static final List<Command> ALL =
      List.of(
          new SetBit(),
          new GetBit(),
          new BitCount(),
          new BitPos(),
          new BitOp(),
          new Fields("bitfield", false),
          new Fields("bitfield_ro", true));

  private static final Reply.ErrorLine BAD_OFFSET =
      Reply.error("ERR bit offset is not an integer or out of range");
  private static final Reply.ErrorLine BAD_BIT =
      Reply.error("ERR bit is not an integer or out of range");

  private Bitmaps() {}

  private static Descriptor descriptor(
      String name, int arity, String usage, String summary, String since) {
    return Descriptor.of(name, arity, Group.BITMAP, usage, summary).keys(1, 1, 1).since(since);
  }

  /**
   * Reads the position of a bit.
   *
   * @param unit positions with a number sign count so many bits each; 0 if there may be none
   */
  private static long offset(Request request, int index, int unit, int mostValueBytes) {
    byte[] text = request.argument(index);
    boolean inUnits = unit > 0 && text.length > 0 && text[0] == '#';
    byte[] digits = inUnits ? Arrays.copyOfRange(text, 1, text.length) : text;
    long offset =
        Arithmetic.parseInteger(digits).orElseThrow(() -> new CommandException(BAD_OFFSET));
    if (inUnits) {
      offset *= unit; // beyond 64 bits it wraps, as in Redis
    }
    if (offset < 0 || offset >> 3 >= mostValueBytes) {
      throw new CommandException(BAD_OFFSET);
    }
    return offset;
  }

  /** Reads whether the positions of a range count bits. */
  private static boolean inBits(Request request, int index) {
    if (request.is(index, "BIT")) {
      return true;
    }
    if (request.is(index, "BYTE")) {
      return false;
    }
    throw Parsing.syntaxError();
  }

  /** Answers a request with wrong arguments as Redis does, which looks for the entry first. */
  private static KeyedPlan wrong(byte[] key, Reply ifMissing, Reply otherwise) {
    return KeyedPlan.one(
        new KeyCommand.Probe(key, false),
        outcome ->
            switch (outcome) {
              case Outcome.Missing _ -> ifMissing;
              case Outcome.Info info when info.length() < 0 -> Errors.WRONG_TYPE;
              case Outcome _ -> otherwise;
            });
  }

  private static KeyedPlan integer(Request request, ValueOperation operation) {
    return KeyedPlan.one(
        new KeyCommand.Operate(request.argument(1), operation), Rendering::integer);
  }

  private static final class SetBit implements KeyedCommand {
    private static final Descriptor DESCRIPTOR =
        Bitmaps.descriptor(
                "setbit", 4, "key offset value", "Sets or clears a bit of a value.", "2.2.0")
            .with(Flag.WRITE, Flag.DENYOOM);

    @Override
    public Descriptor descriptor() {
      return DESCRIPTOR;
    }

    @Override
    public KeyedPlan plan(Request request, PlanContext context) {
      long offset = offset(request, 2, 0, context.mostValueBytes());
      long bit =
          Arithmetic.parseInteger(request.argument(3))
              .orElseThrow(() -> new CommandException(BAD_BIT));
      if (bit != 0 && bit != 1) {
        throw new CommandException(BAD_BIT);
      }
      return integer(request, new ValueOperation.SetBit(offset, bit == 1));
    }
  }

  private static final class GetBit implements KeyedCommand {
    private static final Descriptor DESCRIPTOR =
        Bitmaps.descriptor("getbit", 3, "key offset", "Returns a bit of a value.", "2.2.0")
            .with(Flag.READONLY, Flag.FAST);

    @Override
    public Descriptor descriptor() {
      return DESCRIPTOR;
    }

    @Override
    public KeyedPlan plan(Request request, PlanContext context) {
      long offset = offset(request, 2, 0, context.mostValueBytes());
      return integer(request, new ValueOperation.GetBit(offset));
    }
  }

  private static final class BitCount implements KeyedCommand {
    private static final Descriptor DESCRIPTOR =
        Bitmaps.descriptor(
                "bitcount",
                -2,
                "key [start end [BYTE|BIT]]",
                "Counts the bits of a value that are set.",
                "2.6.0")
            .with(Flag.READONLY)
            .complexity("O(N) where N is the length of the value");

    private static final BitRange EMPTY = new BitRange(1, 0, false);

    @Override
    public Descriptor descriptor() {
      return DESCRIPTOR;
    }

    @Override
    public KeyedPlan plan(Request request, PlanContext context) {
      try {
        return integer(request, new ValueOperation.CountBits(range(request)));
      } catch (CommandException e) {
        return wrong(request.argument(1), Reply.Int.ZERO, e.reply());
      }
    }

    private static BitRange range(Request request) {
      if (request.count() == 2) {
        return BitRange.ALL;
      }
      if (request.count() != 4 && request.count() != 5) {
        throw Parsing.syntaxError();
      }
      long start = Parsing.integer(request, 2);
      long end = Parsing.integer(request, 3);
      if (start < 0 && end < 0 && start > end) {
        return EMPTY; // whatever the unit, as in Redis
      }
      return new BitRange(start, end, request.count() == 5 && inBits(request, 4));
    }
  }

  private static final class BitPos implements KeyedCommand {
    private static final Descriptor DESCRIPTOR =
        Bitmaps.descriptor(
                "bitpos",
                -3,
                "key bit [start [end [BYTE|BIT]]]",
                "Finds the first bit of a value that is set or clear.",
                "2.8.7")
            .with(Flag.READONLY)
            .complexity("O(N) where N is the length of the value");

    private static final Reply NONE = Reply.integer(-1);

    @Override
    public Descriptor descriptor() {
      return DESCRIPTOR;
    }

    @Override
    public KeyedPlan plan(Request request, PlanContext context) {
      long bit = Parsing.integer(request, 2);
      if (bit != 0 && bit != 1) {
        throw new CommandException("ERR The bit argument must be 1 or 0.");
      }
      try {
        return integer(
            request,
            new ValueOperation.FindBit(
                bit == 1, range(request), /* isEndGiven= */ request.count() > 4));
      } catch (CommandException e) {
        return wrong(request.argument(1), bit == 1 ? NONE : Reply.Int.ZERO, e.reply());
      }
    }

    private static BitRange range(Request request) {
      if (request.count() == 3) {
        return BitRange.ALL;
      }
      if (request.count() > 6) {
        throw Parsing.syntaxError();
      }
      long start = Parsing.integer(request, 3);
      boolean inBits = request.count() == 6 && inBits(request, 5);
      long end = request.count() > 4 ? Parsing.integer(request, 4) : -1;
      return new BitRange(start, end, inBits);
    }
  }

  private static final class Fields implements KeyedCommand {
    /** More steps take a partition too long at a stretch, and they cannot be done in parts. */
    private static final int MOST_STEPS = 4096;

    private final Descriptor descriptor;
    private final boolean readsOnly;

    Fields(String name, boolean readsOnly) {
      Descriptor plain =
          Bitmaps.descriptor(
                  name,
                  -2,
                  readsOnly
                      ? "key [GET encoding offset ...]"
                      : "key [GET encoding offset|[OVERFLOW <WRAP|SAT|FAIL>] <SET encoding offset"
                          + " value|INCRBY encoding offset increment> ...]",
                  readsOnly
                      ? "Returns integers of any width that a value has at bits."
                      : "Reads and changes integers of any width that a value has at bits.",
                  readsOnly ? "6.0.0" : "3.2.0")
              .complexity("O(1) for each step");
      this.descriptor =
          readsOnly ? plain.with(Flag.READONLY, Flag.FAST) : plain.with(Flag.WRITE, Flag.DENYOOM);
      this.readsOnly = readsOnly;
    }

    @Override
    public Descriptor descriptor() {
      return descriptor;
    }

    @Override
    public KeyedPlan plan(Request request, PlanContext context) {
      List<BitField> steps = steps(request, context.mostValueBytes());
      ValueOperation operation = new ValueOperation.RunFields(steps);
      if (readsOnly && operation.writes()) {
        throw new CommandException("ERR BITFIELD_RO only supports the GET subcommand");
      }
      return KeyedPlan.one(new KeyCommand.Operate(request.argument(1), operation), Fields::render);
    }

    private static List<BitField> steps(Request request, int mostValueBytes) {
      List<BitField> steps = new ArrayList<>();
      BitField.Overflow overflow = BitField.Overflow.WRAP;
      int at = 2;
      while (at < request.count()) {
        int left = request.count() - at - 1;
        if (request.is(at, "OVERFLOW") && left >= 1) {
          overflow = overflow(request, at + 1);
          at += 2;
          continue;
        }
        BitField.Action action = action(request, at, left);
        boolean signed = isSigned(request, at + 1);
        int bits = bits(request, at + 1, signed);
        long offset = offset(request, at + 2, bits, mostValueBytes);
        boolean reads = action == BitField.Action.GET;
        long operand = reads ? 0 : Parsing.integer(request, at + 3);
        steps.add(new BitField(action, overflow, signed, bits, offset, operand));
        if (steps.size() > MOST_STEPS) {
          throw new CommandException(
              "ERR a command on bit fields has at most " + MOST_STEPS + " steps: send several");
        }
        at += reads ? 3 : 4;
      }
      return steps;
    }

    private static BitField.Overflow overflow(Request request, int index) {
      if (request.is(index, "WRAP")) {
        return BitField.Overflow.WRAP;
      }
      if (request.is(index, "SAT")) {
        return BitField.Overflow.SATURATE;
      }
      if (request.is(index, "FAIL")) {
        return BitField.Overflow.FAIL;
      }
      throw new CommandException("ERR Invalid OVERFLOW type specified");
    }

    private static BitField.Action action(Request request, int index, int left) {
      if (request.is(index, "GET") && left >= 2) {
        return BitField.Action.GET;
      }
      if (request.is(index, "SET") && left >= 3) {
        return BitField.Action.SET;
      }
      if (request.is(index, "INCRBY") && left >= 3) {
        return BitField.Action.INCREMENT;
      }
      throw Parsing.syntaxError();
    }

    private static boolean isSigned(Request request, int index) {
      byte[] type = request.argument(index);
      if (type.length == 0 || (type[0] != 'i' && type[0] != 'u')) {
        throw badType();
      }
      return type[0] == 'i';
    }

    private static int bits(Request request, int index, boolean signed) {
      byte[] type = request.argument(index);
      long bits =
          Arithmetic.parseInteger(Arrays.copyOfRange(type, 1, type.length))
              .orElseThrow(Fields::badType);
      if (bits < 1 || bits > (signed ? Long.SIZE : Long.SIZE - 1)) {
        throw badType();
      }
      return (int) bits;
    }

    private static CommandException badType() {
      return new CommandException(
          "ERR Invalid bitfield type. Use something like i16 u8. Note that u64 is not supported but"
              + " i64 is.");
    }

    private static Reply render(Outcome outcome) {
      if (!(outcome instanceof Outcome.Integers integers)) {
        throw Rendering.unexpected(outcome);
      }
      List<Reply> replies = new ArrayList<>(integers.values().length);
      for (int i = 0; i < integers.values().length; i++) {
        replies.add(integers.absent()[i] ? Reply.Null.NULL : Reply.integer(integers.values()[i]));
      }
      return new Reply.Array(replies);
    }
  }

  private static final class BitOp extends MultiKeyCommand {
    private static final Descriptor DESCRIPTOR =
        Bitmaps.descriptor(
                "bitop",
                -4,
                "<AND|OR|XOR|NOT> destkey sourcekey [sourcekey ...]",
                "Writes the result of a bitwise operation on values to a key.",
                "2.6.0")
            .with(Flag.WRITE, Flag.DENYOOM)
            .keys(2, -1, 1)
            .complexity("O(N) where N is the length of all values together");

    @Override
    public Descriptor descriptor() {
      return DESCRIPTOR;
    }

    @Override
    Reply run(TransactionScope scope, Request request) {
      Bitwise operation = Bitwise.of(request);
      if (operation == Bitwise.NOT && request.count() != 4) {
        throw new CommandException("ERR BITOP NOT must be called with a single source key.");
      }
      List<byte[]> keys = keys(request);
      BitMerge merge =
          new BitMerge(operation, keys.subList(1, keys.size()), keys.getFirst(), scope::checkTime);
      return merge.render(merge.run(scope));
    }
  }

  private enum Bitwise {
    AND,
    OR,
    XOR,
    NOT;

    private static final Bitwise[] VALUES = values();

    static Bitwise of(Request request) {
      for (Bitwise operation : VALUES) {
        if (request.is(1, operation.name())) {
          return operation;
        }
      }
      throw Parsing.syntaxError();
    }

    int apply(int a, int b) {
      return switch (this) {
        case AND -> a & b;
        case OR -> a | b;
        case XOR -> a ^ b;
        case NOT -> ~b;
      };
    }
  }

  /** Combines values one after the other; a shorter one has zeros at its end. */
  private static final class BitMerge implements KeyMerge {
    /** The bytes that are combined between two looks at the clock. */
    private static final int BYTES_AT_ONCE = 32 << 10;

    private final Bitwise operation;
    private final List<byte[]> sources;
    private final byte[] target;
    private final Runnable timeCheck;
    private byte @Nullable [] result;

    BitMerge(Bitwise operation, List<byte[]> sources, byte[] target, Runnable timeCheck) {
      this.operation = operation;
      this.sources = sources;
      this.target = target;
      this.timeCheck = timeCheck;
    }

    @Override
    public List<byte[]> sources() {
      return sources;
    }

    @Override
    public KeyCommand reading(byte[] source) {
      return new KeyCommand.Read(source);
    }

    @Override
    public @Nullable Outcome take(Outcome found) {
      return switch (found) {
        case Outcome.Missing _ -> {
          combine(new byte[0]);
          yield null;
        }
        case Outcome.Entry entry -> {
          combine(entry.value());
          yield null;
        }
        case Outcome other -> other;
      };
    }

    private void combine(byte[] value) {
      byte[] before = result;
      if (before == null && operation != Bitwise.NOT) {
        result = value;
        return;
      }
      byte[] first = before == null ? new byte[0] : before;
      byte[] combined = new byte[Math.max(first.length, value.length)];
      for (int i = 0; i < combined.length; i++) {
        if (i % BYTES_AT_ONCE == 0) {
          timeCheck.run();
        }
        int a = i < first.length ? first[i] : 0;
        int b = i < value.length ? value[i] : 0;
        combined[i] = (byte) operation.apply(a, b);
      }
      result = combined;
    }

    /** Removes the target if there is nothing to write, as Redis does. */
    @Override
    public KeyCommand writing() {
      byte[] value = result;
      return value == null || value.length == 0
          ? new KeyCommand.Remove(target, false)
          : KeyCommand.Write.of(target, value);
    }

    Reply render(Outcome outcome) {
      return switch (outcome) {
        case Outcome.Rejected rejected -> Errors.of(rejected);
        case Outcome.Failure failure -> Errors.of(failure);
        case Outcome _ -> Reply.integer(result == null ? 0 : result.length);
      };
    }
  }
}
