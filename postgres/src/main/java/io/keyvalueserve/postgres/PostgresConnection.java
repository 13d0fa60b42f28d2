package io.keyvalueserve.postgres;

import io.keyvalueserve.gates.heap.HeapLease;
import io.keyvalueserve.gates.heap.HeapUse;
import io.keyvalueserve.gates.peer.Peer;
import io.keyvalueserve.gates.visit.Visit;
import io.keyvalueserve.postgres.wire.Answers;
import io.keyvalueserve.postgres.wire.Message;
import io.keyvalueserve.postgres.wire.MessageReader;
import io.keyvalueserve.postgres.wire.MessageWriter;
import io.keyvalueserve.postgres.wire.PostgresException;
import io.keyvalueserve.postgres.wire.ProtocolException;
import io.keyvalueserve.tenancy.ConnectedClient;
import io.keyvalueserve.tenancy.Door;
import io.keyvalueserve.tenancy.HostPort;
import io.keyvalueserve.tenancy.Identity;
import io.keyvalueserve.tenancy.Session;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.time.Instant;
import java.util.Map;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One connection of a PostgreSQL client: the bytes that come, and its end. {@link Login} lets it
 * in; a {@link Backend} carries out what it asks for, on a virtual thread.
 *
 * <p>A connection that has not authenticated is a {@link Peer}: it shares one budget with all
 * others, at all doors. Messages wait in an {@link Inbox} while the backend works. Reading stops
 * when too many wait, so what a connection holds is bounded.
 *
 * <p>On the connection's event loop but for {@link #end}, {@link #cancel}, {@link #drain}, {@link
 * #describe} and {@link #identity}, which any thread may call, and what {@link Backend} calls.
 */
final class PostgresConnection extends ChannelInboundHandlerAdapter implements Session {
  private static final Logger LOG = LoggerFactory.getLogger(PostgresConnection.class);

  /** The longest message before it has authenticated; PostgreSQL allows 10,000 bytes too. */
  private static final int MOST_STRANGER_BYTES = 10_000;

  private static final int SECRET_BYTES = 4;
  private static final int LONG_SECRET_BYTES = 32;
  private static final long LEAST_PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

  private static final Executor WORKERS =
      Executors.newThreadPerTaskExecutor(Thread.ofVirtual().name("kvs-postgres-", 0).factory());

  private final DoorHost host;
  private final MessageReader reader = new MessageReader(MOST_STRANGER_BYTES);
  private final Inbox inbox = new Inbox();
  private final Login login;
  private final Instant since = Instant.now();

  private volatile @Nullable Channel channel;
  private volatile @Nullable Identity identity;
  private volatile @Nullable Backend backend;
  private volatile byte[] secret = new byte[0];
  private volatile boolean draining;
  private volatile boolean ended;

  private @Nullable Peer peer;
  private @Nullable Visit visit;
  private @Nullable HeapLease heap;
  private int process;
  private int leasedOfReader;

  /** Says that the last message was answered with a promise of encryption. */
  private boolean encrypting;

  /** Bytes and a message that wait until peers without a key may send requests again. */
  private @Nullable ByteBuf stash;

  private @Nullable Message heldBack;
  private boolean closing;
  private @Nullable ScheduledFuture<?> stallLimit;
  private @Nullable ScheduledFuture<?> idleLimit;

  PostgresConnection(DoorHost host) {
    this.host = host;
    this.login = new Login(this, host);
  }

  // ---- the connection

  @Override
  public void channelActive(ChannelHandlerContext ctx) {
    channel = ctx.channel();
    peer = host.policy().peers().admit(address(), this::closeNow);
    if (!host.admit(this)) {
      fail(new PostgresException("53300", "the member has too many PostgreSQL clients"));
    }
  }

  private @Nullable InetAddress address() {
    return channel().remoteAddress() instanceof InetSocketAddress inet ? inet.getAddress() : null;
  }

  @Override
  public void channelRead(ChannelHandlerContext ctx, Object message) {
    ByteBuf in = (ByteBuf) message;
    Visit present = visit;
    if (present != null) {
      present.arrived(present.apart(), in.readableBytes());
    }
    ByteBuf before = stash;
    if (before != null) {
      stash = null;
      in = Unpooled.wrappedBuffer(before, in);
    }
    readAll(in);
  }

  private void readAll(ByteBuf in) {
    try {
      while (!closing && heldBack == null) {
        Message message = reader.next(in);
        if (message == null) {
          break;
        }
        take(message);
        if (encrypting) {
          encrypting = false;
          if (in.isReadable()) { // what came in the clear must not count as encrypted
            throw new ProtocolException("bytes have come before encryption began");
          }
        }
      }
      account();
    } catch (PostgresException e) {
      fail(e);
    } finally {
      if (in.isReadable() && !closing) {
        stash = in;
      } else {
        in.release();
      }
    }
  }

  private void take(Message message) {
    if (backend != null) {
      enqueue(message);
      return;
    }
    Peer stranger = peer;
    long nanos = stranger == null ? 0 : stranger.request();
    if (nanos == 0) {
      login.handle(message);
      return;
    }
    heldBack = message;
    channel().config().setAutoRead(false);
    var _ =
        channel()
            .eventLoop()
            .schedule(this::goOn, Math.max(nanos, LEAST_PAUSE_NANOS), TimeUnit.NANOSECONDS);
  }

  private void goOn() {
    Message message = heldBack;
    if (message == null || closing) {
      return;
    }
    heldBack = null;
    try {
      take(message);
    } catch (PostgresException e) {
      fail(e);
      return;
    }
    if (heldBack == null) {
      ByteBuf waiting = stash;
      stash = null;
      if (waiting != null) {
        readAll(waiting);
      }
      if (heldBack == null) {
        channel().config().setAutoRead(true);
      }
    }
  }

  /** Counts the memory of a message that has come in part. */
  private void account() {
    int held = reader.heldBytes();
    Peer stranger = peer;
    if (stranger != null) {
      ByteBuf waiting = stash;
      if (!stranger.holds((long) held + (waiting == null ? 0 : waiting.readableBytes()))) {
        closing = true;
      }
      return;
    }
    lease(held - leasedOfReader);
    leasedOfReader = held;
  }

  private void lease(long bytes) {
    HeapLease own = heap;
    if (own == null || bytes == 0) {
      return;
    }
    if (bytes < 0) {
      own.give(-bytes);
    } else if (!own.takeAhead(bytes)) {
      throw new PostgresException("53200", own.refusal());
    }
  }

  private void enqueue(Message message) {
    int bytes = message.heapBytes();
    lease(bytes);
    if (inbox.isClosed()) {
      lease(-bytes);
    } else if (inbox.add(message)) {
      work();
    }
    if (inbox.isFull()) {
      channel().config().setAutoRead(false);
    }
  }

  /** Takes the next message of the client, or null if none waits. By the backend's thread. */
  @Nullable Message next() {
    Message message = inbox.next();
    HeapLease own = heap;
    if (message != null && own != null) {
      own.give(message.heapBytes());
    }
    if (inbox.hasRoom() && !channel().config().isAutoRead()) {
      onEventLoop(this::readAgain);
    }
    return message;
  }

  private void readAgain() {
    if (inbox.hasRoom() && !closing) {
      channel().config().setAutoRead(true);
    }
  }

  private void work() {
    Backend own = backend;
    if (own != null) {
      WORKERS.execute(own);
    }
  }

  Inbox inbox() {
    return inbox;
  }

  @Override
  public void channelWritabilityChanged(ChannelHandlerContext ctx) {
    Backend own = backend;
    if (own != null) {
      own.outbox().changed();
    }
    ScheduledFuture<?> limit = stallLimit;
    if (ctx.channel().isWritable()) {
      if (limit != null) {
        limit.cancel(false);
        stallLimit = null;
      }
    } else if (limit == null) {
      long millis = host.config().longestStall().toMillis();
      stallLimit =
          ctx.executor().schedule(() -> end("it did not read"), millis, TimeUnit.MILLISECONDS);
    }
  }

  @Override
  public void channelInactive(ChannelHandlerContext ctx) {
    closing = true;
    ended = true;
    ScheduledFuture<?> limit = stallLimit;
    if (limit != null) {
      limit.cancel(false);
    }
    ScheduledFuture<?> idle = idleLimit;
    if (idle != null) {
      idle.cancel(false);
    }
    ByteBuf waiting = stash;
    if (waiting != null) {
      stash = null;
      waiting.release();
    }
    Peer stranger = peer;
    if (stranger != null) {
      stranger.close();
    }
    if (identity != null) {
      host.unregister(process, this);
      host.policy().sessions().unregister(this);
    }
    Backend own = backend;
    if (own != null) {
      lease(-leasedOfReader);
      leasedOfReader = 0;
      own.cancel();
      own.outbox().changed();
      boolean isIdle = inbox.close();
      lease(-inbox.droppedBytes());
      if (isIdle) {
        work(); // it closes what is open
      }
    }
    host.departed(this);
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
    if (cause instanceof IOException) {
      LOG.debug("a connection is broken: {}", cause.toString());
    } else {
      LOG.error("a connection ends after a defect", cause);
    }
    closeNow();
  }

  // ---- before the session

  /** Answers a request for encryption. */
  void encrypt(boolean isTls) {
    ChannelHandler handler = isTls ? host.config().encryption().handler(channel()) : null;
    if (handler == null) {
      var _ = channel().writeAndFlush(Unpooled.wrappedBuffer(new byte[] {'N'}));
      return;
    }
    if (reader.isWithinMessage() || stash != null) {
      throw new ProtocolException("bytes have come before encryption began");
    }
    var _ = channel().writeAndFlush(Unpooled.wrappedBuffer(new byte[] {'S'}));
    channel().pipeline().addFirst(handler);
    encrypting = true;
  }

  /** From the next message on, messages have a type. */
  void expectTypes() {
    reader.withTypes();
  }

  /** Sends messages. Before the session begins. */
  void send(MessageWriter out) {
    if (out.size() > 0) {
      var _ = channel().writeAndFlush(Unpooled.wrappedBuffer(out.take()));
    }
  }

  /** Counts a key that was refused; returns in how many milliseconds the address may try again. */
  long keyRefused(String shown) {
    return host.policy().keyRefused(shown, Door.POSTGRES, remote());
  }

  private SocketAddress remote() {
    SocketAddress address = channel().remoteAddress();
    return address == null ? InetSocketAddress.createUnresolved("unknown", 0) : address;
  }

  /** Begins the session of a tenant. */
  void enter(Identity who, int minor, Map<String, String> parameters) {
    Visit begun = Visit.begin(host.policy(), who, Door.POSTGRES);
    identity = who;
    Visit.NoEntry refusal = begun.enter(this);
    if (refusal != null) {
      identity = null;
      throw switch (refusal.entry()) {
        case TOO_MANY, RESERVED -> new PostgresException("53300", refusal.reason());
        case ENTERED, NO_LONGER_VALID ->
            new PostgresException("28P01", "the tenant or its access key is no longer valid");
      };
    }
    Peer stranger = peer;
    peer = null;
    if (stranger != null && !stranger.authenticated()) {
      closing = true; // the budget has closed the connection
      return;
    }
    visit = begun;
    heap = host.policy().admissions().memberHeap().lease(who.number(), HeapUse.POSTGRES);
    secret = host.secret(minor >= Startup.NEWEST_MINOR ? LONG_SECRET_BYTES : SECRET_BYTES);
    process = host.register(this);
    reader.limit(host.config().mostMessageBytes());
    Settings settings = Settings.of(parameters, host.services().version());
    Backend next = new Backend(this, host, begun, settings, new Outbox(channel(), begun));
    begun.entered(remote());
    MessageWriter out = new MessageWriter();
    Answers.authentication(out, 0).end();
    settings.reported().forEach((name, value) -> Answers.parameter(out, name, value));
    out.begin('K').int32(process).bytes(secret).end();
    Answers.ready(out, 'I');
    byte[] bytes = out.take();
    begun.answered(begun.apart(), bytes.length);
    var _ = channel().writeAndFlush(Unpooled.wrappedBuffer(bytes));
    backend = next;
    if (ended) {
      closeNow(); // it was ended before it could be told to
    }
  }

  int process() {
    return process;
  }

  byte[] secret() {
    return secret;
  }

  // ---- its end

  /** Tells the client of an error, and closes the connection. On the event loop. */
  private void fail(PostgresException error) {
    closing = true;
    MessageWriter out = new MessageWriter();
    Answers.error(out, error, /* isFatal= */ true);
    channel().config().setAutoRead(false);
    var _ =
        channel()
            .writeAndFlush(Unpooled.wrappedBuffer(out.take()))
            .addListener(ChannelFutureListener.CLOSE);
  }

  /** Tells the client of an error, and closes the connection. Any thread. */
  void failLater(PostgresException error) {
    onEventLoop(() -> fail(error));
  }

  void closeNow() {
    Channel known = channel;
    if (known != null) {
      var _ = known.close();
    }
  }

  @Override
  public void end(String reason) {
    if (ended) {
      return;
    }
    ended = true;
    LOG.info("a PostgreSQL connection is ended: {}", reason);
    Backend own = backend;
    if (own != null) {
      own.cancel();
      if (channel().isWritable()) {
        failLater(new PostgresException("57P01", "the connection is ended: " + reason));
        return;
      }
    }
    closeNow();
  }

  /** Ends the connection when what it does is done. Any thread. */
  void drain() {
    draining = true;
    onEventLoop(
        () -> {
          if (!inbox.isWorking()) {
            endIfDraining();
          }
        });
  }

  /** Ends the connection if the member stops. Called when the client waits for nothing. */
  void endIfDraining() {
    if (draining) {
      failLater(new PostgresException("57P01", "the member stops: connect to another one"));
    }
  }

  /** Runs something on the event loop, if that has not ended. */
  private void onEventLoop(Runnable task) {
    Channel known = channel;
    if (known == null) {
      return;
    }
    try {
      known.eventLoop().execute(task);
    } catch (RejectedExecutionException e) {
      LOG.debug("the event loop has ended");
    }
  }

  /** Ends the session if it is idle for too long. Called when the client waits for nothing. */
  void watchIdle(long millis) {
    onEventLoop(
        () -> {
          ScheduledFuture<?> before = idleLimit;
          if (before != null) {
            before.cancel(false);
          }
          long seen = reader.messages();
          idleLimit =
              channel()
                  .eventLoop()
                  .schedule(() -> endIfIdleSince(seen), millis, TimeUnit.MILLISECONDS);
        });
  }

  private void endIfIdleSince(long messages) {
    if (reader.messages() == messages && !inbox.isWorking() && !closing) {
      fail(new PostgresException("57P05", "the session was idle: idle_session_timeout"));
    }
  }

  /** Ends the statement that is carried out, if one is. Any thread. */
  void cancel() {
    Backend own = backend;
    if (own != null) {
      own.cancel();
    }
  }

  // ---- what others see of it

  @Override
  public Identity identity() {
    Identity known = identity;
    if (known == null) {
      throw new IllegalStateException("the session has not authenticated");
    }
    return known;
  }

  @Override
  public ConnectedClient describe() {
    Backend own = backend;
    return new ConnectedClient(
        Door.POSTGRES,
        client(),
        own == null ? "" : own.applicationName(),
        "",
        "",
        since,
        own == null ? "" : own.lastCommand());
  }

  /** Returns where the client connects from. */
  String client() {
    return remote() instanceof InetSocketAddress inet && inet.getAddress() != null
        ? HostPort.of(inet.getAddress().getHostAddress(), inet.getPort())
        : String.valueOf(remote());
  }

  private Channel channel() {
    Channel known = channel;
    if (known == null) {
      throw new IllegalStateException("the connection is not open yet");
    }
    return known;
  }
}
