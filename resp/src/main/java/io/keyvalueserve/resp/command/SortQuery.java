package io.keyvalueserve.resp.command;

import io.keyvalueserve.resp.protocol.Request;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A request of SORT. Immutable.
 *
 * @param by what to sort by: null for the elements themselves
 * @param keepsOrder whether the elements stay in the order that they have: a pattern to sort by,
 *     though it be not the last, names no key
 * @param gets what to return for each element; the elements themselves if it is empty
 * @param offset how many elements to leave out
 * @param count how many to return, all below 0
 * @param target the key that the result is stored under; null if it is answered
 */
record SortQuery(
    byte[] key,
    @Nullable SortPattern by,
    boolean keepsOrder,
    List<SortPattern> gets,
    long offset,
    long count,
    boolean descending,
    boolean alphabetical,
    byte @Nullable [] target) {
  /**
   * Reads a request.
   *
   * @param mayStore whether it may name a key for the result
   * @throws CommandException if it is not what the command takes
   */
  static SortQuery of(Request request, boolean mayStore) {
    SortPattern by = null;
    boolean keepsOrder = false;
    List<SortPattern> gets = new ArrayList<>();
    long offset = 0;
    long count = -1;
    boolean descending = false;
    boolean alphabetical = false;
    byte[] target = null;
    int end = request.count();
    for (int i = 2; i < end; i++) {
      if (request.is(i, "ASC")) {
        descending = false;
      } else if (request.is(i, "DESC")) {
        descending = true;
      } else if (request.is(i, "ALPHA")) {
        alphabetical = true;
      } else if (request.is(i, "LIMIT") && i + 2 < end) {
        offset = Parsing.integer(request, i + 1);
        count = Parsing.integer(request, i + 2);
        i += 2;
      } else if (mayStore && request.is(i, "STORE") && i + 1 < end) {
        target = request.argument(++i);
      } else if (request.is(i, "BY") && i + 1 < end) {
        by = SortPattern.of(request.argument(++i));
        keepsOrder |= by.kind() != SortPattern.Kind.VALUE;
      } else if (request.is(i, "GET") && i + 1 < end) {
        gets.add(SortPattern.of(request.argument(++i)));
      } else {
        throw Parsing.syntaxError();
      }
    }
    return new SortQuery(
        request.argument(1),
        by,
        keepsOrder,
        List.copyOf(gets),
        offset,
        count,
        descending,
        alphabetical,
        target);
  }
}
