package io.keyvalueserve.grid.channel;

import com.hazelcast.cluster.Address;
import com.hazelcast.cluster.Member;
import com.hazelcast.internal.util.ConcurrencyUtil;
import com.hazelcast.map.impl.MapService;
import com.hazelcast.spi.impl.NodeEngine;
import io.keyvalueserve.engine.EngineException;
import io.keyvalueserve.engine.Outcome;
import io.keyvalueserve.engine.channel.ChannelBus;
import io.keyvalueserve.engine.channel.ChannelCount;
import io.keyvalueserve.engine.channel.ChannelQuestion;
import io.keyvalueserve.grid.channel.ChannelMessage.Interest;
import io.keyvalueserve.grid.channel.ChannelMessage.Part;
import io.keyvalueserve.grid.link.MemberLink;
import io.keyvalueserve.grid.member.DataMembers;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Carries published messages between members, to those that may have subscribers of the tenant.
 *
 * <p>Each member tells all others which tenants have subscribers there, as a whole first and then
 * what changes. It tells the next change when the last one is confirmed, so changes arrive in
 * order. A member that has not told yet counts as one with subscribers of every tenant: a message
 * that is sent in vain costs little, and one that is not sent is lost.
 *
 * <p>A tenant's first subscription at a member is confirmed to the client when all other members
 * know of it, or after some seconds. So it receives what is published after that, wherever. The
 * tenant counts as listening until a message has come for nobody.
 *
 * <p>Thread-safe; never blocks.
 */
public final class GridChannelBus implements ChannelBus {
  /** The messages with published messages that may be under way to a member. */
  private static final int CHANNELS = 4;

  /** The time for which a subscription waits for members that do not confirm. */
  private static final long MOST_WAIT_SECONDS = 5;

  private static final long RETRY_MILLIS = 100;
  private static final long QUESTION_MILLIS = 5_000;

  /** The most bytes of the answers of all members to one question. */
  static final int MOST_ANSWER_BYTES = 16 << 20;

  /** How a member has taken what another has told it. */
  enum Heard {
    OK(0),
    /** It does not know the member yet, or has not started. */
    LATER(1),
    /** It does not know what has changed, as it has not heard of the whole. */
    WHOLE(2);

    private final int code;

    Heard(int code) {
      this.code = code;
    }

    byte code() {
      return (byte) code;
    }

    static Heard ofCode(byte code) {
      return code == OK.code ? OK : code == WHOLE.code ? WHOLE : LATER;
    }
  }

  private final NodeEngine nodeEngine;
  private final ConcurrentHashMap<Integer, TenantLine> lines = new ConcurrentHashMap<>();
  private volatile Subscribers subscribers = new NoSubscribers();

  /** Those that have not told which tenants have subscribers there. */
  private volatile Peer[] unknown = {};

  // Guarded by this.
  private final Map<UUID, Peer> peers = new LinkedHashMap<>();
  private final Set<Integer> listeningHere = new HashSet<>();
  private final Set<Waiter> waiters = new LinkedHashSet<>();
  private long version;

  /**
   * The number of the last message to another member. It begins with the time: a member that comes
   * back under the id that it had before is heard by those who have not noticed its absence.
   */
  private long lastNumber = System.currentTimeMillis();

  private record Waiter(long version, CompletableFuture<Void> told) {}

  /** Creates a bus that knows no member before {@link #membersChanged} is called. */
  public GridChannelBus(NodeEngine nodeEngine) {
    this.nodeEngine = nodeEngine;
  }

  private static final class NoSubscribers implements Subscribers {
    @Override
    public CompletionStage<Long> deliver(
        int tenant, boolean sharded, byte[] channel, byte[] payload) {
      return CompletableFuture.completedFuture(0L);
    }

    @Override
    public List<ChannelCount> answer(int tenant, ChannelQuestion question) {
      return List.of();
    }
  }

  @Override
  public void serve(Subscribers served) {
    subscribers = served;
  }

  @Override
  public Line line(int tenant) {
    return known(tenant);
  }

  private TenantLine known(int tenant) {
    TenantLine line = lines.get(tenant);
    return line == null ? lines.computeIfAbsent(tenant, TenantLine::new) : line;
  }

  @Override
  public synchronized void forget(int tenant) {
    TenantLine line = lines.get(tenant);
    if (line != null) {
      line.stopListening();
      lines.remove(tenant);
    }
  }

  // ---- members

  /** Looks which members there are. Called whenever that changes. */
  public void membersChanged() {
    List<Peer> added = new ArrayList<>();
    List<Waiter> done;
    synchronized (this) {
      Map<UUID, Address> present = new LinkedHashMap<>();
      for (Member member : DataMembers.of(nodeEngine)) {
        if (!member.localMember()) {
          present.put(member.getUuid(), member.getAddress());
        }
      }
      for (Peer peer : List.copyOf(peers.values())) {
        if (!peer.address.equals(present.get(peer.uuid))) {
          peer.isGone = true;
          peers.remove(peer.uuid);
          peer.listening.forEach(tenant -> known(tenant).removeHearer(peer));
        }
      }
      present.forEach(
          (uuid, address) -> {
            if (!peers.containsKey(uuid)) {
              Peer peer = new Peer(uuid, address, link(address));
              peers.put(uuid, peer);
              added.add(peer);
            }
          });
      findUnknown();
      done = takeDone();
    }
    tell(done);
    added.forEach(this::proceed);
  }

  /** Begins anew with all members: this one has come to another cluster. */
  public void rejoined() {
    synchronized (this) {
      for (Peer peer : peers.values()) {
        peer.isGone = true;
        peer.listening.forEach(tenant -> known(tenant).removeHearer(peer));
      }
      peers.clear();
    }
    membersChanged();
  }

  private MemberLink<PublishedMessage, Long> link(Address address) {
    return new MemberLink<>(
        nodeEngine,
        address,
        load -> ChannelMessage.published(load.stream().map(PublishedMessage::part).toList()),
        CHANNELS,
        1);
  }

  private void findUnknown() {
    unknown = peers.values().stream().filter(peer -> !peer.isKnown).toArray(Peer[]::new);
  }

  // ---- what others tell

  /** Takes in which tenants have subscribers at another member. */
  synchronized Heard hear(Interest told) {
    Peer peer = peers.get(told.member());
    if (peer == null) {
      return Heard.LATER;
    }
    if (told.number() <= peer.heard) {
      return Heard.OK; // it is late, and what came behind it says more
    }
    if (told.isWhole()) {
      Set<Integer> now = new HashSet<>();
      Arrays.stream(told.listening()).forEach(now::add);
      for (Integer tenant : List.copyOf(peer.listening)) {
        if (!now.contains(tenant)) {
          known(tenant).removeHearer(peer);
        }
      }
      peer.listening.retainAll(now);
    } else if (!peer.isKnown) {
      return Heard.WHOLE;
    }
    peer.heard = told.number();
    for (int tenant : told.listening()) {
      if (peer.listening.add(tenant)) {
        known(tenant).addHearer(peer);
      }
    }
    for (int tenant : told.silent()) {
      if (peer.listening.remove(tenant)) {
        known(tenant).removeHearer(peer);
      }
    }
    if (!peer.isKnown) {
      peer.isKnown = true;
      findUnknown();
    }
    return Heard.OK;
  }

  /** Delivers what another member has sent, and answers when there is room for more. */
  void deliver(List<Part> parts, Consumer<ChannelAnswers> answer) {
    long[] receivers = new long[parts.size()];
    AtomicInteger missing = new AtomicInteger(parts.size());
    for (int i = 0; i < parts.size(); i++) {
      int index = i;
      Part part = parts.get(i);
      var _ =
          subscribers
              .deliver(part.tenant(), part.sharded(), part.channel(), part.payload())
              .whenComplete(
                  (count, failure) -> {
                    receivers[index] = failure == null ? count : 0;
                    if (missing.decrementAndGet() == 0) {
                      answer.accept(new ChannelAnswers(receivers));
                    }
                  });
    }
  }

  void answer(int tenant, ChannelQuestion question, Consumer<byte[]> answer) {
    Thread _ =
        Thread.ofVirtual()
            .name("kvs-channels-answer")
            .start(
                () -> {
                  List<ChannelCount> counts;
                  try {
                    counts = subscribers.answer(tenant, question);
                  } catch (RuntimeException e) {
                    counts = List.of(); // who asks has the same trouble, and says so
                  }
                  answer.accept(CountCodec.encode(counts, MOST_ANSWER_BYTES));
                });
  }

  // ---- what others are told

  private record Change(List<Peer> peers, @Nullable CompletionStage<Void> told) {}

  private @Nullable CompletionStage<Void> listen(TenantLine line) {
    Change change = noteListening(line);
    change.peers().forEach(this::proceed);
    return change.told();
  }

  private synchronized Change noteListening(TenantLine line) {
    List<Peer> changed = List.of();
    if (listeningHere.add(line.tenant)) {
      version++;
      line.version = version;
      changed = noteChange(line.tenant, true);
    }
    long due = line.version;
    if (peers.values().stream().noneMatch(peer -> peer.isBehind(due))) {
      return new Change(changed, null);
    }
    CompletableFuture<Void> told =
        new CompletableFuture<Void>().completeOnTimeout(null, MOST_WAIT_SECONDS, TimeUnit.SECONDS);
    Waiter waiter = new Waiter(due, told);
    boolean _ = waiters.add(waiter);
    var _ = told.whenComplete((_, _) -> stopWaiting(waiter));
    return new Change(changed, told);
  }

  private synchronized void stopWaiting(Waiter waiter) {
    boolean _ = waiters.remove(waiter);
  }

  /** Returns how many subscriptions wait until other members know of them. */
  synchronized int waiting() {
    return waiters.size();
  }

  private void stopListening(TenantLine line) {
    List<Peer> changed;
    synchronized (this) {
      if (!listeningHere.remove(line.tenant)) {
        return;
      }
      version++;
      line.version = version;
      changed = noteChange(line.tenant, false);
    }
    changed.forEach(this::proceed);
  }

  private List<Peer> noteChange(int tenant, boolean isListening) {
    peers.values().forEach(peer -> peer.changes.put(tenant, isListening));
    return List.copyOf(peers.values());
  }

  private record Telling(Interest interest, long version) {}

  /** Tells a member what has changed, unless it is being told. */
  private void proceed(Peer peer) {
    Telling next = next(peer);
    if (next == null) {
      return;
    }
    CompletionStage<Byte> answered;
    try {
      answered =
          nodeEngine
              .getOperationService()
              .createInvocationBuilder(
                  MapService.SERVICE_NAME, ChannelMessage.of(next.interest()), peer.address)
              .setTryCount(1)
              .setAsync()
              .<Byte>invoke();
    } catch (RuntimeException e) {
      failed(peer, false);
      return;
    }
    var _ =
        answered.whenCompleteAsync(
            (code, failure) -> {
              Heard heard = code == null ? Heard.LATER : Heard.ofCode(code);
              if (failure == null && heard != Heard.LATER) {
                confirmed(peer, heard, next.version());
              } else {
                failed(peer, failure == null);
              }
            },
            ConcurrencyUtil.CALLER_RUNS);
  }

  private synchronized @Nullable Telling next(Peer peer) {
    if (peer.isBusy || peer.isGone || (!peer.isWholeDue && peer.changes.isEmpty())) {
      return null;
    }
    peer.isBusy = true;
    lastNumber++;
    UUID self = nodeEngine.getLocalMember().getUuid();
    Interest interest;
    if (peer.isWholeDue) {
      interest = new Interest(self, lastNumber, true, numbers(listeningHere), new int[0]);
    } else {
      Set<Integer> listening = new HashSet<>();
      Set<Integer> silent = new HashSet<>();
      peer.changes.forEach((tenant, is) -> (is ? listening : silent).add(tenant));
      interest = new Interest(self, lastNumber, false, numbers(listening), numbers(silent));
    }
    peer.isWholeDue = false;
    peer.changes.clear();
    if (!peer.wasTold) {
      peer.wasTold = true;
      peer.confirmed = version; // it sends everything until this message has come
    }
    return new Telling(interest, version);
  }

  private static int[] numbers(Set<Integer> tenants) {
    return tenants.stream().mapToInt(Integer::intValue).toArray();
  }

  private void confirmed(Peer peer, Heard heard, long told) {
    List<Waiter> done;
    synchronized (this) {
      peer.isBusy = false;
      peer.hasHeard = true;
      if (heard == Heard.WHOLE) {
        peer.isWholeDue = true;
      } else {
        peer.confirmed = Math.max(peer.confirmed, told);
      }
      done = takeDone();
    }
    tell(done);
    proceed(peer);
  }

  /**
   * Tells a member the whole again, a little later.
   *
   * @param isDeaf whether it has certainly not heard what it was told. If it has never heard
   *     anything, nobody waits for it: it sends everything here
   */
  private void failed(Peer peer, boolean isDeaf) {
    List<Waiter> done;
    synchronized (this) {
      peer.isWholeDue = true;
      if (isDeaf && !peer.hasHeard) {
        peer.wasTold = false;
      }
      done = takeDone();
    }
    tell(done);
    if (peer.isGone) {
      return;
    }
    ScheduledFuture<?> _ =
        nodeEngine
            .getExecutionService()
            .schedule(
                () -> {
                  synchronized (this) {
                    peer.isBusy = false;
                  }
                  proceed(peer);
                },
                RETRY_MILLIS,
                TimeUnit.MILLISECONDS);
  }

  private List<Waiter> takeDone() {
    List<Waiter> done = new ArrayList<>();
    waiters.removeIf(
        waiter -> {
          boolean isDone =
              peers.values().stream().noneMatch(peer -> peer.isBehind(waiter.version()));
          if (isDone) {
            done.add(waiter);
          }
          return isDone;
        });
    return done;
  }

  private static void tell(List<Waiter> done) {
    done.forEach(waiter -> waiter.told().complete(null));
  }

  private static EngineException tooLong() {
    return new EngineException(
        new Outcome.Failure(
            Outcome.Failure.Kind.TOO_COSTLY,
            "the answer of all members would have more than "
                + MOST_ANSWER_BYTES
                + " bytes; ask for fewer channels"));
  }

  // ---- the way of one tenant

  private final class TenantLine implements Line {
    private final int tenant;

    /** The members that have subscribers of the tenant. */
    private volatile Peer[] hearers = {};

    /** The version in which it was told last whether the tenant listens here. */
    private long version;

    TenantLine(int tenant) {
      this.tenant = tenant;
    }

    void addHearer(Peer peer) {
      Peer[] more = Arrays.copyOf(hearers, hearers.length + 1);
      more[hearers.length] = peer;
      hearers = more;
    }

    void removeHearer(Peer peer) {
      hearers = Arrays.stream(hearers).filter(each -> each != peer).toArray(Peer[]::new);
    }

    @Override
    public boolean isHeardElsewhere() {
      return hearers.length + unknown.length > 0;
    }

    /** Returns those that may have subscribers. One may be in both lists for a moment. */
    private Set<Peer> targets() {
      Set<Peer> targets = new HashSet<>(Arrays.asList(unknown)); // first: it leaves this one last
      targets.addAll(Arrays.asList(hearers));
      return targets;
    }

    @Override
    public CompletionStage<Long> publish(
        boolean sharded, byte[] channel, byte[] payload, Executor endOfTurn) {
      Set<Peer> targets = targets();
      if (targets.isEmpty()) {
        return CompletableFuture.completedFuture(0L);
      }
      Publishing publishing = new Publishing(targets.size());
      for (Peer peer : targets) {
        peer.link.send(
            new PublishedMessage(publishing, tenant, sharded, channel, payload), endOfTurn);
      }
      return publishing.result();
    }

    @Override
    public @Nullable CompletionStage<Void> listen() {
      return GridChannelBus.this.listen(this);
    }

    @Override
    public void stopListening() {
      GridChannelBus.this.stopListening(this);
    }

    @Override
    public CompletionStage<List<List<ChannelCount>>> ask(ChannelQuestion question) {
      List<List<ChannelCount>> answers = new ArrayList<>();
      AtomicLong room = new AtomicLong(MOST_ANSWER_BYTES);
      CompletionStage<?> all = CompletableFuture.completedFuture(answers);
      for (Peer peer : targets()) {
        CompletionStage<byte[]> answered =
            nodeEngine
                .getOperationService()
                .createInvocationBuilder(
                    MapService.SERVICE_NAME, ChannelMessage.of(tenant, question), peer.address)
                .setCallTimeout(QUESTION_MILLIS)
                .setTryCount(1)
                .<byte[]>invoke()
                .toCompletableFuture()
                .exceptionally(failure -> CountCodec.encode(List.of()));
        all =
            all.thenCombine(
                answered,
                (_, bytes) -> {
                  if (CountCodec.isTooLong(bytes) || room.addAndGet(-bytes.length) < 0) {
                    throw tooLong();
                  }
                  return answers.add(CountCodec.decode(bytes));
                });
      }
      return all.thenApply(_ -> answers);
    }
  }
}
