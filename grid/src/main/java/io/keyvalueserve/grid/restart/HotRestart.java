package io.keyvalueserve.grid.restart;

import com.hazelcast.cluster.Address;
import com.hazelcast.cluster.Member;
import com.hazelcast.config.Config;
import com.hazelcast.core.HazelcastException;
import com.hazelcast.instance.impl.Node;
import com.hazelcast.instance.impl.NodeState;
import com.hazelcast.internal.partition.InternalPartition;
import com.hazelcast.internal.partition.PartitionReplica;
import com.hazelcast.internal.partition.PartitionTableView;
import com.hazelcast.internal.partition.ReadonlyInternalPartition;
import com.hazelcast.internal.partition.impl.InternalPartitionServiceImpl;
import com.hazelcast.internal.partition.impl.PartitionStateManager;
import com.hazelcast.internal.partition.impl.ReplicaRefresh;
import com.hazelcast.map.impl.MapService;
import io.keyvalueserve.grid.Role;
import io.keyvalueserve.grid.member.DataMembers;
import io.keyvalueserve.grid.quorum.QuorumKeeper;
import io.keyvalueserve.grid.quorum.QuorumMessage;
import io.keyvalueserve.grid.restart.RestartAnswer.Begin;
import io.keyvalueserve.grid.restart.RestartAnswer.Check;
import io.keyvalueserve.grid.restart.RestartAnswer.Refused;
import io.keyvalueserve.grid.restart.RestartAnswer.Running;
import io.keyvalueserve.grid.restart.RestartAnswer.Wait;
import io.keyvalueserve.maps.CopiedKey;
import io.keyvalueserve.maps.LostPartitions;
import io.keyvalueserve.maps.NativeMaps;
import io.keyvalueserve.maps.RenewedRecords;
import io.keyvalueserve.tenancy.HostPort;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The start of a member that may have been here before.
 *
 * <p>It has the id that it had, joins, and says what it has to the master ({@link RestartClaim}).
 * If the cluster is running, what it has is older than what the others have meanwhile done without
 * it: it gives that up, and gets its share as any new member does. If the cluster is starting too,
 * it loads what it has; when all have, the master decides who has which partition ({@link
 * RestartCoordinator}), and each begins with what it has of them. Until then it takes part in
 * nothing: {@link #isStarted} is what Hazelcast asks.
 */
public final class HotRestart implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(HotRestart.class);
  private static final long ASK_MILLIS = 50;
  private static final long ANSWER_SECONDS = 5;
  private static final long TRUST_MILLIS = 500;
  private static final long PAGE_BYTES = 4 << 20;
  private static final long REPORT_NANOS = TimeUnit.SECONDS.toNanos(5);

  /** A member that has not asked for so long starts no more, or not yet. */
  private static final long ASKED_LATELY_NANOS = TimeUnit.SECONDS.toNanos(3);

  private final NativeMaps maps;
  private final DataDirectory directory;
  private final PartitionTableKeeper table;
  private final DurableMaps durableMaps;
  private final QuorumFile quorumFile;
  private final MemberLog log;
  private final LossesFile losses;
  private final LogRecovery recovery;
  private final RestartCoordinator coordinator;
  private final RestartPolicy policy;
  private final int backups;
  private final boolean guardsLost;
  private final boolean witness;
  private final StartingMembers starting = new StartingMembers();
  private final UUID attempt = UUID.randomUUID();
  private volatile @Nullable Node node;
  private volatile @Nullable RestartClaim claim;

  /** The partitions of which others may have had more before this start, damage apart. */
  private volatile Set<Integer> behindBefore = Set.of();

  private volatile boolean started;
  private volatile boolean stopping;
  private volatile boolean goingDown;
  private volatile boolean becomesAnother;

  /** The table that is kept while the member gives way to another side of a split; else null. */
  private volatile @Nullable KeptTable givenUp;

  private volatile long askedNanos = System.nanoTime();

  /** The forgotten members after which partitions were looked at; of the quorum's thread. */
  private Set<UUID> settledFor = Set.of();

  private HotRestart(
      RestartConfig config,
      DataDirectory directory,
      int backups,
      NativeMaps maps,
      boolean witness) {
    policy = config.policy();
    this.backups = backups;
    this.witness = witness;
    this.maps = maps;
    this.directory = directory;
    table = new PartitionTableKeeper(config.directory());
    quorumFile = new QuorumFile(config.directory());
    durableMaps = new DurableMaps(config.directory(), config.durability(), maps);
    MapDurability durability = durableMaps.durability();
    log =
        new MemberLog(
            durability,
            table,
            this::versionOf,
            this::owns,
            config.whileLoading() == WhileLoading.REFUSE);
    guardsLost = config.policy() != RestartPolicy.PARTIAL;
    losses = new LossesFile(config.directory());
    recovery = new LogRecovery(config, directory, maps, log, losses, !witness);
    coordinator = new RestartCoordinator(config.policy(), config.patience().toNanos(), backups);
    if (witness) {
      requireNoLog(config);
    } else {
      maps.logTo(log);
    }
  }

  private void requireNoLog(RestartConfig config) {
    try {
      if (!recovery.hasLog()) {
        return;
      }
    } catch (IOException e) {
      throw new RestartException("the member cannot start: " + e.getMessage(), e);
    }
    throw new RestartException(
        "the data directory has entries, which a witness does not serve: directory="
            + config.directory()
            + "; start the member with --role data, or give another --data");
  }

  /**
   * Takes a member's directory, for the maps of a member that is to be started.
   *
   * @param cluster the cluster's name
   * @param partitions how many partitions it has
   * @param backups how many backups a map has at least
   * @param witness whether the member holds no data: then it keeps who does, and no log
   * @throws RestartException if the directory cannot be used, or is somebody else's
   */
  public static HotRestart open(
      RestartConfig config,
      String cluster,
      int partitions,
      int backups,
      NativeMaps maps,
      boolean witness) {
    DataDirectory directory = DataDirectory.open(config.directory(), cluster, partitions);
    try {
      return new HotRestart(config, directory, backups, maps, witness);
    } catch (RestartException e) {
      directory.close();
      throw e;
    }
  }

  /** Sets up a member; before it starts. */
  public static void configure(Config config) {
    RestartQuestion.register(config);
    CopyQuestion.register(config);
  }

  /** The member's id: the same each time. */
  public UUID memberUuid() {
    return directory.member().uuid();
  }

  /** Returns whether the operator says that the members that decided before are not coming back. */
  public boolean forgetsVoters() {
    return !guardsLost;
  }

  /** Returns the file that keeps the voters of the cluster. */
  public QuorumFile quorumFile() {
    return quorumFile;
  }

  /** Returns the durability of each map. */
  public DurableMaps durableMaps() {
    return durableMaps;
  }

  /** Returns whether the member holds no data. */
  public boolean isWitness() {
    return witness;
  }

  /** Returns whether the member takes part in the cluster. */
  public boolean isStarted() {
    return started;
  }

  // ---- the start

  /**
   * Brings the member back, or makes it a new one. Blocks until it takes part in its cluster.
   *
   * @return false if it has to join another cluster, or as another than the cluster takes it for:
   *     it has to be started again for that
   * @throws RestartException if it must not
   */
  public boolean start(Node of) {
    node = of;
    KeptTable kept = keptTable();
    behindBefore = kept == null ? Set.of() : kept.behind();
    RestartClaim claim = claim(of, kept, kept == null || witness);
    long reportNanos = System.nanoTime() + REPORT_NANOS;
    while (true) {
      if (!of.isRunning()) {
        throw new RestartException("the member was stopped while it was starting");
      }
      if (quorum().isOutcast()) {
        return false;
      }
      this.claim = claim;
      RestartQuestion.Reply reply = askMaster(of, claim);
      Wait why;
      switch (reply.answer()) {
        case Begin begin -> {
          begin(begin);
          return true;
        }
        case Running running -> {
          RestartClaim told = reply.own();
          if (told != null && names().stream().anyMatch(told.forgotten()::has)) {
            LOG.warn(
                "this member was forgotten by its cluster: what it had is given up, and it joins as"
                    + " a new member");
            becomesAnother = true;
            return false;
          }
          RunningCluster cluster = isServed(of, claim) ? runningCluster(of, running, claim) : null;
          RunningCluster.Way way = cluster == null ? RunningCluster.Way.WAIT : cluster.way(policy);
          if (way == RunningCluster.Way.JOIN) {
            return join(running, claim, told == null ? null : told.table());
          }
          if (cluster != null && way == RunningCluster.Way.TOGETHER) {
            claim = beginTogether(of, cluster);
          }
          why = cluster == null ? new Wait("members that hold data") : waitFor(cluster);
        }
        case Refused refused ->
            throw new RestartException("the member cannot start: " + refused.why());
        case Check _ -> {
          recovery.check();
          claim = claim.whenRead(stateOr(LogState.CHECKED));
          why = new Wait("other members to read their logs whole");
        }
        case Wait wait -> {
          if (!claim.isLoaded()) {
            recovery.load(claim.isNamed());
            claim = claim.whenRead(stateOr(LogState.LOADED));
          }
          why = wait;
        }
      }
      if (System.nanoTime() - reportNanos > 0) {
        LOG.info("the cluster's start waits for {}", why.why());
        reportNanos = System.nanoTime() + REPORT_NANOS;
      }
      pause();
    }
  }

  /** Returns the state of a log that was read. */
  private LogState stateOr(LogState whole) {
    return recovery.faults().isUnsure() ? LogState.DAMAGED : whole;
  }

  private RestartClaim claim(Node of, @Nullable KeptTable kept, boolean loaded) {
    return new RestartClaim(
            attempt,
            memberUuid(),
            of.getThisAddress(),
            directory.member().history(),
            kept,
            loaded ? LogState.LOADED : LogState.UNREAD,
            witness,
            Set.of(),
            Forgotten.of(quorum().voters()))
        .alsoKnownAs(Set.copyOf(directory.member().aliases()));
  }

  /** Returns the member's id and its aliases. */
  private Set<UUID> names() {
    MemberFile.Contents member = directory.member();
    Set<UUID> names = new HashSet<>(member.aliases());
    names.add(member.uuid());
    return names;
  }

  /**
   * Returns the claims of the members of a running cluster, and of those that start.
   *
   * @return null if not all of them have answered
   * @throws RestartException if it is another cluster than the member's
   */
  private @Nullable RunningCluster runningCluster(Node of, Running running, RestartClaim claim) {
    UUID history = claim.history();
    if (claim.table() == null || witness) {
      return new RunningCluster(claim, List.of(), List.of(), backups);
    }
    if (!running.history().equals(history)) {
      throw new RestartException(
          ("the member cannot start: its data are of another cluster (%s) than the one that it"
                  + " joins (%s); start the members that have data before those that have none, or"
                  + " give it an empty data directory")
              .formatted(history, running.history()));
    }
    List<RestartClaim> started = new ArrayList<>();
    List<RestartClaim> starting = new ArrayList<>();
    for (Member member : of.getClusterService().getMembers()) {
      if (!member.localMember()) {
        RestartQuestion.Reply reply = ask(of, claim, member.getAddress(), false);
        RestartClaim own = reply.own();
        if (own == null) {
          return null;
        }
        if (running.history().equals(own.history())) {
          (reply.answer() instanceof Running ? started : starting).add(own);
        }
      }
    }
    return new RunningCluster(claim, started, starting, backups);
  }

  /** Has all members start again that run, so that all begin with what they have. */
  private RestartClaim beginTogether(Node of, RunningCluster cluster) {
    Set<UUID> served =
        cluster.started().stream().map(RestartClaim::member).collect(Collectors.toSet());
    if (!served.equals(cluster.mine().together())) {
      LOG.warn(
          "this member has partitions of which no running member has a copy: all begin together");
    }
    RestartClaim together = cluster.mine().togetherWith(served);
    for (RestartClaim each : cluster.started()) {
      RestartQuestion.Reply _ = ask(of, together, each.address(), true);
    }
    return together;
  }

  private static Wait waitFor(RunningCluster cluster) {
    return new Wait(
        "members that have newer data than this one, of which the running members have no copy: "
            + RestartCoordinator.text(cluster.missing())
            + "; start them, or give --restart-policy partial to go on without those data");
  }

  /**
   * Returns whether a member that holds data takes part in the cluster. A witness may be the only
   * member left, and has no data to give.
   */
  private boolean isServed(Node of, RestartClaim claim) {
    Address address = of.getMasterAddress();
    Member master = address == null ? null : of.getClusterService().getMember(address);
    if (master == null || Role.of(master) == Role.DATA) {
      return true;
    }
    return DataMembers.of(of.getNodeEngine()).stream()
        .filter(member -> !member.localMember())
        .anyMatch(member -> ask(of, claim, member.getAddress(), false).answer() instanceof Running);
  }

  private QuorumKeeper quorum() {
    return ((QuorumMessage.Receiver) requireNode().getNodeExtension()).quorum();
  }

  private @Nullable KeptTable keptTable() {
    try {
      return table.read().orElse(null);
    } catch (IOException e) {
      throw new RestartException("the member cannot start: " + e.getMessage(), e);
    }
  }

  private RestartQuestion.Reply askMaster(Node of, RestartClaim claim) {
    Address master = of.getMasterAddress();
    if (master == null) {
      return new RestartQuestion.Reply(new Wait("a master"), Set.of(), null);
    }
    if (master.equals(of.getThisAddress())) {
      RestartAnswer _ = coordinator.claim(claim);
      coordinator.decide(
          of.getClusterService().getMembers().stream()
              .map(Member::getUuid)
              .collect(Collectors.toSet()),
          System.nanoTime());
      return new RestartQuestion.Reply(coordinator.claim(claim), Set.of(), claim);
    }
    return ask(of, claim, master, false);
  }

  private RestartQuestion.Reply ask(Node of, RestartClaim claim, Address member, boolean together) {
    try {
      RestartQuestion.Reply reply =
          of.getNodeEngine()
              .getOperationService()
              .createInvocationBuilder(
                  MapService.SERVICE_NAME, new RestartQuestion(claim, together), member)
              .<RestartQuestion.Reply>invoke()
              .toCompletableFuture()
              .orTimeout(ANSWER_SECONDS, TimeUnit.SECONDS)
              .join();
      if (reply.answer() instanceof Begin begin) {
        coordinator.learn(begin, reply.attempts());
      }
      return reply;
    } catch (CompletionException | HazelcastException e) {
      return new RestartQuestion.Reply(new Wait("an answer: " + e.getMessage()), Set.of(), null);
    }
  }

  /**
   * Answers a member that starts. Thread-safe; does not block.
   *
   * @param together whether this member has to start again, too, if it has started
   */
  RestartQuestion.Reply answer(RestartClaim asking, boolean together) {
    askedNanos = System.nanoTime();
    if (started && together) {
      quorum()
          .startAgain(
              "a member is back that has partitions of which no running member has a copy, and all"
                  + " begin together");
      return new RestartQuestion.Reply(new Wait("all to begin together"), Set.of(), null);
    }
    if (!started || coordinator.hasDecided(asking.attempt())) {
      return new RestartQuestion.Reply(
          coordinator.claim(asking), coordinator.attempts(), started ? null : claim);
    }
    return new RestartQuestion.Reply(answerWhileRunning(asking), Set.of(), ownWhileRunning());
  }

  private RestartAnswer answerWhileRunning(RestartClaim asking) {
    if (quorum().isOutcast()) {
      return new Wait("a member that starts again");
    }
    if (!maps.lease().holds()) { // who joins would give up what may be newer
      return new Wait("a majority of the cluster");
    }
    if (witness && isLeftAlone(asking.member())) {
      quorum().startAgain("no member that holds data takes part any more");
      return new Wait("a member that holds data");
    }
    UUID history = directory.member().history();
    return history == null ? new Wait("the cluster's id") : new Running(history, isInTable(asking));
  }

  /**
   * Returns the claim that this member would begin with if it restarted now; null if it has no
   * table.
   */
  private @Nullable RestartClaim ownWhileRunning() {
    KeptTable rows = currentRows();
    return rows == null ? null : claim(requireNode(), rows, true);
  }

  /**
   * Returns whether all present members that hold data are starting. A witness alone cannot say how
   * to begin then.
   */
  private boolean isLeftAlone(UUID asking) {
    Set<UUID> holders =
        DataMembers.of(requireNode().getNodeEngine()).stream()
            .map(Member::getUuid)
            .collect(Collectors.toSet());
    return starting.areAll(asking, holders, System.nanoTime());
  }

  private boolean isInTable(RestartClaim asking) {
    PartitionTableView now = currentTable();
    for (int id = 0; now != null && id < now.length(); id++) {
      for (PartitionReplica replica : now.getReplicas(id)) {
        if (replica != null
            && (replica.uuid().equals(asking.member())
                || asking.aliases().contains(replica.uuid()))) {
          return true;
        }
      }
    }
    return false;
  }

  /** All begin: with what each of them has. */
  private void begin(Begin begin) {
    PartitionTableView decided = begin.table();
    try {
      directory.belongsTo(begin.history());
      if (decided == null || !hasOwners(decided)) {
        recovery.requireEmpty();
      } else if (!holdsAny(decided)) {
        recovery.forget();
      }
      recovery.load(false);
      if (decided != null) {
        BitSet copies = backups(decided);
        table.write(
            new KeptTable(
                decided, Map.of(), Map.of(), copies.stream().boxed().collect(Collectors.toSet())));
        partitions().setInitialState(decided);
        keepOwn(decided);
        heal();
        maps.lost().distrust(copies, table::changed);
      }
    } catch (IOException e) {
      throw new RestartException("the member cannot start: " + e.getMessage(), e);
    }
    ReplicaRefresh refresh = new ReplicaRefresh(requireNode().getNodeEngine());
    refresh.prepare(maps::exclusively);
    goOn(decided != null, refresh::start);
  }

  /**
   * The cluster has gone on without it, and has a copy of everything.
   *
   * @return false if the cluster's table names the member for what it has had: it is to leave until
   *     the table does not
   */
  private boolean join(Running running, RestartClaim claim, @Nullable KeptTable told) {
    if (running.known()) {
      LOG.info("the cluster takes this member for what it was before: it leaves, and joins again");
      return false;
    }
    if (claim.table() != null && !witness) {
      LOG.info(
          "the cluster is running: what this member had is given up, and comes from the others");
    }
    quorum().joined();
    try {
      directory.belongsTo(running.history());
      recovery.forget();
      recovery.load(false);
      if (told != null) { // or, the first to come back, it would not wait for the others
        table.write(KeptTable.of(olderThanAny(told.table())));
      }
    } catch (IOException e) {
      throw new RestartException("the member cannot start: " + e.getMessage(), e);
    }
    goOn(told != null, () -> {});
    return true;
  }

  /**
   * Returns the table with every row in version 0. A table that is told while it may change says
   * only which members to wait for. Members that were told by the change itself have newer rows.
   */
  private static PartitionTableView olderThanAny(PartitionTableView told) {
    InternalPartition[] rows = new InternalPartition[told.length()];
    for (int id = 0; id < rows.length; id++) {
      rows[id] = new ReadonlyInternalPartition(told.getReplicas(id), id, 0);
    }
    return new PartitionTableView(rows);
  }

  /**
   * The member serves from now on.
   *
   * @param assigned whether the cluster's partitions are somebody's
   * @param then done when it has loaded what it has
   */
  private void goOn(boolean assigned, Runnable then) {
    maps.lost().follow(guardsLost, assigned, this::keepNow);
    maps.lost().whenBehindChanges(table::changed);
    table.follow(this::currentRows, this::awaitCertain);
    maps.lease().whenRegained(table::changed);
    quorum().whenForgotten(this::goOnWithout);
    if (!witness) {
      log.journal().whenFailed(table::logFailed);
    }
    partitions()
        .getPartitionStateManager()
        .setReplicaUpdateInterceptor(new Changes(table, maps.lost()));
    recovery.loadSystemMaps(this::bring);
    partitions().pauseMigration(); // what is sent elsewhere has to be here
    started = true;
    table.changed();
    recovery.loadRest(
        this::bring,
        () -> {
          // Of a member that goes down the maps may be gone already: nothing is concluded from
          // that.
          if (!stopping && requireNode().getState() != NodeState.SHUT_DOWN) {
            recovery.faults().settle(maps.copied());
            recovery.compact(
                () -> !stopping && requireNode().getState() == NodeState.ACTIVE, this::bringLost);
          }
          partitions().resumeMigration();
          then.run();
          trustWhenHealed();
        });
    if (requireNode().isMaster() && partitions().getPartitionStateManager().isInitialized()) {
      partitions().getMigrationManager().triggerControlTask();
    }
  }

  /**
   * Goes on without members that never come back, once nobody is starting: who starts may have an
   * older copy of what they had, and all begin together with that.
   */
  private void goOnWithout(Set<UUID> forgotten) {
    if (forgotten.equals(settledFor) || System.nanoTime() - askedNanos < ASKED_LATELY_NANOS) {
      return;
    }
    settledFor = forgotten;
    if (!maps.lost().giveUp(forgotten, backups).isEmpty()) {
      table.changed();
    }
    if (requireNode().isMaster()) {
      partitions().getMigrationManager().triggerControlTask();
    }
  }

  // ---- what the log lacks, and other copies have

  /** Brings what the log of this member lacks of the partitions that it owns from other copies. */
  private void heal() throws IOException {
    LogFaults faults = recovery.faults();
    if (!faults.isUnsure()) {
      return;
    }
    Losses lost = Losses.NONE;
    Healing healing = healing();
    for (InternalPartition row : partitions().getInternalPartitions()) {
      if (row.isLocal()) {
        lost = lost.and(healing.heal(row, faults));
      }
    }
    boolean isUnknown = lost.partitions().size() > 0 && faults.places() > 0;
    lose(isUnknown ? new Losses(lost.records(), lost.partitions(), faults.places()) : lost);
  }

  private Healing healing() {
    return new Healing(requireNode(), maps, () -> stopping || !requireNode().isRunning());
  }

  private void bring(List<Healing.Unreadable> unreadable) {
    LogFaults faults = recovery.faults();
    unreadable.forEach(each -> faults.addUnreadable(each.partition(), each.key()));
    try {
      lose(healing().bring(unreadable));
    } catch (IOException e) {
      LOG.error("it cannot be kept that entries are lost", e);
    }
  }

  /** Brings records that a running member has lost; returns how many no copy has. Blocks. */
  private long bringLost(List<RenewedRecords.Unreadable> unreadable) {
    Losses lost = healing().bringLost(unreadable);
    try {
      lose(lost);
    } catch (IOException e) {
      LOG.error("it cannot be kept that entries are lost", e);
    }
    return lost.count();
  }

  private void lose(Losses lost) throws IOException {
    if (!lost.isEmpty()) {
      losses.add(lost);
      LOG.error(
          "data are lost, as no copy has them: {} records of maps {}, {} damaged places with"
              + " unknown contents; in partitions {}; see 'kvs member acknowledge'",
          lost.count(),
          lost.records(),
          lost.places(),
          lost.partitions());
    }
  }

  /** Trusts the log when backups are made anew and what is damaged in it is written anew. */
  private void trustWhenHealed() {
    if (!recovery.isDamaged() || stopping) {
      return;
    }
    try {
      if (maps.lost().behind().isEmpty()) {
        recovery.trust();
      }
    } catch (IOException e) {
      LOG.warn("the restart log stays marked as damaged", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return;
    }
    if (recovery.isDamaged() && requireNode().isRunning()) {
      var _ =
          requireNode()
              .getNodeEngine()
              .getExecutionService()
              .schedule(this::trustWhenHealed, TRUST_MILLIS, TimeUnit.MILLISECONDS);
    }
  }

  /** Answers another member with some of what a copy has that is here. May wait for the disk. */
  CopyQuestion.Reply copyOf(int partition, String map, long cursor) {
    RestartClaim has = claim;
    return has == null || !has.isLoaded()
        ? CopyQuestion.Reply.NOT_READY
        : healing().page(partition, map, cursor, recovery.faults(), isBlind(partition), PAGE_BYTES);
  }

  /** The same with the entries of some keys. */
  CopyQuestion.Reply copyOf(int partition, Collection<CopiedKey> keys) {
    RestartClaim has = claim;
    return has == null || !has.isLoaded()
        ? CopyQuestion.Reply.NOT_READY
        : healing().some(partition, keys, isBlind(partition));
  }

  /** Returns whether a copy here may lack any key. */
  private boolean isBlind(int partition) {
    return recovery.faults().places() > 0 || behindBefore.contains(partition);
  }

  /** Returns what no copy had, until somebody takes note of it. */
  public Losses losses() {
    return losses.losses();
  }

  /**
   * Somebody has taken note of what is lost. Returns that. Blocks.
   *
   * @throws IOException if that cannot be kept
   */
  public Losses acknowledgeLosses() throws IOException {
    return losses.acknowledge();
  }

  /** Returns whether the log is damaged, or was gone at the start, and is not whole again yet. */
  public boolean isLogDamaged() {
    return recovery.isDamaged() || recovery.isRepaired();
  }

  private static boolean hasOwners(PartitionTableView decided) {
    for (int id = 0; id < decided.length(); id++) {
      if (decided.getReplica(id, 0) != null) {
        return true;
      }
    }
    return false;
  }

  private boolean holdsAny(PartitionTableView decided) {
    for (int id = 0; id < decided.length(); id++) {
      if (holds(decided, id)) {
        return true;
      }
    }
    return false;
  }

  private boolean holds(PartitionTableView decided, int partition) {
    return Arrays.stream(decided.getReplicas(partition))
        .anyMatch(replica -> replica != null && replica.uuid().equals(memberUuid()));
  }

  /** The partitions of which this member has a copy that is not the owner's. */
  private BitSet backups(PartitionTableView decided) {
    BitSet copies = new BitSet();
    for (int id = 0; id < decided.length(); id++) {
      PartitionReplica owner = decided.getReplica(id, 0);
      copies.set(id, holds(decided, id) && (owner == null || !owner.uuid().equals(memberUuid())));
    }
    return copies;
  }

  private void keepOwn(PartitionTableView decided) {
    BitSet others = new BitSet();
    for (int id = 0; id < decided.length(); id++) {
      others.set(id, !holds(decided, id));
    }
    maps.disown(others);
  }

  // ---- afterwards

  /** Hears of every change of a replica. */
  private record Changes(PartitionTableKeeper table, LostPartitions lost)
      implements PartitionStateManager.ReplicaUpdateInterceptor {
    @Override
    public void onPartitionOwnersChanged() {
      onPartitionStampUpdate();
    }

    @Override
    public void onPartitionStampUpdate() {
      lost.look();
      table.changed();
    }
  }

  /**
   * Waits until the log is certain of all that rows name the member for. Does not wait for a log
   * that has failed.
   */
  private void awaitCertain() throws InterruptedException {
    if (!witness && !log.hasFailed()) {
      log.journal().awaitCertain();
    }
  }

  private void keepNow() {
    boolean _ = table.keepNow(); // if there is no table any more, nobody learns of it either
  }

  /**
   * Returns the present table. A member whose log has failed may lose the partitions it was named
   * for last, and all that it is named for later. It keeps the rows that it had, and says that
   * others may have more.
   */
  private @Nullable KeptTable currentRows() {
    KeptTable leaving = givenUp;
    if (leaving != null) {
      return leaving;
    }
    if (maps.lease().isLost()) { // the others may go on from the last that they agreed to
      return table.last();
    }
    if (log.hasFailed()) {
      KeptTable last = table.last();
      return last == null ? null : last.withoutWhatOthersHave(names());
    }
    PartitionTableView now = currentTable();
    maps.lost().look(); // it may not have been, at a row that was just written
    if (now == null) {
      return null;
    }
    KeptTable current =
        new KeptTable(now, maps.lost().since(), maps.lost().beforeLoss(), maps.lost().behind());
    return witness ? current.withRowsBeforeLoss(table.last()) : current;
  }

  /**
   * This side of a split gives way to another: the member gives up what it has, and has another id
   * until it starts again. Keeps both before the log forgets anything. The rows of the member then
   * count less than the other side's, whenever the member or all members end. Called when the
   * member has left its side. Blocks.
   */
  public void givesWay() {
    UUID next = requireNode().getThisUuid();
    try {
      if (!next.equals(memberUuid())) {
        directory.alsoKnownAs(next);
      }
    } catch (IOException e) {
      LOG.error(
          "the id that this member has from now on cannot be kept: id={}; if all members end at the"
              + " same moment, they may not start again with --restart-policy complete",
          next,
          e);
    }
    KeptTable last = table.last();
    if (last != null && started && !witness) {
      givenUp = last.givenUp(names());
      keepNow();
      givenUp = null;
    }
  }

  /** The partition table has changed, and the others do not know it yet. May block. */
  public void tableChanged() {
    maps.lost().keepFound();
  }

  private @Nullable PartitionTableView currentTable() {
    InternalPartitionServiceImpl service = partitions();
    PartitionTableView now = readRows(service.getPartitionStateManager());
    // Looked at afterwards: a table that is being taken down says so before it loses a row.
    return (goingDown || requireNode().getClusterService().isJoined())
            && service.getPartitionStateManager().isInitialized()
        ? now
        : null;
  }

  /**
   * Without the service's lock: who holds it may be waiting for the table to be kept. A row changes
   * before its version does, and is read before it: what is read alike twice in a row never has the
   * older members with the newer version. The newer members with the older version it may have;
   * that the version has changed is told afterwards, and nobody gives up anything before that is
   * kept.
   */
  private static PartitionTableView readRows(PartitionStateManager rows) {
    PartitionTableView before = rows.getPartitionTable();
    while (true) {
      PartitionTableView now = rows.getPartitionTable();
      if (now.equals(before)) {
        return now;
      }
      before = now;
    }
  }

  private int versionOf(int partition) {
    InternalPartition row = partitions().getPartition(partition, false);
    return row.version();
  }

  private boolean owns(int partition) {
    return partitions().getPartition(partition, false).isLocal();
  }

  private InternalPartitionServiceImpl partitions() {
    return (InternalPartitionServiceImpl) requireNode().getPartitionService();
  }

  private Node requireNode() {
    Node running = node;
    if (running == null) {
      throw new IllegalStateException("the member has not started");
    }
    return running;
  }

  private static void pause() {
    try {
      Thread.sleep(Duration.ofMillis(ASK_MILLIS));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new RestartException("the start was interrupted", e);
    }
  }

  /** Returns how far the member has come with loading what it had; null if it had nothing. */
  public @Nullable LoadProgress progress() {
    return recovery.progress();
  }

  /**
   * Has the log read whole from now on, as fast as the disk does, to find damage; once all is
   * loaded. Returns at once.
   */
  public void scrub() {
    recovery.scrub();
  }

  /** Returns the figures of the log; null if it is not open. */
  public @Nullable LogFigures logFigures() {
    return log.figures();
  }

  /**
   * Returns the bytes of each map that this member has written to its log since it started, as the
   * owner of their partitions; by the grid's names. Only grows. Records that are written again to
   * make room are not counted.
   */
  public Map<String, Long> loggedBytes() {
    return log.appendedBytes();
  }

  /**
   * Returns the members that have copies of partitions, or had some that are lost, as far as this
   * member knows: their addresses by their ids.
   */
  public Map<UUID, String> holders() {
    KeptTable rows = currentRows();
    if (rows == null) {
      return Map.of();
    }
    Map<UUID, String> found = new HashMap<>();
    for (int id = 0; id < rows.table().length(); id++) {
      addHolders(rows.table().getPartition(id), found);
    }
    rows.beforeLoss().values().forEach(row -> addHolders(row, found));
    return found;
  }

  private static void addHolders(InternalPartition row, Map<UUID, String> to) {
    for (int i = 0; i < InternalPartition.MAX_REPLICA_COUNT; i++) {
      PartitionReplica replica = row.getReplica(i);
      if (replica != null) {
        Address address = replica.address();
        to.put(replica.uuid(), HostPort.of(address.getHost(), address.getPort()));
      }
    }
  }

  /** The member is about to go down. */
  public void stop() {
    stopping = true;
    maps.lost().stop();
  }

  /**
   * The member has left its cluster, and its services are about to be taken down: keeps the
   * partition table as it is, for the next start. What others have taken over by then is theirs
   * only if that is known. Blocks.
   */
  public void keepLastTable() {
    goingDown = true;
    table.keepLast();
  }

  /** Seals the log, and gives the directory free. After the member is down. */
  @Override
  public void close() {
    try {
      table.close();
    } finally {
      try {
        recovery.close();
      } finally {
        becomeAnotherIfForgotten();
      }
    }
  }

  /** Leaves the id for the end: if the process is killed before, the next start does this again. */
  private void becomeAnotherIfForgotten() {
    try {
      if (becomesAnother) {
        recovery.erase();
        table.delete();
        directory.becomeAnother();
      }
    } catch (IOException e) {
      throw new RestartException("what the member had cannot be given up: " + e.getMessage(), e);
    } finally {
      directory.close();
    }
  }
}
