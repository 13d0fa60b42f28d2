package io.keyvalueserve.grid.quorum;

import com.hazelcast.cluster.Address;
import com.hazelcast.cluster.impl.MemberImpl;
import com.hazelcast.instance.EndpointQualifier;
import com.hazelcast.instance.impl.Node;
import com.hazelcast.instance.impl.NodeState;
import com.hazelcast.internal.cluster.impl.ClusterServiceImpl;
import com.hazelcast.internal.cluster.impl.MemberMap;
import com.hazelcast.internal.nio.ConnectionListener;
import com.hazelcast.internal.server.ServerConnection;
import com.hazelcast.internal.server.ServerConnectionManager;
import com.hazelcast.spi.impl.operationservice.impl.PendingInvocations;
import io.keyvalueserve.grid.quorum.MembersView.Stamp;
import io.keyvalueserve.grid.restart.RestartedNode;
import io.keyvalueserve.maps.Lease;
import io.keyvalueserve.tenancy.HostPort;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps a member's lease: asks the voters, answers their questions, and tells Hazelcast which
 * members are lost.
 *
 * <p>Hazelcast's own detection is set so long that it finds nothing: it would let a member go on
 * alone that has lost all others. Here a member that cannot reach a majority removes nobody, and
 * keeps its list and its partition table as they were.
 *
 * <p>One thread does all that is due. Thread-safe.
 */
public final class QuorumKeeper implements AutoCloseable, ConnectionListener<ServerConnection> {
  private static final Logger LOG = LoggerFactory.getLogger(QuorumKeeper.class);

  /** After so many leases without one, doors refuse at once and nobody waits for an answer. */
  private static final double PATIENCE_LEASES = 1.5;

  /** A thread that was kept from running for so many leases knows nothing about others' silence. */
  private static final int LATE_LEASES = 1;

  private static final int PROBE_MILLIS = 300;
  private static final int PROBES = 3;

  /** A process that has ended is found out sooner. */
  private static final long LOST_PACKETS_MILLIS = 1_500;

  private static final long SWEEP_NANOS = TimeUnit.MILLISECONDS.toNanos(1_500);
  private static final long PROBE_PAUSE_MILLIS = 100;
  private static final long REPORT_NANOS = TimeUnit.SECONDS.toNanos(5);
  private static final long LATELY_NANOS = TimeUnit.MINUTES.toNanos(1);
  private static final long LEAVE_STEP_MILLIS = 20;
  private static final long WAIT_STEP_MILLIS = 5;

  private final Node node;
  private final QuorumConfig config;
  private final List<String> join;
  private final Lease lease;
  private final Addresses addresses = new Addresses();
  private final boolean alone;
  private final boolean needsData;
  private final Quorum.Memory memory;
  private final @Nullable VoterSet known;
  private final @Nullable Stamp promise;
  private final ScheduledExecutorService timer;
  private final ScheduledExecutorService prober;
  private final AtomicBoolean listens = new AtomicBoolean();
  private volatile @Nullable Quorum quorum;
  private volatile @Nullable UUID self;
  private volatile Runnable whenOutcast = () -> {};
  private volatile Consumer<Set<UUID>> whenForgotten = forgotten -> {};
  private volatile boolean outcast;
  private volatile List<InetSocketAddress> unheard = List.of();

  // Of the timer's thread.
  private long ticked;
  private long heldNanos;
  private long closedNanos;
  private long reportedNanos;
  private boolean reported;
  private boolean failing;

  private long sweptNanos;

  /** Operations that had no connection when they were looked at last. */
  private final Set<Long> doubted = new HashSet<>();

  /** Members that are known to be silent or apart, so that each is told once. */
  private final Set<UUID> told = new HashSet<>();

  /**
   * Creates the keeper of a member that is about to start.
   *
   * @param join the addresses of other members as configured, {@code HOST:PORT}
   * @param lease what it keeps
   * @param memory keeps what must outlive the member
   * @param alone whether whoever is there decides, also without those that did before
   * @param needsData whether the member starts again when it reaches no member that holds data
   * @param known what was kept before; null if nothing was
   * @param promise the last view before; null if there was none
   */
  public QuorumKeeper(
      Node node,
      QuorumConfig config,
      List<String> join,
      Lease lease,
      Quorum.Memory memory,
      boolean alone,
      boolean needsData,
      @Nullable VoterSet known,
      @Nullable Stamp promise) {
    this.alone = alone;
    this.needsData = needsData;
    this.node = node;
    this.config = config;
    this.join = List.copyOf(join);
    this.lease = lease;
    this.memory = memory;
    this.known = alone ? null : known;
    this.promise = alone ? null : promise;
    this.timer = thread("kvs-quorum");
    this.prober = thread("kvs-quorum-probe");
  }

  private static ScheduledExecutorService thread(String name) {
    return Executors.newSingleThreadScheduledExecutor(
        Thread.ofPlatform().name(name).daemon().factory());
  }

  /** Begins. The member need not have joined. */
  public void start() {
    ticked = System.nanoTime();
    heldNanos = ticked;
    ScheduledFuture<?> _ =
        timer.scheduleWithFixedDelay(this::tick, 0, config.times().beat(), TimeUnit.NANOSECONDS);
  }

  @Override
  public void close() {
    timer.shutdownNow();
    prober.shutdownNow();
  }

  /**
   * Has somebody told, once, when this member has to end and to join again: the cluster goes on
   * without it.
   *
   * @param task does not block; called at once if that is so already
   */
  public synchronized void whenOutcast(Runnable task) {
    whenOutcast = task;
    if (outcast) {
      task.run();
    }
  }

  /**
   * Has somebody told, again and again, which members are forgotten, while this member serves and
   * hears all voters.
   *
   * @param task does not block
   */
  public void whenForgotten(Consumer<Set<UUID>> task) {
    whenForgotten = task;
  }

  /**
   * Forgets a member like {@link Quorum#forget}. To be asked of the member that leads the cluster.
   */
  public Forgetting forget(UUID member) {
    Quorum current = quorum;
    return current == null ? Forgetting.NO_MAJORITY : current.forget(member, System.nanoTime());
  }

  /** Returns the newest voters that this member knows; null if it knows none. */
  public @Nullable VoterSet voters() {
    Quorum current = quorum;
    return current == null ? known : current.voters();
  }

  /** Returns whether this member looks for other clusters to merge with. */
  public boolean merges() {
    Quorum current = quorum;
    VoterSet set = current == null ? null : current.voters();
    return set != null && !set.consistent();
  }

  /** Returns the members that have said that they leave for good. */
  public Set<UUID> leaving() {
    Quorum current = quorum;
    return current == null ? Set.of() : current.leaving();
  }

  /** Returns how long a member is silent before it is taken for lost, in milliseconds. */
  public long silenceMillis() {
    return TimeUnit.NANOSECONDS.toMillis(config.times().silence());
  }

  /**
   * Returns the addresses of the members of which this one had heard nothing for too long when it
   * was found to be outcast.
   */
  public List<InetSocketAddress> unheard() {
    return unheard;
  }

  /** Returns whether this member has to join again. */
  public boolean isOutcast() {
    return outcast;
  }

  /**
   * Waits until this member knows the voters of its cluster, or has to join another.
   *
   * @param whileWaiting called again and again; what it throws ends the wait
   * @return whether it knows them
   */
  public boolean awaitVoters(Runnable whileWaiting) throws InterruptedException {
    if (known != null) {
      return true;
    }
    while (true) {
      Quorum current = quorum;
      if (current != null && current.voters() != null) {
        return true;
      }
      if (outcast || node.getState() != NodeState.ACTIVE) {
        return false;
      }
      whileWaiting.run();
      try {
        timer.execute(this::tick);
      } catch (RejectedExecutionException e) {
        return false;
      }
      TimeUnit.MILLISECONDS.sleep(WAIT_STEP_MILLIS);
    }
  }

  /**
   * Waits until this member may serve, or has to join again.
   *
   * @return whether it may serve
   */
  public boolean awaitLease() throws InterruptedException {
    while (!lease.holds()) {
      if (outcast || node.getState() != NodeState.ACTIVE) {
        return false;
      }
      TimeUnit.MILLISECONDS.sleep(LEAVE_STEP_MILLIS);
    }
    return true;
  }

  /**
   * Has the others decide without this member from now on. To be called before it leaves for good.
   *
   * @param patienceNanos how long it waits for that
   */
  public void leave(long patienceNanos) {
    Quorum current = quorum;
    if (current == null || !lease.holds() || node.getClusterService().getSize() < 2) {
      return;
    }
    current.leave();
    long start = System.nanoTime();
    try {
      while (!current.hasLeft() && System.nanoTime() - start < patienceNanos) {
        TimeUnit.MILLISECONDS.sleep(LEAVE_STEP_MILLIS);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Returns how the member stands. */
  public QuorumState state() {
    Quorum current = quorum;
    VoterSet set = current == null ? null : current.voters();
    if (current == null || set == null) {
      return new QuorumState(
          config.mode() == SplitMode.CONSISTENT, lease.holds(), List.of(), List.of(), 0);
    }
    Set<UUID> reachable = current.reachable(System.nanoTime());
    List<String> missing = new ArrayList<>();
    set.voters()
        .forEach(
            (id, address) -> {
              if (!reachable.contains(id)) {
                missing.add(address);
              }
            });
    return new QuorumState(
        set.consistent(),
        lease.holds(),
        set.voters().values().stream().sorted().toList(),
        missing.stream().sorted().toList(),
        set.majority());
  }

  /** This member takes what it has from a running cluster. Called before it gives up its own. */
  public void joined() {
    Quorum current = quorum;
    if (current != null) {
      current.joined(System.nanoTime());
    }
  }

  // ---- what others say

  /** Takes in what another member says. Does not block, unless it has to be remembered. */
  void hear(Record said, @Nullable Address from) {
    Quorum current = quorum;
    if (from == null) {
      return;
    }
    if (current == null) {
      if (said instanceof QuorumAsk && !isJoined()) {
        send(new QuorumStarting(), from);
      }
      return;
    }
    long now = System.nanoTime();
    switch (said) {
      case QuorumAsk ask -> send(current.answer(ask, now), from);
      case QuorumAnswer answer -> current.hear(answer, now);
      case QuorumStarting _ -> hearStarting(current, from, now);
      default -> throw new IllegalArgumentException("nothing that members say: " + said);
    }
  }

  /**
   * A member starts, and has found no cluster to join. If this member has no lease, and its master
   * is lost or is the one that starts, nobody can lead: without a lease this member must not take
   * another one for its master, and who starts is told of the old one. So this member starts again,
   * too, if it can do so without losing what it has.
   */
  private void hearStarting(Quorum current, Address from, long now) {
    Address master = node.getClusterService().getMasterAddress();
    boolean isLost = from.equals(master) || current.isMasterSilent(now);
    if (!lease.holds() && isLost && !node.isMaster() && keepsData()) {
      startAgain("its master has started again, or is lost, and no majority is left");
    }
  }

  private boolean keepsData() {
    return ((RestartedNode) node.getNodeExtension()).hotRestart() != null;
  }

  private void send(Record said, Address to) {
    boolean _ = node.getNodeEngine().getOperationService().send(new QuorumMessage(said), to);
  }

  // ---- the list of members

  /** The list of members has changed. Called by the thread that changed it. */
  public void onMemberListChange() {
    Quorum current = quorum;
    if (current != null && node.getClusterService().isJoined()) {
      enter(current);
      if (!lease.holds()) {
        askSoon();
      }
    }
  }

  /**
   * Has the new list confirmed at once, and ends what waits for the backups of members that this
   * member has lost without a majority.
   */
  private void askSoon() {
    try {
      timer.execute(this::tick);
      ScheduledFuture<?> _ =
          timer.schedule(
              () -> {
                if (lease.isLost()) {
                  PendingInvocations.abandon(node.getNodeEngine());
                }
              },
              config.times().beat(),
              TimeUnit.NANOSECONDS);
    } catch (RejectedExecutionException e) {
      // this member goes down
    }
  }

  /** Reads the list under the lock, so that of two threads none brings an older one. */
  private synchronized void enter(Quorum current) {
    ClusterServiceImpl cluster = node.getClusterService();
    MemberMap members = cluster.getMembershipManager().getMemberMap();
    Map<UUID, String> addresses = new LinkedHashMap<>();
    UUID master = null;
    Address masterAddress = cluster.getMasterAddress();
    for (MemberImpl member : members.getMembers()) {
      addresses.put(member.getUuid(), text(member.getAddress()));
      if (member.getAddress().equals(masterAddress)) {
        master = member.getUuid();
      }
    }
    if (master == null || masterAddress == null) {
      return; // between two masters
    }
    current.enter(
        new MembersView(members.getVersion(), master, addresses),
        text(masterAddress),
        System.nanoTime());
  }

  private static String text(Address address) {
    return HostPort.of(address.getHost(), address.getPort());
  }

  // ---- what is due

  private void tick() {
    try {
      look();
      failing = false;
    } catch (RuntimeException e) { // else this would have been the last time
      if (!failing) {
        LOG.error("the lease of this member could not be looked after", e);
      }
      failing = true;
    }
  }

  private void look() {
    long now = System.nanoTime();
    long since = now - ticked;
    ticked = now;
    if (!isJoined()) {
      lookAtLease(now);
      return;
    }
    Quorum current = quorumOf(now);
    if (since > LATE_LEASES * config.times().lease()) {
      current.recordPause(now);
      heldNanos = now - config.times().lease() / 2; // others may answer at once
    }
    enter(current);
    current.lead(current.voters() == null ? named() : 0, now);
    ask(current, now);
    lookAtLease(now);
    suspectSilent(current, now);
    abandonLost(now);
    Set<UUID> forgotten = current.forgottenByAll(now);
    if (!forgotten.isEmpty()) {
      whenForgotten.accept(forgotten);
    }
    if (!outcast && current.isOutcast(now)) {
      unheard = addressesOf(current.lostLately(LATELY_NANOS, now));
      startAgain("the cluster goes on without it");
    } else if (!outcast && needsData && reachesNoData(current, now)) {
      startAgain("it has not reached a member that holds data for a while");
    }
  }

  private void abandonLost(long now) {
    if (now - sweptNanos > SWEEP_NANOS) {
      sweptNanos = now;
      PendingInvocations.abandonLost(
          node.getNodeEngine(), doubted, TimeUnit.NANOSECONDS.toMillis(config.times().silence()));
    }
  }

  /**
   * Has this member leave its view and join again.
   *
   * @param why completes the sentence "this member leaves its cluster, and joins again: ..."
   */
  public synchronized void startAgain(String why) {
    if (!outcast) {
      outcast = true;
      LOG.warn("this member leaves its cluster, and joins again: {}", why);
      lease.end(); // or what it still waits for would keep it from leaving
      whenOutcast.run();
    }
  }

  private static List<InetSocketAddress> addressesOf(Set<String> members) {
    return members.stream()
        .map(
            member -> {
              int colon = member.lastIndexOf(':');
              return new InetSocketAddress(
                  member.substring(0, colon), Integer.parseInt(member.substring(colon + 1)));
            })
        .toList();
  }

  /**
   * Returns whether this member has lost its lease for long, and reaches no member that holds data.
   * It must then not tell a member that comes back that the cluster runs, because that member would
   * give up its data.
   */
  private boolean reachesNoData(Quorum current, long now) {
    if (!lease.isLost()
        || now - heldNanos < config.times().silence()
        || !node.getNodeExtension().isStartCompleted()) {
      return false;
    }
    ClusterServiceImpl cluster = node.getClusterService();
    return current.reachable(now).stream()
        .map(cluster::getMember)
        .noneMatch(member -> member != null && !member.isLiteMember());
  }

  /** Called early, too, while the node is being made. */
  private boolean isJoined() {
    ClusterServiceImpl cluster = node.getClusterService();
    return cluster != null && node.getState() != NodeState.SHUT_DOWN && cluster.isJoined();
  }

  /** A merge gives a member another id. */
  private Quorum quorumOf(long now) {
    UUID id = node.getThisUuid();
    Quorum current = quorum;
    if (current == null || !id.equals(self)) {
      boolean first = current == null;
      VoterSet set = current == null ? known : current.voters();
      current =
          new Quorum(
              id, config.mode(), config.times(), set, first ? promise : null, memory, lease, now);
      self = id;
      quorum = current;
      if (listens.compareAndSet(false, true)) {
        connections().addConnectionListener(this);
      }
    }
    return current;
  }

  private int named() {
    return alone || config.mode() == SplitMode.AVAILABLE ? 1 : namedMembers();
  }

  /** Returns how many members the configuration names, this one included. */
  public int namedMembers() {
    Set<String> all = new HashSet<>();
    all.add(text(node.getThisAddress()));
    for (String each : join) {
      Address address = addresses.of(each);
      all.add(address == null ? each : text(address));
    }
    return all.size();
  }

  private void ask(Quorum current, long now) {
    QuorumAsk question = current.ask(now);
    Set<Address> asked = new HashSet<>();
    Address here = node.getThisAddress();
    asked.add(here);
    for (MemberImpl member : node.getClusterService().getMemberImpls()) {
      if (asked.add(member.getAddress())) {
        send(question, member.getAddress());
      }
    }
    if (lease.holds()) {
      return;
    }
    VoterSet set = current.voters();
    List<String> others = new ArrayList<>(join);
    if (set != null) {
      others.addAll(set.voters().values());
    }
    for (String other : others) {
      Address address = addresses.of(other);
      if (address != null && asked.add(address)) {
        send(question, address);
      }
    }
  }

  private void lookAtLease(long now) {
    if (lease.holds()) {
      if (reported) {
        LOG.info("this member serves again: a majority of the cluster answers it");
      }
      heldNanos = now;
      reportedNanos = now;
      reported = false;
      closedNanos = now;
      lease.setRefuses(false);
      return;
    }
    if (now - heldNanos > PATIENCE_LEASES * config.times().lease()) {
      lease.setRefuses(true);
      if (quorum != null) {
        PendingInvocations.abandon(node.getNodeEngine());
        closeSilent(now);
      }
    }
    if (now - reportedNanos > REPORT_NANOS) {
      reportedNanos = now;
      reported = true;
      report();
    }
  }

  private void report() {
    QuorumState state = state();
    if (state.voters().isEmpty()) {
      LOG.warn(
          "this member waits for a majority of the {} members that it was told of: join={}",
          named(),
          join);
    } else {
      LOG.warn(
          "this member does not serve: it reaches {} of {} voters and needs {}; missing: {}",
          state.voters().size() - state.missing().size(),
          state.voters().size(),
          state.majority(),
          state.missing());
    }
  }

  /**
   * Closes connections over which nothing comes. After a cut their packets would be sent again only
   * when TCP's growing pauses have passed; new connections work as soon as the network does.
   */
  private void closeSilent(long now) {
    if (now - closedNanos < config.times().silence()) {
      return;
    }
    closedNanos = now;
    for (ServerConnection connection : List.copyOf(connections().getConnections())) {
      long silent = System.currentTimeMillis() - connection.lastReadTimeMillis();
      if (TimeUnit.MILLISECONDS.toNanos(silent) > config.times().silence()) {
        connection.close("nothing has come over it while this member had no majority", null);
      }
    }
  }

  // ---- lost members

  private void suspectSilent(Quorum current, long now) {
    Set<UUID> silent = current.silent(now);
    Set<UUID> apart = current.apart(now);
    told.removeIf(each -> !silent.contains(each) && !apart.contains(each));
    suspectAll(
        silent,
        "nothing was heard of it for "
            + TimeUnit.NANOSECONDS.toMillis(config.times().silence())
            + " ms");
    suspectAll(apart, "it and another member do not reach each other");
  }

  private void suspectAll(Set<UUID> members, String reason) {
    for (UUID each : members) {
      MemberImpl member = node.getClusterService().getMember(each);
      if (member != null && !member.localMember()) {
        suspect(member, reason, told.add(each));
      }
    }
  }

  /**
   * Takes a member for lost. The master removes it; others take note, for the day when they become
   * the master. They keep the connection: the member may be heard again.
   */
  private void suspect(MemberImpl member, String reason, boolean tells) {
    if (tells) {
      LOG.warn("member {} is lost: {}", text(member.getAddress()), reason);
    }
    ClusterServiceImpl cluster = node.getClusterService();
    cluster.suspectMember(member, reason, cluster.isMaster());
  }

  @Override
  public void connectionAdded(ServerConnection connection) {}

  /** A process that has ended refuses connections at once. */
  @Override
  public void connectionRemoved(ServerConnection connection) {
    Address address = connection.getRemoteAddress();
    if (address == null) {
      return;
    }
    MemberImpl member = node.getClusterService().getMember(address);
    if (member != null && !member.localMember()) {
      probe(member, PROBES);
      abandonSentTo(member);
    }
  }

  /**
   * Ends what this member waits for that went over a connection that is closed now, unless the
   * other member has been lost, too: Hazelcast looks after that. What was on its way is gone, and
   * nobody would answer it.
   */
  private void abandonSentTo(MemberImpl member) {
    long lastCall = PendingInvocations.lastCall(node.getNodeEngine());
    try {
      ScheduledFuture<?> _ =
          prober.schedule(
              () -> {
                if (node.getClusterService().getMember(member.getUuid()) != null) {
                  PendingInvocations.abandon(node.getNodeEngine(), member.getAddress(), lastCall);
                }
              },
              LOST_PACKETS_MILLIS,
              TimeUnit.MILLISECONDS);
    } catch (RejectedExecutionException e) {
      // this member goes down
    }
  }

  private void probe(MemberImpl member, int left) {
    try {
      ScheduledFuture<?> _ =
          prober.schedule(
              () -> lookWhetherEnded(member, left),
              left == PROBES ? 0 : PROBE_PAUSE_MILLIS,
              TimeUnit.MILLISECONDS);
    } catch (RejectedExecutionException e) {
      // this member goes down
    }
  }

  private void lookWhetherEnded(MemberImpl member, int left) {
    try {
      Quorum current = quorum;
      if (current == null || node.getClusterService().getMember(member.getUuid()) == null) {
        return;
      }
      if (!refusesConnections(member.getAddress())) {
        return;
      }
      if (left > 1) {
        probe(member, left - 1);
      } else if (current.mayDecide() && isJoined()) { // also while this member goes down
        suspect(member, "its process has ended: its port refuses connections", true);
      } else {
        probe(member, left);
      }
    } catch (RuntimeException e) {
      LOG.warn("a lost connection could not be looked at", e);
    }
  }

  private static boolean refusesConnections(Address address) {
    try (Socket socket = new Socket()) {
      socket.connect(
          new InetSocketAddress(address.getInetAddress(), address.getPort()), PROBE_MILLIS);
      return false;
    } catch (ConnectException e) {
      return true;
    } catch (IOException e) {
      return false;
    }
  }

  private ServerConnectionManager connections() {
    return node.getServer().getConnectionManager(EndpointQualifier.MEMBER);
  }
}
