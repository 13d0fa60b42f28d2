package io.keyvalueserve.resp.command;

import io.keyvalueserve.engine.KeyCommand;
import io.keyvalueserve.engine.Outcome;
import io.keyvalueserve.resp.command.Descriptor.Flag;
import io.keyvalueserve.resp.command.Descriptor.Group;
import io.keyvalueserve.resp.protocol.Reply;
import io.keyvalueserve.resp.protocol.Request;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** LCS: the longest bytes that two values have in common, in order. */
final class Lcs implements KeyedCommand {
  /** Redis takes four bytes for each pair of positions, and not more than a value may have. */
  private static final int CELL_BYTES = 4;

  /** The number that Redis compares unless it is configured otherwise. */
  private static final long MOST_CELLS = KeyCommand.MOST_VALUE_BYTES / CELL_BYTES;

  private static final Descriptor DESCRIPTOR =
      Descriptor.of(
              "lcs",
              -3,
              Group.STRING,
              "key1 key2 [LEN] [IDX] [MINMATCHLEN len] [WITHMATCHLEN]",
              "Finds the longest bytes that two values have in common, in order.")
          .with(Flag.READONLY)
          .keys(1, 2, 1)
          .since("7.0.0")
          .complexity("O(N*M) where N and M are the lengths of the values");

  @Override
  public Descriptor descriptor() {
    return DESCRIPTOR;
  }

  @Override
  public KeyedPlan plan(Request request, PlanContext context) {
    return KeyedPlan.many(
        reads(request),
        outcomes -> {
          Comparing comparing = new Comparing(request, context.mostValueBytes());
          try {
            outcomes.forEach(comparing::take);
            return Computation.finish(comparing);
          } catch (CommandException e) {
            return e.reply();
          }
        });
  }

  private static List<KeyCommand> reads(Request request) {
    return List.of(
        new KeyCommand.Read(request.argument(1)), new KeyCommand.Read(request.argument(2)));
  }

  @Override
  public Computation computation(Request request, PlanContext context) {
    return new Comparing(request, context.mostValueBytes());
  }

  /** The options, read when the values are known, as Redis does. */
  private record Options(
      boolean length, boolean ranges, long leastMatch, boolean withMatchLengths) {
    static Options of(Request request) {
      boolean length = false;
      boolean ranges = false;
      boolean withMatchLengths = false;
      long leastMatch = 0;
      for (int i = 3; i < request.count(); i++) {
        if (request.is(i, "IDX")) {
          ranges = true;
        } else if (request.is(i, "LEN")) {
          length = true;
        } else if (request.is(i, "WITHMATCHLEN")) {
          withMatchLengths = true;
        } else if (request.is(i, "MINMATCHLEN") && i + 1 < request.count()) {
          leastMatch = Math.max(Parsing.integer(request, ++i), 0);
        } else {
          throw Parsing.syntaxError();
        }
      }
      if (length && ranges) {
        throw new CommandException(
            "ERR If you want both the length and indexes, please just use IDX.");
      }
      return new Options(length, ranges, leastMatch, withMatchLengths);
    }
  }

  /** Computes the table row by row, then goes back through it. */
  private static final class Comparing implements Computation {
    /** The pairs of positions that are compared in a step. */
    private static final int STEP_CELLS = 16 << 10;

    private final Request request;
    private final int mostValueBytes;
    private final List<byte[]> values = new ArrayList<>(2);
    private @Nullable Table table;

    Comparing(Request request, int mostValueBytes) {
      this.request = request;
      this.mostValueBytes = mostValueBytes;
    }

    @Override
    public List<KeyCommand> known() {
      return reads(request);
    }

    @Override
    public Step step() {
      if (values.size() < 2) {
        return new Step.Ask(reads(request).get(values.size()));
      }
      Table begun = table;
      if (begun == null) {
        begun = begin();
        table = begun;
        return Step.More.MORE;
      }
      return begun.advance(STEP_CELLS) ? new Step.Done(begun.reply()) : Step.More.MORE;
    }

    private Table begin() {
      Options options = Options.of(request);
      long cells = (values.get(0).length + 1L) * (values.get(1).length + 1L);
      if (cells > Math.min(mostValueBytes / CELL_BYTES, MOST_CELLS)) {
        throw new CommandException(
            "ERR Insufficient memory, transient memory for LCS exceeds proto-max-bulk-len");
      }
      return new Table(values.get(0), values.get(1), options);
    }

    @Override
    public void take(Outcome outcome) {
      switch (outcome) {
        case Outcome.Missing _ -> values.add(new byte[0]);
        case Outcome.Entry entry -> values.add(entry.value());
        case Outcome.Rejected _ ->
            throw new CommandException("ERR The specified keys must contain string values");
        default -> throw Rendering.unexpected(outcome);
      }
    }

    @Override
    public long heldBytes() {
      return table == null ? 0 : table.bytes();
    }
  }

  /**
   * The lengths of what the beginnings of two values have in common. Of those only two rows are
   * kept, and for each pair of positions a bit: whether the way back goes up.
   */
  private static final class Table {
    private static final int UNSET = -1;

    private final byte[] a;
    private final byte[] b;
    private final Options options;
    private final boolean goesBack;
    private final long[] ups;
    private int[] above;
    private int[] row;
    private int i = 1;
    private int j = 1;
    private boolean isFilled;
    private int length;
    private byte[] common = {};
    private int found;
    private final List<Reply> ranges = new ArrayList<>();
    private int aStart = UNSET;
    private int aEnd;
    private int bStart;
    private int bEnd;

    Table(byte[] a, byte[] b, Options options) {
      this.a = a;
      this.b = b;
      this.options = options;
      this.goesBack = options.ranges() || !options.length();
      long cells = (long) a.length * b.length;
      this.ups = new long[goesBack ? (int) ((cells + Long.SIZE - 1) / Long.SIZE) : 0];
      this.above = new int[b.length + 1];
      this.row = new int[b.length + 1];
    }

    long bytes() {
      return (long) ups.length * Long.BYTES + 2L * b.length * Integer.BYTES;
    }

    /** Goes on for so many pairs; returns whether all is done. */
    boolean advance(int cells) {
      int left = cells;
      if (!isFilled) {
        left = fill(left);
      }
      return isFilled && (!goesBack || goBack(left));
    }

    private int fill(int most) {
      int left = most;
      while (left > 0 && i <= a.length && b.length > 0) {
        int to = Math.min(b.length, j + left - 1);
        left -= to - j + 1;
        fillRow(to);
        j = to + 1;
        if (j > b.length) {
          int[] next = above;
          above = row;
          row = next;
          j = 1;
          i++;
        }
      }
      if (i > a.length || b.length == 0) {
        isFilled = true;
        length = above[b.length];
        common = new byte[goesBack ? length : 0];
        found = length;
        i = a.length;
        j = b.length;
      }
      return left;
    }

    private void fillRow(int to) {
      byte here = a[i - 1];
      long bit = (long) (i - 1) * b.length + j - 1;
      row[0] = 0;
      for (int at = j; at <= to; at++, bit++) {
        if (here == b[at - 1]) {
          row[at] = above[at - 1] + 1;
        } else if (above[at] > row[at - 1]) {
          row[at] = above[at];
          if (goesBack) {
            ups[(int) (bit >>> 6)] |= 1L << bit;
          }
        } else {
          row[at] = row[at - 1];
        }
      }
    }

    private boolean goBack(int most) {
      int left = most;
      while (i > 0 && j > 0 && left-- > 0) {
        boolean ends;
        if (a[i - 1] == b[j - 1]) {
          common[--found] = a[i - 1];
          match();
          ends = aStart == 0 || bStart == 0;
          i--;
          j--;
        } else {
          long bit = (long) (i - 1) * b.length + j - 1;
          if ((ups[(int) (bit >>> 6)] & 1L << bit) != 0) {
            i--;
          } else {
            j--;
          }
          ends = aStart != UNSET;
        }
        if (ends) {
          endRange();
        }
      }
      return i == 0 || j == 0;
    }

    /** Adds the pair at hand to the range; ranges grow towards the beginning. */
    private void match() {
      if (aStart == UNSET) {
        aEnd = i - 1;
        bEnd = j - 1;
      }
      aStart = i - 1;
      bStart = j - 1;
    }

    private void endRange() {
      int matched = aEnd - aStart + 1;
      if (options.ranges() && matched >= options.leastMatch()) {
        List<Reply> range = new ArrayList<>(3);
        range.add(pair(aStart, aEnd));
        range.add(pair(bStart, bEnd));
        if (options.withMatchLengths()) {
          range.add(Reply.integer(matched));
        }
        ranges.add(new Reply.Array(range));
      }
      aStart = UNSET;
    }

    private static Reply pair(int start, int end) {
      return new Reply.Array(List.of(Reply.integer(start), Reply.integer(end)));
    }

    Reply reply() {
      if (options.ranges()) {
        return new Reply.MapOf(
            List.of(
                Reply.bulk("matches"),
                new Reply.Array(ranges),
                Reply.bulk("len"),
                Reply.integer(length)));
      }
      return options.length() ? Reply.integer(length) : new Reply.Bulk(common);
    }
  }
}
