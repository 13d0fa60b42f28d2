package io.keyvalueserve.resp.script;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.US_ASCII;

import io.keyvalueserve.lua.Budget;
import io.keyvalueserve.lua.CallContext;
import io.keyvalueserve.lua.LuaBoolean;
import io.keyvalueserve.lua.LuaNil;
import io.keyvalueserve.lua.LuaNumber;
import io.keyvalueserve.lua.LuaString;
import io.keyvalueserve.lua.LuaTable;
import io.keyvalueserve.lua.LuaValue;
import io.keyvalueserve.resp.protocol.Reply;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Turns replies into values of Lua, and values of Lua into replies, as Redis does. */
final class Conversion {
  private static final LuaString ERR = LuaString.constant("err");
  private static final LuaString OK = LuaString.constant("ok");
  private static final LuaString DOUBLE = LuaString.constant("double");
  private static final LuaString MAP = LuaString.constant("map");
  private static final LuaString SET = LuaString.constant("set");
  private static final LuaString BIG_NUMBER = LuaString.constant("big_number");
  private static final LuaString VERBATIM = LuaString.constant("verbatim_string");
  private static final LuaString STRING = LuaString.constant("string");
  private static final LuaString FORMAT = LuaString.constant("format");

  /** Tables in tables. Redis stops where its stack of C does. */
  private static final int MOST_DEPTH = 128;

  private static final int ELEMENT_BYTES = 48;
  private static final int FORMAT_LENGTH = 3;
  private static final double LIMIT = 0x1p63;
  private static final Reply.ErrorLine TOO_DEEP = Reply.error("ERR reached lua stack limit");

  private Conversion() {}

  // ---- replies to values

  /**
   * Returns a reply as a value. An error is a table with the field {@code err}.
   *
   * @param resp3 whether the script has asked for the types of RESP3
   */
  static LuaValue toLua(CallContext context, Reply reply, boolean resp3) {
    return switch (reply) {
      case Reply.Int integer -> LuaNumber.of(integer.value());
      case Reply.Bulk bulk -> context.lasting(bytes(bulk));
      case Reply.Status status -> field(context, OK, status.text().getBytes(US_ASCII));
      case Reply.StatusLine status -> field(context, OK, status.line());
      case Reply.ErrorLine error -> field(context, ERR, error.line());
      case Reply.Null _ -> resp3 ? LuaNil.NIL : LuaBoolean.FALSE;
      case Reply.NullArray _ -> resp3 ? LuaNil.NIL : LuaBoolean.FALSE;
      case Reply.PairsOf pairs -> list(context, pairs(pairs.alternating(), resp3), resp3);
      case Reply.Array array -> list(context, array.elements(), resp3);
      case Reply.Push push -> list(context, push.elements(), resp3);
      case Reply.Several several -> list(context, several.replies(), resp3);
      case Reply.SetOf set -> {
        if (!resp3) {
          yield list(context, set.elements(), false);
        }
        LuaTable members = context.table();
        for (Reply each : set.elements()) {
          put(members, toLua(context, each, true), LuaBoolean.TRUE);
        }
        yield wrapped(context, SET, members);
      }
      case Reply.MapOf map -> {
        if (!resp3) {
          yield list(context, map.alternating(), false);
        }
        LuaTable entries = context.table();
        for (int i = 0; i < map.alternating().size(); i += 2) {
          put(
              entries,
              toLua(context, map.alternating().get(i), true),
              toLua(context, map.alternating().get(i + 1), true));
        }
        yield wrapped(context, MAP, entries);
      }
      case Reply.Bool bool ->
          resp3 ? LuaBoolean.of(bool.value()) : LuaNumber.of(bool.value() ? 1L : 0L);
      case Reply.Real real ->
          resp3
              ? wrapped(context, DOUBLE, LuaNumber.of(real.value()))
              : context.lasting(text(real.value()));
      case Reply.Numeral numeral -> {
        if (!resp3) {
          yield context.lasting(numeral.digits());
        }
        yield numeral.isBig()
            ? field(context, BIG_NUMBER, numeral.digits())
            : wrapped(
                context,
                DOUBLE,
                LuaNumber.of(Double.parseDouble(new String(numeral.digits(), US_ASCII))));
      }
      case Reply.Verbatim verbatim -> {
        if (!resp3) {
          yield context.lasting(verbatim.text());
        }
        LuaTable parts = context.table();
        parts.set(STRING, context.lasting(verbatim.text()));
        parts.set(FORMAT, context.string(verbatim.format()));
        yield wrapped(context, VERBATIM, parts);
      }
    };
  }

  private static byte[] bytes(Reply.Bulk bulk) {
    return bulk.offset() == 0 && bulk.length() == bulk.bytes().length
        ? bulk.bytes()
        : Arrays.copyOfRange(bulk.bytes(), bulk.offset(), bulk.offset() + bulk.length());
  }

  private static LuaTable list(CallContext context, List<? extends Reply> elements, boolean resp3) {
    LuaTable table = context.table();
    int index = 0;
    for (Reply each : elements) {
      context.budget().step(1);
      table.set(++index, toLua(context, each, resp3));
    }
    return table;
  }

  private static void put(LuaTable table, LuaValue key, LuaValue value) {
    if (!key.isNil()) {
      table.set(key, value);
    }
  }

  private static LuaTable field(CallContext context, LuaString name, byte[] text) {
    return wrapped(context, name, context.lasting(text));
  }

  private static LuaTable wrapped(CallContext context, LuaString name, LuaValue value) {
    LuaTable table = context.table();
    table.set(name, value);
    return table;
  }

  private static byte[] text(double value) {
    return (Double.isInfinite(value) ? value > 0 ? "inf" : "-inf" : CallContext.exactText(value))
        .getBytes(US_ASCII);
  }

  // ---- values to replies

  /**
   * Returns a value as a reply. Its bytes count as memory of the run.
   *
   * @param resp3 whether the script has asked for the types of RESP3
   * @throws io.keyvalueserve.lua.BudgetExceeded if it is too large
   */
  static Reply toReply(LuaValue value, boolean resp3, Budget budget) {
    return toReply(value, resp3, budget, 0);
  }

  private static Reply toReply(LuaValue value, boolean resp3, Budget budget, int depth) {
    budget.step(1);
    return switch (value) {
      case LuaString text -> new Reply.Bulk(charged(text, budget));
      case LuaNumber number -> Reply.integer(integer(number.value()));
      case LuaBoolean bool -> {
        if (resp3) {
          yield new Reply.Bool(bool.truthy());
        }
        yield bool.truthy() ? Reply.Int.ONE : Reply.Null.NULL;
      }
      case LuaTable table ->
          depth == MOST_DEPTH ? TOO_DEEP : ofTable(table, resp3, budget, depth + 1);
      default -> Reply.Null.NULL;
    };
  }

  private static Reply ofTable(LuaTable table, boolean resp3, Budget budget, int depth) {
    budget.allocate(ELEMENT_BYTES);
    if (table.get(ERR) instanceof LuaString error) {
      return new Reply.ErrorLine(charged(error, budget));
    }
    if (table.get(OK) instanceof LuaString status) {
      return new Reply.StatusLine(charged(status, budget));
    }
    if (table.get(DOUBLE) instanceof LuaNumber number) {
      return new Reply.Numeral(false, text(number.value()));
    }
    if (table.get(MAP) instanceof LuaTable map) {
      List<Reply> alternating = new ArrayList<>();
      map.forEach(
          (key, each) -> {
            budget.allocate(ELEMENT_BYTES);
            alternating.add(toReply(key, resp3, budget, depth));
            alternating.add(toReply(each, resp3, budget, depth));
          });
      return new Reply.MapOf(alternating);
    }
    if (table.get(SET) instanceof LuaTable set) {
      List<Reply> members = new ArrayList<>();
      set.forEach(
          (key, each) -> {
            budget.allocate(ELEMENT_BYTES);
            members.add(toReply(key, resp3, budget, depth));
          });
      return new Reply.SetOf(members);
    }
    if (table.get(BIG_NUMBER) instanceof LuaString number) {
      return new Reply.Numeral(true, charged(number, budget));
    }
    if (table.get(VERBATIM) instanceof LuaTable parts
        && parts.get(STRING) instanceof LuaString text
        && parts.get(FORMAT) instanceof LuaString format) {
      return new Reply.Verbatim(threeLetters(format), charged(text, budget));
    }
    List<Reply> elements = new ArrayList<>();
    for (int i = 1; ; i++) {
      LuaValue each = table.get(i);
      if (each.isNil()) {
        return new Reply.Array(elements);
      }
      budget.allocate(ELEMENT_BYTES);
      elements.add(toReply(each, resp3, budget, depth));
    }
  }

  private static String threeLetters(LuaString format) {
    String text = new String(format.toBytes(), ISO_8859_1);
    StringBuilder letters = new StringBuilder();
    for (int i = 0; i < FORMAT_LENGTH; i++) {
      char c = i < text.length() ? text.charAt(i) : ' ';
      letters.append(c < ' ' || c > '~' ? ' ' : c);
    }
    return letters.toString();
  }

  private static byte[] charged(LuaString text, Budget budget) {
    budget.allocate((long) ELEMENT_BYTES + text.length());
    return text.toBytes();
  }

  /** Cuts a number off as C on x86-64 does. */
  private static long integer(double value) {
    return value >= -LIMIT && value < LIMIT ? (long) value : Long.MIN_VALUE;
  }

  /** Pairs as RESP3 has them, or one list of all. */
  private static List<? extends Reply> pairs(List<? extends Reply> alternating, boolean resp3) {
    if (!resp3) {
      return alternating;
    }
    List<Reply> pairs = new ArrayList<>(alternating.size() / 2);
    for (int i = 0; i < alternating.size(); i += 2) {
      pairs.add(new Reply.Array(alternating.subList(i, i + 2)));
    }
    return pairs;
  }
}
