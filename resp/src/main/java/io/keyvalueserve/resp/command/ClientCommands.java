package io.keyvalueserve.resp.command;

import io.keyvalueserve.resp.command.Descriptor.Flag;
import io.keyvalueserve.resp.command.Descriptor.Group;
import io.keyvalueserve.resp.protocol.Reply;
import io.keyvalueserve.resp.protocol.Request;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * The subcommands of CLIENT. LIST and KILL reach the clients of the caller's own tenant at this
 * member, and no others.
 */
final class ClientCommands {
  /** The most characters of a name that a member keeps as long as the connection is open. */
  private static final int MOST_CHARACTERS = 1024;

  private static final Descriptor PARENT =
      Descriptor.of("client", -2, Group.CONNECTION, "", "What concerns client connections.")
          .since("2.4.0");

  static final List<Command> ALL =
      List.of(
          new Container(
              PARENT,
              null,
              List.of(
                  sub("id", 2, "", "Returns the connection's number.", ClientCommands::id),
                  sub("getname", 2, "", "Returns the connection's name.", ClientCommands::getName),
                  sub(
                      "setname",
                      3,
                      "connection-name",
                      "Names the connection.",
                      ClientCommands::setName),
                  sub(
                      "setinfo",
                      4,
                      "<LIB-NAME libname|LIB-VER libver>",
                      "Names the client's library or its version.",
                      ClientCommands::setInfo),
                  sub("info", 2, "", "Describes the connection.", ClientCommands::info),
                  sub(
                      "list",
                      -2,
                      "[TYPE type] [ID client-id [client-id ...]]",
                      "Describes the tenant's connections.",
                      ClientCommands::list),
                  sub(
                      "kill",
                      -3,
                      "<ip:port|[ID client-id] [TYPE type] [USER tenant] [ADDR ip:port] [LADDR"
                          + " ip:port] [SKIPME yes/no] [MAXAGE maxage]>",
                      "Ends connections of the tenant.",
                      ClientCommands::kill),
                  sub(
                      "no-evict",
                      3,
                      "<ON|OFF>",
                      "Accepted and without effect: no connection is ended to free memory.",
                      ClientCommands::onOff),
                  sub(
                      "no-touch",
                      3,
                      "<ON|OFF>",
                      "Accepted and without effect: a use of a key counts.",
                      ClientCommands::onOff),
                  sub(
                      "caching",
                      3,
                      "<YES|NO>",
                      "Is refused: no connection tracks keys.",
                      ClientCommands::caching),
                  sub(
                      "getredir",
                      2,
                      "",
                      "Returns -1: no connection tracks keys.",
                      (client, request) -> Reply.integer(-1)),
                  sub(
                      "pause",
                      -3,
                      "timeout [WRITE|ALL]",
                      "Holds requests of the tenant's connections to this member for milliseconds.",
                      ClientCommands::pause),
                  sub(
                      "reply",
                      3,
                      "<ON|OFF|SKIP>",
                      "Says which replies the connection gets.",
                      ClientCommands::reply),
                  sub(
                      "tracking",
                      -3,
                      "<ON|OFF> [REDIRECT client-id] [PREFIX prefix [PREFIX prefix ...]] [BCAST]"
                          + " [OPTIN] [OPTOUT] [NOLOOP]",
                      "Takes OFF. Refuses ON: the server tells nobody of changes.",
                      ClientCommands::tracking),
                  sub(
                      "trackinginfo",
                      2,
                      "",
                      "Says that the connection tracks no keys.",
                      ClientCommands::trackingInfo),
                  sub(
                      "unblock",
                      -3,
                      "client-id [TIMEOUT|ERROR]",
                      "Ends the wait of a connection of the tenant for elements.",
                      ClientCommands::unblock),
                  sub(
                      "unpause",
                      2,
                      "",
                      "Ends the pause of the tenant's connections to this member.",
                      ClientCommands::unpause))));

  private ClientCommands() {}

  private static Command sub(
      String name, int arity, String usage, String summary, Container.Action action) {
    return Container.subcommand(
        PARENT,
        Descriptor.of(name, arity, Group.CONNECTION, usage, summary)
            .with(Flag.LOADING, Flag.STALE)
            .since("2.4.0"),
        action);
  }

  /**
   * A name without spaces and special characters.
   *
   * @throws CommandException if it has any, or is too long
   */
  static String validName(String name) {
    return valid(name, "Client names");
  }

  private static String valid(String text, String what) {
    if (text.chars().anyMatch(c -> c < '!' || c > '~')) {
      throw new CommandException(
          "ERR " + what + " cannot contain spaces, newlines or special characters.");
    }
    if (text.length() > MOST_CHARACTERS) {
      throw new CommandException(
          "ERR "
              + what
              + " may have up to "
              + MOST_CHARACTERS
              + " characters, and this has "
              + text.length()
              + "; use a shorter one");
    }
    return text;
  }

  private static Reply id(Client client, Request request) {
    return Reply.integer(client.profile().id());
  }

  private static Reply getName(Client client, Request request) {
    String name = client.profile().name();
    return name.isEmpty() ? Reply.Null.NULL : Reply.bulk(name);
  }

  private static Reply setName(Client client, Request request) {
    client.rename(validName(request.latin(2)));
    return Reply.OK;
  }

  private static Reply setInfo(Client client, Request request) {
    if (request.is(2, "LIB-NAME")) {
      client.nameLibrary(valid(request.latin(3), "lib-name"));
    } else if (request.is(2, "LIB-VER")) {
      client.nameLibraryVersion(valid(request.latin(3), "lib-ver"));
    } else {
      throw new CommandException("ERR Unrecognized option '" + request.text(2) + "'");
    }
    return Reply.OK;
  }

  private static Reply info(Client client, Request request) {
    return new Reply.Verbatim(client.profile().line() + "\n");
  }

  private static Reply list(Client client, Request request) {
    Predicate<ClientProfile> wanted = profile -> true;
    if (request.count() == 4 && request.is(2, "TYPE")) {
      wanted = ofType(request, 3);
    } else if (request.count() > 3 && request.is(2, "ID")) {
      Set<Long> ids = new HashSet<>();
      for (int i = 3; i < request.count(); i++) {
        ids.add(clientId(request, i, "ERR Invalid client ID"));
      }
      wanted = profile -> ids.contains(profile.id());
    } else if (request.count() != 2) {
      throw Parsing.syntaxError();
    }
    return new Reply.Verbatim(
        client.siblings().stream()
            .map(Client::profile)
            .filter(wanted)
            .sorted(java.util.Comparator.comparingLong(ClientProfile::id))
            .map(profile -> profile.line() + "\n")
            .collect(Collectors.joining()));
  }

  private static Reply kill(Client client, Request request) {
    if (request.count() == 3) {
      String address = request.latin(2);
      if (end(client, profile -> profile.address().equals(address), false) == 0) {
        throw new CommandException("ERR No such client");
      }
      return Reply.OK;
    }
    List<Predicate<ClientProfile>> filters = new ArrayList<>();
    boolean skipMe = true;
    for (int i = 2; i < request.count(); i += 2) {
      if (i + 1 == request.count()) {
        throw Parsing.syntaxError();
      }
      String value = request.latin(i + 1);
      if (request.is(i, "ID")) {
        long id = clientId(request, i + 1, "ERR client-id should be greater than 0");
        filters.add(profile -> profile.id() == id);
      } else if (request.is(i, "TYPE")) {
        filters.add(ofType(request, i + 1));
      } else if (request.is(i, "ADDR")) {
        filters.add(profile -> profile.address().equals(value));
      } else if (request.is(i, "LADDR")) {
        filters.add(profile -> profile.localAddress().equals(value));
      } else if (request.is(i, "USER")) {
        if (!value.equals(client.identity().tenant().value())) {
          throw new CommandException("ERR No such user '" + Errors.shown(value) + "'");
        }
        filters.add(profile -> profile.tenant().equals(value));
      } else if (request.is(i, "MAXAGE")) {
        long age = clientId(request, i + 1, "ERR maxage is not an integer or out of range");
        filters.add(profile -> profile.ageSeconds() >= age);
      } else if (request.is(i, "SKIPME")) {
        skipMe =
            switch (value.toLowerCase(Locale.ROOT)) {
              case "yes" -> true;
              case "no" -> false;
              default -> throw Parsing.syntaxError();
            };
      } else {
        throw Parsing.syntaxError();
      }
    }
    Predicate<ClientProfile> all = profile -> filters.stream().allMatch(f -> f.test(profile));
    return Reply.integer(end(client, all, skipMe));
  }

  private static int end(Client caller, Predicate<ClientProfile> wanted, boolean skipMe) {
    int ended = 0;
    for (Client client : caller.siblings()) {
      boolean self = client.equals(caller);
      if ((self && skipMe) || !wanted.test(client.profile())) {
        continue;
      }
      ended++;
      if (self) {
        client.endAfterReply();
      } else {
        client.kill();
      }
    }
    return ended;
  }

  private static long clientId(Request request, int index, String error) {
    return io.keyvalueserve.engine.Arithmetic.parseInteger(request.argument(index))
        .filter(id -> id > 0)
        .orElseThrow(() -> new CommandException(error));
  }

  /** A client is of the type {@code pubsub} if it has subscribed to anything, else normal. */
  private static Predicate<ClientProfile> ofType(Request request, int index) {
    String type = request.latin(index).toLowerCase(Locale.ROOT);
    return switch (type) {
      case "normal" -> profile -> !profile.isSubscriber();
      case "pubsub" -> ClientProfile::isSubscriber;
      case "master", "replica", "slave" -> profile -> false;
      default ->
          throw new CommandException("ERR Unknown client type '" + request.text(index) + "'");
    };
  }

  private static Reply onOff(Client client, Request request) {
    if (!request.is(2, "ON") && !request.is(2, "OFF")) {
      throw Parsing.syntaxError();
    }
    return Reply.OK;
  }

  private static Reply caching(Client client, Request request) {
    throw new CommandException(
        "ERR CLIENT CACHING can be called only when the client is in tracking mode with OPTIN or"
            + " OPTOUT mode enabled");
  }

  private static Reply pause(Client client, Request request) {
    boolean ofAll = request.count() == 3 || request.is(3, "ALL");
    if (request.count() > 4) {
      throw Parsing.syntaxError();
    }
    if (!ofAll && !request.is(3, "WRITE")) {
      throw new CommandException("ERR CLIENT PAUSE mode must be WRITE or ALL");
    }
    long millis =
        io.keyvalueserve.engine.Arithmetic.parseInteger(request.argument(2))
            .orElseThrow(
                () -> new CommandException("ERR timeout is not an integer or out of range"));
    if (millis < 0) {
      throw new CommandException("ERR timeout is negative");
    }
    client.desk().pause(client.member().nanoTime(), millis, ofAll);
    return Reply.OK;
  }

  private static Reply unpause(Client client, Request request) {
    client.desk().unpause();
    client.wakeSiblings();
    return Reply.OK;
  }

  private static Reply reply(Client client, Request request) {
    if (request.is(2, "ON")) {
      client.replies(Client.Replies.ON);
    } else if (request.is(2, "OFF")) {
      client.replies(Client.Replies.OFF);
    } else if (request.is(2, "SKIP")) {
      client.replies(Client.Replies.SKIP);
    } else {
      throw Parsing.syntaxError();
    }
    return Reply.OK;
  }

  private static Reply tracking(Client client, Request request) {
    if (request.is(2, "OFF")) {
      return Reply.OK;
    }
    if (request.is(2, "ON")) {
      throw new CommandException(
          "ERR CLIENT TRACKING is not supported by this server: it tells no client of changes."
              + " Have entries of the client's cache expire, or use a near cache of a Hazelcast"
              + " client");
    }
    throw Parsing.syntaxError();
  }

  private static Reply trackingInfo(Client client, Request request) {
    return new Reply.MapOf(
        List.of(
            Reply.bulk("flags"),
            new Reply.SetOf(List.of(Reply.bulk("off"))),
            Reply.bulk("redirect"),
            Reply.integer(-1),
            Reply.bulk("prefixes"),
            new Reply.Array(List.of())));
  }

  private static Reply unblock(Client client, Request request) {
    if (request.count() > 4
        || (request.count() == 4 && !request.is(3, "TIMEOUT") && !request.is(3, "ERROR"))) {
      throw new CommandException("ERR CLIENT UNBLOCK reason should be TIMEOUT or ERROR");
    }
    long id = Parsing.integer(request, 2);
    boolean withError = request.count() == 4 && request.is(3, "ERROR");
    for (Client sibling : client.siblings()) {
      if (sibling.profile().id() == id) {
        return sibling.unblock(withError) ? Reply.Int.ONE : Reply.Int.ZERO;
      }
    }
    return Reply.Int.ZERO;
  }
}
