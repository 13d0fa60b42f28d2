package io.keyvalueserve.resp.command;

import io.keyvalueserve.engine.collection.Arguments;
import io.keyvalueserve.engine.collection.SortedSetOperation.Limits;
import io.keyvalueserve.resp.protocol.Request;

/**
 * A request of the ZRANGE family.
 *
 * @param arguments of the operation on the range
 * @param withScores whether scores are answered
 */
record RangeRequest(Arguments arguments, boolean withScores) {
  /**
   * Reads a request.
   *
   * @param command its name; ZRANGE and ZRANGESTORE say by options what others say by their names
   * @param first the index of the first limit
   * @throws CommandException if it is not what the command takes
   */
  static RangeRequest of(String command, Request request, int first) {
    boolean free = command.equals("zrange") || command.equals("zrangestore");
    Limits by = limitsOf(command);
    boolean reverse = command.startsWith("zrev");
    boolean withScores = false;
    boolean limited = false;
    long offset = 0;
    long count = -1;
    for (int i = first + 2; i < request.count(); i++) {
      if (!command.equals("zrangestore") && request.is(i, "WITHSCORES")) {
        withScores = true;
      } else if (request.is(i, "LIMIT") && i + 2 < request.count()) {
        offset = Parsing.integer(request, i + 1);
        count = Parsing.integer(request, i + 2);
        limited = true;
        i += 2;
      } else if (free && !reverse && request.is(i, "REV")) {
        reverse = true;
      } else if (free && by == Limits.RANKS && request.is(i, "BYLEX")) {
        by = Limits.MEMBERS;
      } else if (free && by == Limits.RANKS && request.is(i, "BYSCORE")) {
        by = Limits.SCORES;
      } else {
        throw Parsing.syntaxError();
      }
    }
    if (limited && count != -1 && by == Limits.RANKS) {
      throw new CommandException(
          "ERR syntax error, LIMIT is only supported in combination with either BYSCORE or BYLEX");
    }
    if (withScores && by == Limits.MEMBERS) {
      throw new CommandException(
          "ERR syntax error, WITHSCORES not supported in combination with BYLEX");
    }
    if (by == Limits.RANKS) {
      offset = 0;
      count = -1;
    }
    return new RangeRequest(Scores.range(request, first, by, reverse, offset, count), withScores);
  }

  private static Limits limitsOf(String command) {
    if (command.endsWith("byscore")) {
      return Limits.SCORES;
    }
    return command.endsWith("bylex") ? Limits.MEMBERS : Limits.RANKS;
  }
}
