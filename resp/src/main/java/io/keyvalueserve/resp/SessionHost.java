package io.keyvalueserve.resp;

import io.keyvalueserve.billing.metering.UsageBook;
import io.keyvalueserve.billing.pricing.RateCards;
import io.keyvalueserve.engine.Engine;
import io.keyvalueserve.engine.NoticeStore;
import io.keyvalueserve.gates.TenantMeters;
import io.keyvalueserve.gates.admission.Admission;
import io.keyvalueserve.gates.admission.Admissions;
import io.keyvalueserve.gates.fairness.DeficitRoundRobin;
import io.keyvalueserve.gates.fairness.Slicing;
import io.keyvalueserve.gates.fairness.WaitMeters;
import io.keyvalueserve.gates.heap.HeapUse;
import io.keyvalueserve.gates.heap.MemberHeap;
import io.keyvalueserve.gates.peer.PeerBudget;
import io.keyvalueserve.gates.policy.TenantPolicy;
import io.keyvalueserve.gates.visit.Visit;
import io.keyvalueserve.resp.channel.ChannelHub;
import io.keyvalueserve.resp.channel.LoopMail;
import io.keyvalueserve.resp.channel.Published;
import io.keyvalueserve.resp.channel.TenantChannels;
import io.keyvalueserve.resp.command.CommandTable;
import io.keyvalueserve.resp.command.KeyedCommand;
import io.keyvalueserve.resp.command.Member;
import io.keyvalueserve.resp.command.NoticeTarget;
import io.keyvalueserve.resp.command.NotifyFlags;
import io.keyvalueserve.resp.command.Noting;
import io.keyvalueserve.resp.command.OutgoingMessage;
import io.keyvalueserve.resp.command.Scripting;
import io.keyvalueserve.resp.command.ServerFacts;
import io.keyvalueserve.resp.protocol.RequestLimits;
import io.keyvalueserve.resp.script.ScriptService;
import io.keyvalueserve.resp.watch.TenantDesk;
import io.keyvalueserve.tenancy.Authenticator;
import io.keyvalueserve.tenancy.Door;
import io.keyvalueserve.tenancy.Identity;
import io.keyvalueserve.tenancy.QualifiedName;
import io.keyvalueserve.tenancy.SessionRegistry;
import io.keyvalueserve.tenancy.TenantName;
import io.keyvalueserve.tenancy.grant.GrantDirectory;
import io.keyvalueserve.tenancy.log.LogLimit;
import io.netty.channel.EventLoop;
import io.netty.util.concurrent.FastThreadLocal;
import java.net.SocketAddress;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;

/**
 * The parts that the sessions of one server share: the services, the limits, and the list of them.
 */
final class SessionHost implements Member {
  private static final Executor PATIENT =
      Executors.newThreadPerTaskExecutor(Thread.ofVirtual().name("kvs-channels-", 0).factory());

  private final RespServerConfig config;
  private final RespServices services;
  private final Transport transport;
  private final RequestLimits requestLimits;
  private final LargeBytes largeBytes;
  private final BacklogRoom backlogRoom;
  private final Set<RespSession> open = ConcurrentHashMap.newKeySet();
  private final AtomicInteger clients = new AtomicInteger();
  private final AtomicLong lastId = new AtomicLong();
  private final long startedNanos = System.nanoTime();
  private final CountDownLatch allGone = new CountDownLatch(1);
  private final FastThreadLocal<DirectPath> directPaths =
      new FastThreadLocal<>() {
        @Override
        protected DirectPath initialValue() {
          return new DirectPath(SessionHost.this);
        }
      };
  private final ReplyChunks.Room chunkRoom;
  private final FastThreadLocal<ReplyChunks> replyChunks =
      new FastThreadLocal<>() {
        @Override
        protected ReplyChunks initialValue() {
          return new ReplyChunks(chunkRoom());
        }
      };
  private final FastThreadLocal<HeldTurns> heldTurns = new FastThreadLocal<>();
  private final FastThreadLocal<PieceTurns> pieceTurns = new FastThreadLocal<>();
  private final FastThreadLocal<FairTurns> fairTurns = new FastThreadLocal<>();
  private final List<FairTurns> allFairTurns = new CopyOnWriteArrayList<>();
  private final ConcurrentHashMap<Integer, TenantDesk> desks = new ConcurrentHashMap<>();
  private final WaitMeters waits = new WaitMeters();
  private final ScriptService scripts;
  private final FastThreadLocal<LoopMail> loopMails = new FastThreadLocal<>();
  private final ChannelHub channels;

  /** The tenants that are told of keys that leave by themselves, with their numbers. */
  private final Map<TenantName, Integer> toldOfRemovals = new ConcurrentHashMap<>();

  private final LogLimit slowSubscribers = LogLimit.aMinute(1);
  private final StrangerLog strangers = new StrangerLog(System::nanoTime);
  private volatile boolean stopping;
  private volatile int port;

  SessionHost(RespServerConfig config, RespServices services, Transport transport) {
    this.config = config;
    this.services = services;
    this.transport = transport;
    this.requestLimits = config.requestLimits();
    this.largeBytes =
        new LargeBytes(config.mostLargeBytes(), services.policy().admissions().memberHeap());
    MemberHeap heap = services.policy().admissions().memberHeap();
    this.backlogRoom = new BacklogRoom(config.backlog(), heap);
    this.scripts =
        new ScriptService(
            config.scripts(), services.scripts(), heap, this::weight, waits, services.nanoTime());
    this.channels =
        new ChannelHub(services.engine().channelBus(), heap, services.policy().grants().channels());
    services.engine().notices().subscribe(this::noticesSet);
    services.engine().notices().onRemoval(new RemovalNotices());
    this.chunkRoom = ReplyChunks.Room.ofHeap(Runtime.getRuntime().maxMemory(), heap);
  }

  void listensAt(int boundPort) {
    port = boundPort;
  }

  /**
   * A number for a new connection: unique and rising. It follows the time, so that it does not tell
   * how many connections others open.
   */
  long nextId() {
    long micros = TimeUnit.NANOSECONDS.toMicros(System.nanoTime() - startedNanos);
    return lastId.updateAndGet(last -> Math.max(last + 1, micros));
  }

  /** Takes a new session in, unless there are too many or the server stops. */
  boolean admit(RespSession session) {
    if (clients.incrementAndGet() > config.mostClients() || stopping) {
      clients.decrementAndGet();
      return false;
    }
    open.add(session);
    if (stopping) {
      session.drain(); // it may have come too late to be told
    }
    return true;
  }

  /** Takes a session off the list. Does nothing if it is not on it. */
  void departed(RespSession session) {
    if (open.remove(session)) {
      clients.decrementAndGet();
    }
    if (stopping && open.isEmpty()) {
      allGone.countDown();
    }
  }

  int connections() {
    return clients.get();
  }

  /**
   * Takes no more sessions, lets those that are open finish, and closes those that do not in time.
   *
   * @return how many had to be closed
   */
  int drain(Duration deadline) {
    stopping = true;
    open.forEach(session -> session.onEventLoop(session::drain));
    if (open.isEmpty()) {
      return 0;
    }
    try {
      if (allGone.await(deadline.toNanos(), TimeUnit.NANOSECONDS)) {
        return 0;
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    int late = open.size();
    open.forEach(session -> session.end("the member stops"));
    return late;
  }

  RespServerConfig config() {
    return config;
  }

  RequestLimits requestLimits() {
    return requestLimits;
  }

  /** Returns the bound on large arguments and replies of all sessions. */
  LargeBytes largeBytes() {
    return largeBytes;
  }

  private ReplyChunks.Room chunkRoom() {
    return chunkRoom;
  }

  /** Returns the bound on requests that are read ahead for all sessions. */
  BacklogRoom backlogRoom() {
    return backlogRoom;
  }

  Engine engine() {
    return services.engine();
  }

  /** Returns the direct path that the sessions of the current thread's event loop share. */
  DirectPath directPath() {
    return directPaths.get();
  }

  /** The arrays of the current thread's event loop for replies. */
  ReplyChunks replyChunks() {
    return replyChunks.get();
  }

  /** The replies of the current thread's event loop that wait. */
  HeldTurns heldTurns(EventLoop loop) {
    HeldTurns known = heldTurns.get();
    if (known == null) {
      known = new HeldTurns(loop, engine().uncertain());
      heldTurns.set(known);
    }
    return known;
  }

  /** Returns the turns for pieces of large replies on the current thread's event loop. */
  PieceTurns pieceTurns(EventLoop loop) {
    PieceTurns known = pieceTurns.get();
    if (known == null) {
      known = new PieceTurns(loop);
      pieceTurns.set(known);
    }
    return known;
  }

  /** Returns the turns of sessions on the current thread's event loop. */
  FairTurns fairTurns(EventLoop loop) {
    FairTurns known = fairTurns.get();
    if (known == null) {
      Slicing slicing = services.slicing();
      known =
          new FairTurns(
              loop, commands(), new DeficitRoundRobin<>(slicing, this::weight, waits), slicing);
      fairTurns.set(known);
      allFairTurns.add(known);
    }
    return known;
  }

  /** Returns the channels of all tenants. */
  ChannelHub channels() {
    return channels;
  }

  /** Returns the messages for subscribers on the current thread's event loop. */
  LoopMail loopMail(EventLoop loop) {
    LoopMail known = loopMails.get();
    if (known == null) {
      known = new LoopMail(loop, task -> new NextIteration(loop, task).executeAfterConnections());
      loopMails.set(known);
    }
    return known;
  }

  /** Returns what runs tasks that take time, each on a virtual thread of its own. */
  static Executor patient() {
    return PATIENT;
  }

  private int weight(int tenant) {
    return tenant == FairTurns.NO_TENANT ? 1 : services.weights().applyAsInt(tenant);
  }

  /** Returns the meters of the time that tenants have waited for their turns. */
  WaitMeters waits() {
    return waits;
  }

  /** Forgets the waits of a tenant that was deleted. */
  void forget(int tenant) {
    dropAccounts(tenant);
    dropDesk(tenant);
    channels.forget(tenant);
    toldOfRemovals.values().remove(tenant);
    services.engine().notices().forget(tenant);
  }

  /**
   * Drops what is kept for the sessions of a tenant that has none at present: its waits, and its
   * scripts as they were compiled. Its desk stays, as other tenants may have it.
   */
  void dropAccounts(int tenant) {
    allFairTurns.forEach(turns -> turns.forget(tenant));
    backlogRoom.forget(tenant);
    scripts.forget(tenant);
  }

  private void dropDesk(int tenant) {
    TenantDesk desk = desks.remove(tenant);
    if (desk != null) {
      desk.close();
    }
  }

  @Override
  public Scripting scripting() {
    return scripts;
  }

  /** Ends the threads that run scripts. */
  void closeScripts() {
    scripts.close();
  }

  /** Returns what the sessions of a tenant have in common. Looked up once for each session. */
  TenantDesk desk(int tenant) {
    return desks.computeIfAbsent(
        tenant,
        number -> new TenantDesk(admissions().memberHeap().lease(number, HeapUse.SLOW_LOGS)));
  }

  /** Sets the events of keys that a tenant is told of, at all members. */
  void setNoticeFlags(Identity identity, int flags) {
    noticesSet(identity.tenant(), identity.number(), flags);
    services.engine().notices().set(identity.tenant(), identity.number(), flags);
  }

  private void noticesSet(TenantName name, int tenant, int flags) {
    desk(tenant).setNoticeFlags(flags);
    if (NotifyFlags.areOnForRemovals(flags)) {
      toldOfRemovals.put(name, tenant);
    } else {
      toldOfRemovals.remove(name);
    }
  }

  /** Tells tenants of keys that expire or are evicted at this member. */
  private final class RemovalNotices implements NoticeStore.Removals {
    @Override
    public boolean isWanted() {
      return !toldOfRemovals.isEmpty();
    }

    @Override
    public void removed(String map, byte[] key, boolean expired) {
      QualifiedName name = QualifiedName.parse(map).orElse(null);
      Integer tenant = name == null ? null : toldOfRemovals.get(name.tenant());
      if (name == null || tenant == null) {
        return;
      }
      TenantChannels told = channels.of(tenant);
      if (told.isSilent()) {
        return;
      }
      NoticeTarget target = NoticeTarget.of(tenant, name.map().value(), desk(tenant).noticeFlags());
      // Other members receive the messages of one removal in order: each is sent behind the last.
      CompletionStage<Long> sent = CompletableFuture.completedFuture(0L);
      for (OutgoingMessage message : Noting.ofRemoval(target, key, expired)) {
        Published _ = told.publish(false, message.channel(), message.payload(), null);
        sent =
            sent.exceptionally(_ -> 0L)
                .thenCompose(
                    _ ->
                        told.line()
                            .publish(false, message.channel(), message.payload(), Runnable::run));
      }
    }
  }

  /** Returns whether the server stops. Nothing waits without need any more then. */
  boolean isStopping() {
    return stopping;
  }

  /** Returns the context that plans may depend on now. */
  KeyedCommand.PlanContext planContext() {
    return new KeyedCommand.PlanContext(
        clock().millis(), config.mostValueBytes(), config.mostCollectionBytes());
  }

  CommandTable commands() {
    return CommandTable.standard();
  }

  @Override
  public ServerFacts facts() {
    return services.facts().get();
  }

  @Override
  public int port() {
    return port;
  }

  @Override
  public String transport() {
    return transport.label();
  }

  @Override
  public int mostClients() {
    return config.mostClients();
  }

  @Override
  public int keepAliveSeconds() {
    return Transport.KEEP_ALIVE_SECONDS;
  }

  @Override
  public int mostValueBytes() {
    return config.mostValueBytes();
  }

  @Override
  public int mostCollectionBytes() {
    return config.mostCollectionBytes();
  }

  @Override
  public long mostReadAheadBytes() {
    return config.backlog().ofConnection();
  }

  @Override
  public String outputLimits() {
    RespServerConfig.OutputLimits limits = config.output();
    return limits.mostPendingBytes()
        + " "
        + limits.holdBackBytes()
        + " "
        + limits.longestStall().toSeconds();
  }

  @Override
  public String messageLimits() {
    RespServerConfig.MessageLimits limits = config.messages();
    return limits.hardBytes() + " " + limits.softBytes() + " " + limits.softTime().toSeconds();
  }

  @Override
  public Authenticator authenticator() {
    return services.policy().authenticator();
  }

  @Override
  public SessionRegistry sessions() {
    return services.policy().sessions();
  }

  /** Returns the counters by which tenants are charged. */
  UsageBook usage() {
    return services.policy().usage();
  }

  /** Begins the visit of a tenant that has authenticated. */
  Visit visit(Identity identity) {
    return Visit.begin(services.policy(), identity, Door.RESP);
  }

  /** Counts a key that was refused: see {@link TenantPolicy#keyRefused}. */
  long keyRefused(String shown, SocketAddress from) {
    return services.policy().keyRefused(shown, Door.RESP, from);
  }

  /** Returns the budget of connections that have not authenticated. */
  PeerBudget peers() {
    return services.policy().peers();
  }

  /** Returns the log of connections that speak another protocol. */
  StrangerLog strangers() {
    return strangers;
  }

  /** Returns the limit on log lines about subscribers that do not read. */
  LogLimit slowSubscribers() {
    return slowSubscribers;
  }

  /** Returns the limits of tenants. */
  Admissions admissions() {
    return services.policy().admissions();
  }

  @Override
  public Admission admission(Identity identity) {
    return admissions().of(identity);
  }

  /** Returns what tenants are granted on others' maps and channels. */
  GrantDirectory grants() {
    return services.policy().grants();
  }

  @Override
  public List<QualifiedName> grantedTo(Identity identity) {
    return services.policy().grants().grantedTo(identity);
  }

  @Override
  public TenantMeters meters() {
    return services.policy().meters();
  }

  @Override
  public Supplier<RateCards> rates() {
    return services.rates();
  }

  @Override
  public long nanoTime() {
    return services.nanoTime().getAsLong();
  }

  @Override
  public InstantSource clock() {
    return services.clock();
  }
}
