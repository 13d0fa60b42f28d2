package io.keyvalueserve.resp.command;

import io.keyvalueserve.engine.KeyCommand;
import io.keyvalueserve.engine.Outcome;
import io.keyvalueserve.engine.ValueOperation.Describe;
import io.keyvalueserve.resp.command.Descriptor.Flag;
import io.keyvalueserve.resp.command.Descriptor.Group;
import io.keyvalueserve.resp.protocol.Reply;
import io.keyvalueserve.resp.protocol.Request;
import java.util.List;
import java.util.function.LongFunction;

/** OBJECT and MEMORY USAGE: what the store knows of an entry. */
final class Inspections {
  private static final long MILLIS_PER_SECOND = 1000;

  private static final Descriptor OBJECT =
      Descriptor.of("object", -2, Group.GENERIC, "", "Tells how a value is kept.").since("2.2.3");
  private static final Descriptor MEMORY =
      Descriptor.of("memory", -2, Group.SERVER, "", "Tells what memory is used for.")
          .since("4.0.0");

  private static final Reply NOT_TRACKED =
      Reply.error(
          "ERR An LFU maxmemory policy is not selected, access frequency not tracked. Please note"
              + " that when switching between policies at runtime LRU and LFU data will take some"
              + " time to adjust.");

  static final List<Command> ALL =
      List.of(
          new Container(
              OBJECT,
              null,
              List.of(
                  new Ask(
                      object("encoding", "Returns the form of a value.", "2.2.3"),
                      Describe.Fact.FORM,
                      form -> Reply.bulk(nameOf((int) form))),
                  new Ask(
                      object("freq", "Is refused: frequencies are not told.", "4.0.0"),
                      Describe.Fact.FORM,
                      form -> NOT_TRACKED),
                  new Ask(
                      object(
                          "idletime",
                          "Returns the seconds since a key was last used or written.",
                          "2.2.3"),
                      Describe.Fact.IDLE_MILLIS,
                      millis -> Reply.integer(millis / MILLIS_PER_SECOND)),
                  new Ask(
                      object("refcount", "Returns 1: values are not shared.", "2.2.3"),
                      Describe.Fact.FORM,
                      form -> Reply.Int.ONE))),
          new Container(MEMORY, null, List.of(new Usage())));

  private Inspections() {}

  private static Descriptor object(String name, String summary, String since) {
    return Descriptor.of(name, 3, Group.GENERIC, "key", summary)
        .with(Flag.READONLY)
        .keys(2, 2, 1)
        .since(since)
        .inside(OBJECT.name());
  }

  private static String nameOf(int form) {
    return switch (form) {
      case Describe.INTEGER -> "int";
      case Describe.SHORT_TEXT -> "embstr";
      case Describe.LONG_TEXT -> "raw";
      default -> "unknown";
    };
  }

  private static KeyedPlan plan(Request request, Describe.Fact fact, LongFunction<Reply> renderer) {
    return KeyedPlan.one(
        new KeyCommand.Operate(request.argument(2), new Describe(fact)),
        outcome ->
            switch (outcome) {
              case Outcome.Missing _ -> Reply.Null.NULL;
              case Outcome.IntegerResult result -> renderer.apply(result.value());
              case Outcome other -> throw Rendering.unexpected(other);
            });
  }

  /** A subcommand that tells a fact. */
  private record Ask(Descriptor descriptor, Describe.Fact fact, LongFunction<Reply> renderer)
      implements KeyedCommand {
    @Override
    public KeyedPlan plan(Request request, PlanContext context) {
      return Inspections.plan(request, fact, renderer);
    }
  }

  /** Values have no parts yet that there could be samples of. */
  private static final class Usage implements KeyedCommand {
    private static final Descriptor DESCRIPTOR =
        Descriptor.of(
                "usage",
                -3,
                Group.SERVER,
                "key [SAMPLES count]",
                "Returns the bytes that the owning member keeps of an entry.")
            .with(Flag.READONLY)
            .keys(2, 2, 1)
            .since("4.0.0")
            .inside(MEMORY.name());

    @Override
    public Descriptor descriptor() {
      return DESCRIPTOR;
    }

    @Override
    public KeyedPlan plan(Request request, PlanContext context) {
      for (int i = 3; i < request.count(); i += 2) {
        if (!request.is(i, "SAMPLES") || i + 1 == request.count()) {
          throw Parsing.syntaxError();
        }
        if (Parsing.integer(request, i + 1) < 0) {
          throw Parsing.syntaxError();
        }
      }
      return Inspections.plan(request, Describe.Fact.STORED_BYTES, Reply::integer);
    }
  }
}
