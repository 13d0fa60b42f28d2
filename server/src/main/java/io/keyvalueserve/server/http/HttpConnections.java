package io.keyvalueserve.server.http;

import io.helidon.common.buffers.BufferData;
import io.helidon.common.socket.PeerInfo;
import io.helidon.common.socket.SocketOptions;
import io.helidon.http.HeaderNames;
import io.helidon.http.HeaderValues;
import io.helidon.http.Headers;
import io.helidon.http.HttpPrologue;
import io.helidon.http.Status;
import io.helidon.webserver.CloseConnectionException;
import io.helidon.webserver.ConnectionContext;
import io.helidon.webserver.http1.Http1Config;
import io.helidon.webserver.http1.Http1Connection;
import io.helidon.webserver.http1.Http1ConnectionListener;
import io.helidon.webserver.http1.Http1ConnectionSelector;
import io.helidon.webserver.spi.ServerConnection;
import io.helidon.webserver.spi.ServerConnectionSelector;
import io.keyvalueserve.gates.peer.Peer;
import io.keyvalueserve.gates.peer.PeerBudget;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The open connections of the HTTP door: admits each one before a byte of it is read, bounds how
 * many there are, and closes those that wait for too long. Thread-safe.
 *
 * <p>Connections that have shown no key are in the budget for peers without a key, which closes the
 * oldest. The others have a bound here: if there are too many, the one that is idle for longest is
 * closed, and a new one is refused if none is idle.
 */
final class HttpConnections implements ServerConnectionSelector {
  static final Logger LOG = LoggerFactory.getLogger(HttpConnections.class);

  /** The code of the error that refuses a connection. */
  static final String TOO_MANY = "too_many_connections";

  private static final int RETRY_SECONDS = 1;
  private static final int HEADER_BYTES = 16 * 1024;
  private static final int LINE_BYTES = 8 * 1024;

  private final HttpLimits limits;
  private final PeerBudget budget;
  private final BodyRoom room;
  private final LongSupplier nanoTime;
  private final Http1ConnectionSelector http1;
  private final Set<HttpConnection> open = ConcurrentHashMap.newKeySet();
  private final AtomicInteger keyed = new AtomicInteger();
  private final ConcurrentHashMap<Integer, Integer> byTenant = new ConcurrentHashMap<>();

  /**
   * Makes a door's connections.
   *
   * @param room what bodies of all requests may take
   * @param nanoTime a monotonic clock, in nanoseconds
   */
  HttpConnections(HttpLimits limits, PeerBudget budget, BodyRoom room, LongSupplier nanoTime) {
    this.limits = limits;
    this.budget = budget;
    this.room = room;
    this.nanoTime = nanoTime;
    this.http1 =
        Http1ConnectionSelector.builder()
            .config(
                Http1Config.builder()
                    .maxHeadersSize(HEADER_BYTES)
                    .maxPrologueLength(LINE_BYTES)
                    .addReceiveListener(new Progress())
                    .addSendListener(new Answers())
                    .build())
            .build();
  }

  private static final class Progress implements Http1ConnectionListener {
    @Override
    public void prologue(ConnectionContext context, HttpPrologue prologue) {
      of(context).lineRead();
    }

    @Override
    public void headers(ConnectionContext context, Headers headers) {
      HttpConnection connection = of(context);
      connection.headersRead(headers.contains(HeaderNames.TRANSFER_ENCODING));
      if (headers.containsToken(HeaderValues.CONNECTION_CLOSE)) {
        connection.endsWithAnswer();
      }
    }
  }

  private static final class Answers implements Http1ConnectionListener {
    @Override
    public void headers(ConnectionContext context, Headers headers) {
      if (headers.containsToken(HeaderValues.CONNECTION_CLOSE)) {
        of(context).endsWithAnswer();
      }
    }
  }

  private static HttpConnection of(ConnectionContext context) {
    return ((HttpConnection.Counted) context).connection();
  }

  @Override
  public ServerConnection connection(ConnectionContext context) {
    HttpConnection connection = new HttpConnection(this, context);
    connection.parser((Http1Connection) http1.connection(connection.new Counted(context)));
    open.add(connection);
    return connection;
  }

  /** Returns the options of connections, with which they are accepted at the budget's pace. */
  SocketOptions acceptOptions() {
    return new HttpAccepts(budget);
  }

  /** Lets a connection in as a peer without a key. */
  Peer admit(HttpConnection connection, PeerInfo from) {
    InetAddress address = from.address() instanceof InetSocketAddress at ? at.getAddress() : null;
    Peer peer = budget.admit(address, connection::abort);
    if (!peer.reserve(HttpConnection.BASE_BYTES)) {
      throw new CloseConnectionException("closed: too many peers without a key");
    }
    return peer;
  }

  /**
   * Counts a connection that has shown a key.
   *
   * @throws Errors.Refused if there are too many
   */
  void keyShown() {
    if (keyed.incrementAndGet() > limits.connections() && !closeIdle()) {
      keyed.decrementAndGet();
      throw tooMany(
          "a member's HTTP door serves " + limits.connections() + " connections, and none is idle");
    }
  }

  private boolean closeIdle() {
    HttpConnection longest = null;
    long longestSince = 0;
    for (HttpConnection connection : open) {
      long since = connection.isKeyed() ? connection.idleSince() : HttpConnection.NEVER;
      if (since != HttpConnection.NEVER && (longest == null || since - longestSince < 0)) {
        longest = connection;
        longestSince = since;
      }
    }
    if (longest == null) {
      return false;
    }
    longest.abort();
    return true;
  }

  /**
   * Counts a connection to another tenant.
   *
   * @param before its tenant until now; null if it had none
   * @param now its tenant; null if it has none
   * @throws Errors.Refused if that tenant has too many; the connection has no tenant then
   */
  void move(@Nullable Integer before, @Nullable Integer now) {
    if (before != null) {
      leave(before);
    }
    if (now != null && byTenant.merge(now, 1, Integer::sum) > limits.connections() / 2) {
      leave(now);
      throw tooMany(
          "a tenant may have " + limits.connections() / 2 + " connections to a member's HTTP door");
    }
  }

  private static HttpErrors.Refused tooMany(String rule) {
    return new HttpErrors.Refused(
        Status.TOO_MANY_REQUESTS_429,
        TOO_MANY,
        rule + "; close some, or ask again later",
        RETRY_SECONDS);
  }

  private void leave(int tenant) {
    byTenant.computeIfPresent(tenant, (number, count) -> count == 1 ? null : count - 1);
  }

  /** Forgets a connection that is closed. */
  void left(HttpConnection connection, boolean wasKeyed, @Nullable Integer tenant) {
    open.remove(connection);
    if (wasKeyed) {
      keyed.decrementAndGet();
    }
    if (tenant != null) {
      leave(tenant);
    }
  }

  /**
   * Closes the connections that wait for too long. The door calls it about once a second.
   *
   * @return how many it closed
   */
  int closeOverdue() {
    int overdue = 0;
    long now = nanoTime.getAsLong();
    for (HttpConnection connection : open) {
      if (connection.isOverdue(limits, now)) {
        connection.abort();
        overdue++;
      }
    }
    return overdue;
  }

  /** Returns how many connections are open. */
  int count() {
    return open.size();
  }

  BodyRoom room() {
    return room;
  }

  long nanoTime() {
    return nanoTime.getAsLong();
  }

  /** Returns how long a connection may stay without a key. */
  long keylessNanos() {
    return budget.limits().timeToAuthenticate().toNanos();
  }

  @Override
  public int bytesToIdentifyConnection() {
    return http1.bytesToIdentifyConnection();
  }

  @Override
  public Support supports(BufferData data) {
    return http1.supports(data);
  }

  @Override
  public Set<String> supportedApplicationProtocols() {
    return http1.supportedApplicationProtocols();
  }
}
