package io.keyvalueserve.resp.command;

import io.keyvalueserve.engine.Arithmetic;
import io.keyvalueserve.resp.command.Descriptor.Flag;
import io.keyvalueserve.resp.command.Descriptor.Group;
import io.keyvalueserve.resp.protocol.Reply;
import io.keyvalueserve.resp.protocol.Request;
import io.keyvalueserve.tenancy.Authentication;
import io.keyvalueserve.tenancy.Authenticator;
import io.keyvalueserve.tenancy.MapName;
import io.keyvalueserve.tenancy.QualifiedName;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Commands that say who is there: AUTH, HELLO, RESET, QUIT. */
final class Authentications {
  static final List<Command> ALL = List.of(new Auth(), new Hello(), new Reset(), new Quit());

  /** The user that Redis clients send where a person gave them nothing but a password. */
  private static final String DEFAULT_USER = "default";

  private static final String NEEDS_NO_PASSWORD =
      "ERR AUTH <password> called without any password configured for the default user. Are you"
          + " sure your configuration is correct?";

  private Authentications() {}

  private static Descriptor descriptor(String name, int arity, String usage, String summary) {
    return Descriptor.of(name, arity, Group.CONNECTION, usage, summary)
        .with(Flag.FAST, Flag.NO_AUTH, Flag.LOADING, Flag.STALE);
  }

  /**
   * Checks a user name, which is {@code tenant}, {@code tenant/map} or {@code
   * tenant/other-tenant/map}, and a key, and enters.
   *
   * @throws CommandException if they are refused
   */
  private static void enter(Client client, String user, byte[] key) {
    int slash = user.indexOf('/');
    String tenant = slash < 0 ? user : user.substring(0, slash);
    String map = slash < 0 ? null : user.substring(slash + 1);
    Authenticator authenticator = client.member().authenticator();
    Authentication authentication = authenticator.authenticate(tenant, key);
    if (authentication instanceof Authentication.Refused && tenant.equals(DEFAULT_USER)) {
      authentication = authenticator.authenticateToken(key);
      if (authentication instanceof Authentication.Refused) {
        authentication =
            authenticator.authenticateAnonymous(); // any password is right, as in Redis
      }
    }
    enter(client, user, authentication, map);
  }

  private static void enterByKey(Client client, byte[] key) {
    Authenticator authenticator = client.member().authenticator();
    Authentication authentication = authenticator.authenticateToken(key);
    if (authentication instanceof Authentication.Refused
        && authenticator.authenticateAnonymous() instanceof Authentication.Accepted) {
      client.loginRefused("");
      throw new CommandException(NEEDS_NO_PASSWORD);
    }
    enter(client, "", authentication, null);
  }

  private static void enter(
      Client client, String shown, Authentication authentication, @Nullable String wanted) {
    switch (authentication) {
      case Authentication.Accepted(var identity) -> {
        boolean stays = client.isAuthenticated() && client.identity().number() == identity.number();
        QualifiedName unspoken =
            stays ? client.mapName() : new QualifiedName(identity.tenant(), MapName.DEFAULT);
        QualifiedName map = wanted == null ? unspoken : Parsing.mapName(wanted, identity.tenant());
        if (!client.enter(identity, map)) {
          throw new CommandException(Errors.WRONG_PASS);
        }
      }
      case Authentication.Refused _ -> {
        long wait = client.loginRefused(shown);
        throw new CommandException(wait == 0 ? Errors.WRONG_PASS : Errors.tooManyRefusedKeys(wait));
      }
    }
  }

  private static final class Auth implements SessionCommand {
    private static final Descriptor DESCRIPTOR =
        Authentications.descriptor(
            "auth", -2, "[tenant] key", "Authenticates with an access key, or a tenant and a key.");

    @Override
    public Descriptor descriptor() {
      return DESCRIPTOR;
    }

    @Override
    public Reply execute(Client client, Request request) {
      switch (request.count()) {
        case 2 -> enterByKey(client, request.argument(1));
        case 3 -> enter(client, request.text(1), request.argument(2));
        default -> throw Parsing.syntaxError();
      }
      return Reply.OK;
    }
  }

  private static final class Hello implements SessionCommand {
    private static final Descriptor DESCRIPTOR =
        Authentications.descriptor(
                "hello",
                -1,
                "[protover [AUTH tenant key] [SETNAME clientname]]",
                "Chooses the protocol, authenticates and names the connection.")
            .since("6.0.0");

    @Override
    public Descriptor descriptor() {
      return DESCRIPTOR;
    }

    @Override
    public Reply execute(Client client, Request request) {
      long version = 0;
      if (request.count() > 1) {
        version =
            Arithmetic.parseInteger(request.argument(1))
                .orElseThrow(
                    () ->
                        new CommandException(
                            "ERR Protocol version is not an integer or out of range"));
        if (version < 2 || version > 3) {
          throw new CommandException("NOPROTO unsupported protocol version");
        }
      }
      int auth = 0;
      String name = null;
      int i = 2;
      while (i < request.count()) {
        int more = request.count() - 1 - i;
        if (request.is(i, "AUTH") && more >= 2) {
          auth = i;
          i += 3;
        } else if (request.is(i, "SETNAME") && more >= 1) {
          name = ClientCommands.validName(request.latin(i + 1));
          i += 2;
        } else {
          throw new CommandException(
              "ERR Syntax error in HELLO option '" + Errors.shown(request.text(i)) + "'");
        }
      }
      if (auth > 0) {
        enter(client, request.text(auth + 1), request.argument(auth + 2));
      }
      if (!client.isAuthenticated()) {
        throw new CommandException(
            "NOAUTH HELLO must be called with the client already authenticated, otherwise the HELLO"
                + " <proto> AUTH <user> <pass> option can be used to authenticate the client and"
                + " select the RESP protocol version at the same time");
      }
      if (name != null) {
        client.rename(name);
      }
      if (version > 0) {
        client.speakResp3(version == 3);
      }
      return greeting(client);
    }

    private static Reply greeting(Client client) {
      return new Reply.MapOf(
          List.of(
              Reply.bulk("server"),
              Reply.bulk("redis"), // clients decide by this name and version what they may send
              Reply.bulk("version"),
              Reply.bulk(CommandTable.REDIS_VERSION),
              Reply.bulk("proto"),
              Reply.integer(client.speaksResp3() ? 3 : 2),
              Reply.bulk("id"),
              Reply.integer(client.profile().id()),
              Reply.bulk("mode"),
              Reply.bulk("standalone"),
              Reply.bulk("role"),
              Reply.bulk("master"),
              Reply.bulk("modules"),
              new Reply.Array(List.of())));
    }
  }

  private static final class Reset implements SessionCommand {
    private static final Descriptor DESCRIPTOR =
        Authentications.descriptor(
                "reset", 1, "", "Makes the connection as it was when it was opened.")
            .since("6.2.0");

    @Override
    public Descriptor descriptor() {
      return DESCRIPTOR;
    }

    @Override
    public Reply execute(Client client, Request request) {
      client.reset();
      return new Reply.Status("RESET");
    }
  }

  private static final class Quit implements SessionCommand {
    private static final Descriptor DESCRIPTOR =
        Authentications.descriptor("quit", -1, "", "Closes the connection.");

    @Override
    public Descriptor descriptor() {
      return DESCRIPTOR;
    }

    @Override
    public Reply execute(Client client, Request request) {
      client.endAfterReply();
      return Reply.OK;
    }
  }
}
