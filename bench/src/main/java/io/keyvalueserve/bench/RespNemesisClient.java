package io.keyvalueserve.bench;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A Redis client at one member. */
final class RespNemesisClient extends NemesisClient {
  /** Errors that say that a command was not done. After all others it may have been. */
  private static final Set<String> NOT_DONE =
      Set.of("CLUSTERDOWN", "LOADING", "OOM", "MISCONF", "READONLY", "NOAUTH", "WRONGPASS");

  private final InetSocketAddress address;
  private final String tenant;
  private final String key;
  private final String map;
  private @Nullable RespConnection connection;

  /**
   * @param member its number, from 1
   * @param key the tenant's access key
   */
  RespNemesisClient(int member, InetSocketAddress address, String tenant, String key, String map) {
    super("Redis", member, Set.of(KeyOperation.Kind.COMPARE_AND_SET));
    this.address = address;
    this.tenant = tenant;
    this.key = key;
    this.map = map;
  }

  @Override
  Outcome perform(
      KeyOperation.Kind kind, String name, String argument, String expected, long expiryMillis) {
    RespConnection open;
    try {
      open = open();
    } catch (IOException e) {
      close();
      return new Outcome.NotDone("no connection");
    }
    try {
      RespReply reply =
          switch (kind) {
            case GET -> open.call("GET", name);
            case SET -> open.call("SET", name, argument);
            case SET_WITH_EXPIRY ->
                open.call("SET", name, argument, "PX", Long.toString(expiryMillis));
            case DELETE -> open.call("DEL", name);
            case SET_IF_ABSENT -> open.call("SET", name, argument, "NX");
            case GET_AND_SET -> open.call("GETSET", name, argument);
            case INCREMENT -> open.call("INCR", name);
            case COMPARE_AND_SET -> throw new IllegalArgumentException("Redis has none");
          };
      return outcome(kind, reply);
    } catch (IOException e) {
      close();
      return new Outcome.Unknown("connection lost");
    }
  }

  private RespConnection open() throws IOException {
    if (connection == null) {
      RespConnection made = new RespConnection(address, PATIENCE_MILLIS);
      connection = made;
      if (made.call("AUTH", tenant + "/" + map, key) instanceof RespReply.Failure failure) {
        throw new IOException(failure.text());
      }
    }
    return connection;
  }

  private static Outcome outcome(KeyOperation.Kind kind, RespReply reply) {
    boolean tells = kind == KeyOperation.Kind.SET_IF_ABSENT;
    return switch (reply) {
      case RespReply.Failure failure ->
          NOT_DONE.contains(failure.kind())
              ? new Outcome.NotDone(failure.kind())
              : new Outcome.Unknown(failure.kind());
      case RespReply.Line _ -> new Outcome.Done(tells ? "1" : null);
      case RespReply.Nil _ -> new Outcome.Done(tells ? "0" : null);
      case RespReply.Number number -> new Outcome.Done(Long.toString(number.value()));
      case RespReply.Bytes bytes -> new Outcome.Done(new String(bytes.value(), ISO_8859_1));
      case RespReply.Array array -> throw new BenchException("a command was answered by " + array);
    };
  }

  @Override
  public void close() {
    if (connection != null) {
      connection.close();
      connection = null;
    }
  }
}
