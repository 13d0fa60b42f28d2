package io.keyvalueserve.postgres;

import io.keyvalueserve.postgres.wire.Answers;
import io.keyvalueserve.postgres.wire.Message;
import io.keyvalueserve.postgres.wire.MessageBody;
import io.keyvalueserve.postgres.wire.MessageWriter;
import io.keyvalueserve.postgres.wire.PostgresException;
import io.keyvalueserve.postgres.wire.ProtocolException;
import io.keyvalueserve.tenancy.Authentication;
import io.keyvalueserve.tenancy.Authenticator;
import io.keyvalueserve.tenancy.ScramAnswer;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The steps of a client before its session begins: it asks for encryption, names a tenant, and
 * shows a key or proves that it has one. On the connection's event loop; never blocks.
 */
final class Login {
  private static final int CLEARTEXT = 3;
  private static final int SASL = 10;
  private static final int SASL_CONTINUE = 11;
  private static final int SASL_FINAL = 12;
  private static final int NONCE_BYTES = 18;
  private static final int MOST_ENCRYPTION_REQUESTS = 2;

  private enum Step {
    STARTUP,
    PASSWORD,
    SCRAM_FIRST,
    SCRAM_LAST
  }

  private final PostgresConnection connection;
  private final DoorHost host;
  private Step step = Step.STARTUP;
  private int encryptionRequests;
  private int minor;
  private String tenant = "";
  private Map<String, String> parameters = Map.of();
  private @Nullable ScramExchange scram;

  Login(PostgresConnection connection, DoorHost host) {
    this.connection = connection;
    this.host = host;
  }

  /** Takes the next message. */
  void handle(Message message) {
    switch (step) {
      case STARTUP -> startup(Startup.read(message.read()));
      case PASSWORD -> password(answer(message));
      case SCRAM_FIRST -> scramFirst(answer(message));
      case SCRAM_LAST -> scramLast(answer(message));
    }
  }

  private static MessageBody answer(Message message) {
    if (message.type() != 'p') {
      throw new ProtocolException("the answer to the request for a password is expected");
    }
    return message.read();
  }

  // ---- the first message

  private void startup(Startup startup) {
    switch (startup.code()) {
      case Startup.CANCEL -> {
        host.cancel(startup.body().int32(), startup.body().rest());
        connection.closeNow();
      }
      case Startup.TLS, Startup.GSS -> {
        if (++encryptionRequests > MOST_ENCRYPTION_REQUESTS) {
          throw new ProtocolException("encryption was asked for too often");
        }
        connection.encrypt(startup.code() == Startup.TLS);
      }
      default -> begin(startup);
    }
  }

  private void begin(Startup startup) {
    if (!startup.isVersion3()) {
      throw new PostgresException(
          "0A000",
          "the protocol's version "
              + startup.version()
              + " is not spoken here: use a client that speaks version 3");
    }
    parameters = startup.parameters();
    tenant = parameters.getOrDefault("user", "");
    if (tenant.isEmpty()) {
      throw new PostgresException(
          "28000", "the name of a user is missing: the tenant's name is the user");
    }
    minor = Math.min(startup.minor(), Startup.NEWEST_MINOR);
    MessageWriter out = new MessageWriter();
    List<String> extensions = Startup.extensions(parameters);
    if (startup.minor() > Startup.NEWEST_MINOR || !extensions.isEmpty()) {
      out.begin('v').int32(Startup.version3(minor)).int32(extensions.size());
      extensions.forEach(out::text);
      out.end();
    }
    connection.expectTypes();
    Authenticator authenticator = host.policy().authenticator();
    if (authenticator.authenticateAnonymous() instanceof Authentication.Accepted(var anonymous)
        && anonymous.tenant().value().equals(tenant)) {
      connection.send(out);
      connection.enter(anonymous, minor, parameters);
      return;
    }
    if (authenticator.usesScram(tenant)) {
      step = Step.SCRAM_FIRST;
      Answers.authentication(out, SASL).text(ScramExchange.MECHANISM).int8(0).end();
    } else {
      step = Step.PASSWORD;
      Answers.authentication(out, CLEARTEXT).end();
    }
    connection.send(out);
  }

  // ---- the key

  private void password(MessageBody body) {
    String password = body.text();
    body.end();
    enter(
        host.policy()
            .authenticator()
            .authenticate(tenant, password.getBytes(StandardCharsets.UTF_8)),
        null);
  }

  private void scramFirst(MessageBody body) {
    String mechanism = body.text();
    if (!mechanism.equals(ScramExchange.MECHANISM)) {
      throw new ProtocolException("the mechanism is not offered: use " + ScramExchange.MECHANISM);
    }
    byte[] message = body.value();
    body.end();
    if (message == null) {
      throw new ProtocolException("the client's first SCRAM message is missing");
    }
    ScramExchange begun =
        new ScramExchange(tenant, Base64.getEncoder().encodeToString(host.secret(NONCE_BYTES)));
    scram = begun;
    String first = begun.answer(MessageBody.utf8(message, 0, message.length));
    step = Step.SCRAM_LAST;
    MessageWriter out = new MessageWriter();
    Answers.authentication(out, SASL_CONTINUE).bytes(first.getBytes(StandardCharsets.UTF_8)).end();
    connection.send(out);
  }

  private void scramLast(MessageBody body) {
    byte[] message = body.rest();
    ScramExchange begun = scram;
    if (begun == null) {
      throw new IllegalStateException("no exchange was begun");
    }
    ScramExchange.Signed last = begun.last(MessageBody.utf8(message, 0, message.length));
    ScramAnswer answer =
        host.policy().authenticator().authenticateScram(tenant, last.messages(), last.proof());
    enter(answer.authentication(), "v=" + Base64.getEncoder().encodeToString(answer.signature()));
  }

  private void enter(Authentication authentication, @Nullable String signature) {
    switch (authentication) {
      case Authentication.Accepted(var identity) -> {
        MessageWriter out = new MessageWriter();
        if (signature != null) {
          Answers.authentication(out, SASL_FINAL)
              .bytes(signature.getBytes(StandardCharsets.UTF_8))
              .end();
        }
        connection.send(out);
        connection.enter(identity, minor, parameters);
      }
      case Authentication.Refused.NOT_READY ->
          throw new PostgresException("57P03", "the member has just started: try again soon");
      case Authentication.Refused.REFUSED -> {
        long wait = connection.keyRefused(tenant);
        throw new PostgresException(
            "28P01",
            "password authentication failed for user \""
                + shown(tenant)
                + "\""
                + (wait == 0 ? "" : "; too many keys were wrong: try again in " + wait + " ms"),
            0,
            "the user is the tenant's name, and the password one of its access keys");
      }
    }
  }

  private static String shown(String name) {
    return name.length() <= 64 ? name : name.substring(0, 64) + "...";
  }
}
