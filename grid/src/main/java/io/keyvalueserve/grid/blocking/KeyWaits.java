package io.keyvalueserve.grid.blocking;

import com.hazelcast.cluster.Member;
import com.hazelcast.cluster.MembershipAdapter;
import com.hazelcast.cluster.MembershipEvent;
import com.hazelcast.internal.partition.InternalPartitionService;
import com.hazelcast.internal.serialization.Data;
import com.hazelcast.internal.util.Clock;
import com.hazelcast.internal.util.ConcurrencyUtil;
import com.hazelcast.map.impl.MapService;
import com.hazelcast.spi.exception.RetryableHazelcastException;
import com.hazelcast.spi.impl.NodeEngine;
import com.hazelcast.spi.impl.operationservice.Operation;
import io.keyvalueserve.engine.blocking.KeyWaiting;
import io.keyvalueserve.engine.blocking.WaitQueues;
import io.keyvalueserve.engine.blocking.WaitQueues.Joined;
import io.keyvalueserve.engine.blocking.WaitQueues.Ticket;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;

/**
 * One member's part in waiting for keys: the queues of the keys that it owns, and those who wait at
 * this member, wherever their queues lie.
 *
 * <p>A queue is in the memory of the key's owner only. When a key gets another owner, who waits
 * takes the place again there, with the rank that it had; the owner looks at the key then, so no
 * element is missed. Twice a second this member looks whether owners have changed; while nobody
 * waits it does nothing.
 *
 * <p>Thread-safe; never blocks.
 */
public final class KeyWaits {
  private static final String KEY = "io.keyvalueserve.key-waits";
  private static final long LOOK_MILLIS = 500;

  /** After so many looks a place at another member is renewed. */
  private static final int LOOKS_TO_RENEWAL = 40;

  /** A place that was not renewed for so long is dropped. */
  private static final long MOST_SILENT_NANOS = TimeUnit.SECONDS.toNanos(90);

  private final NodeEngine nodeEngine;
  private final WaitQueues<AwaitedKey> queues;
  private final ConcurrentHashMap<Long, Place> places = new ConcurrentHashMap<>();
  private final AtomicLong numbers = new AtomicLong();
  private final AtomicBoolean looking = new AtomicBoolean();
  private final AtomicBoolean listening = new AtomicBoolean();
  private int looks;
  private long lookedAtStamp;

  /** True if the owner of a place is another member, or is not known. */
  private volatile boolean hasOthers;

  private KeyWaits(NodeEngine nodeEngine) {
    this.nodeEngine = nodeEngine;
    this.queues = new WaitQueues<>(this::tell, System::nanoTime, Clock::currentTimeMillis);
  }

  /** The one of a member; always the same. */
  public static KeyWaits of(NodeEngine nodeEngine) {
    return (KeyWaits)
        nodeEngine
            .getHazelcastInstance()
            .getUserContext()
            .computeIfAbsent(KEY, key -> new KeyWaits(nodeEngine));
  }

  WaitQueues<AwaitedKey> queues() {
    return queues;
  }

  /**
   * Notes that a collection was written, whatever it was before. By who has the partition.
   *
   * @param type of the serialized value
   */
  public void wrote(String map, Data key, int type) {
    if (!queues.isEmpty()) {
      queues.elementsCame(new AwaitedKey(map, key, type));
    }
  }

  /** Returns whether a key has what is waited for, with the value that is stored there. */
  static boolean isAwaited(AwaitedKey key, @Nullable Object value) {
    return value instanceof Data data && data.getType() == key.type();
  }

  /** Takes a place in a queue here, or renews it; see {@link WaitQueues#join}. */
  Joined joinHere(AwaitedKey key, Ticket ticket, boolean present) {
    listen();
    Joined joined = queues.join(key, ticket, present);
    lookLater();
    return joined;
  }

  /** Returns whether somebody is known here to wait at a key. */
  public boolean isAwaited(String map, Data key, int type) {
    return !queues.isEmpty() && queues.isAwaited(new AwaitedKey(map, key, type));
  }

  /** Returns the number of places in the queues of this member. */
  public int places() {
    return queues.places();
  }

  /** Takes a place at once, as an operation would. */
  @FunctionalInterface
  public interface LocalJoin {
    /** The way of a map that is never at hand. */
    LocalJoin NEVER = (present, join) -> null;

    /**
     * Has a key's partition for itself, and takes a place.
     *
     * @param key as it is stored
     * @param join gets the value that the key has, null if none; to be called with the partition
     * @return what it returned; null if the partition cannot be had at once
     */
    @Nullable Joined join(Data key, Function<@Nullable Object, Joined> join);
  }

  /**
   * A key to wait for.
   *
   * @param map the map's name in the grid
   * @param key as it is stored
   * @param local takes places there without an operation
   */
  public record Wanted(String map, Data key, LocalJoin local) {}

  /**
   * Waits for the first of several keys that gets a value of a type.
   *
   * @param tenant the number of who waits
   * @param type of serialized values
   * @param turn gets the index of a key that it is the turn of; on any thread
   */
  public KeyWaiting await(int tenant, List<Wanted> keys, int type, IntConsumer turn) {
    listen();
    Waiting waiting = new Waiting(turn);
    for (int i = 0; i < keys.size(); i++) {
      AwaitedKey key = new AwaitedKey(keys.get(i).map(), keys.get(i).key(), type);
      waiting.places.add(
          new Place(waiting, i, tenant, key, keys.get(i).local(), numbers.incrementAndGet()));
    }
    for (Place place : waiting.places) {
      Place _ = places.put(place.number, place);
    }
    for (Place place : waiting.places) {
      join(place);
    }
    lookLater();
    return waiting;
  }

  /** One that waits, at all its keys. */
  private final class Waiting implements KeyWaiting {
    private final IntConsumer turn;
    private final List<Place> places = new ArrayList<>();

    Waiting(IntConsumer turn) {
      this.turn = turn;
    }

    @Override
    public void goOn(int index) {
      Place place = places.get(index);
      UUID owner;
      Ticket ticket;
      synchronized (place) {
        place.hasTurn = false;
        owner = place.owner;
        ticket = place.ticket();
      }
      if (owner != null) {
        toOwner(KeyTurn.Kind.GIVEN_BACK, owner, place.key, ticket);
      }
    }

    @Override
    public void end(int taken) {
      for (Place place : places) {
        UUID owner;
        Ticket ticket;
        synchronized (place) {
          place.ended = true;
          owner = place.owner;
          ticket = place.ticket();
        }
        Place _ = KeyWaits.this.places.remove(place.number);
        if (owner != null) {
          KeyTurn.Kind how = place.index == taken ? KeyTurn.Kind.TAKEN : KeyTurn.Kind.LEFT;
          toOwner(how, owner, place.key, ticket);
        }
      }
    }
  }

  /** A place in the queue of one key. Its changing fields are guarded by itself. */
  private final class Place {
    private final Waiting waiting;
    private final int index;
    private final int tenant;
    private final AwaitedKey key;
    private final LocalJoin local;
    private final long number;
    private final int partition;
    private long order;

    /** The id of this member under which the place was taken. */
    private UUID self;

    /** The member that has the queue; null while that is not known. */
    private @Nullable UUID owner;

    private boolean isJoining;
    private boolean hasTurn;
    private boolean ended;

    Place(Waiting waiting, int index, int tenant, AwaitedKey key, LocalJoin local, long number) {
      this.waiting = waiting;
      this.index = index;
      this.tenant = tenant;
      this.key = key;
      this.local = local;
      this.number = number;
      this.partition = nodeEngine.getPartitionService().getPartitionId(key.key());
      this.self = nodeEngine.getLocalMember().getUuid();
    }

    Ticket ticket() {
      return new Ticket(order, self, number);
    }
  }

  // ---- taking places

  private void join(Place place) {
    Ticket ticket;
    synchronized (place) {
      if (place.isJoining || place.ended) {
        return;
      }
      place.isJoining = true;
      place.self = nodeEngine.getLocalMember().getUuid();
      ticket = place.ticket();
    }
    Joined here = joinAtOnce(place, ticket);
    if (here != null) {
      joined(place, here.order(), here.hasTurn(), ticket.member());
      return;
    }
    CompletableFuture<long[]> answered;
    try {
      answered =
          nodeEngine
              .getOperationService()
              .createInvocationBuilder(
                  MapService.SERVICE_NAME,
                  new KeyJoin(place.tenant, place.key, ticket),
                  place.partition)
              .setAsync()
              .invoke();
    } catch (RuntimeException e) {
      notJoined(place);
      return;
    }
    var _ =
        answered.whenCompleteAsync(
            (answer, failure) -> {
              if (failure != null || answer == null || answer.length < 4) {
                notJoined(place);
              } else {
                joined(place, answer[0], answer[1] != 0, new UUID(answer[2], answer[3]));
              }
            },
            ConcurrencyUtil.CALLER_RUNS);
  }

  /** Returns null if it takes an operation, which also says what is wrong if anything is. */
  private @Nullable Joined joinAtOnce(Place place, Ticket ticket) {
    try {
      return place.local.join(
          place.key.key(), value -> joinHere(place.key, ticket, isAwaited(place.key, value)));
    } catch (RuntimeException e) {
      return null;
    }
  }

  private void notJoined(Place place) {
    synchronized (place) {
      place.isJoining = false;
      place.owner = null; // it is tried again with the next look
    }
    hasOthers = true;
    lookLater();
  }

  private void joined(Place place, long order, boolean hasTurn, UUID owner) {
    Ticket ticket;
    boolean ended;
    UUID before;
    synchronized (place) {
      place.isJoining = false;
      place.order = order;
      before = place.owner;
      place.owner = owner;
      ended = place.ended;
      ticket = place.ticket();
    }
    if (!owner.equals(ticket.member())) {
      hasOthers = true;
    }
    if (before != null && !before.equals(owner)) {
      toOwner(KeyTurn.Kind.LEFT, before, place.key, ticket);
    }
    if (ended) {
      toOwner(KeyTurn.Kind.LEFT, owner, place.key, ticket);
    } else if (hasTurn) {
      turnCame(place, owner, place.key, ticket);
    }
  }

  // ---- turns

  /** The teller of the queues here. */
  private void tell(AwaitedKey key, Ticket ticket) {
    UUID self = nodeEngine.getLocalMember().getUuid();
    Place place = places.get(ticket.number());
    if (ticket.member().equals(self) || (place != null && isOf(place, ticket))) {
      turnCame(self, key, ticket);
    } else if (!send(ticket.member(), new KeyTurn(KeyTurn.Kind.COME, self, key, ticket))) {
      queues.memberLeft(ticket.member());
    }
  }

  private static boolean isOf(Place place, Ticket ticket) {
    synchronized (place) {
      return place.self.equals(ticket.member()) && place.number == ticket.number();
    }
  }

  /**
   * Somebody who waits here has the turn at a key.
   *
   * @param owner the member that says so
   */
  void turnCame(UUID owner, AwaitedKey key, Ticket ticket) {
    Place place = places.get(ticket.number());
    if (place == null || !isOf(place, ticket)) {
      toOwner(KeyTurn.Kind.LEFT, owner, key, ticket); // it has gone; others are to have the turn
    } else {
      turnCame(place, owner, key, ticket);
    }
  }

  private void turnCame(Place place, UUID owner, AwaitedKey key, Ticket ticket) {
    boolean ended;
    synchronized (place) {
      ended = place.ended;
      if (!ended) {
        if (place.hasTurn) {
          return;
        }
        place.hasTurn = true;
        place.owner = owner;
        place.order = ticket.order();
      }
    }
    if (ended) {
      toOwner(KeyTurn.Kind.LEFT, owner, key, ticket);
    } else {
      place.waiting.turn.accept(place.index);
    }
  }

  private void toOwner(KeyTurn.Kind kind, UUID owner, AwaitedKey key, Ticket ticket) {
    UUID self = nodeEngine.getLocalMember().getUuid();
    if (!owner.equals(self)) {
      boolean _ = send(owner, new KeyTurn(kind, owner, key, ticket));
    } else if (kind == KeyTurn.Kind.GIVEN_BACK) {
      queues.goOn(key, ticket);
    } else {
      queues.leave(key, ticket, kind == KeyTurn.Kind.TAKEN);
    }
  }

  /** Sends what needs no answer. Returns false if the member is not in the cluster. */
  private boolean send(UUID member, Operation message) {
    Member target = nodeEngine.getClusterService().getMember(member);
    if (target == null) {
      return false;
    }
    try {
      var _ =
          nodeEngine
              .getOperationService()
              .createInvocationBuilder(MapService.SERVICE_NAME, message, target.getAddress())
              .setAsync()
              .invoke();
    } catch (RetryableHazelcastException | RejectedExecutionException e) {
      return true; // it is leaving, or this one is: places are taken again, or dropped
    }
    return true;
  }

  // ---- changes of the cluster

  private void listen() {
    if (!listening.get() && listening.compareAndSet(false, true)) {
      UUID _ =
          nodeEngine
              .getClusterService()
              .addMembershipListener(
                  new MembershipAdapter() {
                    @Override
                    public void memberRemoved(MembershipEvent event) {
                      queues.memberLeft(event.getMember().getUuid());
                      look();
                    }
                  });
    }
  }

  private void lookLater() {
    if (places.isEmpty() && queues.isEmpty()) {
      return;
    }
    if (!looking.get() && looking.compareAndSet(false, true)) {
      try {
        ScheduledFuture<?> _ =
            nodeEngine
                .getExecutionService()
                .schedule(this::lookAndGoOn, LOOK_MILLIS, TimeUnit.MILLISECONDS);
      } catch (RejectedExecutionException e) {
        looking.set(false); // the member stops
      }
    }
  }

  private void lookAndGoOn() {
    looking.set(false);
    try {
      look();
    } finally {
      lookLater();
    }
  }

  /** Takes places again whose owner has changed, and renews some of those at other members. */
  private synchronized void look() {
    looks++;
    UUID self = nodeEngine.getLocalMember().getUuid();
    if (looks % LOOKS_TO_RENEWAL == 0) {
      queues.sweep(self, MOST_SILENT_NANOS);
    }
    long stamp =
        ((InternalPartitionService) nodeEngine.getPartitionService()).getPartitionStateStamp();
    if (!hasOthers && stamp == lookedAtStamp) {
      return;
    }
    lookedAtStamp = stamp;
    hasOthers = false;
    for (Place place : places.values()) {
      Member owner = ownerOf(place.partition);
      UUID known;
      boolean isSelf;
      synchronized (place) {
        known = place.owner;
        isSelf = place.self.equals(self);
      }
      if (!self.equals(known)) {
        hasOthers = true;
      }
      boolean isToRenew = !self.equals(known) && (place.number + looks) % LOOKS_TO_RENEWAL == 0;
      if (owner != null && (!owner.getUuid().equals(known) || !isSelf || isToRenew)) {
        join(place);
      }
    }
  }

  private @Nullable Member ownerOf(int partition) {
    var address = nodeEngine.getPartitionService().getPartitionOwner(partition);
    return address == null ? null : nodeEngine.getClusterService().getMember(address);
  }
}
