package io.keyvalueserve.grid.hibernation;

import com.hazelcast.cluster.Address;
import com.hazelcast.cluster.Member;
import com.hazelcast.internal.services.RemoteService;
import com.hazelcast.map.impl.MapService;
import com.hazelcast.spi.impl.NodeEngine;
import com.hazelcast.spi.impl.NodeEngineImpl;
import com.hazelcast.spi.impl.proxyservice.InternalProxyService;
import io.keyvalueserve.grid.PassingFailures;
import io.keyvalueserve.grid.catalogue.GridHibernations;
import io.keyvalueserve.grid.catalogue.GridSnapshotPlans;
import io.keyvalueserve.grid.catalogue.Hibernation;
import io.keyvalueserve.grid.catalogue.Hibernation.Image;
import io.keyvalueserve.grid.catalogue.Hibernation.Phase;
import io.keyvalueserve.grid.member.DataMembers;
import io.keyvalueserve.grid.question.Answerers;
import io.keyvalueserve.grid.question.MemberAnswer;
import io.keyvalueserve.grid.question.Questioner;
import io.keyvalueserve.grid.settings.IndexKeeper;
import io.keyvalueserve.grid.snapshot.SnapshotFailure;
import io.keyvalueserve.grid.snapshot.TenantImages;
import io.keyvalueserve.grid.space.HazelcastEngine;
import io.keyvalueserve.maps.HeldTenants;
import io.keyvalueserve.maps.NativeMapUsage;
import io.keyvalueserve.maps.NativeMaps;
import io.keyvalueserve.maps.TenantUnreadableException;
import io.keyvalueserve.snapshots.Manifest;
import io.keyvalueserve.snapshots.SnapshotException;
import io.keyvalueserve.tenancy.QualifiedName;
import io.keyvalueserve.tenancy.TenantName;
import java.time.Duration;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Puts tenants to sleep that nobody uses, and wakes them on their first request.
 *
 * <p><b>Falling asleep.</b> One member coordinates it; the steps are records that all members know:
 *
 * <ol>
 *   <li>{@link Phase#FALLING_ASLEEP}: all members hold requests for the tenant. If one comes from
 *       now on, the tenant is awake again at once.
 *   <li>The coordinator takes an image: a snapshot of all that the tenant has.
 *   <li>{@link Phase#ASLEEP}: the image is all there is. Members free the memory.
 * </ol>
 *
 * <p><b>Waking.</b> The member to which the first request comes coordinates it:
 *
 * <ol>
 *   <li>{@link Phase#WAKING}. All members have ended to free memory of the tenant.
 *   <li>The coordinator puts partitions back, those first that somebody waits for. When all
 *       members' logs have them for certain, the record says which are there, and requests for
 *       these go on. They are never put back again, because they may have been written since.
 *   <li>{@link Phase#AWAKE}, when all is there.
 * </ol>
 *
 * <p>A record changes only from what it was before. So if a coordinator is lost, the oldest member
 * goes on from the record, and whatever the lost one still does has no effect.
 *
 * <p>Thread-safe; blocks.
 */
public final class Hibernator implements AutoCloseable {
  private static final String CLOSE = "hibernation.close";
  private static final String OPEN = "hibernation.open";
  private static final String AWAITED = "hibernation.awaited";
  private static final String OBSTACLE = "hibernation.obstacle";
  private static final String DRAIN = "hibernation.drain";
  private static final String WANT = "hibernation.want";
  private static final String CERTAIN = "hibernation.certain";
  private static final String IDLE = "hibernation.idle";
  private static final String USED = "hibernation.used";
  private static final String TROUBLES = "hibernation.troubles";
  private static final String REFUSE = "hibernation.refuse";

  private static final Logger LOG = LoggerFactory.getLogger(Hibernator.class);
  private static final Duration PATIENCE = Duration.ofSeconds(20);
  private static final int WANT_PATIENCE_MILLIS = 5_000;
  private static final long LOOK_MILLIS = 1_000;
  private static final long MOST_LOOK_MILLIS = 30_000;
  private static final long SWEEP_MILLIS = 60_000;
  private static final long RETRY_MILLIS = 60_000;
  private static final long PORTION_NANOS = TimeUnit.MILLISECONDS.toNanos(100);
  private static final long WAKE_POLL_MILLIS = 5;
  private static final int MOST_AT_ONCE = 4;

  /** No more tenants are loaded at a time by one member: each takes some megabytes of heap. */
  private static final int MOST_LOADS = 8;

  private static final int MOST_IDLE = 1_000;

  /** A tenant with more bytes is read once before requests for it are held. */
  private static final long LARGE_BYTES = 1 << 20;

  private static final String OK = "ok";

  private final NodeEngine nodeEngine;
  private final NativeMaps maps;
  private final Questioner questioner;
  private final GridHibernations records;
  private final SleepingTenants sleeping;
  private final GridSnapshotPlans plans;
  private final IndexKeeper indexes;
  private final TenantImages images;
  private final @Nullable String repository;
  private final Duration usual;
  private volatile @Nullable HibernationListener listener;
  private final Set<String> waking = ConcurrentHashMap.newKeySet();
  private final Set<String> falling = ConcurrentHashMap.newKeySet();
  private final Semaphore loads = new Semaphore(MOST_LOADS);
  private final AtomicBoolean sweeping = new AtomicBoolean();
  private final Map<String, Refused> refused = new ConcurrentHashMap<>();
  private final Map<String, String> failures = new ConcurrentHashMap<>();
  private final AtomicLong slept = new AtomicLong();
  private final AtomicLong woken = new AtomicLong();
  private final ExecutorService wakes =
      Executors.newThreadPerTaskExecutor(Thread.ofVirtual().name("kvs-waking-", 0).factory());
  private final ExecutorService sleeps =
      Executors.newFixedThreadPool(
          MOST_AT_ONCE, Thread.ofPlatform().daemon().name("kvs-falling-asleep-", 0).factory());
  private final Thread demands;
  private final Thread looks;
  private volatile boolean closed;
  private long lastLook;
  private long lastSweep;

  /** The reason why a tenant did not fall asleep, and the time when that is tried again. */
  private record Refused(String why, long untilMillis) {}

  /**
   * Wakes tenants from now on; puts them to sleep once {@link #listen} was called.
   *
   * @param repository the address of the repository of snapshots, which has images too; null if
   *     there is none
   * @param usual how long after its last use a tenant falls asleep that has no setting; zero for
   *     never
   */
  public Hibernator(
      NodeEngine nodeEngine,
      NativeMaps maps,
      Questioner questioner,
      Answerers answerers,
      GridHibernations records,
      SleepingTenants sleeping,
      GridSnapshotPlans plans,
      IndexKeeper indexes,
      TenantImages images,
      @Nullable String repository,
      Duration usual) {
    this.nodeEngine = nodeEngine;
    this.maps = maps;
    this.questioner = questioner;
    this.records = records;
    this.sleeping = sleeping;
    this.plans = plans;
    this.indexes = indexes;
    this.images = images;
    this.repository = repository;
    this.usual = usual;
    answerers.add(CLOSE, this::close);
    answerers.add(OPEN, this::open);
    answerers.add(
        AWAITED,
        tenant -> isAwaitedHere(tenant) ? "it is used" : obstacleHere(new TenantName(tenant)));
    answerers.add(OBSTACLE, tenant -> obstacleHere(new TenantName(tenant)));
    answerers.add(DRAIN, this::drain);
    answerers.add(WANT, this::want);
    answerers.add(CERTAIN, any -> certain());
    answerers.add(IDLE, any -> String.join("\n", idleHere()));
    answerers.add(USED, this::usedHere);
    answerers.add(REFUSE, this::refuse);
    answerers.add(TROUBLES, this::troublesHere);
    this.demands = Thread.ofVirtual().name("kvs-demands").start(this::takeDemands);
    this.looks = Thread.ofVirtual().name("kvs-idle-tenants").start(this::look);
  }

  // ---- what others ask and set

  /** Returns where the data of a tenant is. */
  public Hibernation of(TenantName tenant) {
    return records.of(tenant);
  }

  /** Returns how long after its last use a tenant falls asleep that has no setting. */
  public Duration usual() {
    return usual;
  }

  /**
   * The troubles of a tenant with its hibernation, at any member.
   *
   * @param stays why it did not leave memory when that was last tried; null if it did, or if that
   *     was not tried
   * @param error why it cannot come back; null if it can, or if that was not tried
   */
  public record Troubles(@Nullable String stays, @Nullable String error) {}

  /** Returns what keeps a tenant from leaving memory, or from coming back. Asks all members. */
  public Troubles troubles(TenantName tenant) {
    String stays = null;
    String error = null;
    for (MemberAnswer answer : ask(TROUBLES, tenant.value())) {
      String text = answer.text();
      String[] lines = (text == null ? "\n" : text).split("\n", -1);
      stays = lines[0].isEmpty() ? stays : lines[0];
      error = lines[1].isEmpty() ? error : lines[1];
    }
    return new Troubles(stays, error);
  }

  private String troublesHere(String tenant) {
    Refused known = refused.get(tenant);
    return (known == null ? "" : known.why().replace('\n', ' '))
        + '\n'
        + failures.getOrDefault(tenant, "");
  }

  /**
   * Sets how long after its last use a tenant falls asleep.
   *
   * @param after zero for never; null for the members' own setting
   * @throws Hibernation.InvalidException if the time is not possible
   */
  public Hibernation setAfter(TenantName tenant, @Nullable Duration after) {
    Refused _ = refused.remove(tenant.value());
    return records.update(tenant, before -> before.after(after)).orElseThrow();
  }

  /** Returns the number of tenants that this member has put to sleep since it started. */
  public long slept() {
    return slept.get();
  }

  /** Returns the number of tenants that this member has woken since it started. */
  public long woken() {
    return woken.get();
  }

  /** Returns why tenants cannot be woken by this member, by their names. */
  public Map<String, String> failures() {
    return Map.copyOf(failures);
  }

  /** Begins to put tenants to sleep that nobody uses. */
  public void listen(HibernationListener next) {
    listener = next;
  }

  /**
   * Forgets a tenant that is deleted. Its image is deleted too; it must have its key until then.
   *
   * @throws HibernationException if a member gave no answer, which may be reading it
   */
  public void forget(TenantName tenant) {
    AtomicReference<@Nullable Image> image = new AtomicReference<>();
    Optional<Hibernation> _ =
        records.update(
            tenant,
            before -> {
              image.set(before.image());
              return before.isHeld() || before.image() != null || before.after() != null
                  ? before.gone()
                  : null;
            });
    for (MemberAnswer answer : ask(DRAIN, tenant.value())) {
      String _ = require(answer); // nobody puts entries back any more
    }
    Image left = image.get();
    if (left != null) {
      delete(tenant, left);
    }
  }

  private void delete(TenantName tenant, Image image) {
    delete(tenant, image.repository(), image.snapshot());
  }

  private void delete(TenantName tenant, String address, String snapshot) {
    try {
      images.delete(tenant, address, snapshot);
    } catch (RuntimeException e) {
      LOG.warn("the image of a tenant stays: tenant={}: {}", tenant, e.toString());
    }
  }

  // ---- falling asleep

  /**
   * Puts a tenant to sleep, whenever it was used last.
   *
   * @throws HibernationException if that is not possible: the message says why
   */
  public Hibernation hibernate(TenantName tenant) {
    return noted(tenant, Duration.ZERO);
  }

  private Hibernation noted(TenantName tenant, Duration idle) {
    try {
      Hibernation end = hibernate(tenant, idle);
      Refused _ = refused.remove(tenant.value());
      return end;
    } catch (HibernationException e) {
      LOG.debug("a tenant stays in memory: tenant={}: {}", tenant, e.getMessage());
      Refused _ =
          refused.put(
              tenant.value(),
              new Refused(
                  String.valueOf(e.getMessage()),
                  System.currentTimeMillis() + Math.min(RETRY_MILLIS, idle.toMillis())));
      throw e;
    }
  }

  private Hibernation hibernate(TenantName tenant, Duration idle) {
    String address = requirePossible(tenant);
    if (!falling.add(tenant.value())) {
      throw new HibernationException("it is falling asleep");
    }
    List<String> taken = new ArrayList<>();
    try {
      requireNoObstacle(tenant);
      if (bytes(tenant) > LARGE_BYTES) {
        taken.add(take(tenant, address).id()); // so that requests are held for less long
      }
      return hibernate(tenant, address, idle, taken);
    } finally {
      try {
        deleteUnused(tenant, address, taken);
      } finally {
        boolean _ = falling.remove(tenant.value());
      }
    }
  }

  /**
   * Deletes what an attempt has left. The record says which one is the tenant's image: it may have
   * been changed though that failed here.
   */
  private void deleteUnused(TenantName tenant, String address, List<String> taken) {
    if (taken.isEmpty()) {
      return;
    }
    Image image;
    try {
      image = records.of(tenant).image();
    } catch (RuntimeException e) {
      LOG.warn("snapshots of an attempt stay: tenant={}: {}", tenant, e.toString());
      return;
    }
    for (String id : taken) {
      if (image == null || !image.snapshot().equals(id)) {
        delete(tenant, address, id);
      }
    }
  }

  private long bytes(TenantName tenant) {
    return maps.usageOf(maps.tenantMaps().names(tenant.value())).stream()
        .mapToLong(NativeMapUsage::bytes)
        .sum();
  }

  private Hibernation hibernate(
      TenantName tenant, String address, Duration idle, List<String> taken) {
    String me = me();
    Hibernation begun =
        records
            .update(
                tenant,
                before ->
                    before.phase() == Phase.AWAKE
                        ? before.fallingAsleep(me, System.currentTimeMillis())
                        : null)
            .orElseThrow(
                () ->
                    new HibernationException(
                        "tenant " + tenant + " is " + records.of(tenant).phase().text()));
    Hibernation end = null;
    try {
      end = fallAsleep(tenant, begun, address, idle, taken);
    } finally {
      if (end == null) {
        giveUp(tenant);
      }
    }
    long _ = slept.incrementAndGet();
    return end;
  }

  private void giveUp(TenantName tenant) {
    String me = me();
    Optional<Hibernation> _ =
        records.update(
            tenant,
            before ->
                before.phase() == Phase.FALLING_ASLEEP && before.coordinator().equals(me)
                    ? before.awake(System.currentTimeMillis())
                    : null);
  }

  private Hibernation fallAsleep(
      TenantName tenant, Hibernation begun, String address, Duration idle, List<String> taken) {
    Set<String> names = new HashSet<>(sleeping.mapNames(tenant.value()));
    for (MemberAnswer answer : ask(CLOSE, tenant.value() + '\n' + begun.revision())) {
      Closed closed = Closed.decode(require(answer));
      if (!closed.obstacle().isEmpty()) {
        throw new HibernationException(closed.obstacle());
      }
      if (!idle.isZero() && System.currentTimeMillis() - closed.lastUseMillis() < idle.toMillis()) {
        throw new HibernationException("it was used");
      }
      boolean _ = names.addAll(closed.maps());
    }
    if (names.isEmpty()) {
      throw new HibernationException("tenant " + tenant + " has no maps");
    }
    if (images.isBeingRestored(tenant)) { // a restore that begins now finds it held
      throw new HibernationException("a snapshot is being put back there");
    }
    Manifest manifest = take(tenant, address);
    taken.add(manifest.id());
    requireUnwritten(tenant, address, manifest);
    for (MemberAnswer answer : ask(AWAITED, tenant.value())) {
      String obstacle = require(answer);
      if (!obstacle.isEmpty()) {
        throw new HibernationException(obstacle);
      }
    }
    if (plans.find(tenant).isPresent()) {
      throw new HibernationException("snapshots of it are taken by a plan");
    }
    requireThere(tenant);
    Image image =
        new Image(
            address,
            manifest.id(),
            manifest.totals().entries(),
            manifest.totals().storedBytes(),
            names.stream().sorted().toList());
    String me = me();
    Optional<Hibernation> end =
        records.update(
            tenant,
            before ->
                before.phase() == Phase.FALLING_ASLEEP && before.coordinator().equals(me)
                    ? before.asleep(image, System.currentTimeMillis())
                    : null);
    Hibernation now = end.orElseGet(() -> records.of(tenant));
    if (!image.equals(now.image())) { // a change may be made though it is told that it was not
      throw new HibernationException("another member has taken over, or it was deleted");
    }
    return now;
  }

  private void requireUnwritten(TenantName tenant, String address, Manifest manifest) {
    try {
      images.requireUnwritten(tenant, address, manifest);
    } catch (SnapshotFailure | SnapshotException e) {
      throw new HibernationException(String.valueOf(e.getMessage()), e);
    }
  }

  /** Checks that no member knows why a tenant must stay, before anything is read of it. */
  private void requireNoObstacle(TenantName tenant) {
    for (MemberAnswer answer : ask(OBSTACLE, tenant.value())) {
      String obstacle = require(answer);
      if (!obstacle.isEmpty()) {
        throw new HibernationException(obstacle);
      }
    }
  }

  /** Checks that a tenant is not being deleted. */
  private void requireThere(TenantName tenant) {
    HibernationListener told = listener;
    if (told != null && !told.isThere(tenant)) {
      throw new HibernationException("there is no tenant " + tenant);
    }
  }

  private Manifest take(TenantName tenant, String address) {
    try {
      return images.take(
          tenant,
          address,
          read -> {
            if (isAwaitedHere(tenant.value())) {
              throw new HibernationException("it is used");
            }
          });
    } catch (SnapshotFailure | SnapshotException e) {
      throw new HibernationException(String.valueOf(e.getMessage()), e);
    }
  }

  private boolean isAwaitedHere(String tenant) {
    return maps.heldTenants().isAwaited(tenant) || sleeping.isWanted(tenant);
  }

  /** Returns the address of the repository, if a tenant can leave memory as far as is known. */
  private String requirePossible(TenantName tenant) {
    if (repository == null) {
      throw new HibernationException(
          "this member has no repository for hibernated tenants: start it with a data directory,"
              + " or set snapshots.repository");
    }
    if (maps.changes().isOpen()) {
      throw new HibernationException(
          "members of the cluster are missing: tenants stay in memory until they are back");
    }
    requireThere(tenant);
    if (plans.find(tenant).isPresent()) {
      throw new HibernationException("snapshots of it are taken by a plan");
    }
    if (images.isBeingRestored(tenant)) {
      throw new HibernationException("a snapshot is being put back there");
    }
    String other = otherObject(tenant);
    if (other != null) {
      throw new HibernationException(
          "it has " + other + ": only maps can be hibernated, no other structures");
    }
    try {
      return images.place(repository);
    } catch (SnapshotException e) {
      throw new HibernationException(String.valueOf(e.getMessage()), e);
    }
  }

  private @Nullable String otherObject(TenantName tenant) {
    InternalProxyService proxies = (InternalProxyService) nodeEngine.getProxyService();
    for (String service : services()) {
      for (String name : proxies.getDistributedObjectNames(service)) {
        if (QualifiedName.belongsTo(tenant, name)) {
          return "'" + name.substring(tenant.value().length() + 1) + "'";
        }
      }
    }
    return null;
  }

  private List<String> services() {
    List<String> names = new ArrayList<>();
    ((NodeEngineImpl) nodeEngine)
        .getServiceInfos(RemoteService.class)
        .forEach(
            service -> {
              if (!service.getName().equals(MapService.SERVICE_NAME)) {
                names.add(service.getName());
              }
            });
    return names;
  }

  /** The answer of a member that holds a tenant. */
  private record Closed(String obstacle, long lastUseMillis, List<String> maps) {
    String encode() {
      return obstacle + '\n' + lastUseMillis + '\n' + String.join("\n", maps);
    }

    static Closed decode(String text) {
      String[] lines = text.split("\n", -1);
      List<String> maps = new ArrayList<>();
      for (int i = 2; i < lines.length; i++) {
        if (!lines[i].isEmpty()) {
          maps.add(lines[i]);
        }
      }
      return new Closed(lines[0], Long.parseLong(lines[1]), maps);
    }
  }

  /** Holds a tenant on this member. */
  private String close(String question) {
    String[] lines = question.split("\n", -1);
    TenantName tenant = new TenantName(lines[0]);
    Hibernation record = records.of(tenant);
    sleeping.apply(record);
    if (record.revision() < Long.parseLong(lines[1]) || record.phase() != Phase.FALLING_ASLEEP) {
      return new Closed("it is " + record.phase().text(), 0, List.of()).encode();
    }
    maps.heldTenants().awaitHeld();
    String obstacle =
        sleeping.isLast(record) ? obstacleHere(tenant) : "another member has taken over";
    return new Closed(
            obstacle,
            maps.tenantMaps().lastUseMillis(tenant.value()),
            sleeping.mapNames(tenant.value()))
        .encode();
  }

  /** Returns why a tenant must stay, as far as this member knows; empty if it need not. */
  private String obstacleHere(TenantName tenant) {
    String obstacle = maps.tenantMaps().obstacle(tenant.value());
    if (obstacle == null) {
      obstacle = inMemoryAlone(tenant);
    }
    return obstacle == null ? "" : obstacle;
  }

  private @Nullable String inMemoryAlone(TenantName tenant) {
    HazelcastEngine engine = HazelcastEngine.of(nodeEngine);
    for (String map : maps.tenantMaps().names(tenant.value())) {
      if (engine.isInMemoryAlone(map)) {
        return "map "
            + map.substring(tenant.value().length() + 1)
            + ": nothing of it may be on a disk";
      }
    }
    return null;
  }

  // ---- waking

  /**
   * Brings a tenant back into memory, if it is not there, and waits until all of it is.
   *
   * @throws HibernationException if that is not possible, or takes longer
   */
  public void wake(TenantName tenant, Duration patience) {
    long deadline = System.nanoTime() + patience.toNanos();
    String _ = failures.remove(tenant.value());
    while (true) {
      Hibernation now = records.of(tenant);
      sleeping.apply(now);
      if (!now.isHeld() && sleeping.phaseOf(tenant.value()) == Phase.AWAKE) {
        return;
      }
      sleeping.want(tenant.value(), HeldTenants.ALL);
      String why = failures.get(tenant.value());
      if (why != null) {
        throw new HibernationException(why);
      }
      if (System.nanoTime() - deadline > 0) {
        throw new HibernationException("tenant " + tenant + " is being read from its repository");
      }
      sleep(WAKE_POLL_MILLIS);
    }
  }

  private static void sleep(long millis) {
    try {
      TimeUnit.MILLISECONDS.sleep(millis);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new HibernationException("the member ends", e);
    }
  }

  private void takeDemands() {
    while (!closed) {
      try {
        String tenant = sleeping.nextDemand();
        if (tenant != null && sleeping.isWanted(tenant) && waking.add(tenant)) {
          wakes.execute(() -> meet(tenant));
        }
      } catch (InterruptedException | RejectedExecutionException e) {
        return;
      }
    }
  }

  /** Does what requests for a tenant need, here or at the member that coordinates it. */
  private void meet(String name) {
    TenantName tenant = new TenantName(name);
    long begun = System.nanoTime();
    try {
      Hibernation now = records.of(tenant);
      String me = me();
      switch (now.phase()) {
        case AWAKE -> {
          Set<Integer> _ = sleeping.takeWanted(name);
          sleeping.apply(now); // and once more, if it was
        }
        case FALLING_ASLEEP -> tell(now); // who coordinates it sees the demand, and gives up
        case ASLEEP -> {
          Hibernation next = now.waking(me);
          if (records.change(now, next)) {
            loadInTurn(tenant, next, begun);
          }
        }
        case WAKING -> {
          if (now.coordinator().equals(me)) {
            loadInTurn(tenant, now, begun); // it was given up, or this member has taken over
          } else {
            tell(now);
          }
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (MemberLostException e) {
      LOG.debug("a tenant is loaded again where that is needed: tenant={}", tenant);
      sleeping.want(name, HeldTenants.ALL);
    } catch (RuntimeException e) {
      fail(tenant, e);
    } finally {
      boolean _ = waking.remove(name);
      if (sleeping.isWanted(name)) {
        sleeping.repeat(name);
      }
    }
  }

  /** Tells the coordinator what this member waits for. */
  private void tell(Hibernation now) {
    if (now.coordinator().equals(me())) {
      sleep(WAKE_POLL_MILLIS);
      return;
    }
    for (Member member : DataMembers.of(nodeEngine)) {
      if (member.getUuid().toString().equals(now.coordinator())) {
        StringBuilder question = new StringBuilder(now.tenant());
        sleeping.takeWanted(now.tenant()).forEach(each -> question.append('\n').append(each));
        ask(member.getAddress(), question.toString());
        return;
      }
    }
    sleep(LOOK_MILLIS); // it is gone: another one takes over
  }

  private void ask(Address member, String question) {
    var _ = questioner.ask(WANT, question, member, WANT_PATIENCE_MILLIS);
  }

  private String want(String question) {
    String[] lines = question.split("\n", -1);
    for (int i = 1; i < lines.length; i++) {
      sleeping.want(lines[0], Integer.parseInt(lines[i]));
    }
    return OK;
  }

  /** A member was lost while a tenant was loaded, perhaps with what was put back. */
  private static final class MemberLostException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    MemberLostException() {
      super("a member was lost", null, false, false);
    }
  }

  private void loadInTurn(TenantName tenant, Hibernation begun, long begunNanos)
      throws InterruptedException {
    loads.acquire();
    try {
      load(tenant, begun, begunNanos);
    } finally {
      loads.release();
    }
  }

  private void load(TenantName tenant, Hibernation begun, long begunNanos) {
    Image image = Objects.requireNonNull(begun.image());
    for (MemberAnswer answer : ask(OPEN, tenant.value() + '\n' + begun.revision())) {
      String _ = require(answer);
    }
    Set<String> members = memberIds();
    String name = tenant.value();
    TenantLoader loader =
        new TenantLoader(
            images.open(tenant, image.repository(), image.snapshot()),
            maps.stored(),
            tenant,
            begun.loaded(),
            () -> !closed && sleeping.phaseOf(name) == Phase.WAKING);
    long first = 0;
    Hibernation record = begun;
    while (!loader.isDone()) {
      Set<Integer> wanted = sleeping.takeWanted(tenant.value());
      boolean isForKeys = false;
      for (int partition : wanted) {
        if (partition != HeldTenants.ALL) {
          loader.load(partition);
          isForKeys = true;
        }
      }
      if (!isForKeys) {
        loader.loadMore(PORTION_NANOS);
      }
      if (!loader.isDone()) {
        record = note(tenant, record, loader.complete(), members);
        first = first == 0 ? System.nanoTime() - begunNanos : first;
      }
    }
    requireCertain(members);
    for (String map : image.maps()) {
      indexes.make(TenantImages.gridName(tenant, map));
    }
    Hibernation end = record;
    String me = me();
    if (records
        .update(
            tenant,
            before ->
                before.phase() == Phase.WAKING && before.coordinator().equals(me)
                    ? before.awake(System.currentTimeMillis())
                    : null)
        .isEmpty()) {
      throw new HibernationException("another member has taken over: " + end.tenant());
    }
    Set<Integer> _ = sleeping.takeWanted(tenant.value());
    woke(tenant, begun, loader.entries(), first, System.nanoTime() - begunNanos);
    deleteLater(tenant, image);
  }

  /** Another side of a split may need the image. Then it stays. */
  private void deleteLater(TenantName tenant, Image image) {
    if (!maps.changes().isOpen()) {
      try {
        wakes.execute(() -> delete(tenant, image));
      } catch (RejectedExecutionException e) {
        LOG.debug("the member ends; the image of a tenant stays: tenant={}", tenant);
      }
    }
  }

  private void woke(
      TenantName tenant, Hibernation begun, long entries, long firstNanos, long wholeNanos) {
    long _ = woken.incrementAndGet();
    String _ = failures.remove(tenant.value());
    LOG.debug(
        "a tenant is in memory again: tenant={} entries={} millis={}",
        tenant,
        entries,
        TimeUnit.NANOSECONDS.toMillis(wholeNanos));
    HibernationListener told = listener;
    if (told != null) {
      told.woke(
          tenant,
          Objects.requireNonNull(begun.image()),
          begun.sinceMillis(),
          entries,
          Duration.ofNanos(firstNanos == 0 ? wholeNanos : firstNanos),
          Duration.ofNanos(wholeNanos));
    }
  }

  /** Lets requests for partitions go on that are there, at all members. */
  private Hibernation note(
      TenantName tenant, Hibernation record, BitSet complete, Set<String> members) {
    if (complete.equals(record.loaded())) {
      return record;
    }
    requireCertain(members);
    String me = me();
    return records
        .update(
            tenant,
            before ->
                before.phase() == Phase.WAKING && before.coordinator().equals(me)
                    ? before.loaded(complete)
                    : null)
        .orElseThrow(
            () -> new HibernationException("another member has taken over, or it was deleted"));
  }

  /**
   * Waits until all logs have what was put back: it is never put back again.
   *
   * @param members those that there were before
   */
  private void requireCertain(Set<String> members) {
    for (MemberAnswer answer : ask(CERTAIN, "")) {
      String _ = require(answer);
    }
    if (!memberIds().containsAll(members)) {
      throw new MemberLostException();
    }
  }

  private Set<String> memberIds() {
    Set<String> ids = new HashSet<>();
    DataMembers.of(nodeEngine).forEach(member -> ids.add(member.getUuid().toString()));
    return ids;
  }

  /** Waits until this member reads nothing of a tenant that is not to be read any more. */
  private String drain(String tenant) {
    sleeping.apply(records.of(new TenantName(tenant)));
    while (waking.contains(tenant) && !closed) {
      sleep(WAKE_POLL_MILLIS);
    }
    return OK;
  }

  private String certain() {
    try {
      maps.awaitCertain();
      return OK;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("the member ends", e);
    }
  }

  /** Waits until this member frees nothing of a tenant. */
  private String open(String question) {
    String[] lines = question.split("\n", -1);
    TenantName tenant = new TenantName(lines[0]);
    Hibernation record = records.of(tenant);
    sleeping.apply(record);
    if (record.revision() < Long.parseLong(lines[1])) {
      throw new IllegalStateException("the record of a tenant is older than its change");
    }
    try {
      sleeping.awaitDropped(tenant.value());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("the member ends", e);
    }
    Image image = record.image();
    if (image != null) {
      for (String map : image.maps()) { // now this member knows that they exist
        var _ = nodeEngine.getHazelcastInstance().getMap(TenantImages.gridName(tenant, map));
      }
    }
    return OK;
  }

  private void fail(TenantName tenant, RuntimeException e) {
    if (closed || !records.of(tenant).isHeld()) {
      return; // or it was deleted
    }
    boolean isKnown =
        e instanceof HibernationException
            || e instanceof SnapshotException
            || e instanceof SnapshotFailure;
    boolean passes = PassingFailures.has(e);
    String why =
        isKnown
            ? String.valueOf(e.getMessage())
            : passes ? "members come or go" : "a member's log says why";
    if (!isKnown && !passes) {
      LOG.error("a tenant could not be woken: tenant={}", tenant, e);
    }
    String before = failures.put(tenant.value(), why);
    if (!why.equals(before)) {
      LOG.warn("a tenant cannot be woken: tenant={}: {}", tenant, why);
      HibernationListener told = listener;
      if (told != null) {
        told.failed(tenant, why);
      }
    }
    Set<Integer> _ = sleeping.takeWanted(tenant.value());
    var _ = ask(REFUSE, tenant.value());
    handOver(tenant);
  }

  /** Lets any member try next, if nothing is loaded yet: another one may reach the repository. */
  private void handOver(TenantName tenant) {
    String me = me();
    Optional<Hibernation> _ =
        records.update(
            tenant,
            before ->
                before.phase() == Phase.WAKING
                        && before.coordinator().equals(me)
                        && before.loaded().isEmpty()
                    ? before.asleep(Objects.requireNonNull(before.image()), before.sinceMillis())
                    : null);
  }

  /** Ends the requests that wait for a tenant that cannot be woken now. */
  private String refuse(String tenant) {
    Set<Integer> _ = sleeping.takeWanted(tenant);
    maps.heldTenants().refuse(tenant, new TenantUnreadableException());
    return OK;
  }

  // ---- the oldest member looks

  private void look() {
    while (!closed) {
      try {
        TimeUnit.MILLISECONDS.sleep(LOOK_MILLIS);
        long now = System.currentTimeMillis();
        if (now - lastSweep >= SWEEP_MILLIS) {
          lastSweep = now;
          sleeping.dropLeftovers();
        }
        goOn();
        if (isOldest()) {
          takeOver();
          if (listener != null && now - lastLook >= lookMillis()) {
            lastLook = now;
            if (sweeping.compareAndSet(false, true)) { // it may take long, and others look
              Thread _ = Thread.ofVirtual().name("kvs-idle-sweep").start(this::sweepIdle);
            }
          }
        }
      } catch (InterruptedException e) {
        return;
      } catch (RuntimeException | Error e) { // or no tenant would fall asleep any more
        if (!closed) {
          LOG.warn("idle tenants are looked at again later: {}", e.toString());
        }
      }
    }
  }

  private boolean isOldest() {
    List<Member> members = DataMembers.of(nodeEngine);
    return !members.isEmpty() && members.getFirst().localMember();
  }

  /** A tenth of the least time, so that no tenant stays much longer than it should. */
  private long lookMillis() {
    long least = sleeping.leastAfter(usual).toMillis();
    return Math.clamp(least / 10, LOOK_MILLIS, MOST_LOOK_MILLIS);
  }

  /** Goes on with what this member has begun, and could not end. */
  private void goOn() {
    String me = me();
    for (Hibernation each : sleeping.changing()) {
      if (!each.coordinator().equals(me)) {
        continue;
      }
      if (each.phase() == Phase.WAKING && !waking.contains(each.tenant())) {
        sleeping.want(each.tenant(), HeldTenants.ALL);
      } else if (each.phase() == Phase.FALLING_ASLEEP && !falling.contains(each.tenant())) {
        giveUp(new TenantName(each.tenant()));
      }
    }
  }

  /** Goes on with what members have begun that are gone. */
  private void takeOver() {
    Set<String> members = memberIds();
    String me = me();
    for (Hibernation each : sleeping.changing()) {
      if (members.contains(each.coordinator())) {
        continue;
      }
      Optional<Hibernation> _ =
          records.update(
              new TenantName(each.tenant()),
              before ->
                  !before.isHeld()
                          || before.phase() == Phase.ASLEEP
                          || members.contains(before.coordinator())
                      ? null
                      : before.phase() == Phase.FALLING_ASLEEP
                          ? before.awake(System.currentTimeMillis())
                          : before.waking(me));
      if (each.phase() == Phase.WAKING) {
        sleeping.want(each.tenant(), HeldTenants.ALL);
      }
    }
  }

  private void sweepIdle() {
    try {
      putIdleToSleep();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (RuntimeException e) {
      if (!closed) {
        LOG.warn("idle tenants are looked at again later: {}", e.toString());
      }
    } finally {
      sweeping.set(false);
    }
  }

  private void putIdleToSleep() throws InterruptedException {
    if (usual.isZero() && !sleeping.isAnySet()) {
      return;
    }
    Set<String> idle = new HashSet<>();
    for (MemberAnswer answer : ask(IDLE, "")) {
      String text = answer.text();
      if (text == null) {
        return; // it may use one of them
      }
      idle.addAll(List.of(text.split("\n", -1)));
    }
    boolean _ = idle.remove("");
    if (idle.isEmpty()) {
      return;
    }
    for (MemberAnswer answer : ask(USED, String.join("\n", idle))) {
      String text = answer.text();
      if (text == null) {
        return;
      }
      List.of(text.split("\n", -1)).forEach(idle::remove); // elsewhere it was used
    }
    List<Future<?>> begun = new ArrayList<>();
    long now = System.currentTimeMillis();
    for (String tenant : idle) {
      Refused before = refused.get(tenant);
      if (!closed && (before == null || before.untilMillis() <= now)) {
        begun.add(sleeps.submit(() -> putToSleep(new TenantName(tenant))));
      }
    }
    for (Future<?> each : begun) {
      try {
        var _ = each.get();
      } catch (ExecutionException e) {
        LOG.warn("a tenant falls asleep later: {}", String.valueOf(e.getCause()));
      }
    }
  }

  private void putToSleep(TenantName tenant) {
    Duration idle = afterOf(tenant.value());
    if (idle.isZero()) {
      return;
    }
    try {
      Hibernation end = noted(tenant, idle);
      HibernationListener told = listener;
      if (told != null) {
        told.slept(tenant, Objects.requireNonNull(end.image()));
      }
    } catch (HibernationException e) {
      LOG.debug("a tenant falls asleep later: tenant={}", tenant);
    }
  }

  private Duration afterOf(String tenant) {
    return Objects.requireNonNullElse(sleeping.after(tenant), usual);
  }

  /** Returns those of some tenants that were used on this member not long enough ago to leave. */
  private String usedHere(String question) {
    Set<String> asked = Set.of(question.split("\n", -1));
    long now = System.currentTimeMillis();
    List<String> used = new ArrayList<>();
    maps.tenantMaps()
        .lastUses(asked::contains)
        .forEach(
            (tenant, last) -> {
              if (now - last < afterOf(tenant).toMillis()) {
                boolean _ = used.add(tenant);
              }
            });
    return String.join("\n", used);
  }

  /** Returns tenants that nobody has used on this member for as long as they may stay. */
  private List<String> idleHere() {
    long now = System.currentTimeMillis();
    Map<String, Long> uses =
        maps.tenantMaps()
            .lastUses(
                tenant -> !afterOf(tenant).isZero() && sleeping.phaseOf(tenant) == Phase.AWAKE);
    Map<String, Long> idle = new LinkedHashMap<>();
    uses.forEach(
        (tenant, last) -> {
          if (idle.size() < MOST_IDLE && now - last >= afterOf(tenant).toMillis()) {
            Long _ = idle.put(tenant, last);
          }
        });
    return List.copyOf(idle.keySet());
  }

  // ---- helpers

  private List<MemberAnswer> ask(String topic, String question) {
    return questioner.ask(topic, question, PATIENCE);
  }

  private static String require(MemberAnswer answer) {
    String text = answer.text();
    if (text == null) {
      throw new HibernationException("member " + answer.member() + " gave no answer");
    }
    return text;
  }

  private String me() {
    return nodeEngine.getLocalMember().getUuid().toString();
  }

  /** Changes nothing any more. Requests that wait are ended with the member. */
  @Override
  public void close() {
    closed = true;
    demands.interrupt();
    looks.interrupt();
    wakes.shutdownNow();
    sleeps.shutdownNow();
  }
}
