package io.keyvalueserve.resp.command;

import io.keyvalueserve.engine.Arithmetic;
import io.keyvalueserve.engine.Expiry;
import io.keyvalueserve.engine.Outcome;
import io.keyvalueserve.engine.collection.Arguments;
import io.keyvalueserve.engine.collection.Element;
import io.keyvalueserve.engine.collection.ElementCondition;
import io.keyvalueserve.engine.collection.HashOperation;
import io.keyvalueserve.resp.command.Descriptor.Flag;
import io.keyvalueserve.resp.command.Descriptor.Group;
import io.keyvalueserve.resp.protocol.Reply;
import io.keyvalueserve.resp.protocol.Request;
import java.util.List;
import java.util.Optional;
import java.util.function.LongUnaryOperator;

/** Commands on when the fields of hashes expire, as Redis has them from versions 7.4 and 8.0 on. */
final class ExpiringFields {
  private static final String EACH = "O(N) where N is the size of the hash";
  private static final String FIELDS = "FIELDS numfields field [field ...]";

  /** Redis takes no later time, in milliseconds since 1970. */
  private static final long LATEST_MILLIS = 0xFFFF_FFFF_FFFEL >> 2;

  private static final long MILLIS_PER_SECOND = 1000;

  private static final String MANDATORY =
      "ERR Mandatory argument FIELDS is missing or not at the right position";
  private static final String NUM_FIELDS = "ERR Parameter `numFields` should be greater than 0";

  static final List<Command> ALL =
      List.of(
          new Expire("hexpire", "seconds", true, true),
          new Expire("hpexpire", "milliseconds", false, true),
          new Expire("hexpireat", "unix-time-seconds", true, false),
          new Expire("hpexpireat", "unix-time-milliseconds", false, false),
          new Tell("httl", true, true, "Returns the seconds until fields expire."),
          new Tell("hpttl", false, true, "Returns the milliseconds until fields expire."),
          new Tell("hexpiretime", true, false, "Returns the second at which fields expire."),
          new Tell("hpexpiretime", false, false, "Returns the millisecond at which fields expire."),
          new CollectionCommand(
              descriptor("hpersist", -5, "key " + FIELDS, "Lets fields stay.")
                  .with(Flag.WRITE, Flag.FAST),
              HashOperation.PERSIST,
              (request, context) -> fields(request, 2, MANDATORY, NUM_FIELDS),
              CollectionCommand::array),
          new CollectionCommand(
              descriptor(
                      "hgetdel",
                      -5,
                      "key " + FIELDS,
                      "Returns the values of fields and removes these.")
                  .with(Flag.WRITE, Flag.FAST)
                  .since("8.0.0"),
              HashOperation.GET_AND_REMOVE,
              (request, context) ->
                  fields(request, 2, MANDATORY, "ERR Number of fields must be a positive integer"),
              CollectionCommand::array),
          new GetAndExpire(),
          new SetAndExpire());

  private ExpiringFields() {}

  private static Descriptor descriptor(String name, int arity, String usage, String summary) {
    return Descriptor.of(name, arity, Group.HASH, usage, summary)
        .keys(1, 1, 1)
        .since("7.4.0")
        .complexity(EACH);
  }

  /** The fields behind the word FIELDS and their number. */
  private static Arguments fields(Request request, int at, String missing, String badNumber) {
    return fields(request, at, 1, missing, badNumber);
  }

  private static Arguments fields(
      Request request, int at, int step, String missing, String badNumber) {
    if (at + 1 >= request.count() || !request.is(at, "FIELDS")) {
      throw new CommandException(missing);
    }
    Optional<Long> number = Arithmetic.parseInteger(request.argument(at + 1));
    if (number.isEmpty() || number.get() < 1) {
      throw new CommandException(badNumber);
    }
    long rest = request.count() - at - 2L;
    if (rest % step != 0 || rest / step != number.get()) {
      throw new CommandException(
          "ERR The `numfields` parameter must match the number of arguments");
    }
    return CollectionCommand.rest(request, at + 2);
  }

  /** The time that is meant, in milliseconds since 1970. */
  private static long time(
      Request request, int index, boolean seconds, long baseMillis, String command) {
    long time = Parsing.integer(request, index);
    if (time < 0) {
      throw new CommandException("ERR invalid expire time, must be >= 0");
    }
    if (time > (seconds ? LATEST_MILLIS / MILLIS_PER_SECOND : LATEST_MILLIS)
        || (seconds ? time * MILLIS_PER_SECOND : time) > LATEST_MILLIS - baseMillis) {
      throw new CommandException(Errors.invalidExpireTime(command));
    }
    return (seconds ? time * MILLIS_PER_SECOND : time) + baseMillis;
  }

  /** HEXPIRE and its like. */
  private static final class Expire implements KeyedCommand {
    private final Descriptor descriptor;
    private final boolean seconds;
    private final boolean fromNow;

    Expire(String name, String time, boolean seconds, boolean fromNow) {
      this.descriptor =
          ExpiringFields.descriptor(
                  name, -6, "key " + time + " [NX|XX|GT|LT] " + FIELDS, "Sets when fields expire.")
              .with(Flag.WRITE, Flag.DENYOOM, Flag.FAST);
      this.seconds = seconds;
      this.fromNow = fromNow;
    }

    @Override
    public Descriptor descriptor() {
      return descriptor;
    }

    @Override
    public KeyedPlan plan(Request request, PlanContext context) {
      long at = time(request, 2, seconds, fromNow ? context.nowMillis() : 0, descriptor.name());
      ElementCondition condition = condition(request);
      int fieldsAt = condition == ElementCondition.ALWAYS ? 3 : 4;
      Arguments arguments = fields(request, fieldsAt, MANDATORY, NUM_FIELDS);
      return CollectionCommand.plan(
          HashOperation.EXPIRE,
          arguments.with(at, condition.code()),
          request,
          context,
          CollectionCommand::array);
    }

    private static ElementCondition condition(Request request) {
      if (request.is(3, "NX")) {
        return ElementCondition.IF_NONE;
      }
      if (request.is(3, "XX")) {
        return ElementCondition.IF_SOME;
      }
      if (request.is(3, "GT")) {
        return ElementCondition.IF_LATER;
      }
      return request.is(3, "LT") ? ElementCondition.IF_EARLIER : ElementCondition.ALWAYS;
    }
  }

  /** HTTL and its like. */
  private static final class Tell implements KeyedCommand {
    private final Descriptor descriptor;
    private final boolean seconds;
    private final boolean fromNow;

    Tell(String name, boolean seconds, boolean fromNow, String summary) {
      this.descriptor =
          ExpiringFields.descriptor(name, -5, "key " + FIELDS, summary)
              .with(Flag.READONLY, Flag.FAST);
      this.seconds = seconds;
      this.fromNow = fromNow;
    }

    @Override
    public Descriptor descriptor() {
      return descriptor;
    }

    @Override
    public KeyedPlan plan(Request request, PlanContext context) {
      long base = fromNow ? context.nowMillis() : 0;
      LongUnaryOperator shown =
          at -> {
            long millis = Math.max(0, at - base);
            return seconds ? (millis + MILLIS_PER_SECOND - 1) / MILLIS_PER_SECOND : millis;
          };
      return CollectionCommand.plan(
          HashOperation.EXPIRY,
          fields(request, 2, MANDATORY, NUM_FIELDS),
          request,
          context,
          outcome -> render(outcome, shown));
    }

    private static Reply render(Outcome outcome, LongUnaryOperator shown) {
      if (!(outcome instanceof Outcome.Elements all)) {
        throw Rendering.unexpected(outcome);
      }
      return new Reply.Array(
          Many.of(
              all.elements().size(),
              i ->
                  all.elements().get(i) instanceof Element.Whole whole && whole.value() > 0
                      ? Reply.integer(shown.applyAsLong(whole.value()))
                      : CollectionCommand.reply(all.elements().get(i))));
    }
  }

  /**
   * The options of HGETEX and HSETEX before the word FIELDS.
   *
   * @param expireAtMillis an {@link Expiry}, if there is a time
   * @param hasTime whether there is one, or a word in its place
   * @param condition of HSETEX: see {@link HashOperation#SET_AND_EXPIRE}
   * @param fieldsAt where the word FIELDS is to be
   */
  private record Options(long expireAtMillis, boolean hasTime, long condition, int fieldsAt) {
    static Options of(Request request, long nowMillis, String command, boolean writes) {
      long expireAt = Expiry.NONE;
      boolean hasTime = false;
      long condition = 0;
      int at = 2;
      while (at < request.count() && !request.is(at, "FIELDS")) {
        boolean seconds = request.is(at, "EX") || request.is(at, "EXAT");
        boolean takesTime = seconds || request.is(at, "PX") || request.is(at, "PXAT");
        boolean stays = request.is(at, writes ? "KEEPTTL" : "PERSIST");
        if ((takesTime || stays) && hasTime) {
          throw Parsing.syntaxError();
        }
        if (takesTime && at + 1 < request.count()) {
          boolean fromNow = request.is(at, "EX") || request.is(at, "PX");
          expireAt = time(request, at + 1, seconds, fromNow ? nowMillis : 0, command);
          expireAt = Math.max(1, expireAt); // 0 is no time, and has passed
          at++;
        } else if (stays) {
          expireAt = writes ? Expiry.KEEP : Expiry.NONE;
        } else if (writes && condition == 0 && request.is(at, "FNX")) {
          condition = HashOperation.IF_NONE;
        } else if (writes && condition == 0 && request.is(at, "FXX")) {
          condition = HashOperation.IF_ALL;
        } else {
          throw new CommandException("ERR unknown argument: " + Errors.shown(request.latin(at)));
        }
        hasTime |= takesTime || stays;
        at++;
      }
      return new Options(expireAt, hasTime, condition, at);
    }
  }

  private static final class GetAndExpire implements KeyedCommand {
    private static final Descriptor DESCRIPTOR =
        ExpiringFields.descriptor(
                "hgetex",
                -5,
                "key [EX seconds|PX milliseconds|EXAT unix-time-seconds|PXAT"
                    + " unix-time-milliseconds|PERSIST] "
                    + FIELDS,
                "Returns the values of fields and sets or takes away when these expire.")
            .with(Flag.WRITE, Flag.FAST)
            .since("8.0.0");

    @Override
    public Descriptor descriptor() {
      return DESCRIPTOR;
    }

    @Override
    public KeyedPlan plan(Request request, PlanContext context) {
      Options options = Options.of(request, context.nowMillis(), "hgetex", false);
      Arguments arguments =
          fields(
              request,
              options.fieldsAt(),
              MANDATORY,
              "ERR Number of fields must be a positive integer");
      return CollectionCommand.plan(
          options.hasTime() ? HashOperation.GET_AND_EXPIRE : HashOperation.GET_MANY,
          arguments.with(options.expireAtMillis()),
          request,
          context,
          CollectionCommand::array);
    }
  }

  private static final class SetAndExpire implements KeyedCommand {
    private static final Descriptor DESCRIPTOR =
        ExpiringFields.descriptor(
                "hsetex",
                -6,
                "key [FNX|FXX] [EX seconds|PX milliseconds|EXAT unix-time-seconds|PXAT"
                    + " unix-time-milliseconds|KEEPTTL] FIELDS numfields field value [field value"
                    + " ...]",
                "Writes fields and sets when these expire.")
            .with(Flag.WRITE, Flag.DENYOOM, Flag.FAST)
            .since("8.0.0");

    @Override
    public Descriptor descriptor() {
      return DESCRIPTOR;
    }

    @Override
    public KeyedPlan plan(Request request, PlanContext context) {
      Options options = Options.of(request, context.nowMillis(), "hsetex", true);
      Arguments arguments =
          fields(
              request,
              options.fieldsAt(),
              2,
              MANDATORY,
              "ERR Number of fields must be a positive integer");
      return CollectionCommand.plan(
          HashOperation.SET_AND_EXPIRE,
          arguments.with(options.expireAtMillis(), options.condition()),
          request,
          context,
          Rendering::integer);
    }
  }
}
