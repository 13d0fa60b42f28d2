package io.keyvalueserve.resp.command;

import io.keyvalueserve.engine.Arithmetic;
import io.keyvalueserve.engine.Outcome;
import io.keyvalueserve.engine.collection.CollectionOperation;
import io.keyvalueserve.engine.collection.CollectionType;
import io.keyvalueserve.engine.collection.ListOperation;
import io.keyvalueserve.engine.collection.SortedSetOperation;
import io.keyvalueserve.resp.protocol.Reply;
import io.keyvalueserve.resp.protocol.Request;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The arguments and replies of LMPOP, ZMPOP, BLMPOP and BZMPOP. */
final class ManyPops {
  private ManyPops() {}

  /**
   * The number of keys, which leaves room for an argument behind them.
   *
   * @param index of the argument that says it
   */
  static int keys(Request request, int index) {
    long number =
        Arithmetic.parseInteger(request.argument(index))
            .filter(value -> value > 0)
            .orElseThrow(() -> new CommandException("ERR numkeys should be greater than 0"));
    if (number >= request.count() - index - 1) {
      throw Parsing.syntaxError();
    }
    return (int) number;
  }

  /** How many elements to take out: 1, unless the arguments from an index on say another. */
  static long count(Request request, int index) {
    if (request.count() == index) {
      return 1;
    }
    if (request.count() != index + 2 || !request.is(index, "COUNT")) {
      throw Parsing.syntaxError();
    }
    return Arithmetic.parseInteger(request.argument(index + 1))
        .filter(value -> value > 0)
        .orElseThrow(() -> new CommandException("ERR count should be greater than 0"));
  }

  /** Returns whether an argument is LEFT; else it is RIGHT. */
  static boolean isLeft(Request request, int index) {
    return isFirst(request, index, "LEFT", "RIGHT");
  }

  /** Returns whether an argument is MIN; else it is MAX. */
  static boolean isMin(Request request, int index) {
    return isFirst(request, index, "MIN", "MAX");
  }

  private static boolean isFirst(Request request, int index, String first, String second) {
    boolean isFirst = request.is(index, first);
    if (!isFirst && !request.is(index, second)) {
      throw Parsing.syntaxError();
    }
    return isFirst;
  }

  /** The operation that takes several elements out at one end: the left one, or the lowest. */
  static CollectionOperation operation(CollectionType type, boolean first) {
    if (type == CollectionType.LIST) {
      return first ? ListOperation.POP_FIRST_MANY : ListOperation.POP_LAST_MANY;
    }
    return first ? SortedSetOperation.POP_LOWEST : SortedSetOperation.POP_HIGHEST;
  }

  /** The key and what was taken out there; null if there was nothing. */
  static @Nullable Reply reply(CollectionType type, byte[] key, Outcome outcome) {
    if (!(outcome instanceof Outcome.Elements)) {
      return null;
    }
    List<Reply> flat = CollectionCommand.replies(outcome);
    if (flat.isEmpty()) {
      return null;
    }
    if (type == CollectionType.LIST) {
      return new Reply.Array(List.of(new Reply.Bulk(key), new Reply.Array(flat)));
    }
    List<Reply> pairs = new ArrayList<>(flat.size() / 2);
    for (int i = 0; i < flat.size(); i += 2) {
      pairs.add(new Reply.Array(flat.subList(i, i + 2)));
    }
    return new Reply.Array(List.of(new Reply.Bulk(key), new Reply.Array(pairs)));
  }
}
