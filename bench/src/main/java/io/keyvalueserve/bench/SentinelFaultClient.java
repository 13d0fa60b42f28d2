package io.keyvalueserve.bench;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A Redis client that asks Sentinel for the master: the nearest one that answers, once a second, as
 * others listen to what Sentinel announces.
 */
final class SentinelFaultClient implements FaultClient {
  /** What Sentinel calls the master and its replicas. */
  static final String NAME = "bench";

  private static final long ASK_NANOS = TimeUnit.SECONDS.toNanos(1);
  private static final int SENTINEL_PATIENCE_MILLIS = 500;

  private final List<String> sentinels;
  private @Nullable RespConnection sentinel;
  private @Nullable RespConnection master;
  private String address = "";
  private long askedNanos = System.nanoTime() - ASK_NANOS;

  SentinelFaultClient(List<String> sentinels) {
    this.sentinels = List.copyOf(sentinels);
  }

  @Override
  public void set(String key, String value) throws IOException {
    RespReply _ = call("SET", key, value);
  }

  @Override
  public String get(String key) throws IOException {
    return FaultClient.text(call("GET", key));
  }

  private RespReply call(String... words) throws IOException {
    try {
      if (master == null || System.nanoTime() - askedNanos >= ASK_NANOS) {
        follow();
      }
      if (master == null) {
        master = new RespConnection(RespFaultClient.address(address), PATIENCE_MILLIS);
      }
      return FaultClient.done(master.call(words));
    } catch (IOException e) {
      leaveMaster();
      throw e;
    }
  }

  private void follow() throws IOException {
    String now = ask();
    askedNanos = System.nanoTime();
    if (!now.equals(address)) {
      leaveMaster();
      address = now;
    }
  }

  private String ask() throws IOException {
    IOException last = new IOException("no sentinel");
    for (String each : sentinels) {
      try {
        if (sentinel == null) {
          sentinel = new RespConnection(RespFaultClient.address(each), SENTINEL_PATIENCE_MILLIS);
        }
        return master(sentinel.call("SENTINEL", "get-master-addr-by-name", NAME));
      } catch (IOException e) {
        last = e;
        if (sentinel != null) {
          sentinel.close();
          sentinel = null;
        }
      }
    }
    throw last;
  }

  private static String master(RespReply reply) throws IOException {
    if (FaultClient.done(reply) instanceof RespReply.Array array
        && array.elements().size() == 2
        && array.elements().get(0) instanceof RespReply.Bytes host
        && array.elements().get(1) instanceof RespReply.Bytes port) {
      return new String(host.value(), StandardCharsets.UTF_8)
          + ":"
          + new String(port.value(), StandardCharsets.UTF_8);
    }
    throw new IOException("the sentinel knows no master");
  }

  /** The master's address, as the nearest sentinel has it. */
  String master() throws IOException {
    return ask();
  }

  private void leaveMaster() {
    if (master != null) {
      master.close();
      master = null;
    }
  }

  @Override
  public void close() {
    leaveMaster();
    if (sentinel != null) {
      sentinel.close();
      sentinel = null;
    }
  }
}
