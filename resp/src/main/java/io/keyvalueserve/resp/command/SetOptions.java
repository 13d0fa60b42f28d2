package io.keyvalueserve.resp.command;

import io.keyvalueserve.resp.protocol.Request;
import io.keyvalueserve.resp.protocol.RequestView;
import java.time.InstantSource;
import org.jspecify.annotations.Nullable;

/**
 * The options of SET and GETEX, read as Redis reads them: one of those that exclude each other may
 * be given twice, and then the last one counts.
 *
 * @param flags which were given
 * @param timeIndex where the time is among the arguments, if one was given
 */
record SetOptions(int flags, int timeIndex) {
  static final int NX = 1;
  static final int XX = 1 << 1;
  static final int GET = 1 << 2;
  static final int KEEPTTL = 1 << 3;
  static final int PERSIST = 1 << 4;
  static final int EX = 1 << 5;
  static final int PX = 1 << 6;
  static final int EXAT = 1 << 7;
  static final int PXAT = 1 << 8;

  private static final int TIMES = EX | PX | EXAT | PXAT;

  private static final SetOptions NONE = new SetOptions(0, 0);

  static SetOptions ofSet(Request request) {
    return request.count() == 3 ? NONE : parse(request, 3, NX | XX | GET | KEEPTTL | TIMES);
  }

  static SetOptions ofGetEx(Request request) {
    return request.count() == 2 ? NONE : parse(request, 2, PERSIST | TIMES);
  }

  boolean has(int flag) {
    return (flags & flag) != 0;
  }

  boolean hasTime() {
    return has(TIMES);
  }

  /**
   * Returns the time when the entry expires.
   *
   * @throws CommandException if the time is none
   */
  long expireAtMillis(Request request, String command, long nowMillis) {
    return Parsing.expireAtMillis(
        Parsing.integer(request, timeIndex), has(EX | EXAT), has(EX | PX) ? nowMillis : 0, command);
  }

  /**
   * Returns the time when the entry of a SET expires whose only option is a time; -1 for any other
   * SET.
   */
  static long expireAtMillis(RequestView request, InstantSource clock) {
    long time = request.positive(4);
    if (time < 0) {
      return -1;
    }
    if (request.is(3, "EX")) {
      return Parsing.expireAtMillis(time, true, clock.millis(), "set");
    }
    if (request.is(3, "PX")) {
      return Parsing.expireAtMillis(time, false, clock.millis(), "set");
    }
    if (request.is(3, "EXAT")) {
      return Parsing.expireAtMillis(time, true, 0, "set");
    }
    return request.is(3, "PXAT") ? time : -1;
  }

  private static SetOptions parse(Request request, int first, int allowed) {
    int flags = 0;
    int timeIndex = 0;
    for (int i = first; i < request.count(); i++) {
      Option option = Option.at(request, i);
      if (option == null
          || (allowed & option.flag) == 0
          || (flags & option.excludes) != 0
          || (option.takesTime() && i + 1 == request.count())) {
        throw Parsing.syntaxError();
      }
      flags |= option.flag;
      if (option.takesTime()) {
        timeIndex = ++i;
      }
    }
    return new SetOptions(flags, timeIndex);
  }

  private enum Option {
    NX(SetOptions.NX, SetOptions.XX),
    XX(SetOptions.XX, SetOptions.NX),
    GET(SetOptions.GET, 0),
    KEEPTTL(SetOptions.KEEPTTL, SetOptions.PERSIST | TIMES),
    PERSIST(SetOptions.PERSIST, SetOptions.KEEPTTL | TIMES),
    EX(SetOptions.EX, others(SetOptions.EX)),
    PX(SetOptions.PX, others(SetOptions.PX)),
    EXAT(SetOptions.EXAT, others(SetOptions.EXAT)),
    PXAT(SetOptions.PXAT, others(SetOptions.PXAT));

    private static final Option[] VALUES = values();

    private final int flag;
    private final int excludes;

    Option(int flag, int excludes) {
      this.flag = flag;
      this.excludes = excludes;
    }

    static @Nullable Option at(Request request, int index) {
      for (Option option : VALUES) {
        if (request.is(index, option.name())) {
          return option;
        }
      }
      return null;
    }

    boolean takesTime() {
      return (flag & TIMES) != 0;
    }

    private static int others(int time) {
      return (TIMES & ~time) | SetOptions.KEEPTTL | SetOptions.PERSIST;
    }
  }
}
