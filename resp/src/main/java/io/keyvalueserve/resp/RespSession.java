package io.keyvalueserve.resp;

import io.keyvalueserve.engine.Outcome;
import io.keyvalueserve.gates.fairness.Claim;
import io.keyvalueserve.gates.fairness.Slice;
import io.keyvalueserve.gates.peer.Peer;
import io.keyvalueserve.resp.StrangerLog.Stranger;
import io.keyvalueserve.resp.command.CommandException;
import io.keyvalueserve.resp.command.Errors;
import io.keyvalueserve.resp.protocol.FirstBytes;
import io.keyvalueserve.resp.protocol.HttpRequests;
import io.keyvalueserve.resp.protocol.ProtocolException;
import io.keyvalueserve.resp.protocol.Reply;
import io.keyvalueserve.resp.protocol.ReplyWriter;
import io.keyvalueserve.resp.protocol.Request;
import io.keyvalueserve.resp.protocol.RequestDecoder;
import io.keyvalueserve.resp.watch.TenantDesk;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelOutboundBuffer;
import io.netty.channel.EventLoop;
import io.netty.channel.socket.ChannelInputShutdownEvent;
import io.netty.channel.socket.DuplexChannel;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One connection of a Redis client: the bytes that come, the replies that go, and its end.
 *
 * <p>Requests are carried out one after the other, exactly in the order they came. While nothing
 * waits, they go the {@link DirectPath}, which answers them where they lie; what that leaves goes,
 * with all that follows, the {@link QueuedPath}, until that is done. Replies are written in the
 * same order and flushed at the end of each turn: when the session has nothing more to do or must
 * wait.
 *
 * <p>While sessions of other tenants are on its event loop, what comes waits for the session's turn
 * ({@link FairTurns}), and a turn ends in time: what is left over waits for the next one.
 *
 * <p>A connection that has not authenticated is a {@link Peer}: it shares one budget and one turn
 * with all others, and is closed when it holds too much, stays too long, or the budget needs room.
 *
 * <p>While the client does not read what it is sent, its requests are read ahead and wait as they
 * came, as long as there is room ({@link BacklogRoom}): a client that writes all its requests
 * before it reads would wait for ever else. Reading stops when there is none, or too much is
 * queued, so what a connection holds is bounded. An idle one holds no buffer and no queue.
 *
 * <p>Everything happens on the connection's event loop but {@link #onEventLoop} and {@link
 * #closeNow}, which any thread may call.
 */
final class RespSession extends ChannelInboundHandlerAdapter implements SessionLoop {
  private static final Logger LOG = LoggerFactory.getLogger(RespSession.class);

  /** The lines and arguments of requests that are read between two looks at the clock. */
  private static final int READ_AT_ONCE = 128;

  /** The time that a client that is to go may take to read its last replies. */
  private static final long LINGER_SECONDS = 5;

  /** The bytes of a monitor's lines that are written between others' requests. */
  private static final int LINES_AT_ONCE_BYTES = 32 << 10;

  /** The longest time until a paused session looks whether its pause was ended. */
  private static final long LONGEST_SLEEP_MILLIS = TimeUnit.MINUTES.toMillis(1);

  /** The sort of work of writing a message: that of a command which is not known. */
  private static final int MESSAGES = 0;

  /** The shortest wait when peers without a key have sent too many requests. */
  private static final long LEAST_PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

  private static final byte[] HTTP_ANSWER =
      httpAnswer(
          "This port speaks the Redis protocol (RESP), not HTTP. HTTP is at the port that the"
              + " setting http-port names, 8080 unless it is set.\n");

  private final SessionHost host;
  private final long id;
  private final RequestDecoder decoder;
  private final RespClient client;
  private final LargeRoom room;
  private final Backlog backlog;
  private final Arrivals arrivals = new Arrivals();
  private final FirstBytes firstBytes = new FirstBytes();

  /** The time at which the bytes were read that are served now. */
  private long readNanos;

  /** About the time now, when requests are served where they lie. */
  private long serveNanos;

  /** True while it will look again whether a pause has ended. */
  private boolean isToWake;

  // From handlerAdded on.
  private @Nullable ChannelHandlerContext context;
  private @Nullable ReplyGate gate;
  private @Nullable ReplyWriter writer;
  private @Nullable ReplyLane lane;
  private @Nullable DirectPath direct;
  private @Nullable QueuedPath queued;
  private @Nullable FairTurns turns;

  /** The session's part of the budget of all connections without a tenant, while it has none. */
  private @Nullable Peer peer;

  /** True while it waits until peers without a key may send requests again. */
  private boolean heldBack;

  /** The session's claim, while it speaks for a tenant, or has none and has sent something. */
  private @Nullable Claim<RespSession> claim;

  /** True while the session works on requests. Bytes that come in meanwhile wait for it. */
  private boolean inTurn;

  /** No more is read; the session ends when what was read is done. */
  private boolean draining;

  /** True when nothing more is done. */
  private boolean closing;

  /** True while the session only waits for the client to close. */
  private boolean lingering;

  private Reply.@Nullable ErrorLine protocolError;
  private @Nullable ScheduledFuture<?> stallLimit;

  RespSession(SessionHost host, long id) {
    this.host = host;
    this.id = id;
    this.room = new LargeRoom(this, host.largeBytes());
    this.backlog = new Backlog(host.backlogRoom().new Part());
    this.client = new RespClient(this, host, id);
    this.decoder =
        new RequestDecoder(
            host.requestLimits(), this::enqueue, room, new LargeValues(host.commands(), client));
  }

  // ---- the connection

  @Override
  public void handlerAdded(ChannelHandlerContext ctx) {
    DirectPath path = host.directPath();
    EventLoop loop = ctx.channel().eventLoop();
    PacedReplies paced = new PacedReplies(ctx, host.pieceTurns(loop), this::tenantNumber);
    ReplyGate out = new ReplyGate(this, ctx, paced, host.heldTurns(loop));
    ReplyWriter output = new ReplyWriter(ctx.alloc(), out, path.replies(), room);
    context = ctx;
    gate = out;
    writer = output;
    direct = path;
    FairTurns fair = host.fairTurns(loop);
    turns = fair;
    ReplyLane replies = new ReplyLane(client, output, out, room, ctx.channel());
    lane = replies;
    queued = new QueuedPath(this, host, client, replies, room, fair.slice());
  }

  @Override
  public void channelActive(ChannelHandlerContext ctx) {
    begin();
    turns().passing();
  }

  private void begin() {
    var _ = withoutKey();
    if (!host.admit(this)) {
      refuse(Reply.error("ERR max number of clients reached"));
      return;
    }
    try {
      client.enterAnonymously();
    } catch (CommandException e) {
      refuse(e.reply());
    }
  }

  @Override
  public void channelRead(ChannelHandlerContext ctx, Object message) {
    ByteBuf in = (ByteBuf) message;
    long now = host.nanoTime();
    if (!firstBytes.isKnown() && isOtherProtocol(in)) {
      in.release();
      return;
    }
    if (claim == null && !closing) {
      claim = turns().enterWithoutTenant(this);
    }
    if (mustWait()) {
      readLater(in, now);
    } else {
      readNow(in, now);
      if (claim == null) {
        turns().passing();
      }
    }
  }

  // ---- other protocols

  /** Looks at the first bytes, and ends the connection if they are of another protocol. */
  private boolean isOtherProtocol(ByteBuf in) {
    switch (firstBytes.look(in)) {
      case RESP -> {
        return false;
      }
      case HAZELCAST_CLIENT -> endStranger(Stranger.HAZELCAST_CLIENT);
      case TLS -> {
        logStranger(Stranger.TLS);
        writer().write(Reply.error("ERR this port speaks no TLS: connect without it"));
        closeWhenSeen();
      }
    }
    return true;
  }

  /** Ends the connection if a request is a line of HTTP. */
  private boolean isHttp(Request request) {
    if (HttpRequests.isFromWebPage(request)) {
      endStranger(Stranger.WEB_PAGE);
      return true;
    }
    if (HttpRequests.isRequestLine(request)) {
      logStranger(Stranger.HTTP);
      if (bytesWritten() == 0) {
        gate().write(Unpooled.wrappedBuffer(HTTP_ANSWER), null);
      }
      closeWhenSeen();
      return true;
    }
    return false;
  }

  private void logStranger(Stranger stranger) {
    host.strangers().closed(stranger, context().channel().remoteAddress());
  }

  /** Ends the connection at once: nothing more of it is served. */
  private void endStranger(Stranger stranger) {
    logStranger(stranger);
    closing = true;
    dropRequests();
    closeNow();
  }

  private static byte[] httpAnswer(String text) {
    return ("HTTP/1.1 400 Bad Request\r\nContent-Type: text/plain\r\nContent-Length: "
            + text.length()
            + "\r\nConnection: close\r\n\r\n"
            + text)
        .getBytes(StandardCharsets.US_ASCII);
  }

  // ---- without a key

  /** Its part of the budget of connections without a key, which it enters if it has not. */
  private Peer withoutKey() {
    Peer known = peer;
    if (known == null) {
      known = host.peers().admit(address(), this::closeNow);
      peer = known;
    }
    return known;
  }

  private @Nullable InetAddress address() {
    return context().channel().remoteAddress() instanceof InetSocketAddress inet
        ? inet.getAddress()
        : null;
  }

  /**
   * Counts the next request. If the peers without a key have sent too many, nothing more is read or
   * served for a while.
   *
   * @return whether it may be served now
   */
  boolean mayServeNext() {
    if (client.isAuthenticated()) {
      return true;
    }
    long nanos = withoutKey().request();
    if (nanos == 0) {
      return true;
    }
    heldBack = true;
    var _ =
        context()
            .executor()
            .schedule(this::serveAgain, Math.max(nanos, LEAST_PAUSE_NANOS), TimeUnit.NANOSECONDS);
    return false;
  }

  /** Returns whether it waits until peers without a key may send requests again. */
  boolean isHeldBack() {
    return heldBack;
  }

  private void serveAgain() {
    heldBack = false;
    goOnOrFail();
  }

  /**
   * Tells the budget how much memory the connection takes.
   *
   * @return false if it takes too much: it is closed
   */
  private boolean isWithinBudget() {
    long bytes =
        pendingBytes() + backlog.capacity() + decoder.bufferedBytes() + queued().queue().bytes();
    if (withoutKey().holds(bytes)) {
      return true;
    }
    LOG.debug("connection {} is closed: it has no key, and held {} bytes", id, bytes);
    closing = true;
    dropRequests();
    return false;
  }

  private void readNow(ByteBuf in, long nanos) {
    readNanos = nanos;
    serveNanos = nanos;
    try {
      client.countBytesIn(in.readableBytes());
      if (isReading()) {
        read(in);
      }
      if (in.isReadable() && claim != null && isReading()) {
        backlog.add(in.retain(), nanos);
      }
    } catch (ProtocolException e) {
      protocolError = e.reply();
    } finally {
      in.release();
    }
    pump();
  }

  private boolean isReading() {
    return !closing && !draining && protocolError == null;
  }

  @Override
  public void channelWritabilityChanged(ChannelHandlerContext ctx) {
    if (ctx.channel().isWritable()) {
      ScheduledFuture<?> limit = stallLimit;
      if (limit != null) {
        limit.cancel(false);
        stallLimit = null;
      }
      goOn();
      client.showWaitingLines();
    } else {
      if (stallLimit == null) {
        stallLimit =
            ctx.executor()
                .schedule(
                    this::cutOffStalled,
                    host.config().output().longestStall().toMillis(),
                    TimeUnit.MILLISECONDS);
      }
      adjustReading();
    }
  }

  @Override
  public void userEventTriggered(ChannelHandlerContext ctx, Object event) {
    if (event == ChannelInputShutdownEvent.INSTANCE) {
      if (lingering) {
        closeNow();
      } else {
        drain(); // the client sends no more, but may still want its replies
      }
    }
  }

  @Override
  public void channelInactive(ChannelHandlerContext ctx) {
    closing = true;
    dropRequests();
    ScheduledFuture<?> limit = stallLimit;
    if (limit != null) {
      limit.cancel(false);
    }
    gate().close();
    client.departed();
    Peer known = peer;
    if (known != null) {
      known.close();
    }
    room.departed();
    host.departed(this);
    turns().passing();
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
    if (cause instanceof IOException) {
      LOG.debug("connection {} is broken: {}", id, cause.toString());
    } else {
      LOG.error("connection {} ends after a defect", id, cause);
    }
    closing = true;
    writer().discard();
    closeNow();
  }

  /** Reads no more, and ends when what was read is done and answered. Event loop. */
  void drain() {
    draining = true;
    client.stopWaiting();
    goOn();
  }

  /** Tells the client why it is not served, and ends. */
  void refuse(Reply error) {
    writer().write(error);
    closeWhenSent();
  }

  private void cutOffStalled() {
    String reason = "it did not read its replies in time";
    if (client.deliveries() == null) {
      cutOff(reason);
    } else {
      host.channels().cutOff();
      cutOffSubscriber(reason);
    }
  }

  void cutOff(String reason) {
    LOG.warn(
        "a client is cut off: {}; tenant={} connection={} pendingBytes={}",
        reason,
        client.tenant(),
        id,
        pendingBytes());
    closing = true;
    dropRequests();
    closeNow();
  }

  @SuppressWarnings("FutureReturnValueIgnored") // there is nobody left to tell of a failed close
  void closeNow() {
    context().close();
  }

  /** Ends the connection at once. Any thread. */
  void end(String reason) {
    client.end(reason);
  }

  /** Does no more; sends what is written and closes. */
  void closeWhenSent() {
    sendRest(ChannelFutureListener.CLOSE);
  }

  /**
   * Does no more; sends what is written, and closes when the client has: it may be sending still,
   * and a connection that is closed with bytes that nobody has read is reset, which can take from
   * the client what it has not read yet. What it sends is dropped.
   */
  private void closeWhenSeen() {
    if (context().channel() instanceof DuplexChannel channel && !channel.isInputShutdown()) {
      lingering = true;
      sendRest(
          sent -> {
            var _ = channel.shutdownOutput();
          });
      channel.config().setAutoRead(true);
    } else {
      closeWhenSent();
    }
  }

  private void sendRest(ChannelFutureListener whenSent) {
    closing = true;
    dropRequests();
    ChannelHandlerContext ctx = context();
    writer().flush();
    gate().whenSent(whenSent);
    if (ctx.channel().isActive()) {
      java.util.concurrent.Future<?> linger =
          ctx.executor().schedule(this::closeNow, LINGER_SECONDS, TimeUnit.SECONDS);
      ctx.channel().closeFuture().addListener(closed -> linger.cancel(false));
    }
  }

  /** Nobody will ever know whether what the client would have been told is so: it is told that. */
  void lost(Outcome.Failure failure) {
    LOG.error(
        "a client is cut off: {}; tenant={} connection={}", failure.message(), client.tenant(), id);
    dropRequests();
    writer().write(Errors.of(failure));
    closeWhenSent();
  }

  private void dropRequests() {
    decoder.discard();
    queued().discard();
    backlog.clear();
  }

  /** Returns whether requests are still served. */
  boolean isOpen() {
    return !closing && !client.hasEnded();
  }

  // ---- requests

  /**
   * Takes what has come. What belongs to a request that began in an earlier read is read first, so
   * that the short way is open again behind it.
   */
  private void read(ByteBuf in) throws ProtocolException {
    if (client.isAuthenticated() && queued().isIdle()) {
      inTurn = true;
      try {
        if (!decoder.isAtBoundary()) {
          readRest(in);
          queued().run();
          serveNanos = host.nanoTime();
        }
        if (in.isReadable()
            && decoder.isAtBoundary()
            && queued().isIdle()
            && client.isAuthenticated()
            && !client.isInBlock()
            && client.mayGoDirect()
            && !client.isRestricted()
            && isOpen()) {
          int served = path().serve(in, client, lane(), turns().slice(), serveNanos);
          arrivals.add(readNanos, served);
        }
      } finally {
        inTurn = false;
      }
    }
    while (mayTakeMore()
        && !turns().slice().isOver()
        && in.isReadable()
        && decoder.decode(in, mayReadMany() ? READ_AT_ONCE : 1)) {
      turns().slice().look();
    }
  }

  /**
   * Returns whether more requests may be decoded. Without a key, the client has one request at a
   * time.
   */
  private boolean mayTakeMore() {
    if (!client.isAuthenticated()) {
      return queued().isIdle();
    }
    if (decoder.isAtBoundary() && queued().isPaused()) {
      return false; // what comes now waits as bytes
    }
    return claim == null || (lane().isWritable() && queued().queue().hasRoom(false));
  }

  private boolean mayReadMany() {
    return client.isAuthenticated() && client.mayGoDirect();
  }

  private boolean mayGoOnReading() {
    return client.isAuthenticated() ? mayTakeMore() : !heldBack;
  }

  private void readRest(ByteBuf in) throws ProtocolException {
    while (!turns().slice().isOver() && decoder.decodeRest(in, READ_AT_ONCE)) {
      turns().slice().look();
    }
  }

  private void enqueue(Request request) {
    if (closing) {
      request.discard();
      return;
    }
    if (isHttp(request)) {
      return;
    }
    queued().queue().add(request);
    arrivals.add(readNanos, 1);
    if (request.heldBytes() > 0) {
      client.largeRequestCame();
    }
    if (!client.isAuthenticated() && !inTurn) {
      runQueued(); // what may be sent next depends on whether this one authenticates
    }
  }

  /**
   * Says whether the client speaks for a tenant: then it may send large requests, and leaves the
   * budget of those without a key.
   */
  void trust(boolean isTrusted) {
    decoder.trust(isTrusted);
    Peer known = peer;
    if (isTrusted && known != null) {
      peer = null;
      var _ = known.authenticated(); // if it was closed before, so is the channel
    }
    Claim<RespSession> before = claim;
    if (before != null) {
      turns().leave(before);
    }
    if (isTrusted) {
      claim = turns().enter(client.identity().number(), this);
    } else {
      claim = closing ? null : turns().enterWithoutTenant(this);
    }
  }

  /** Goes on as far as possible, and sends the replies. */
  private void pump() {
    if (inTurn) {
      return;
    }
    QueuedPath path = queued();
    inTurn = true;
    try {
      do {
        writeMessages();
        path.run();
        long now = host.nanoTime();
        client.account(now);
        if (!closing) {
          gate().finish(arrivals.size() - gate().heldRequests() - path.unanswered(), now);
        }
        writer().flush();
      } while (mayGoOnNow(path)); // flushing may have made room
    } finally {
      inTurn = false;
      writer().discard(); // has something after a defect only
    }
    settle();
    client.showWaitingLinesLater();
    if ((path.isInParts() && path.mayGoOn())
        || ((!backlog.isEmpty() || hasMessages()) && hasWork())) {
      awaitTurn();
    }
  }

  // ---- messages

  /** Writes messages that have come, if there are any. On the event loop, out of turn. */
  void deliver() {
    if (closing) {
      writeMessages();
    } else {
      goOnOrFail();
    }
  }

  /**
   * Writes messages as far as the slice goes and the client reads; none while the session ends.
   * Does not hold up those for others then.
   */
  private void writeMessages() {
    Deliveries messages = client.deliveries();
    if (messages == null) {
      return;
    }
    Slice slice = turns().slice();
    while (hasMessages() && !slice.isOver()) {
      long before = writer().bytesWritten();
      messages.writeNext(writer());
      slice.worked(MESSAGES, 1, writer().bytesWritten() - before);
    }
    if (!hasMessages()) {
      messages.settle();
    }
  }

  /** Returns whether messages wait that may be written. */
  private boolean hasMessages() {
    Deliveries messages = client.deliveries();
    return messages != null
        && !closing
        && !messages.isEmpty()
        && !queued().holdsMessages()
        && lane().isWritable();
  }

  /** Returns the bytes that wait behind the session's own queues. */
  long outboundBytes() {
    return pendingBytes();
  }

  /** Ends the connection of a subscriber that lets too much wait. */
  void cutOffSubscriber(String reason) {
    long before = host.slowSubscribers().take();
    if (before >= 0) {
      LOG.warn(
          "a subscriber is cut off: {}; tenant={} connection={} lines left out before: {}",
          reason,
          client.tenant(),
          id,
          before);
    }
    closing = true;
    dropRequests();
    closeNow();
  }

  /** The oldest requests are answered now. */
  void answered(int requests) {
    if (requests > 0) {
      answered(requests, host.nanoTime());
    }
  }

  /** The oldest requests were answered at a time. */
  void answered(int requests, long nanos) {
    arrivals.take(requests, nanos, client.latency());
  }

  /** Returns whether a request is queued that holds memory for large values. */
  boolean hasLargeRequests() {
    return queued().queue().heldBytes() > 0;
  }

  /** The requests that are not answered yet have waited because the client asked for it. */
  void restartArrivals() {
    arrivals.restart(host.nanoTime());
  }

  private boolean mayGoOnNow(QueuedPath path) {
    Slice slice = turns().slice();
    return !slice.isOver()
        && (slice.isBounded() || !path.isInParts())
        && (path.mayGoOn() || hasMessages());
  }

  /** Does what is due when no request can go on. */
  private void settle() {
    if (closing) {
      return;
    }
    if (pendingBytes() > host.config().output().mostPendingBytes()) {
      cutOff("too many bytes of replies wait for it");
      return;
    }
    if (!client.isAuthenticated() && !isWithinBudget()) {
      return;
    }
    if (queued().isIdle() && backlog.isEmpty()) {
      queued().queue().trim();
      backlog.trim();
      arrivals.trim();
      Reply.ErrorLine error = protocolError;
      if (error != null) {
        writer().write(error);
        closeWhenSeen();
        return;
      }
      if (draining) {
        closeWhenSent();
        return;
      }
    }
    adjustReading();
  }

  // ---- turns

  /** Returns whether work waits for the session's turn. */
  private boolean mustWait() {
    return claim != null
        && (turns().isContended()
            || !backlog.isEmpty()
            || queued().isInParts()
            || !client.isAuthenticated());
  }

  /** Returns whether the session would use a turn. */
  private boolean hasWork() {
    return !closing
        && (queued().mayGoOn()
            || hasMessages()
            || (!backlog.isEmpty() && !room.isWaiting() && mayGoOnReading()));
  }

  /** Takes what has come over, for the session's turn. */
  private void readLater(ByteBuf in, long nanos) {
    client.countBytesIn(in.readableBytes());
    if (!isReading()) {
      in.release();
      return;
    }
    backlog.add(in, nanos);
    if (!client.isAuthenticated() && !isWithinBudget()) {
      return;
    }
    if (!heldBack && hasWork()) {
      awaitTurn();
    }
    if (!client.isAuthenticated() || !backlog.hasRoom(false)) {
      adjustReading();
    }
  }

  private void awaitTurn() {
    Claim<RespSession> own = claim;
    if (own != null) {
      turns().ready(own);
    }
  }

  /** Goes on as far as possible, at once or in the session's turn. */
  private void goOn() {
    if (inTurn) {
      return;
    }
    if (mustWait() && hasWork()) {
      awaitTurn();
    } else {
      readBacklog();
      pump();
    }
  }

  /**
   * Goes on, unless it is the claim's turn that it waits for. What fails ends this session only.
   */
  void goOnUnless(Claim<RespSession> awaited) {
    if (!awaited.equals(claim)) {
      goOnOrFail();
    }
  }

  private void goOnOrFail() {
    try {
      goOn();
    } catch (RuntimeException | Error e) {
      context().pipeline().fireExceptionCaught(e);
    }
  }

  /**
   * Serves what waits, in the session's turn.
   *
   * @return whether there is more
   */
  boolean serveSlice() {
    try {
      readBacklog();
      pump();
      return hasWork();
    } catch (RuntimeException | Error e) {
      context().pipeline().fireExceptionCaught(e);
      return false;
    }
  }

  /** Reads what waits, as far as the slice goes and there is room. */
  private void readBacklog() {
    try {
      ByteBuf in;
      while (!closing && (in = backlog.first()) != null) {
        runQueued();
        if (turns().slice().isOver() || !mayTakeMore() || !room.mayRead(decoder)) {
          return;
        }
        readNanos = backlog.firstNanos();
        serveNanos = client.leastSlowNanos() == TenantDesk.NEVER ? 0 : host.nanoTime();
        in.retain(); // the session may end meanwhile, and its backlog with it
        try {
          read(in);
          if (!closing && !in.isReadable()) {
            backlog.removeFirst();
          }
        } finally {
          in.release();
        }
      }
    } catch (ProtocolException e) {
      protocolError = e.reply();
      backlog.clear();
    }
  }

  private void runQueued() {
    inTurn = true;
    try {
      queued().run();
    } finally {
      inTurn = false;
    }
  }

  /** Runs tasks when the event loop has gone through what it has found to do. */
  Executor endOfTurn() {
    return context().executor();
  }

  /** Returns whether the current thread is the session's event loop. Any thread. */
  boolean isOnEventLoop() {
    return context().executor().inEventLoop();
  }

  @Override
  public boolean onEventLoop(Runnable completion) {
    try {
      context().executor().execute(completion);
      return true;
    } catch (RejectedExecutionException e) {
      LOG.debug("connection {} is gone, and with it its event loop", id);
      return false;
    }
  }

  /** Gives back room that was taken for requests. */
  void giveBack(long bytes) {
    if (bytes > 0) {
      room.requestDone(bytes);
    }
  }

  /** Has a reply, or something for one, made on the event loop. */
  <T> CompletionStage<T> finish(Supplier<T> task) {
    CompletableFuture<T> reply = new CompletableFuture<>();
    boolean runs =
        onEventLoop(
            () -> {
              try {
                reply.complete(task.get());
              } catch (RuntimeException | Error e) {
                reply.completeExceptionally(e); // else the client would wait for ever
                if (e instanceof Error error) {
                  throw error;
                }
              }
            });
    if (!runs) {
      reply.completeExceptionally(new IllegalStateException("the connection is gone"));
    }
    return reply;
  }

  @Override
  public void completed(Batch batch) {
    queued().completed(batch);
    goOn();
  }

  void completed(Awaited<Reply> pending) {
    queued().completed(pending);
    writer().flush(); // the buffer is the loop's, and this session may have to wait for its turn
    goOn();
  }

  // ---- what its tenant sees, and pauses

  /** Sends the lines that wait for its monitor. On the event loop, out of turn. */
  void showLines(MonitorFeed feed) {
    if (!isOpen() || !client.isFedBy(feed) || queued().isWithinReply()) {
      return; // if it is within a reply, it is told again behind that
    }
    String line;
    while (writer().bytesGathered() < LINES_AT_ONCE_BYTES
        && lane().isWritable()
        && (line = feed.next()) != null) {
      writer().write(new Reply.Status(line));
    }
    client.account(host.nanoTime());
    writer().flush();
    settle();
    if (lane().isWritable()) {
      feed.goOn();
    }
  }

  /** Looks again whether the session's pause has ended, in a while. */
  void wakeAfter(long nanos) {
    if (!isToWake) {
      long millis = TimeUnit.NANOSECONDS.toMillis(nanos) + 1;
      isToWake = later(this::wake, Math.min(millis, LONGEST_SLEEP_MILLIS));
    }
  }

  private void wake() {
    isToWake = false;
    goOnOrFail();
  }

  /** Ends it when it is idle for as long as its tenant has set. */
  void watchIdle() {
    client.watchIdle();
  }

  /** Returns whether requests wait or are under way. */
  boolean hasRequests() {
    return !queued().isIdle() || !backlog.isEmpty() || !decoder.isAtBoundary();
  }

  // ---- back-pressure

  /** Goes on, now that there is room that it waited for. */
  void resumeWithRoom(boolean beyond) {
    if (beyond) {
      var _ =
          context()
              .executor()
              .schedule(
                  () -> {
                    if (room.holdsOthersUp()) {
                      cutOff("it did not send the rest of a large request in time");
                    }
                  },
                  host.config().output().longestStall().toMillis(),
                  TimeUnit.MILLISECONDS);
    }
    goOn();
  }

  /** Returns whether a request has come in part. */
  boolean hasBegunRequest() {
    return !decoder.isAtBoundary();
  }

  @Override
  public void resume() {
    goOn();
    client.showWaitingLines();
  }

  private void adjustReading() {
    ChannelHandlerContext ctx = context();
    boolean reading = ctx.channel().config().isAutoRead();
    boolean wanted = isReading() && room.mayRead(decoder) && mayRead(!reading);
    if (wanted != reading) {
      ctx.channel().config().setAutoRead(wanted);
    }
  }

  /**
   * Returns whether there is room for what may be read, either at once or until the client has read
   * its replies.
   */
  private boolean mayRead(boolean emptying) {
    boolean readsReplies = context().channel().isWritable();
    boolean hasKey = client.isAuthenticated();
    boolean hasRoom =
        queued().queue().hasRoom(emptying)
            && (hasKey ? backlog.hasRoom(emptying) : backlog.isEmpty())
            && gate().hasRoom()
            && readsReplies;
    return hasRoom || (!readsReplies && hasKey && backlog.mayReadAhead(tenantNumber()));
  }

  /** Runs something on the event loop later; returns false if that has ended. */
  boolean later(Runnable task, long millis) {
    try {
      ScheduledFuture<?> _ = context().executor().schedule(task, millis, TimeUnit.MILLISECONDS);
      return true;
    } catch (RejectedExecutionException e) {
      LOG.debug("connection {} is gone, and with it its event loop", id);
      return false;
    }
  }

  // ---- what others see of it: about, as it was a moment ago. Any thread

  long readAheadBytes() {
    return backlog.capacity();
  }

  long requestBytes() {
    QueuedPath path = queued;
    return path == null ? 0 : path.queue().bytes();
  }

  long unreadBytes() {
    Deliveries messages = client.deliveries();
    return (gate == null ? 0 : pendingBytes()) + (messages == null ? 0 : messages.waitingBytes());
  }

  private long pendingBytes() {
    ChannelOutboundBuffer pending = context().channel().unsafe().outboundBuffer();
    return gate().waitingBytes() + (pending == null ? 0 : pending.totalPendingWriteBytes());
  }

  // ---- what there is from handlerAdded on

  int tenantNumber() {
    return client.isAuthenticated() ? client.identity().number() : 0;
  }

  ChannelHandlerContext context() {
    return opened(context);
  }

  ReplyGate gate() {
    return opened(gate);
  }

  ReplyWriter writer() {
    return opened(writer);
  }

  private ReplyLane lane() {
    return opened(lane);
  }

  /** Returns the bytes that were written since the beginning. */
  long bytesWritten() {
    ReplyWriter output = writer;
    return output == null ? 0 : output.bytesWritten();
  }

  private DirectPath path() {
    return opened(direct);
  }

  private QueuedPath queued() {
    return opened(queued);
  }

  private FairTurns turns() {
    return opened(turns);
  }

  private static <T> T opened(@Nullable T part) {
    if (part == null) {
      throw new IllegalStateException("the connection is not open yet");
    }
    return part;
  }
}
