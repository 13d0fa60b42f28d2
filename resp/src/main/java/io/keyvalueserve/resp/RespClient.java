package io.keyvalueserve.resp;

import io.keyvalueserve.billing.metering.SharingLevel;
import io.keyvalueserve.billing.metering.UsageMeter;
import io.keyvalueserve.billing.metering.UsageSink;
import io.keyvalueserve.engine.DirectMap;
import io.keyvalueserve.engine.KeyMap;
import io.keyvalueserve.engine.KeyRef;
import io.keyvalueserve.engine.TenantSpace;
import io.keyvalueserve.engine.WatchedKey;
import io.keyvalueserve.engine.channel.ChannelKind;
import io.keyvalueserve.gates.admission.NotAdmitted;
import io.keyvalueserve.gates.heap.HeapUse;
import io.keyvalueserve.gates.latency.LatencyLane;
import io.keyvalueserve.gates.visit.Tab;
import io.keyvalueserve.gates.visit.Visit;
import io.keyvalueserve.resp.command.BlockedRequest;
import io.keyvalueserve.resp.command.Channels;
import io.keyvalueserve.resp.command.Client;
import io.keyvalueserve.resp.command.ClientProfile;
import io.keyvalueserve.resp.command.Command;
import io.keyvalueserve.resp.command.CommandException;
import io.keyvalueserve.resp.command.Descriptor;
import io.keyvalueserve.resp.command.Descriptor.Flag;
import io.keyvalueserve.resp.command.Descriptor.Group;
import io.keyvalueserve.resp.command.Errors;
import io.keyvalueserve.resp.command.Member;
import io.keyvalueserve.resp.command.NoticeTarget;
import io.keyvalueserve.resp.command.NotifyFlags;
import io.keyvalueserve.resp.command.OutgoingMessage;
import io.keyvalueserve.resp.command.Parsing;
import io.keyvalueserve.resp.command.PublishingCommand;
import io.keyvalueserve.resp.command.SessionCommand;
import io.keyvalueserve.resp.command.TransactionScope;
import io.keyvalueserve.resp.command.Transactions;
import io.keyvalueserve.resp.protocol.Arguments;
import io.keyvalueserve.resp.protocol.Reply;
import io.keyvalueserve.resp.protocol.Request;
import io.keyvalueserve.resp.watch.Monitors;
import io.keyvalueserve.resp.watch.ShownArguments;
import io.keyvalueserve.resp.watch.TenantDesk;
import io.keyvalueserve.tenancy.Authentication;
import io.keyvalueserve.tenancy.ConnectedClient;
import io.keyvalueserve.tenancy.Door;
import io.keyvalueserve.tenancy.HostPort;
import io.keyvalueserve.tenancy.Identity;
import io.keyvalueserve.tenancy.MapName;
import io.keyvalueserve.tenancy.QualifiedName;
import io.keyvalueserve.tenancy.Session;
import io.keyvalueserve.tenancy.grant.MapAccess;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The client at the other end of a connection: its identity, the map it has selected, its name, and
 * the counters of its use.
 *
 * <p>On the connection's event loop but for {@link #end}, {@link #kill}, {@link #identity}, {@link
 * #profile} and {@link #describe}, which any thread may call.
 */
final class RespClient implements Session, Client {
  private static final Logger LOG = LoggerFactory.getLogger(RespClient.class);

  /** The most keys that a client may watch. */
  private static final int MOST_WATCHED = 4096;

  private static final Reply NOT_SENT =
      Reply.error("ERR the message did not reach all members; the transaction was carried out");

  private final RespSession session;
  private final SessionHost host;
  private final long id;
  private final long connectedNanos = System.nanoTime();

  private volatile @Nullable Identity identity;
  private volatile boolean ended;
  private boolean endsAfterReply;
  private volatile @Nullable BlockedClient blocked;
  private boolean hasWaited;
  private @Nullable Block block;
  private List<WatchedKey> watched = List.of();
  private boolean rollsBack;
  private @Nullable TenantSpace space;
  private @Nullable KeyMap map;
  private volatile @Nullable ClientChannels channels;

  /** The desk of the owner of the selected map. */
  private @Nullable TenantDesk noticeDesk;

  private DirectMap direct = DirectMap.NONE;
  private boolean guarded;

  /** Null while it speaks for nobody. */
  private @Nullable Visit visit;

  private @Nullable LatencyLane latency;

  /** Null while it speaks for nobody. */
  private @Nullable TenantDesk desk;

  private volatile @Nullable MonitorFeed feed;
  private Skip skip = Skip.NOTHING;
  private boolean isIdleWatched;
  private final Tab tab = new Tab();

  /** Counts what it uses of the selected map; null while it speaks for nobody. */
  private @Nullable UsageMeter mapMeter;

  private long freeBytes;
  private long bytesMetered;
  private long operations;
  private @Nullable Command lastRun;

  // What CLIENT LIST shows; read by other sessions' event loops.
  private volatile @Nullable QualifiedName mapName;
  private volatile String name = "";
  private volatile String library = "";
  private volatile String libraryVersion = "";
  private volatile String lastCommand = "";
  private volatile long lastUsedNanos = connectedNanos;

  RespClient(RespSession session, SessionHost host, long id) {
    this.session = session;
    this.host = host;
    this.id = id;
  }

  // ---- who it is

  /**
   * Makes it who it may be without a key, if that is anybody.
   *
   * @throws CommandException if it may be somebody who takes no sessions
   */
  void enterAnonymously() {
    if (host.authenticator().authenticateAnonymous()
            instanceof Authentication.Accepted(var anonymous)
        && !enter(anonymous, new QualifiedName(anonymous.tenant(), MapName.DEFAULT))) {
      throw new CommandException("ERR the tenant of this member takes no sessions");
    }
  }

  @Override
  public boolean enter(Identity newIdentity, QualifiedName mapToSelect) {
    leave();
    identity = newIdentity;
    Visit begun = host.visit(newIdentity);
    Visit.NoEntry refusal = begun.enter(this);
    if (refusal != null) {
      identity = null;
      endsAfterReply = true;
      return switch (refusal.entry()) {
        case TOO_MANY -> throw new CommandException("QUOTA " + refusal.reason());
        case RESERVED -> throw new CommandException("RESERVED " + refusal.reason());
        case ENTERED, NO_LONGER_VALID -> false;
      };
    }
    visit = begun;
    space = host.engine().space(newIdentity, session.endOfTurn());
    latency = begun.latency().lane();
    desk = host.desk(newIdentity.number());
    watchIdle();
    channels = new ClientChannels(session, host, this, newIdentity);
    try {
      select(mapToSelect);
    } catch (RuntimeException e) {
      leave();
      throw e;
    }
    session.trust(true);
    begun.entered(remote());
    return true;
  }

  /** Makes it nobody. */
  void leave() {
    ClientChannels left = channels;
    if (left != null) {
      left.end();
      channels = null;
    }
    BlockedClient waits = blocked;
    if (waits != null) {
      waits.departed();
    }
    account();
    dropBlock();
    watched = List.of();
    if (identity != null) {
      host.sessions().unregister(this);
      identity = null;
    }
    space = null;
    map = null;
    direct = DirectMap.NONE;
    visit = null;
    latency = null;
    stopMonitoring();
    desk = null;
    noticeDesk = null;
    tab.open(null);
    mapMeter = null;
    mapName = null;
    guarded = false;
    session.trust(false);
  }

  @Override
  public void reset() {
    leave();
    name = "";
    rollsBack = false;
    replies(Replies.ON);
    speakResp3(false);
    try {
      enterAnonymously();
    } catch (CommandException e) {
      session.refuse(e.reply());
    }
  }

  @Override
  public void end(String reason) {
    if (!ended) {
      ended = true;
      LOG.info("connection {} is ended: {}", id, reason);
      session.closeNow();
    }
  }

  @Override
  public void kill() {
    end("its tenant asked for it");
  }

  /** The connection is gone. */
  void departed() {
    ended = true;
    leave();
  }

  /** Returns whether the client has ended and nothing more is done for it. Any thread. */
  boolean hasEnded() {
    return ended;
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

  /** The tenant's name, for the log. */
  String tenant() {
    Identity who = identity;
    return who == null ? "(not authenticated)" : who.tenant().value();
  }

  // ---- what it uses

  void countBytesIn(int bytes) {
    Visit present = visit;
    if (present != null) {
      present.arrived(tab, bytes);
    }
  }

  /**
   * Counts a command that was admitted and carried out, or at least begun.
   *
   * @param count of the arguments, the name included
   */
  void used(Command command, int count) {
    Visit present = visit;
    if (present != null) {
      Descriptor descriptor = command.descriptor();
      UsageSink sink = descriptor.group() == Group.PUBSUB ? present.apart() : tab;
      present.served(sink, descriptor.measure(), descriptor.operations(count));
    }
  }

  /** Puts a command that was admitted aside: {@link #usedLater} counts it, if ever. */
  void postpone() {
    Visit present = visit;
    if (present != null) {
      present.postpone();
    }
  }

  /** Counts a command that was put aside, and is carried out now. */
  private void usedLater(Command command, int count) {
    Visit present = visit;
    if (present != null) {
      Descriptor descriptor = command.descriptor();
      UsageSink sink = descriptor.group() == Group.PUBSUB ? present.apart() : tab;
      present.servedLater(sink, descriptor.measure(), descriptor.operations(count));
    }
  }

  /** Counts commands; the last of them is what others see. Told with the next {@link #account}. */
  void ran(Command command, int count) {
    lastRun = command;
    operations += count;
  }

  /** Counts a request that named no command, or one with wrong arguments. */
  void ranUnresolved() {
    operations++;
  }

  /** Returns the lane in which its requests are timed, or null while it speaks for nobody. */
  @Nullable LatencyLane latency() {
    return latency;
  }

  /** Adds what was done since the last time to the tenant's meter, and shows it to others. */
  void account() {
    account(lastRun == null ? lastUsedNanos : System.nanoTime());
  }

  /** Does the same as {@link #account()} at a time that is known. */
  void account(long now) {
    long written = session.bytesWritten();
    Visit present = visit;
    Command last = lastRun;
    if (last != null) {
      lastRun = null;
      lastCommand = last.descriptor().fullName();
      lastUsedNanos = now;
    }
    if (operations != 0) {
      if (present != null) {
        present.operations(operations);
      }
      operations = 0;
    }
    if (present != null && written > bytesMetered) {
      present.answered(tab, written - bytesMetered, freeBytes);
    }
    freeBytes = 0;
    bytesMetered = written;
    tab.settle();
  }

  /**
   * Admits a request if the tenant's limits allow it now. A client that is not admitted may still
   * authenticate or quit.
   *
   * @param count of the arguments, the name included
   * @param bytes of the request
   * @return null if it may
   */
  @Nullable NotAdmitted admit(Command command, int count, long bytes) {
    Visit present = visit;
    if (present == null) {
      return null;
    }
    if (command.descriptor().has(Flag.NO_AUTH)) {
      present.exempt();
      return null;
    }
    return present.admit(
        command.descriptor().measure(), command.descriptor().operations(count), bytes);
  }

  /**
   * Admits a request that names no command or has wrong arguments, if the tenant's limits allow it.
   * It takes one operation and its bytes from the rates, as a PING does.
   *
   * @return null if it may
   */
  @Nullable NotAdmitted admitUnresolved(long bytes) {
    Visit present = visit;
    NotAdmitted why = present == null ? null : present.admit(null, 1, bytes);
    if (present != null && why == null) {
      present.served(tab, null, 1);
    }
    return why;
  }

  /** The request that was admitted last comes again, on the other way. */
  void prepay() {
    Visit present = visit;
    if (present != null) {
      present.prepay();
    }
  }

  /**
   * Called when one of the commands that {@link #ran} counts, in this turn, was not carried out.
   *
   * @param why it was not
   * @param bytes of the reply that says so: they do not count for its tenant
   */
  void notServed(NotAdmitted why, long bytes) {
    operations--;
    freeBytes += bytes;
    Visit present = visit;
    if (present != null) {
      present.turnedAway(tab, why);
    }
  }

  @Override
  public long loginRefused(String shown) {
    Visit present = visit;
    if (present != null) {
      present.keyRefused();
    }
    return host.keyRefused(shown, remote());
  }

  /** Counts a request that was refused for want of a right, and keeps it on record. Any thread. */
  void refused(QualifiedName object, String reason) {
    if (!session.isOnEventLoop()) {
      boolean _ = session.onEventLoop(() -> refused(object, reason));
      return;
    }
    Visit present = visit;
    if (present != null) {
      present.refused(tab, object.toString(), reason);
    }
  }

  /** Counts a refusal of what is no map. On the event loop. */
  void refusedOn(String object, String reason) {
    Visit present = visit;
    if (present != null) {
      present.refused(tab, object, reason);
    }
  }

  /** Counts a refusal for the map that it has selected. */
  void refused(String reason) {
    QualifiedName selected = mapName;
    if (selected != null) {
      refused(selected, reason);
    }
  }

  @Override
  public void unlocked(byte[] key) {
    Visit present = visit;
    QualifiedName selected = mapName;
    if (present != null && selected != null) {
      present.unlocked(selected + " " + new String(key, StandardCharsets.UTF_8));
    }
  }

  @Override
  public Consumer<TransactionScope.Work> bill() {
    Visit present = visit;
    UsageMeter sink = mapMeter;
    QualifiedName selected = mapName;
    return work -> {
      if (present != null && sink != null) {
        present.carriedOut(sink, work.reads(), work.writes(), work.deletes());
        String reason = work.refusal();
        if (reason != null) {
          present.refused(sink, String.valueOf(selected), reason);
        }
      }
    };
  }

  // ---- what its tenant sees of it

  private enum Skip {
    NOTHING,
    /** The reply to the next request. */
    NEXT,
    /** The reply to the present request. */
    PRESENT
  }

  @Override
  public TenantDesk desk() {
    TenantDesk own = desk;
    if (own == null) {
      throw new IllegalStateException("the session has not authenticated");
    }
    return own;
  }

  /** Returns the shortest time of a request that is of interest to its tenant. */
  long leastSlowNanos() {
    TenantDesk own = desk;
    return own == null ? TenantDesk.NEVER : own.leastNanos();
  }

  /** Takes note of a request that is answered, if it took long. */
  void took(Command command, Arguments request, long nanos) {
    TenantDesk own = desk;
    Descriptor descriptor = command.descriptor();
    if (own != null && nanos >= own.leastNanos() && descriptor.isLoggedWhenSlow()) {
      own.slow(
          request,
          descriptor.isFast(),
          nanos,
          host.clock().instant().getEpochSecond(),
          text(session.context().channel().remoteAddress()),
          name);
    }
  }

  /** Returns whether anybody watches its requests. */
  boolean isMonitored() {
    TenantDesk own = desk;
    return own != null && !own.monitors().isEmpty();
  }

  /** Shows a request to those who watch, if there are any. */
  void show(Command command, Arguments request) {
    if (isMonitored() && command.descriptor().isShownToMonitors()) {
      show(request);
    }
  }

  private void show(Arguments request) {
    TenantDesk own = desk;
    QualifiedName selected = mapName;
    if (own != null && selected != null) {
      own.monitors()
          .show(
              ShownArguments.line(
                  request,
                  host.clock().instant(),
                  selected.map().equals(MapName.DEFAULT) && isOwn(selected)
                      ? "0"
                      : isOwn(selected) ? selected.map().value() : selected.toString(),
                  text(session.context().channel().remoteAddress())));
    }
  }

  @Override
  public void monitor() {
    if (feed == null) {
      MonitorFeed own = new MonitorFeed(session);
      if (!desk().monitors().add(own)) {
        throw new CommandException(
            "ERR "
                + Monitors.MOST
                + " connections of the tenant monitor its requests at this member already: end one"
                + " of them first");
      }
      feed = own;
    }
  }

  private void stopMonitoring() {
    MonitorFeed own = feed;
    TenantDesk watched = desk;
    if (own != null && watched != null) {
      feed = null;
      watched.monitors().remove(own);
    }
  }

  /** Shows it the lines that wait, now that it may have room for them. */
  void showWaitingLines() {
    MonitorFeed own = feed;
    if (own != null && own.hasLines()) {
      own.run();
    }
  }

  /** Has it shown the lines that wait, if any do, after what is done now. */
  void showWaitingLinesLater() {
    MonitorFeed own = feed;
    if (own != null) {
      own.goOn();
    }
  }

  /** Returns whether it is fed by this. */
  boolean isFedBy(MonitorFeed other) {
    return other.equals(feed);
  }

  @Override
  public void replies(Replies which) {
    switch (which) {
      case ON -> {
        skip = Skip.NOTHING;
        session.writer().mute(false);
      }
      case OFF -> {
        skip = Skip.NOTHING;
        session.writer().mute(true);
      }
      case SKIP -> {
        boolean isOff = session.writer().isMuted() && skip == Skip.NOTHING;
        if (!isOff) {
          skip = Skip.NEXT;
          session.writer().mute(true);
        }
      }
    }
  }

  /** A request is begun whose replies follow. */
  void beginReply() {
    switch (skip) {
      case NOTHING -> {}
      case NEXT -> skip = Skip.PRESENT;
      case PRESENT -> replies(Replies.ON);
    }
  }

  /** The request that was begun last is answered. */
  void endReply() {
    if (skip == Skip.PRESENT) {
      replies(Replies.ON);
    }
  }

  /** Returns whether the reply to the present request is skipped, and that to the next is not. */
  boolean skipsOneReply() {
    return skip != Skip.NOTHING;
  }

  /** Returns whether its requests need nothing that only the queued path does. */
  boolean mayGoDirect() {
    TenantDesk own = desk;
    return (own == null || !own.mayBePaused()) && !session.writer().isMuted() && !hasNotices();
  }

  /** Returns whether the owner of the selected map is told of changes of its keys. */
  boolean hasNotices() {
    TenantDesk told = noticeDesk;
    return told != null && NotifyFlags.areOn(told.noticeFlags());
  }

  @Override
  public NoticeTarget noticeTarget(String map) {
    Identity who = identity;
    if (who == null) {
      return NoticeTarget.NONE;
    }
    QualifiedName granted = QualifiedName.parse(map).orElse(null);
    if (granted == null) {
      return noticeTarget(who.number(), map);
    }
    MapAccess access = host.grants().access(who, granted);
    return access == null
        ? NoticeTarget.NONE
        : noticeTarget(access.owner().number(), granted.map().value());
  }

  @Override
  public void setNoticeFlags(int flags) {
    host.setNoticeFlags(identity(), flags);
  }

  private NoticeTarget noticeTarget(int owner, String map) {
    int flags = host.desk(owner).noticeFlags();
    return !NotifyFlags.areOn(flags) || host.channels().of(owner).isSilent()
        ? NoticeTarget.NONE
        : NoticeTarget.of(owner, map, flags);
  }

  /** Finds who is told of changes of the selected map. */
  private @Nullable TenantDesk noticeDeskOf(QualifiedName name) {
    Identity who = identity;
    if (who == null || isOwn(name)) {
      return desk;
    }
    MapAccess access = host.grants().access(who, name);
    return access == null ? null : host.desk(access.owner().number());
  }

  /** Returns the nanoseconds for which its tenant has paused a request; 0 if it may begin. */
  long pauseNanos(Request next) {
    TenantDesk own = desk;
    if (own == null || !own.mayBePaused() || host.isStopping()) {
      return 0;
    }
    Command command = host.commands().find(next.argument(0));
    boolean passes =
        command != null && (command.descriptor().has(Flag.NO_AUTH) || next.is(0, "CLIENT"));
    return passes ? 0 : own.pauseNanos(host.nanoTime(), command != null && mayWrite(command));
  }

  private boolean mayWrite(Command command) {
    Block begun = block;
    return command.descriptor().mayWrite()
        || (begun != null && begun.mayWrite() && Transactions.isEnd(command));
  }

  @Override
  public void wakeSiblings() {
    forEachSibling(RespSession::resume);
  }

  @Override
  public void watchIdleSiblings() {
    forEachSibling(RespSession::watchIdle);
  }

  private void forEachSibling(java.util.function.Consumer<RespSession> what) {
    for (Session other : host.sessions().of(identity().number())) {
      if (other instanceof RespClient client && client.host == host && !client.hasEnded()) {
        boolean _ = client.session.onEventLoop(() -> what.accept(client.session));
      }
    }
  }

  /** Ends the session when it has been idle for as long as its tenant has set. */
  void watchIdle() {
    TenantDesk own = desk;
    int seconds = own == null ? 0 : own.timeoutSeconds();
    if (seconds > 0 && !isIdleWatched) {
      isIdleWatched = session.later(this::lookWhetherIdle, TimeUnit.SECONDS.toMillis(seconds));
    }
  }

  private void lookWhetherIdle() {
    isIdleWatched = false;
    TenantDesk own = desk;
    int seconds = own == null ? 0 : own.timeoutSeconds();
    if (seconds == 0 || ended) {
      return;
    }
    long left = TimeUnit.SECONDS.toNanos(seconds) - (System.nanoTime() - lastUsedNanos);
    if (left > 0 || feed != null || isSubscriber() || session.hasRequests()) {
      long millis =
          left <= 0 && isSubscriber()
              ? TimeUnit.SECONDS.toMillis(seconds)
              : Math.max(TimeUnit.NANOSECONDS.toMillis(left) + 1, 100);
      isIdleWatched = session.later(this::lookWhetherIdle, millis);
    } else {
      LOG.debug("connection {} is ended: it was idle for {} s", id, seconds);
      ended = true;
      session.closeNow();
    }
  }

  /** Returns whether it has subscribed to anything: it may only listen then. */
  private boolean isSubscriber() {
    ClientChannels own = channels;
    return own != null && own.isSubscriber();
  }

  private SocketAddress remote() {
    SocketAddress address = session.context().channel().remoteAddress();
    return address == null ? InetSocketAddress.createUnresolved("unknown", 0) : address;
  }

  // ---- the session as its commands see it

  @Override
  public Member member() {
    return host;
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

  /** Returns the access to the selected map for requests that are answered at once. */
  DirectMap direct() {
    return direct;
  }

  /** Returns whether the selected map is another tenant's. Requests may then be refused. */
  boolean isGuarded() {
    return guarded;
  }

  @Override
  public Channels channels() {
    ClientChannels own = channels;
    if (own == null) {
      throw new IllegalStateException("the session has not authenticated");
    }
    return own;
  }

  /** Returns the messages for it, or null if it has never subscribed. */
  @Nullable Deliveries deliveries() {
    ClientChannels own = channels;
    return own == null ? null : own.deliveries();
  }

  /** Returns whether it may only subscribe, unsubscribe, ping, reset and quit. */
  boolean isRestricted() {
    ClientChannels own = channels;
    return own != null && own.isRestricted();
  }

  @Override
  public QualifiedName mapName() {
    QualifiedName selected = mapName;
    if (selected == null) {
      throw new IllegalStateException("the session has not authenticated");
    }
    return selected;
  }

  @Override
  public KeyMap map(QualifiedName name) {
    if (isOwn(name)) {
      return space().map(name.map());
    }
    return space()
        .granted(name)
        .orElseThrow(
            () -> {
              String reason =
                  "tenant '"
                      + identity().tenant()
                      + "' has no grant on '"
                      + name
                      + "': its owner can give one";
              refused(name, reason);
              return new CommandException("NOPERM " + reason);
            });
  }

  private boolean isOwn(QualifiedName name) {
    return name.tenant().equals(identity().tenant());
  }

  @Override
  public void select(QualifiedName newName) {
    KeyMap selected = map(newName);
    map = selected;
    direct = selected.direct(session.gate().uncertain());
    mapName = newName;
    account();
    Visit present = visit;
    mapMeter = present == null ? null : present.meter(newName);
    tab.open(mapMeter);
    guarded = !isOwn(newName);
    noticeDesk = noticeDeskOf(newName);
  }

  @Override
  public SharingLevel sharing() {
    return host.usage().sharing(identity().number(), mapName());
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
    return session.writer().speaksResp3();
  }

  @Override
  public void speakResp3(boolean yes) {
    session.writer().speakResp3(yes);
  }

  // ---- waiting for elements

  @Override
  public CompletionStage<Reply> block(BlockedRequest request) {
    BlockedClient next =
        new BlockedClient(
            session,
            space(),
            host.admissions().memberHeap().lease(identity().number(), HeapUse.WAITING),
            request,
            System.nanoTime(),
            this::unblocked);
    blocked = next;
    return next.begin();
  }

  private void unblocked() {
    BlockedClient done = blocked;
    blocked = null;
    hasWaited |= done != null && done.hasWaited();
  }

  @Override
  public boolean unblock(boolean withError) {
    BlockedClient waits = blocked;
    return waits != null && waits.unblock(withError);
  }

  /** Returns whether the request that has just ended has waited for elements. */
  boolean takeHasWaited() {
    boolean waited = hasWaited;
    hasWaited = false;
    return waited;
  }

  /** A large request has come: the present request does not wait any more. */
  void largeRequestCame() {
    BlockedClient waits = blocked;
    if (waits != null) {
      waits.largeRequestCame();
    }
  }

  /** The member stops: the present request does not wait any more. */
  void stopWaiting() {
    BlockedClient waits = blocked;
    if (waits != null) {
      waits.stop();
    }
  }

  // ---- transactions

  /** Returns the block that it has begun; null if it is in none. */
  @Nullable Block block() {
    return block;
  }

  @Override
  public boolean isInBlock() {
    return block != null;
  }

  @Override
  public void beginBlock() {
    block = new Block();
  }

  @Override
  public void discardBlock() {
    dropBlock();
    watched = List.of();
  }

  private void dropBlock() {
    Block dropped = block;
    if (dropped != null) {
      block = null;
      session.giveBack(dropped.heldBytes());
    }
  }

  @Override
  public CompletionStage<Reply> executeBlock(Request exec) {
    Block ended = block;
    if (ended == null) {
      throw new IllegalStateException("the client is in no block");
    }
    List<WatchedKey> watches = watched;
    if (ended.isSpoiled()) {
      discardBlock();
      showEnd(exec);
      return CompletableFuture.completedFuture(Transactions.ABORTED);
    }
    block = null;
    watched = List.of();
    CompletionStage<Reply> reply;
    try {
      reply =
          ended.execute(
              this, host.planContext(), watches, rollsBack, this::runInBlock, session::finish);
    } catch (RuntimeException | Error e) {
      session.giveBack(ended.heldBytes());
      throw e;
    }
    return reply.whenComplete(
        (done, failure) -> {
          if (session.isOnEventLoop()) {
            showEnd(exec); // before the next request is begun
          } else {
            boolean _ = session.onEventLoop(() -> showEnd(exec));
          }
          boolean _ = session.onEventLoop(() -> session.giveBack(ended.heldBytes()));
        });
  }

  /** Shows the end of a block, behind its commands, to those who watch. */
  private void showEnd(Request exec) {
    if (isMonitored()) {
      show(exec);
    }
  }

  /** Meters a command of a block, and runs it if it is one of the session, or publishes. */
  private CompletionStage<Reply> runInBlock(Block.Queued queued, Reply carriedOut) {
    return isAuthenticated() && queued.command() instanceof PublishingCommand publishing
        ? publishInBlock(publishing, queued)
        : CompletableFuture.completedFuture(answerInBlock(queued, carriedOut));
  }

  private CompletionStage<Reply> publishInBlock(PublishingCommand command, Block.Queued queued) {
    usedLater(command, queued.request().count());
    show(command, queued.request());
    try {
      return command.execute(this, queued.request()).exceptionally(_ -> NOT_SENT);
    } catch (CommandException e) {
      return CompletableFuture.completedFuture(e.reply());
    }
  }

  @Override
  public CompletionStage<Reply> publish(List<OutgoingMessage> messages, Reply reply) {
    return session.isOnEventLoop()
        ? publishNow(messages, reply)
        : session.finish(() -> publishNow(messages, reply)).thenCompose(sent -> sent);
  }

  private CompletionStage<Reply> publishNow(List<OutgoingMessage> messages, Reply reply) {
    Channels own = channels;
    CompletionStage<?> all = CompletableFuture.completedFuture(null);
    for (OutgoingMessage message : messages) {
      if (own != null) {
        try {
          all = all.thenCombine(own.publish(message), (_, _) -> reply);
        } catch (CommandException e) {
          LOG.debug("connection {} has published what reaches nobody here: {}", id, e.toString());
        }
      }
    }
    return all.handle((_, _) -> reply); // what was carried out is not undone
  }

  private Reply answerInBlock(Block.Queued queued, Reply carriedOut) {
    if (!isAuthenticated()) {
      return carriedOut;
    }
    usedLater(queued.command(), queued.request().count());
    show(queued.command(), queued.request());
    if (!(queued.command() instanceof SessionCommand command)) {
      if (carriedOut instanceof Reply.ErrorLine error && Errors.isForWantOfGrant(error)) {
        refused(new String(error.line(), StandardCharsets.UTF_8));
      }
      return carriedOut;
    }
    account();
    try {
      return command.execute(this, queued.request());
    } catch (CommandException e) {
      return e.reply();
    }
  }

  /**
   * Returns the map that is selected after a command of the session.
   *
   * @throws CommandException if it selects none that the client may use
   */
  KeyMap mapAfter(SessionCommand command, Request request, KeyMap before) {
    return command.descriptor().fullName().equals("select")
        ? map(Parsing.mapName(request.text(1), identity().tenant()))
        : before;
  }

  @Override
  public CompletionStage<Reply> watch(List<byte[]> keys) {
    if (watched.size() + keys.size() > MOST_WATCHED) {
      throw new CommandException("ERR a client may watch " + MOST_WATCHED + " keys at most");
    }
    KeyMap selected = map();
    return space()
        .watch(keys.stream().map(key -> new KeyRef(selected, key)).toList())
        .thenCompose(
            marks ->
                session.finish(
                    () -> {
                      List<WatchedKey> all = new ArrayList<>(watched);
                      Set<KeyRef> known = new HashSet<>();
                      all.forEach(old -> known.add(old.ref()));
                      for (WatchedKey mark : marks) {
                        if (known.add(mark.ref())) {
                          all.add(mark); // of a key that is watched already, the first state counts
                        }
                      }
                      watched = all;
                      return Reply.OK;
                    }));
  }

  @Override
  public void unwatch() {
    watched = List.of();
  }

  @Override
  public void rollBackOnError(boolean yes) {
    rollsBack = yes;
  }

  @Override
  public void endAfterReply() {
    endsAfterReply = true;
  }

  /** Returns whether the running command is the client's last one. */
  boolean endsAfterReply() {
    return endsAfterReply;
  }

  String lastCommand() {
    return lastCommand;
  }

  @Override
  public ClientProfile profile() {
    long now = System.nanoTime();
    Identity who = identity;
    return new ClientProfile(
        id,
        text(session.context().channel().remoteAddress()),
        text(session.context().channel().localAddress()),
        name,
        TimeUnit.NANOSECONDS.toSeconds(now - connectedNanos),
        TimeUnit.NANOSECONDS.toSeconds(now - lastUsedNanos),
        mapName,
        who == null ? "" : who.tenant().value(),
        speaksResp3() ? 3 : 2,
        lastCommand,
        library,
        libraryVersion,
        session.readAheadBytes(),
        session.requestBytes(),
        session.unreadBytes(),
        feed != null,
        isBlocked(),
        subscriptions(ChannelKind.CHANNEL),
        subscriptions(ChannelKind.PATTERN),
        subscriptions(ChannelKind.SHARD));
  }

  private boolean isBlocked() {
    BlockedClient waits = blocked;
    return waits != null && waits.isWaiting();
  }

  private int subscriptions(ChannelKind kind) {
    ClientChannels own = channels;
    return own == null ? 0 : own.count(kind);
  }

  @Override
  public ConnectedClient describe() {
    ClientProfile profile = profile();
    return new ConnectedClient(
        Door.RESP,
        profile.address(),
        profile.name(),
        (profile.library() + " " + profile.libraryVersion()).strip(),
        profile.mapText(),
        Instant.now().minusSeconds(profile.ageSeconds()),
        profile.lastCommand());
  }

  private static String text(@Nullable SocketAddress address) {
    return address instanceof InetSocketAddress inet
        ? HostPort.of(inet.getAddress().getHostAddress(), inet.getPort())
        : String.valueOf(address);
  }

  @Override
  public List<Client> siblings() {
    List<Client> clients = new ArrayList<>();
    for (Session other : host.sessions().of(identity().number())) {
      if (other instanceof RespClient client && client.host == host && !client.hasEnded()) {
        clients.add(client);
      }
    }
    return clients;
  }
}
