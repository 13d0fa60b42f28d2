package io.keyvalueserve.server.http;

import io.helidon.common.buffers.BufferData;
import io.helidon.common.buffers.DataReader;
import io.helidon.common.buffers.DataWriter;
import io.helidon.common.concurrency.limits.Limit;
import io.helidon.common.socket.HelidonSocket;
import io.helidon.common.socket.PeerInfo;
import io.helidon.common.socket.SocketWriterException;
import io.helidon.common.task.InterruptableTask;
import io.helidon.webserver.CloseConnectionException;
import io.helidon.webserver.ConnectionContext;
import io.helidon.webserver.ListenerContext;
import io.helidon.webserver.ProxyProtocolData;
import io.helidon.webserver.Router;
import io.helidon.webserver.http1.Http1Connection;
import io.helidon.webserver.spi.ServerConnection;
import io.keyvalueserve.gates.peer.Peer;
import io.keyvalueserve.tenancy.Identity;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * One connection at the HTTP door. Counts the bytes that are buffered for it, and knows what it
 * waits for and since when, so that {@link HttpConnections} can close it when it is overdue.
 *
 * <p>It is a peer without a key until a request on it shows a valid one. Its bytes are the budget's
 * until then. Afterwards only bodies in chunks are counted here, in the door's {@link BodyRoom}:
 * the parser buffers a chunk until it is complete. Other bodies are counted by their readers.
 *
 * <p>One virtual thread reads, serves and writes. Other threads only look at its times and close
 * it.
 */
final class HttpConnection implements ServerConnection, InterruptableTask<Void> {
  /** Heap that a connection takes with nothing buffered: two socket buffers and its thread. */
  static final int BASE_BYTES = 24 * 1024;

  /** No time. */
  static final long NEVER = 0;

  private static final ScopedValue<HttpConnection> CURRENT = ScopedValue.newInstance();

  /** Heap that one read takes beside its bytes. */
  private static final int PIECE_BYTES = 64;

  /** Most reads that one request's line and headers may take. */
  private static final int MOST_HEAD_PIECES = 1024;

  private static final int SLICE_BYTES = 64 * 1024;
  private static final int NOBODY = -1;

  private final HttpConnections door;
  private final HelidonSocket socket;
  private final RequestReader reader;
  private final DataWriter writer;
  private final Peer peer;
  private final long openedNanos;
  private @Nullable Http1Connection http1;

  // Times in nanoseconds, NEVER while nothing is waited for.
  private volatile long headSince = NEVER;
  private volatile long readingSince = NEVER;
  private volatile long writingSince = NEVER;
  private volatile boolean closed;
  private volatile boolean keyed;

  // For the connection's thread alone.
  private @Nullable Integer tenant;
  private boolean inRequest;
  private boolean answeredLast;
  private boolean chunked;
  private int headPieces;
  private BodyRoom.@Nullable Part chunks;

  HttpConnection(HttpConnections door, ConnectionContext context) {
    this.door = door;
    this.socket = context.serverSocket();
    this.reader = new RequestReader(this::pull);
    this.writer = new CountedWriter(context.dataWriter());
    this.openedNanos = door.nanoTime();
    this.peer = door.admit(this, context.remotePeer());
  }

  /** Sets the parser of the connection, which reads and writes through {@link Counted}. */
  void parser(Http1Connection parser) {
    http1 = parser;
  }

  private Http1Connection parser() {
    Http1Connection parser = http1;
    if (parser == null) {
      throw new IllegalStateException("the connection has no parser");
    }
    return parser;
  }

  /** Returns the connection that the calling thread serves; null outside of the door. */
  static @Nullable HttpConnection current() {
    return CURRENT.isBound() ? CURRENT.get() : null;
  }

  /**
   * Takes the connection out of the budget for peers without a key, and counts what its requests
   * buffer to the caller.
   *
   * @throws Errors.Refused if the tenant has too many connections
   */
  static void passed(Caller caller) {
    HttpConnection connection = current();
    if (connection != null) {
      connection.countFor(caller.tenant());
    }
  }

  /**
   * Waits until the budget for peers without a key has a request left.
   *
   * @return whether the answer is to be the connection's last: half of its time to show a key is
   *     over, and a client that reuses it later could find it closed under its request
   */
  static boolean passedWithoutKey() {
    HttpConnection connection = current();
    return connection != null && connection.pace();
  }

  /** Returns whether the calling thread's connection reads nothing more. */
  static boolean isEnding() {
    HttpConnection connection = current();
    return connection != null && connection.closed;
  }

  private void countFor(@Nullable Identity identity) {
    if (!keyed) {
      if (!peer.authenticated()) {
        throw new CloseConnectionException("closed: too many peers without a key");
      }
      door.keyShown();
      keyed = true;
    }
    Integer now = identity == null ? null : identity.number();
    if (!Objects.equals(tenant, now)) {
      Integer before = tenant;
      tenant = null;
      door.move(before, now);
      tenant = now;
    }
    if (inRequest && chunked) {
      giveBack();
      chunks = now == null ? null : door.room().part(now);
    }
  }

  private boolean pace() {
    if (keyed) {
      return false;
    }
    for (long wait = peer.request(); wait > 0; wait = peer.request()) {
      if (closed || Thread.interrupted()) {
        throw new CloseConnectionException("closed while its request waited");
      }
      LockSupport.parkNanos(wait);
    }
    return door.nanoTime() - openedNanos > door.keylessNanos() / 2;
  }

  /** Notes that a request's line is complete. */
  void lineRead() {
    endIfAnswered();
    requestIsOver();
    if (headSince == NEVER) {
      headSince = now();
    }
  }

  /**
   * Notes that the connection ends with the answer to this request. Whatever follows is no request:
   * it may be the rest of a body that was not read.
   */
  void endsWithAnswer() {
    answeredLast = true;
  }

  private void endIfAnswered() {
    if (answeredLast) {
      throw new CloseConnectionException("the last request was answered");
    }
  }

  /** Notes that a request's headers are complete. */
  void headersRead(boolean hasChunks) {
    headSince = NEVER;
    inRequest = true;
    chunked = hasChunks;
    reader.headersRead(hasChunks);
    if (hasChunks && keyed) {
      chunks = door.room().part(NOBODY); // until it is known whose they are
    }
  }

  private void requestIsOver() {
    if (inRequest) {
      inRequest = false;
      chunked = false;
      reader.headersRead(false);
      headPieces = 0;
      giveBack();
      peer.holds(BASE_BYTES);
    }
  }

  private void giveBack() {
    BodyRoom.Part held = chunks;
    if (held != null) {
      held.close();
      chunks = null;
    }
  }

  private byte[] pull() {
    boolean ofHead = parser().canInterrupt();
    if (ofHead) {
      endIfAnswered();
      requestIsOver();
    }
    if (closed) {
      throw new CloseConnectionException("closed");
    }
    byte[] bytes;
    readingSince = now();
    try {
      bytes = socket.get();
    } catch (UncheckedIOException | IllegalStateException e) {
      throw new CloseConnectionException("the connection failed", e);
    } finally {
      readingSince = NEVER;
    }
    if (bytes == null) { // between requests or within one: nobody is there to be answered
      throw new CloseConnectionException("the client closed the connection");
    }
    if (ofHead && headSince == NEVER) {
      headSince = now();
    }
    hold(bytes.length + PIECE_BYTES);
    return bytes;
  }

  private void hold(int bytes) {
    if (!keyed) {
      // A body of known length is taken out of the buffer at once, and thrown away.
      if ((!inRequest || chunked) && !peer.reserve(bytes)) {
        throw new CloseConnectionException("closed: peers without a key hold too much");
      }
    } else if (!inRequest) {
      if (++headPieces > MOST_HEAD_PIECES) {
        throw new CloseConnectionException("closed: the headers come in too many pieces");
      }
    } else if (chunks != null) {
      try {
        chunks.take(bytes);
      } catch (HttpErrors.Refused e) {
        closed = true; // the rest of the body is not read
        throw e;
      }
    }
  }

  /** Returns whether a request on the connection has shown a valid key. */
  boolean isKeyed() {
    return keyed;
  }

  /** Returns since when it waits for a request; NEVER if it does not. */
  long idleSince() {
    long since = readingSince;
    return since != NEVER && headSince == NEVER && parser().canInterrupt() ? since : NEVER;
  }

  /** Returns whether what the connection waits for takes too long. */
  boolean isOverdue(HttpLimits limits, long now) {
    if (isLate(idleSince(), now, limits.idleTime())
        || isLate(headSince, now, limits.headTime())
        || isLate(writingSince, now, limits.stallTime())) {
      return true;
    }
    return !parser().canInterrupt() && isLate(readingSince, now, limits.stallTime());
  }

  private static boolean isLate(long since, long now, Duration most) {
    return since != NEVER && now - since > most.toNanos();
  }

  private long now() {
    long now = door.nanoTime();
    return now == NEVER ? 1 : now;
  }

  /** Closes the socket; the connection's thread ends then. Does not block. */
  void abort() {
    closed = true;
    try {
      socket.close();
    } catch (UncheckedIOException e) {
      HttpConnections.LOG.debug("a connection did not close in order", e);
    }
  }

  @Override
  public void handle(Limit limit) throws InterruptedException {
    try {
      ScopedValue.where(CURRENT, this)
          .call(
              () -> {
                parser().handle(limit);
                return null;
              });
    } finally {
      giveBack();
      peer.close();
      door.left(this, keyed, tenant);
    }
  }

  @Override
  public Duration idleTime() {
    return Duration.ZERO; // the door closes what is idle
  }

  @Override
  public void close(boolean interrupt) {
    parser().close(interrupt);
  }

  @Override
  public boolean canInterrupt() {
    return parser().canInterrupt();
  }

  /** The context that the parser sees, with the connection's own reader and writer. */
  final class Counted implements ConnectionContext {
    private final ConnectionContext context;

    Counted(ConnectionContext context) {
      this.context = context;
    }

    HttpConnection connection() {
      return HttpConnection.this;
    }

    @Override
    public DataReader dataReader() {
      return reader;
    }

    @Override
    public DataWriter dataWriter() {
      return writer;
    }

    @Override
    public ListenerContext listenerContext() {
      return context.listenerContext();
    }

    @Override
    public ExecutorService executor() {
      return context.executor();
    }

    @Override
    public Router router() {
      return context.router();
    }

    @Override
    public Optional<ProxyProtocolData> proxyProtocolData() {
      return context.proxyProtocolData();
    }

    @Override
    public HelidonSocket serverSocket() {
      return context.serverSocket();
    }

    @Override
    public PeerInfo remotePeer() {
      return context.remotePeer();
    }

    @Override
    public PeerInfo localPeer() {
      return context.localPeer();
    }

    @Override
    public boolean isSecure() {
      return context.isSecure();
    }

    @Override
    public String socketId() {
      return context.socketId();
    }

    @Override
    public String childSocketId() {
      return context.childSocketId();
    }
  }

  /** Writes in slices, so that a slow reader is told from one that does not read. */
  private final class CountedWriter implements DataWriter {
    private final DataWriter to;

    CountedWriter(DataWriter to) {
      this.to = to;
    }

    @Override
    public void write(BufferData... buffers) {
      for (BufferData buffer : buffers) {
        write(buffer);
      }
    }

    @Override
    public void writeNow(BufferData... buffers) {
      write(buffers);
    }

    @Override
    public void writeNow(BufferData buffer) {
      write(buffer);
    }

    @Override
    public void write(BufferData buffer) {
      int bytes = buffer.available();
      if (!keyed && !peer.reserve(bytes)) {
        throw new CloseConnectionException("closed: peers without a key hold too much");
      }
      try {
        if (bytes <= SLICE_BYTES) {
          writeSlice(buffer);
        } else {
          byte[] slice = new byte[SLICE_BYTES];
          while (!buffer.consumed()) {
            int count = buffer.read(slice, 0, Math.min(SLICE_BYTES, buffer.available()));
            writeSlice(BufferData.create(slice, 0, count));
          }
        }
      } finally {
        peer.release(bytes);
      }
    }

    private void writeSlice(BufferData slice) {
      writingSince = now();
      try {
        to.writeNow(slice);
      } catch (UncheckedIOException | SocketWriterException e) {
        throw new CloseConnectionException("the answer was not taken", e);
      } finally {
        writingSince = NEVER;
      }
    }

    @Override
    public void close() {
      // The connection's owner closes the writer below.
    }
  }
}
