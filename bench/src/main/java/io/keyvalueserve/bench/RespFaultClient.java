package io.keyvalueserve.bench;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A Redis client of this product's members, which all take every command. */
final class RespFaultClient implements FaultClient {
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
    try {
      return FaultClient.done(open().call(words));
    } catch (IOException e) {
      close();
      at = (at + 1) % addresses.size();
      throw e;
    }
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
