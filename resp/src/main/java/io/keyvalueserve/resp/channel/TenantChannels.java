package io.keyvalueserve.resp.channel;

import io.keyvalueserve.engine.EngineException;
import io.keyvalueserve.engine.GlobPattern;
import io.keyvalueserve.engine.Outcome;
import io.keyvalueserve.engine.channel.ChannelBus;
import io.keyvalueserve.engine.channel.ChannelCount;
import io.keyvalueserve.engine.channel.ChannelKind;
import io.keyvalueserve.engine.channel.ChannelQuestion;
import io.keyvalueserve.gates.heap.HeapLease;
import io.keyvalueserve.tenancy.grant.MapAccess;
import io.keyvalueserve.tenancy.grant.Rights;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The channels of one tenant at this member, or what another tenant has subscribed to of them.
 * Publishing takes no lock; subscribing and ending a subscription take a lock of the tenant.
 * Thread-safe.
 */
public final class TenantChannels {
  /** The most patterns with subscribers: each message is matched with all of them. */
  static final int MOST_PATTERNS = 4096;

  /** The most steps that matching a message with all patterns may take: about a millisecond. */
  static final long MOST_STEPS = 1 << 18;

  /** The same for what another tenant has subscribed to. */
  static final int MOST_GUEST_PATTERNS = 256;

  static final long MOST_GUEST_STEPS = 1 << 15;

  /** The time for which a publisher waits for subscribers of other tenants. */
  private static final long GUEST_PATIENCE_MILLIS = 100;

  private static final long LONGEST_LOOK_MILLIS = 86_400_000;

  /** The heap that a subscription takes beside the bytes of its name. */
  private static final int SUBSCRIPTION_BYTES = 256;

  private final ChannelBus.Line line;
  private final HeapLease lease;
  private final Map<ChannelKind, ConcurrentHashMap<ChannelName, Topic>> topics =
      new EnumMap<>(ChannelKind.class);
  private volatile Topic[] patterns = {};
  private volatile TenantMail[] mails = {};
  private volatile TenantChannels[] guests = {};

  /** The subscriptions, those of other tenants included. */
  private volatile int total;

  /** Null if these are a tenant's own channels. */
  private final @Nullable Tie tie;

  /** The time of the next look whether a grant has ended. Guarded by this. */
  private long nextLookMillis = Long.MAX_VALUE;

  /**
   * The tie of a tenant to the channels of another.
   *
   * @param owner the channels of the other
   * @param alias the beginning of the names that it has for them
   * @param access what it is granted; null if it is the owner itself
   */
  private record Tie(TenantChannels owner, int grantee, byte[] alias, @Nullable MapAccess access) {
    boolean allows(byte[] name) {
      return access == null || access.allows(Rights.SUBSCRIBE, name, 0, name.length);
    }
  }

  /** Subscribers that wait for other members to know of them. Guarded by this. */
  private int entering;

  /**
   * @param lease where subscriptions count
   */
  TenantChannels(ChannelBus.Line line, HeapLease lease) {
    this(line, lease, null);
  }

  private TenantChannels(ChannelBus.Line line, HeapLease lease, @Nullable Tie tie) {
    this.tie = tie;
    this.line = line;
    this.lease = lease;
    for (ChannelKind kind : ChannelKind.values()) {
      topics.put(kind, new ConcurrentHashMap<>());
    }
  }

  ConcurrentHashMap<ChannelName, Topic> topics(ChannelKind kind) {
    return Objects.requireNonNull(topics.get(kind));
  }

  HeapLease lease() {
    return lease;
  }

  /** Returns the way to other members. */
  public ChannelBus.Line line() {
    return line;
  }

  /** Returns whether nobody subscribes to anything, on any member. */
  public boolean isSilent() {
    return total == 0 && !line.isHeardElsewhere();
  }

  /** Returns whether publishers are to wait for subscribers on some event loop. */
  public boolean isCongested() {
    for (TenantMail mail : mails) {
      if (mail.isFull()) {
        return true;
      }
    }
    return false;
  }

  /** Returns the number of channels or patterns of a kind that have subscribers here. */
  public int topicCount(ChannelKind kind) {
    return topics(kind).size();
  }

  long subscriptions(ChannelKind kind) {
    return topics(kind).values().stream().mapToLong(Topic::count).sum();
  }

  // ---- other tenants

  /** Returns what a tenant has subscribed to of these channels. */
  synchronized TenantChannels guest(
      int grantee, byte[] alias, @Nullable MapAccess access, HeapLease granteesLease) {
    for (TenantChannels each : guests) {
      if (each.tie != null && each.tie.grantee() == grantee) {
        return each;
      }
    }
    TenantChannels added =
        new TenantChannels(line, granteesLease, new Tie(this, grantee, alias, access));
    TenantChannels[] more = Arrays.copyOf(guests, guests.length + 1);
    more[guests.length] = added;
    guests = more;
    return added;
  }

  synchronized void forgetGuest(int grantee) {
    guests =
        Arrays.stream(guests)
            .filter(each -> each.tie != null && each.tie.grantee() != grantee)
            .toArray(TenantChannels[]::new);
  }

  /** Returns whether another tenant has ever subscribed to these channels. */
  public boolean hasGuests() {
    return guests.length > 0;
  }

  /** Returns whether a tenant may subscribe to this now. */
  public boolean allows(ChannelKind kind, byte[] name) {
    Tie bound = tie;
    return bound == null
        || bound.allows(
            kind == ChannelKind.PATTERN ? new GlobPattern(name).literalBeginning() : name);
  }

  /** Returns the name of a channel or pattern as its subscribers know it. */
  byte[] shown(byte[] name) {
    Tie bound = tie;
    if (bound == null) {
      return name;
    }
    byte[] shown = Arrays.copyOf(bound.alias(), bound.alias().length + name.length);
    System.arraycopy(name, 0, shown, bound.alias().length, name.length);
    return shown;
  }

  /** Ends the subscriptions of other tenants that are no longer granted. */
  void endRevoked() {
    for (TenantChannels guest : guests) {
      guest.look(null);
    }
  }

  /**
   * Ends the subscriptions that are no longer granted, and looks again when the next grant ends.
   *
   * @param loop where the look is made that was awaited; null for another
   */
  private void look(@Nullable LoopMail loop) {
    LoopMail some = loop;
    for (ChannelKind kind : ChannelKind.values()) {
      for (Topic topic : topics(kind).values()) {
        boolean isAllowed = allows(kind, topic.name().bytes());
        for (LoopSubscribers place : topic.places()) {
          some = place.mail().loop();
          if (!isAllowed) {
            some.execute(() -> endIfRevoked(topic, place));
          }
        }
      }
    }
    if (some != null) {
      lookLater(some);
    }
  }

  private void endIfRevoked(Topic topic, LoopSubscribers place) {
    if (!allows(topic.kind(), topic.name().bytes())) {
      place.endAll();
    }
  }

  private void lookLater(LoopMail loop) {
    MapAccess access = tie == null ? null : tie.access();
    long left = access == null ? Long.MAX_VALUE : access.millisLeft();
    if (left == Long.MAX_VALUE) {
      return;
    }
    long wait = Math.min(left, LONGEST_LOOK_MILLIS) + 1;
    synchronized (this) {
      long at = System.currentTimeMillis() + wait;
      if (at >= nextLookMillis) {
        return;
      }
      nextLookMillis = at;
    }
    loop.later(
        () -> {
          synchronized (this) {
            nextLookMillis = Long.MAX_VALUE;
          }
          if (total > 0) {
            look(loop);
          }
        },
        wait);
  }

  private synchronized void count(int change) {
    total += change;
  }

  // ---- subscribing

  /** Returns the mail of this tenant on an event loop. */
  public synchronized TenantMail mail(LoopMail loop) {
    for (TenantMail mail : mails) {
      if (mail.loop() == loop) {
        return mail;
      }
    }
    TenantMail added = new TenantMail(loop);
    TenantMail[] more = Arrays.copyOf(mails, mails.length + 1);
    more[mails.length] = added;
    mails = more;
    return added;
  }

  /**
   * Begins to subscribe. {@link #entered} ends it.
   *
   * @return null if other members send the tenant's messages already, else complete when they do
   */
  public synchronized @Nullable CompletionStage<Void> enter() {
    entering++;
    return line.listen();
  }

  /** Ends what {@link #enter} began. */
  public synchronized void entered() {
    entering--;
  }

  /** A message has come for nobody: other members need not send more. */
  synchronized void stopListeningIfEmpty() {
    if (total == 0 && entering == 0) {
      line.stopListening();
    }
  }

  /**
   * Adds a subscription. On the subscriber's event loop.
   *
   * @return the subscription; or why there is none, in words for the client
   */
  synchronized Object add(ChannelKind kind, ChannelName name, TenantMail mail, Subscriber who) {
    boolean isNew = !topics(kind).containsKey(name);
    if (kind == ChannelKind.PATTERN && isNew && patterns.length >= mostPatterns()) {
      return "a tenant's clients may subscribe to up to "
          + mostPatterns()
          + " patterns at a member; use channels, or fewer patterns";
    }
    if (!lease.take(heapBytes(name))) {
      return lease.refusal();
    }
    Topic topic = topics(kind).computeIfAbsent(name, added -> new Topic(this, kind, added));
    LoopSubscribers place = topic.place(mail);
    Subscription subscription = new Subscription(topic, place, who);
    place.add(subscription);
    count(1);
    Tie bound = tie;
    if (bound != null) {
      bound.owner().count(1);
      lookLater(mail.loop());
    }
    if (kind == ChannelKind.PATTERN && isNew) {
      patterns = topics(kind).values().toArray(Topic[]::new);
    }
    return subscription;
  }

  /** Ends a subscription. On the subscriber's event loop. */
  synchronized void remove(Subscription subscription) {
    Topic topic = subscription.topic();
    LoopSubscribers place = subscription.place();
    place.remove(subscription);
    count(-1);
    if (tie != null) {
      tie.owner().count(-1);
    }
    lease.give(heapBytes(topic.name()));
    if (place.count() == 0 && topic.remove(place)) {
      topics(topic.kind()).remove(topic.name());
      if (topic.kind() == ChannelKind.PATTERN) {
        patterns = topics(topic.kind()).values().toArray(Topic[]::new);
      }
    }
  }

  private int mostPatterns() {
    return tie == null ? MOST_PATTERNS : MOST_GUEST_PATTERNS;
  }

  private static long heapBytes(ChannelName name) {
    return SUBSCRIPTION_BYTES + 2L * name.bytes().length;
  }

  // ---- publishing

  /**
   * Publishes a message to the subscribers at this member. The arrays must not be changed any more.
   *
   * @param publisher the subscriptions of who publishes it, on its event loop: it receives the
   *     message at once; null if it has none
   */
  public Published publish(
      boolean sharded, byte[] channel, byte[] payload, @Nullable Subscriptions publisher) {
    if (total == 0) {
      return Published.TO_NOBODY;
    }
    List<Topic> matching = sharded ? List.of() : matching(channel, MOST_STEPS);
    if (matching == null) {
      return Published.REFUSED;
    }
    Posting posting = new Posting(publisher);
    Topic topic =
        topics(sharded ? ChannelKind.SHARD : ChannelKind.CHANNEL).get(new ChannelName(channel));
    if (topic != null) {
      posting.post(topic, Message.of(sharded, channel, payload));
    }
    for (Topic pattern : matching) {
      posting.post(pattern, Message.of(pattern.name().bytes(), channel, payload));
    }
    for (TenantChannels guest : guests) {
      guest.post(posting, sharded, channel, payload);
    }
    return posting.receivers == 0 ? Published.TO_NOBODY : posting.published();
  }

  /**
   * Posts a message of the owner to the subscribers of another tenant. Their patterns do not match
   * if that takes too many steps: the owner is not to suffer from it.
   */
  private void post(Posting posting, boolean sharded, byte[] channel, byte[] payload) {
    Tie bound = tie;
    if (total == 0 || bound == null || !bound.allows(channel)) {
      return;
    }
    posting.isForeign = true;
    Topic topic =
        topics(sharded ? ChannelKind.SHARD : ChannelKind.CHANNEL).get(new ChannelName(channel));
    List<Topic> matching = sharded ? List.of() : matching(channel, MOST_GUEST_STEPS);
    byte[] shown = shown(channel);
    if (topic != null) {
      posting.post(topic, Message.of(sharded, shown, payload));
    }
    if (matching != null) {
      for (Topic pattern : matching) {
        posting.post(pattern, Message.of(shown(pattern.name().bytes()), shown, payload));
      }
    }
  }

  /** Returns the patterns that a channel matches, or null if that takes too many steps. */
  private @Nullable List<Topic> matching(byte[] channel, long mostSteps) {
    Topic[] all = patterns;
    if (all.length == 0) {
      return List.of();
    }
    GlobPattern.Steps steps = new GlobPattern.Steps(mostSteps);
    List<Topic> matching = new ArrayList<>();
    for (Topic each : all) {
      if (each.matches(channel, steps)) {
        matching.add(each);
      }
      if (steps.areUsedUp()) {
        return null;
      }
    }
    return matching;
  }

  /** Posts the message of one publisher, and notes where there is too much already. */
  private static final class Posting {
    private final @Nullable Subscriptions publisher;
    private long receivers;
    private @Nullable TenantMail full;
    private @Nullable TenantMail fullOfOthers;

    /** True while it posts to subscribers of another tenant. */
    private boolean isForeign;

    Posting(@Nullable Subscriptions publisher) {
      this.publisher = publisher;
    }

    void post(Topic topic, Message message) {
      Subscriber except = null;
      Subscriptions own = publisher;
      if (own != null && own.includes(topic)) {
        except = own.subscriber();
        except.receive(message);
      }
      for (LoopSubscribers place : topic.places()) {
        int count = place.count();
        TenantMail mail = place.mail();
        if (count == 0 || (isForeign && mail.isOverfull())) {
          continue;
        }
        receivers += count;
        mail.post(place, message, except);
        if (mail.isFull() && isForeign) {
          fullOfOthers = mail;
        } else if (mail.isFull()) {
          full = mail;
        }
      }
      message.release();
    }

    Published published() {
      CompletionStage<Void> room = full == null ? null : full.room();
      if (fullOfOthers != null) {
        CompletionStage<Void> others =
            fullOfOthers
                .room()
                .toCompletableFuture()
                .copy()
                .completeOnTimeout(null, GUEST_PATIENCE_MILLIS, TimeUnit.MILLISECONDS);
        room = room == null ? others : room.runAfterBoth(others, () -> {});
      }
      return new Published(receivers, room);
    }
  }

  // ---- questions

  /**
   * Answers a question about the subscriptions at all members.
   *
   * @param patient runs what takes time
   */
  public CompletionStage<List<ChannelCount>> ask(ChannelQuestion question, Executor patient) {
    if (isSilent() && question.names().isEmpty()) {
      return CompletableFuture.completedFuture(List.of());
    }
    CompletionStage<List<ChannelCount>> here =
        CompletableFuture.supplyAsync(() -> answer(question), patient);
    if (!line.isHeardElsewhere()) {
      return here;
    }
    return line.ask(question).thenCombine(here, (others, own) -> sum(question, others, own));
  }

  private static List<ChannelCount> sum(
      ChannelQuestion question, List<List<ChannelCount>> others, List<ChannelCount> here) {
    Map<ChannelName, Long> sums = new LinkedHashMap<>();
    for (ChannelCount each : here) {
      sums.merge(new ChannelName(each.name()), each.subscriptions(), Math::max);
    }
    for (List<ChannelCount> other : others) {
      Map<ChannelName, Long> once = new LinkedHashMap<>();
      for (ChannelCount each : other) {
        once.put(new ChannelName(each.name()), each.subscriptions());
      }
      once.forEach((name, count) -> sums.merge(name, count, Long::sum));
    }
    List<ChannelCount> counts = new ArrayList<>();
    if (question.names().isEmpty()) {
      sums.forEach((name, sum) -> counts.add(new ChannelCount(name.bytes(), sum)));
      return counts;
    }
    // The same name may have been asked for twice.
    for (ChannelCount each : here) {
      Long sum = sums.get(new ChannelName(each.name()));
      counts.add(new ChannelCount(each.name(), sum == null ? 0 : sum));
    }
    return counts;
  }

  /**
   * Answers a question about the subscriptions at this member.
   *
   * @throws EngineException if the pattern takes too many steps
   */
  public List<ChannelCount> answer(ChannelQuestion question) {
    List<ChannelCount> counts = new ArrayList<>();
    if (!question.names().isEmpty()) {
      for (byte[] name : question.names()) {
        counts.add(new ChannelCount(name, count(question.kind(), new ChannelName(name))));
      }
      return counts;
    }
    if (question.kind() != ChannelKind.PATTERN && hasGuests()) {
      return listedWithGuests(question);
    }
    for (Topic topic : matching(question, topics(question.kind()).values())) {
      counts.add(new ChannelCount(topic.name().bytes(), topic.count()));
    }
    return counts;
  }

  /** Counts the subscriptions to a channel, those of other tenants included. */
  private long count(ChannelKind kind, ChannelName name) {
    Topic topic = topics(kind).get(name);
    long sum = topic == null ? 0 : topic.count();
    for (TenantChannels guest : guests) {
      Topic other = guest.topics(kind).get(name);
      sum += other == null ? 0 : other.count();
    }
    return sum;
  }

  private List<ChannelCount> listedWithGuests(ChannelQuestion question) {
    Map<ChannelName, Topic> all = new LinkedHashMap<>(topics(question.kind()));
    for (TenantChannels guest : guests) {
      guest.topics(question.kind()).forEach(all::putIfAbsent);
    }
    List<ChannelCount> counts = new ArrayList<>();
    for (Topic topic : matching(question, all.values())) {
      counts.add(new ChannelCount(topic.name().bytes(), count(question.kind(), topic.name())));
    }
    return counts;
  }

  private static List<Topic> matching(ChannelQuestion question, Collection<Topic> all) {
    List<Topic> matching = new ArrayList<>();
    byte[] wanted = question.pattern();
    GlobPattern pattern = wanted == null ? null : new GlobPattern(wanted);
    GlobPattern.Steps steps = new GlobPattern.Steps(MOST_STEPS * (1 + all.size() / 64));
    for (Topic topic : all) {
      byte[] name = topic.name().bytes();
      if (pattern == null || pattern.matches(name, 0, name.length, steps)) {
        matching.add(topic);
      }
      if (steps.areUsedUp()) {
        throw new EngineException(
            new Outcome.Failure(
                Outcome.Failure.Kind.TOO_COSTLY,
                "the pattern takes too many steps: use fewer or shorter texts between its '*'"
                    + " signs"));
      }
    }
    return matching;
  }
}
