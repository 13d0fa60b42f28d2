package io.keyvalueserve.bench;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A Redis client of this product's members, which all take every command. Goes to the next member
 * if one gives no answer or does not serve. Stays if a write is in doubt: the member serves, and
 * the next one may be the one that is lost.
 */
final class RespFaultClient implements FaultClient {
  private static final String IN_DOUBT = "INDOUBT";

  private final String tenant;
  private final String key;
  private final List<String> addresses;
  private int at;
  private @Nullable RespConnection connection;

  RespFaultClient(String tenant, String key, List<String> addresses) {
    this.tenant = tenant;
    this.key = key;
    this.addresses = List.copyOf(addresses);
  }

  @Override
  public void set(String name, String value) throws IOException {
    RespReply _ = FaultClient.done(call("SET", name, value));
  }

  @Override
  public String get(String name) throws IOException {
    return FaultClient.text(call("GET", name));
  }

  private RespReply call(String... words) throws IOException {
    RespReply reply;
    try {
      reply = open().call(words);
    } catch (IOException e) {
      goToNext();
      throw e;
    }
    if (reply instanceof RespReply.Failure failure && !failure.text().startsWith(IN_DOUBT)) {
      goToNext();
    }
    return FaultClient.done(reply);
  }

  private void goToNext() {
    close();
    at = (at + 1) % addresses.size();
  }

  private RespConnection open() throws IOException {
    if (connection == null) {
      RespConnection made = new RespConnection(address(addresses.get(at)), PATIENCE_MILLIS);
      connection = made;
      RespReply _ = FaultClient.done(made.call("AUTH", tenant, key));
    }
    return connection;
  }

  /** An address of the form host:port. */
  static InetSocketAddress address(String text) {
    int colon = text.lastIndexOf(':');
    return new InetSocketAddress(
        text.substring(0, colon), Integer.parseInt(text.substring(colon + 1)));
  }

  @Override
  public void close() {
    if (connection != null) {
      connection.close();
      connection = null;
    }
  }
}
