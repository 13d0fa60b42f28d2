package io.keyvalueserve.resp.command;

import io.keyvalueserve.engine.channel.ChannelCount;
import io.keyvalueserve.engine.channel.ChannelKind;
import io.keyvalueserve.engine.channel.ChannelQuestion;
import io.keyvalueserve.resp.command.Descriptor.Flag;
import io.keyvalueserve.resp.command.Descriptor.Group;
import io.keyvalueserve.resp.protocol.Reply;
import io.keyvalueserve.resp.protocol.ReplyWriter;
import io.keyvalueserve.resp.protocol.Request;
import io.keyvalueserve.resp.protocol.RequestView;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Channels: to subscribe, to publish, and to ask who subscribes. Each tenant has its own. */
public final class ChannelCommands {
  private static final Descriptor PARENT =
      Descriptor.of("pubsub", -2, Group.PUBSUB, "", "What concerns channels.").since("2.8.0");

  static final List<Command> ALL =
      List.of(
          new Subscribe("subscribe", ChannelKind.CHANNEL, "channel", "2.0.0"),
          new Subscribe("psubscribe", ChannelKind.PATTERN, "pattern", "2.0.0"),
          new Subscribe("ssubscribe", ChannelKind.SHARD, "shardchannel", "7.0.0"),
          new Unsubscribe("unsubscribe", ChannelKind.CHANNEL, "channel", "2.0.0"),
          new Unsubscribe("punsubscribe", ChannelKind.PATTERN, "pattern", "2.0.0"),
          new Unsubscribe("sunsubscribe", ChannelKind.SHARD, "shardchannel", "7.0.0"),
          new Publish("publish", false, "channel message", "2.0.0"),
          new Publish("spublish", true, "shardchannel message", "7.0.0"),
          new Container(
              PARENT,
              null,
              List.of(
                  new Question(
                      "channels",
                      -2,
                      "[pattern]",
                      "Lists the channels that have subscribers.",
                      request -> listed(ChannelKind.CHANNEL, request),
                      ChannelCommands::names),
                  new Question(
                      "numpat",
                      2,
                      "",
                      "Counts the patterns that have subscribers.",
                      request -> new ChannelQuestion(ChannelKind.PATTERN, null, List.of()),
                      counts -> Reply.integer(counts.size())),
                  new Question(
                      "numsub",
                      -2,
                      "[channel [channel ...]]",
                      "Counts the subscribers of channels.",
                      request -> counted(ChannelKind.CHANNEL, request),
                      ChannelCommands::numbers),
                  new Question(
                      "shardchannels",
                      -2,
                      "[pattern]",
                      "Lists the shard channels that have subscribers.",
                      request -> listed(ChannelKind.SHARD, request),
                      ChannelCommands::names),
                  new Question(
                      "shardnumsub",
                      -2,
                      "[shardchannel [shardchannel ...]]",
                      "Counts the subscribers of shard channels.",
                      request -> counted(ChannelKind.SHARD, request),
                      ChannelCommands::numbers))));

  private ChannelCommands() {}

  /** Returns whether a client of RESP2 that has subscribed may run a command. */
  public static boolean isServedWhileSubscribed(Command command) {
    return command instanceof Subscribe
        || command instanceof Unsubscribe
        || switch (command.descriptor().fullName()) {
          case "ping", "quit", "reset" -> true;
          default -> false;
        };
  }

  /** Returns the error for a command that such a client may not run. */
  public static Reply.ErrorLine refusalWhileSubscribed(Command command) {
    return Reply.error(
        "ERR Can't execute '"
            + command.descriptor().fullName()
            + "': only (P|S)SUBSCRIBE / (P|S)UNSUBSCRIBE / PING / QUIT / RESET are allowed in this"
            + " context");
  }

  private static List<byte[]> arguments(Request request, int from) {
    List<byte[]> names = new ArrayList<>();
    for (int i = from; i < request.count(); i++) {
      names.add(request.argument(i));
    }
    return names;
  }

  private static Descriptor descriptor(
      String name, String usage, String summary, String since, String complexity) {
    return Descriptor.of(name, name.contains("unsub") ? -1 : -2, Group.PUBSUB, usage, summary)
        .with(Flag.PUBSUB, Flag.NOSCRIPT, Flag.LOADING, Flag.STALE)
        .since(since)
        .complexity(complexity);
  }

  private record Subscribe(Descriptor descriptor, ChannelKind kind) implements SpaceCommand {
    Subscribe(String name, ChannelKind kind, String what, String since) {
      this(
          ChannelCommands.descriptor(
              name,
              what + " [" + what + " ...]",
              "Receives the messages of " + what + "s from now on.",
              since,
              "O(N) where N is the number of names"),
          kind);
    }

    @Override
    public CompletionStage<Reply> execute(Client client, Request request) {
      return client.channels().subscribe(kind, arguments(request, 1));
    }
  }

  private record Unsubscribe(Descriptor descriptor, ChannelKind kind) implements SessionCommand {
    Unsubscribe(String name, ChannelKind kind, String what, String since) {
      this(
          ChannelCommands.descriptor(
              name,
              "[" + what + " [" + what + " ...]]",
              "Receives no more messages of these " + what + "s, or of all.",
              since,
              "O(N) where N is the number of names"),
          kind);
    }

    @Override
    public Reply execute(Client client, Request request) {
      return client.channels().unsubscribe(kind, arguments(request, 1));
    }
  }

  private record Publish(Descriptor descriptor, boolean sharded)
      implements PublishingCommand, DirectClientCommand {
    Publish(String name, boolean sharded, String usage, String since) {
      this(
          Descriptor.of(
                  name, 3, Group.PUBSUB, usage, "Sends a message to the subscribers of a channel.")
              .with(Flag.PUBSUB, Flag.LOADING, Flag.STALE, Flag.FAST)
              .since(since)
              .complexity(
                  "O(N+M) where N is the number of subscribers, and M that of all patterns"),
          sharded);
    }

    @Override
    public CompletionStage<Reply> execute(Client client, Request request) {
      return client.channels().publish(message(request));
    }

    @Override
    public OutgoingMessage message(Request request) {
      return new OutgoingMessage(sharded, request.argument(1), request.argument(2));
    }

    @Override
    public boolean answer(RequestView request, Client client, ReplyWriter replies) {
      long receivers = client.channels().publishAtOnce(sharded, request);
      if (receivers == Channels.NOT_AT_ONCE) {
        return false;
      }
      replies.integer(receivers);
      return true;
    }
  }

  // ---- PUBSUB

  private record Question(
      Descriptor descriptor,
      Function<Request, ChannelQuestion> question,
      Function<List<ChannelCount>, Reply> reply)
      implements SpaceCommand {
    Question(
        String name,
        int arity,
        String usage,
        String summary,
        Function<Request, ChannelQuestion> question,
        Function<List<ChannelCount>, Reply> reply) {
      this(
          Descriptor.of(name, arity, Group.PUBSUB, usage, summary)
              .with(Flag.PUBSUB, Flag.LOADING, Flag.STALE)
              .since(name.startsWith("shard") ? "7.0.0" : "2.8.0")
              .complexity("O(N) where N is the number of names")
              .inside(PARENT.name()),
          question,
          reply);
    }

    @Override
    public CompletionStage<Reply> execute(Client client, Request request) {
      ChannelQuestion asked = question.apply(request);
      boolean isOfNone = descriptor.name().endsWith("numsub") && asked.names().isEmpty();
      return (isOfNone
              ? CompletableFuture.completedFuture(List.<ChannelCount>of())
              : client.channels().ask(asked))
          .thenApply(reply);
    }
  }

  private static ChannelQuestion listed(ChannelKind kind, Request request) {
    if (request.count() > 3) {
      throw new CommandException(Errors.unknownOrWrongArity(PARENT.name(), request));
    }
    byte @Nullable [] pattern = request.count() == 3 ? request.argument(2) : null;
    return new ChannelQuestion(kind, pattern, List.of());
  }

  private static ChannelQuestion counted(ChannelKind kind, Request request) {
    return new ChannelQuestion(kind, null, arguments(request, 2));
  }

  private static Reply names(List<ChannelCount> counts) {
    return new Reply.Array(counts.stream().map(each -> new Reply.Bulk(each.name())).toList());
  }

  private static Reply numbers(List<ChannelCount> counts) {
    List<Reply> replies = new ArrayList<>();
    for (ChannelCount each : counts) {
      replies.add(new Reply.Bulk(each.name()));
      replies.add(Reply.integer(each.subscriptions()));
    }
    return new Reply.Array(replies);
  }
}
