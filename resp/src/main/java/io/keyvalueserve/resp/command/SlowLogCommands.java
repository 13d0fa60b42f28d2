package io.keyvalueserve.resp.command;

import io.keyvalueserve.engine.Arithmetic;
import io.keyvalueserve.resp.command.Descriptor.Flag;
import io.keyvalueserve.resp.command.Descriptor.Group;
import io.keyvalueserve.resp.protocol.Reply;
import io.keyvalueserve.resp.protocol.Request;
import io.keyvalueserve.resp.watch.LatencyEvents;
import io.keyvalueserve.resp.watch.SlowEntry;
import java.util.ArrayList;
import java.util.List;

/** SLOWLOG, LATENCY and MONITOR: what a tenant sees of its own requests at this member. */
final class SlowLogCommands {
  private static final int USUAL_COUNT = 10;

  private static final Descriptor SLOWLOG =
      Descriptor.of("slowlog", -2, Group.SERVER, "", "What concerns slow requests.")
          .since("2.2.12");
  private static final Descriptor LATENCY =
      Descriptor.of("latency", -2, Group.SERVER, "", "What concerns moments of slow requests.")
          .since("2.8.13");

  static final List<Command> ALL =
      List.of(
          new Container(
              SLOWLOG,
              null,
              List.of(
                  sub(
                      SLOWLOG,
                      "get",
                      -2,
                      "[count]",
                      "Lists the tenant's newest slow requests at this member; -1 for all.",
                      SlowLogCommands::get),
                  sub(
                      SLOWLOG,
                      "len",
                      2,
                      "",
                      "Counts the tenant's slow requests that are kept at this member.",
                      (client, request) -> Reply.integer(client.desk().slowLog().size())),
                  sub(
                      SLOWLOG,
                      "reset",
                      2,
                      "",
                      "Forgets the tenant's slow requests at this member.",
                      (client, request) -> {
                        client.desk().slowLog().clear();
                        return Reply.OK;
                      }))),
          new Container(
              LATENCY,
              null,
              List.of(
                  sub(
                      LATENCY,
                      "history",
                      3,
                      "event",
                      "Lists the longest requests of each second that had slow ones.",
                      SlowLogCommands::history),
                  sub(
                      LATENCY,
                      "latest",
                      2,
                      "",
                      "Returns the last slow request of each sort.",
                      SlowLogCommands::latest),
                  sub(
                      LATENCY,
                      "reset",
                      -2,
                      "[event [event ...]]",
                      "Forgets events of these sorts, or all.",
                      SlowLogCommands::reset))),
          new Monitor());

  private SlowLogCommands() {}

  private static Command sub(
      Descriptor parent,
      String name,
      int arity,
      String usage,
      String summary,
      Container.Action action) {
    return Container.subcommand(
        parent,
        Descriptor.of(name, arity, Group.SERVER, usage, summary).with(Flag.LOADING, Flag.STALE),
        action);
  }

  private static Reply get(Client client, Request request) {
    if (request.count() > 3) {
      throw new CommandException(
          "ERR unknown subcommand or wrong number of arguments for 'GET'. Try SLOWLOG HELP.");
    }
    long count =
        request.count() == 2
            ? USUAL_COUNT
            : Arithmetic.parseInteger(request.argument(2))
                .filter(number -> number >= -1)
                .orElseThrow(
                    () -> new CommandException("ERR count should be greater than or equal to -1"));
    int most = count < 0 ? Integer.MAX_VALUE : (int) Math.min(count, Integer.MAX_VALUE);
    return new Reply.Array(
        client.desk().slowLog().newest(most).stream().map(SlowLogCommands::reply).toList());
  }

  private static Reply reply(SlowEntry entry) {
    return new Reply.Array(
        List.of(
            Reply.integer(entry.id()),
            Reply.integer(entry.unixSeconds()),
            Reply.integer(entry.micros()),
            new Reply.Array(entry.arguments().stream().map(Reply.Bulk::new).toList()),
            Reply.bulk(entry.address()),
            Reply.bulk(entry.clientName())));
  }

  private static Reply history(Client client, Request request) {
    return new Reply.Array(
        client.desk().events().history(request.latin(2)).stream()
            .map(
                sample ->
                    new Reply.Array(
                        List.of(
                            Reply.integer(sample.unixSeconds()), Reply.integer(sample.millis()))))
            .toList());
  }

  private static Reply latest(Client client, Request request) {
    List<Reply> events = new ArrayList<>();
    for (LatencyEvents.Latest each : client.desk().events().latest()) {
      events.add(
          new Reply.Array(
              List.of(
                  Reply.bulk(each.event()),
                  Reply.integer(each.sample().unixSeconds()),
                  Reply.integer(each.sample().millis()),
                  Reply.integer(each.longestMillis()))));
    }
    return new Reply.Array(events);
  }

  private static Reply reset(Client client, Request request) {
    LatencyEvents events = client.desk().events();
    if (request.count() == 2) {
      return Reply.integer(events.reset());
    }
    int reset = 0;
    for (int i = 2; i < request.count(); i++) {
      if (events.reset(request.latin(i))) {
        reset++;
      }
    }
    return Reply.integer(reset);
  }

  private static final class Monitor implements SessionCommand {
    private static final Descriptor DESCRIPTOR =
        Descriptor.of(
                "monitor",
                1,
                Group.SERVER,
                "",
                "Shows the requests of the tenant's Redis clients at this member as they come.")
            .with(Flag.LOADING, Flag.STALE);

    @Override
    public Descriptor descriptor() {
      return DESCRIPTOR;
    }

    @Override
    public Reply execute(Client client, Request request) {
      client.monitor();
      return Reply.OK;
    }
  }
}
