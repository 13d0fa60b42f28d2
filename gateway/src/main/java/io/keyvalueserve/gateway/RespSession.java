package io.keyvalueserve.gateway;

import io.keyvalueserve.engine.EngineException;
import io.keyvalueserve.engine.KeyMap;
import io.keyvalueserve.engine.MapName;
import io.keyvalueserve.engine.Outcome;
import io.keyvalueserve.engine.TenantSpace;
import io.keyvalueserve.gateway.command.Client;
import io.keyvalueserve.gateway.command.ClientProfile;
import io.keyvalueserve.gateway.command.Command;
import io.keyvalueserve.gateway.command.CommandException;
import io.keyvalueserve.gateway.command.Descriptor.Flag;
import io.keyvalueserve.gateway.command.Errors;
import io.keyvalueserve.gateway.command.KeyedCommand;
import io.keyvalueserve.gateway.command.KeyedPlan;
import io.keyvalueserve.gateway.command.Member;
import io.keyvalueserve.gateway.command.SessionCommand;
import io.keyvalueserve.gateway.command.SpaceCommand;
import io.keyvalueserve.gateway.protocol.ProtocolException;
import io.keyvalueserve.gateway.protocol.Reply;
import io.keyvalueserve.gateway.protocol.ReplyWriter;
import io.keyvalueserve.gateway.protocol.Request;
import io.keyvalueserve.gateway.protocol.RequestDecoder;
import io.keyvalueserve.tenancy.Authentication;
import io.keyvalueserve.tenancy.Door;
import io.keyvalueserve.tenancy.Identity;
import io.keyvalueserve.tenancy.Session;
import io.keyvalueserve.tenancy.TenantMeters;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelOutboundBuffer;
import io.netty.channel.socket.ChannelInputShutdownEvent;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One connection of a Redis client.
 *
 * <p>Requests are carried out one after the other, exactly in the order they came. What may go to
 * the engine together does: consecutive {@link KeyedCommand}s make one {@link Batch}, and while it
 * is under way ({@link #busy}) nothing else is begun. Replies are written in the same order and
 * flushed once the session has nothing more to do or must wait.
 *
 * <p>Reading stops while too much is queued or the client does not read what it is sent, so what a
 * connection holds is bounded. An idle one holds no buffer and no queue.
 *
 * <p>Everything happens on the connection's event loop but {@link #end}, {@link #kill}, {@link
 * #identity} and {@link #profile}, which any thread may call.
 */
final class RespSession extends ChannelInboundHandlerAdapter implements Session, Client {
  private static final Logger LOG = LoggerFactory.getLogger(RespSession.class);

  private static final int MOST_BATCH_COMMANDS = 1024;
  private static final int FIRST_BATCH_COMMANDS = 128;
  private static final long MOST_BATCH_BYTES = 8L * 1024 * 1024;

  /** Replies of a batch that are longer make the next one smaller. */
  private static final long LARGE_REPLY_BYTES = 1024 * 1024;

  private static final int MOST_QUEUED_REQUESTS = 4096;
  private static final long MOST_QUEUED_BYTES = 8L * 1024 * 1024;

  /** How long a client that is to go may take to read its last replies. */
  private static final long LINGER_SECONDS = 5;

  private final SessionHost host;
  private final long id;
  private final long connectedNanos = System.nanoTime();
  private final RequestDecoder decoder;

  private @Nullable ChannelHandlerContext context;
  private @Nullable ReplyWriter writer;
  private @Nullable ArrayDeque<Request> queue;
  private long queuedBytes;
  private int batchCommands = FIRST_BATCH_COMMANDS;
  private boolean busy;

  /** A batch that is complete, but not all of whose replies are written. */
  private @Nullable Batch answering;

  private boolean pumping;

  /** No more is read; the session ends when what was read is done. */
  private boolean draining;

  /** Nothing more is done. */
  private boolean closing;

  /** The command that runs is the last one. */
  private boolean endsAfterReply;

  private Reply.@Nullable ErrorLine protocolError;
  private @Nullable ScheduledFuture<?> stallLimit;

  private volatile @Nullable Identity identity;
  private volatile boolean ended;
  private @Nullable TenantSpace space;
  private @Nullable KeyMap map;
  private TenantMeters.@Nullable Meter meter;
  private long bytesMetered;

  // What CLIENT LIST shows; read by other sessions' event loops.
  private volatile MapName mapName = MapName.DEFAULT;
  private volatile String name = "";
  private volatile String library = "";
  private volatile String libraryVersion = "";
  private volatile String lastCommand = "";
  private volatile long lastUsedNanos = connectedNanos;

  RespSession(SessionHost host, long id) {
    this.host = host;
    this.id = id;
    this.decoder = new RequestDecoder(host.requestLimits(), this::enqueue);
  }

  // ---- the connection

  @Override
  public void handlerAdded(ChannelHandlerContext ctx) {
    context = ctx;
    writer = new ReplyWriter(ctx);
  }

  @Override
  public void channelActive(ChannelHandlerContext ctx) {
    if (!host.admit(this)) {
      refuse("ERR max number of clients reached");
      return;
    }
    enterAnonymously();
  }

  @Override
  public void channelRead(ChannelHandlerContext ctx, Object message) {
    ByteBuf in = (ByteBuf) message;
    try {
      TenantMeters.Meter counted = meter;
      if (counted != null) {
        counted.bytesIn(in.readableBytes());
      }
      if (!closing && !draining && protocolError == null) {
        decoder.decode(in);
      }
    } catch (ProtocolException e) {
      protocolError = e.reply();
    } finally {
      in.release();
    }
    pump();
  }

  @Override
  public void channelWritabilityChanged(ChannelHandlerContext ctx) {
    if (ctx.channel().isWritable()) {
      ScheduledFuture<?> limit = stallLimit;
      if (limit != null) {
        limit.cancel(false);
        stallLimit = null;
      }
      pump();
    } else {
      if (stallLimit == null) {
        stallLimit =
            ctx.executor()
                .schedule(
                    () -> cutOff("it did not read its replies in time"),
                    host.config().output().longestStall().toMillis(),
                    TimeUnit.MILLISECONDS);
      }
      adjustReading();
    }
  }

  @Override
  public void userEventTriggered(ChannelHandlerContext ctx, Object event) {
    if (event == ChannelInputShutdownEvent.INSTANCE) {
      drain(); // the client sends no more, but may still want its replies
    }
  }

  @Override
  public void channelInactive(ChannelHandlerContext ctx) {
    closing = true;
    ended = true;
    queue = null;
    ScheduledFuture<?> limit = stallLimit;
    if (limit != null) {
      limit.cancel(false);
    }
    writer().release();
    leave();
    host.departed(this);
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
    if (cause instanceof IOException) {
      LOG.debug("connection {} is broken: {}", id, cause.toString());
    } else {
      LOG.error("connection {} ends after a defect", id, cause);
    }
    closing = true;
    closeNow();
  }

  /** Reads no more, and ends when what was read is done and answered. Event loop. */
  void drain() {
    draining = true;
    pump();
  }

  private void refuse(String error) {
    writer().write(Reply.error(error));
    closeWhenSent();
  }

  private void cutOff(String reason) {
    Identity who = identity;
    LOG.warn(
        "a client is cut off: {}; tenant={} connection={} pendingBytes={}",
        reason,
        who == null ? "(not authenticated)" : who.tenant(),
        id,
        pendingBytes());
    closing = true;
    queue = null;
    closeNow();
  }

  @SuppressWarnings("FutureReturnValueIgnored") // there is nobody left to tell of a failed close
  private void closeNow() {
    context().close();
  }

  /** Does no more; sends what is written and closes. */
  private void closeWhenSent() {
    closing = true;
    queue = null;
    ChannelHandlerContext ctx = context();
    writer().flush();
    ctx.writeAndFlush(Unpooled.EMPTY_BUFFER).addListener(ChannelFutureListener.CLOSE);
    if (ctx.channel().isActive()) {
      java.util.concurrent.Future<?> linger =
          ctx.executor().schedule(this::closeNow, LINGER_SECONDS, TimeUnit.SECONDS);
      ctx.channel().closeFuture().addListener(closed -> linger.cancel(false));
    }
  }

  // ---- the loop

  private void enqueue(Request request) {
    if (closing) {
      return;
    }
    ArrayDeque<Request> requests = queue;
    if (requests == null) {
      requests = new ArrayDeque<>();
      queue = requests;
    }
    requests.add(request);
    queuedBytes += request.sizeBytes();
    if (identity == null) {
      pump(); // what may be sent next depends on whether this one authenticates
    }
  }

  /** Goes on as far as possible: until there is nothing to do, or something to wait for. */
  private void pump() {
    if (pumping) {
      return;
    }
    pumping = true;
    try {
      do {
        goOnAnswering();
        while (mayBegin()) {
          begin(poll());
          goOnAnswering();
        }
        meterOutput();
        writer().flush();
      } while (mayBegin() || mayAnswer()); // flushing may have made room
    } finally {
      pumping = false;
    }
    if (closing) {
      return;
    }
    if (pendingBytes() > host.config().output().mostPendingBytes()) {
      cutOff("too many bytes of replies wait for it");
      return;
    }
    if (!busy && isQueueEmpty()) {
      queue = null;
      Reply.ErrorLine error = protocolError;
      if (error != null) {
        writer().write(error);
        closeWhenSent();
        return;
      }
      if (draining) {
        closeWhenSent();
        return;
      }
    }
    adjustReading();
  }

  private boolean mayBegin() {
    return !busy && !closing && !ended && !isQueueEmpty() && context().channel().isWritable();
  }

  private boolean mayAnswer() {
    return answering != null && !closing && !ended && context().channel().isWritable();
  }

  private void begin(Request request) {
    Command command;
    try {
      command = resolve(request);
    } catch (CommandException e) {
      writer().write(e.reply());
      return;
    }
    switch (command) {
      case KeyedCommand keyed -> beginBatch(keyed, request);
      case SpaceCommand asking -> beginAlone(asking, request);
      case SessionCommand instant -> answer(instant, request);
    }
  }

  /**
   * The command that a request names, if the session may run it.
   *
   * @throws CommandException if not
   */
  private Command resolve(Request request) {
    Command command = host.commands().resolve(request);
    if (identity == null && !command.descriptor().has(Flag.NO_AUTH)) {
      throw new CommandException(Errors.NO_AUTH);
    }
    return command;
  }

  private void answer(SessionCommand command, Request request) {
    ran(command, 1);
    Reply reply;
    try {
      reply = command.execute(this, request);
    } catch (CommandException e) {
      reply = e.reply();
    } catch (RuntimeException e) {
      reply = defect(e);
    }
    writer().write(reply);
    if (endsAfterReply) {
      closeWhenSent();
    }
  }

  private void beginAlone(SpaceCommand command, Request request) {
    ran(command, 1);
    PendingReply pending = new PendingReply(this);
    try {
      CompletionStage<Reply> stage = command.execute(this, request);
      busy = true;
      if (pending.await(stage)) {
        finish(pending);
      }
    } catch (CommandException e) {
      writer().write(e.reply());
    } catch (RuntimeException e) {
      busy = false;
      writer().write(failed(e));
    }
  }

  private void beginBatch(KeyedCommand first, Request firstRequest) {
    ArrayDeque<Request> waiting = queue;
    int expected = waiting == null ? 1 : Math.min(waiting.size() + 1, batchCommands);
    Batch batch = new Batch(this, expected);
    KeyedCommand.PlanContext planning =
        new KeyedCommand.PlanContext(host.clock().millis(), host.config().mostValueBytes());
    batch.add(plan(first, firstRequest, planning), firstRequest.sizeBytes());
    KeyedCommand last = first;
    while (batch.commandCount() < batchCommands
        && batch.requestBytes() < MOST_BATCH_BYTES
        && !isQueueEmpty()) {
      Request request = peek();
      KeyedPlan plan;
      try {
        if (!(resolve(request) instanceof KeyedCommand keyed)) {
          break;
        }
        last = keyed;
        plan = plan(keyed, request, planning);
      } catch (CommandException e) {
        plan = KeyedPlan.answered(e.reply());
      }
      poll();
      batch.add(plan, request.sizeBytes());
    }
    ran(last, batch.requestCount());
    busy = true;
    try {
      if (batch.submit(map())) {
        answering = batch;
      }
    } catch (RuntimeException e) {
      // The engine broke its word never to throw; what it did of the batch is not known.
      busy = false;
      Reply error = failed(e);
      for (int i = 0; i < batch.requestCount(); i++) {
        writer().write(error);
      }
    }
  }

  private KeyedPlan plan(KeyedCommand command, Request request, KeyedCommand.PlanContext planning) {
    try {
      return command.plan(request, planning);
    } catch (CommandException e) {
      return KeyedPlan.answered(e.reply());
    } catch (RuntimeException e) {
      return KeyedPlan.answered(defect(e));
    }
  }

  /** Comes back to the event loop. Any thread. */
  void onEventLoop(Runnable completion) {
    try {
      context().executor().execute(completion);
    } catch (RejectedExecutionException e) {
      LOG.debug("connection {} is gone, and with it its event loop", id);
    }
  }

  void completed(Batch batch) {
    if (busy) {
      answering = batch;
      pump();
    }
  }

  void completed(PendingReply pending) {
    if (busy) {
      finish(pending);
      pump();
    }
  }

  /**
   * Writes replies of the batch that is complete, as many as the client has room for: those of a
   * large batch of large values would else be in memory twice.
   */
  private void goOnAnswering() {
    Batch batch = answering;
    if (batch == null) {
      return;
    }
    while (mayAnswer() && batch.hasMoreReplies()) {
      long before = writer().bytesWritten();
      KeyedPlan plan = batch.nextPlan();
      writer().write(render(plan, batch.nextOutcomes(plan)));
      batch.answered(writer().bytesWritten() - before);
    }
    if (closing || ended || !batch.hasMoreReplies()) {
      answering = null;
      busy = false;
      adaptBatches(batch);
    }
  }

  /** Begins small, grows while batches are full, and shrinks when values turn out to be large. */
  private void adaptBatches(Batch batch) {
    if (batch.replyBytes() > LARGE_REPLY_BYTES) {
      batchCommands = Math.max(1, batchCommands / 4);
    } else if (batch.commandCount() >= batchCommands) {
      batchCommands = Math.min(MOST_BATCH_COMMANDS, batchCommands * 2);
    }
  }

  private Reply render(KeyedPlan plan, List<Outcome> outcomes) {
    try {
      return plan.renderer().render(outcomes);
    } catch (RuntimeException e) {
      return defect(e);
    }
  }

  private void finish(PendingReply pending) {
    busy = false;
    if (closing || ended) {
      return;
    }
    Reply reply = pending.reply();
    writer().write(reply == null ? failed(pending.failure()) : reply);
  }

  /** What the client is told of something that failed. */
  private Reply failed(@Nullable Throwable failure) {
    Throwable cause = failure;
    while (cause instanceof CompletionException && cause.getCause() != null) {
      cause = cause.getCause();
    }
    return switch (cause) {
      case EngineException e -> Errors.of(e.failure());
      case CommandException e -> e.reply();
      case null -> defect(new IllegalStateException("a command completed without a reply"));
      default -> defect(cause);
    };
  }

  /** Logs a defect; the client gets a reference to the log. */
  private Reply defect(Throwable cause) {
    String reference = Long.toHexString(System.nanoTime() & 0xffff_ffffL);
    LOG.error("a command failed, ref {}; last command {}", reference, lastCommand, cause);
    return Errors.internal(reference);
  }

  private void ran(Command command, int count) {
    lastCommand = command.descriptor().fullName();
    lastUsedNanos = System.nanoTime();
    TenantMeters.Meter counted = meter;
    if (counted != null) {
      counted.operations(count);
    }
  }

  private void meterOutput() {
    TenantMeters.Meter counted = meter;
    long written = writer().bytesWritten();
    if (counted != null && written > bytesMetered) {
      counted.bytesOut(written - bytesMetered);
    }
    bytesMetered = written;
  }

  // ---- back-pressure

  private boolean isQueueEmpty() {
    ArrayDeque<Request> requests = queue;
    return requests == null || requests.isEmpty();
  }

  private Request peek() {
    ArrayDeque<Request> requests = queue;
    if (requests == null) {
      throw new IllegalStateException("no request is queued");
    }
    return requests.element();
  }

  private Request poll() {
    ArrayDeque<Request> requests = queue;
    if (requests == null) {
      throw new IllegalStateException("no request is queued");
    }
    Request request = requests.remove();
    queuedBytes -= request.sizeBytes();
    return request;
  }

  private void adjustReading() {
    ChannelHandlerContext ctx = context();
    ArrayDeque<Request> requests = queue;
    int queued = requests == null ? 0 : requests.size();
    boolean reading = ctx.channel().config().isAutoRead();
    int share = reading ? 1 : 2; // once stopped, it goes on when half is done
    boolean wanted =
        !closing
            && !draining
            && protocolError == null
            && queued <= MOST_QUEUED_REQUESTS / share
            && queuedBytes <= MOST_QUEUED_BYTES / share
            && ctx.channel().isWritable();
    if (wanted != reading) {
      ctx.channel().config().setAutoRead(wanted);
    }
  }

  private long pendingBytes() {
    ChannelOutboundBuffer pending = context().channel().unsafe().outboundBuffer();
    return pending == null ? 0 : pending.totalPendingWriteBytes();
  }

  private ChannelHandlerContext context() {
    ChannelHandlerContext ctx = context;
    if (ctx == null) {
      throw new IllegalStateException("the connection is not open yet");
    }
    return ctx;
  }

  private ReplyWriter writer() {
    ReplyWriter output = writer;
    if (output == null) {
      throw new IllegalStateException("the connection is not open yet");
    }
    return output;
  }

  // ---- who is there

  private void enterAnonymously() {
    if (host.authenticator().authenticateAnonymous()
        instanceof Authentication.Accepted(var anonymous)) {
      if (!enter(anonymous, MapName.DEFAULT)) {
        refuse("ERR the tenant of this member takes no sessions");
      }
    }
  }

  @Override
  public boolean enter(Identity newIdentity, MapName mapToSelect) {
    meterOutput();
    leave();
    identity = newIdentity;
    if (!host.sessions().register(this)) {
      identity = null;
      endsAfterReply = true;
      return false;
    }
    space = host.engine().space(newIdentity);
    meter = host.meters().meter(newIdentity, Door.RESP);
    decoder.trust(true);
    select(mapToSelect);
    return true;
  }

  private void leave() {
    if (identity != null) {
      host.sessions().unregister(this);
      identity = null;
    }
    space = null;
    map = null;
    meter = null;
    mapName = MapName.DEFAULT;
    decoder.trust(false);
  }

  @Override
  public void reset() {
    meterOutput();
    leave();
    name = "";
    speakResp3(false);
    enterAnonymously();
  }

  @Override
  public void end(String reason) {
    if (!ended) {
      ended = true;
      LOG.info("connection {} is ended: {}", id, reason);
      closeNow();
    }
  }

  @Override
  public void kill() {
    end("its tenant asked for it");
  }

  @Override
  public boolean isAuthenticated() {
    return identity != null;
  }

  @Override
  public Identity identity() {
    Identity known = identity;
    if (known == null) {
      throw new IllegalStateException("the session has not authenticated");
    }
    return known;
  }

  // ---- the session as its commands see it

  @Override
  public Member member() {
    return host;
  }

  @Override
  public void countRefusal() {
    TenantMeters.Meter counted = meter;
    if (counted != null) {
      counted.refused();
    }
  }

  @Override
  public TenantSpace space() {
    TenantSpace own = space;
    if (own == null) {
      throw new IllegalStateException("the session has not authenticated");
    }
    return own;
  }

  @Override
  public KeyMap map() {
    KeyMap selected = map;
    if (selected == null) {
      throw new IllegalStateException("the session has not authenticated");
    }
    return selected;
  }

  @Override
  public MapName mapName() {
    return mapName;
  }

  @Override
  public void select(MapName newName) {
    map = space().map(newName);
    mapName = newName;
  }

  @Override
  public void rename(String newName) {
    name = newName;
  }

  @Override
  public void nameLibrary(String libraryName) {
    library = libraryName;
  }

  @Override
  public void nameLibraryVersion(String version) {
    libraryVersion = version;
  }

  @Override
  public boolean speaksResp3() {
    return writer().speaksResp3();
  }

  @Override
  public void speakResp3(boolean yes) {
    writer().speakResp3(yes);
  }

  @Override
  public void endAfterReply() {
    endsAfterReply = true;
  }

  @Override
  public ClientProfile profile() {
    long now = System.nanoTime();
    Identity who = identity;
    return new ClientProfile(
        id,
        text(context().channel().remoteAddress()),
        text(context().channel().localAddress()),
        name,
        TimeUnit.NANOSECONDS.toSeconds(now - connectedNanos),
        TimeUnit.NANOSECONDS.toSeconds(now - lastUsedNanos),
        mapName,
        who == null ? "" : who.tenant().value(),
        writer().speaksResp3() ? 3 : 2,
        lastCommand,
        library,
        libraryVersion);
  }

  private static String text(@Nullable SocketAddress address) {
    return address instanceof InetSocketAddress inet
        ? inet.getAddress().getHostAddress() + ":" + inet.getPort()
        : String.valueOf(address);
  }

  @Override
  public List<Client> siblings() {
    List<Client> clients = new ArrayList<>();
    for (Session session : host.sessions().of(identity().number())) {
      if (session instanceof RespSession client && client.host == host) {
        clients.add(client);
      }
    }
    return clients;
  }
}
