package io.keyvalueserve.resp;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;

import io.keyvalueserve.engine.GlobPattern;
import io.keyvalueserve.engine.channel.ChannelBus;
import io.keyvalueserve.engine.channel.ChannelCount;
import io.keyvalueserve.engine.channel.ChannelKind;
import io.keyvalueserve.engine.channel.ChannelQuestion;
import io.keyvalueserve.resp.channel.ChannelAddress;
import io.keyvalueserve.resp.channel.Published;
import io.keyvalueserve.resp.channel.Subscriptions;
import io.keyvalueserve.resp.channel.TenantChannels;
import io.keyvalueserve.resp.command.Channels;
import io.keyvalueserve.resp.command.CommandException;
import io.keyvalueserve.resp.command.OutgoingMessage;
import io.keyvalueserve.resp.protocol.Reply;
import io.keyvalueserve.resp.protocol.RequestView;
import io.keyvalueserve.tenancy.Identity;
import io.keyvalueserve.tenancy.TenantName;
import io.keyvalueserve.tenancy.grant.MapAccess;
import io.keyvalueserve.tenancy.grant.Rights;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * The channels of one client's tenant, and the client's subscriptions. On the connection's event
 * loop but for {@link #count}, which any thread may call.
 */
final class ClientChannels implements Channels {
  /** The most names in one request: the loop serves nobody else until all are confirmed. */
  static final int MOST_NAMES = 8192;

  /** The bytes of a name that an error shows. */
  private static final int MOST_SHOWN = 64;

  /** The most subscriptions of a connection: all of them end in one turn. */
  static final int MOST_SUBSCRIPTIONS = 1 << 16;

  private final RespSession session;
  private final SessionHost host;
  private final RespClient client;
  private final Identity identity;
  private final TenantChannels tenant;

  /** Null until it subscribes for the first time. */
  private volatile @Nullable Deliveries deliveries;

  private boolean hasEnded;

  ClientChannels(RespSession session, SessionHost host, RespClient client, Identity identity) {
    this.identity = identity;
    this.session = session;
    this.host = host;
    this.client = client;
    this.tenant = host.channels().of(identity.number());
  }

  /** Returns the deliveries to the client, or null if it has not subscribed to anything yet. */
  @Nullable Deliveries deliveries() {
    return deliveries;
  }

  private @Nullable Subscriptions subscriptions() {
    Deliveries known = deliveries;
    return known == null || known.subscriptions().isEmpty() ? null : known.subscriptions();
  }

  /** Returns whether the client has subscribed to anything. */
  boolean isSubscriber() {
    return subscriptions() != null;
  }

  /** Returns the number of the client's subscriptions of a kind. Any thread. */
  int count(ChannelKind kind) {
    Deliveries known = deliveries;
    return known == null ? 0 : known.subscriptions().count(kind);
  }

  /** Writes what has come, and ends all subscriptions. */
  void end() {
    hasEnded = true;
    Deliveries known = deliveries;
    if (known != null) {
      known.end();
    }
  }

  @Override
  public boolean isRestricted() {
    return !client.speaksResp3() && subscriptions() != null;
  }

  // ---- subscribing

  /**
   * A channel or a pattern that the client has named.
   *
   * @param said the name that the client has for it
   * @param name the name that its owner has for it
   * @param owner the channels of its owner
   * @param where its subscribers of the client's tenant
   */
  private record Target(byte[] said, byte[] name, TenantChannels owner, TenantChannels where) {}

  private Target target(ChannelKind kind, byte[] said) {
    ChannelAddress address = ChannelAddress.parse(said);
    if (address == null) {
      return new Target(said, said, tenant, tenant);
    }
    Foreign foreign = foreign(address);
    byte[] wanted =
        kind == ChannelKind.PATTERN
            ? new GlobPattern(address.name()).literalBeginning()
            : address.name();
    require(foreign, Rights.SUBSCRIBE, wanted);
    return new Target(
        said,
        address.name(),
        host.channels().of(foreign.number()),
        host.channels()
            .guest(address.owner(), foreign.number(), foreign.access(), identity.number()));
  }

  /**
   * The channels of a tenant that the client has named.
   *
   * @param isOwn whether they are the client's tenant's own
   * @param access what is granted; null if nothing is, or nothing need be
   * @param number the owner's number, if there is access
   */
  private record Foreign(TenantName owner, boolean isOwn, @Nullable MapAccess access, int number) {
    boolean allows(Rights rights, byte[] name) {
      return isOwn || (access != null && access.allows(rights, name, 0, name.length));
    }
  }

  private Foreign foreign(ChannelAddress address) {
    TenantName owner = address.owner();
    if (owner.equals(identity.tenant())) {
      return new Foreign(owner, true, null, identity.number());
    }
    MapAccess access = host.grants().channelAccess(identity, owner);
    return new Foreign(owner, false, access, access == null ? 0 : access.owner().number());
  }

  private void require(Foreign foreign, Rights rights, byte[] name) {
    if (!foreign.allows(rights, name)) {
      throw refused(foreign.owner(), rights, name);
    }
  }

  private CommandException refused(TenantName owner, Rights rights, byte[] name) {
    String reason = refusal(owner, rights, name);
    client.refusedOn(owner + "//", reason);
    return new CommandException("NOPERM " + reason);
  }

  private String refusal(TenantName owner, Rights rights, byte[] name) {
    return "tenant '"
        + identity.tenant()
        + "' needs a grant of "
        + rights.text()
        + " on channels of '"
        + owner
        + "' beginning as '"
        + shown(name)
        + "' does; their owner can give one";
  }

  private static String shown(byte[] name) {
    String text = new String(name, 0, Math.min(name.length, MOST_SHOWN), UTF_8);
    return text.replaceAll("\\p{Cntrl}", "?") + (name.length > MOST_SHOWN ? "..." : "");
  }

  @Override
  public @Nullable String refusalToPublish(byte[] channel) {
    ChannelAddress address = ChannelAddress.parse(channel);
    if (address == null || foreign(address).allows(Rights.PUBLISH, address.name())) {
      return null;
    }
    return refusal(address.owner(), Rights.PUBLISH, address.name());
  }

  @Override
  public CompletionStage<Reply> subscribe(ChannelKind kind, List<byte[]> names) {
    if (names.size() > MOST_NAMES) {
      throw new CommandException(
          "ERR a request may have up to " + MOST_NAMES + " channels or patterns: send several");
    }
    List<Target> targets = new ArrayList<>(names.size());
    Set<TenantChannels> owners = new LinkedHashSet<>();
    for (byte[] name : names) {
      Target target = target(kind, name);
      targets.add(target);
      owners.add(target.owner());
    }
    CompletionStage<Void> told = enter(owners);
    if (told == null) {
      owners.forEach(TenantChannels::entered);
      return CompletableFuture.completedFuture(subscribeNow(kind, targets));
    }
    return told.handleAsync(
        (_, _) -> {
          Reply reply =
              hasEnded || !session.isOpen()
                  ? new Reply.Several(List.of())
                  : subscribeNow(kind, targets);
          owners.forEach(TenantChannels::entered);
          return reply;
        },
        session.endOfTurn());
  }

  /** Returns null if other members know of all these subscriptions; else complete when they do. */
  private static @Nullable CompletionStage<Void> enter(Set<TenantChannels> owners) {
    CompletionStage<Void> all = null;
    for (TenantChannels owner : owners) {
      CompletionStage<Void> told = owner.enter();
      if (told != null) {
        all = all == null ? told : all.runAfterBoth(told, () -> {});
      }
    }
    return all;
  }

  private Reply subscribeNow(ChannelKind kind, List<Target> targets) {
    Deliveries own = deliveries;
    if (own == null) {
      own = new Deliveries(session, host, tenant);
      deliveries = own;
    }
    own.writeAll();
    Subscriptions subscriptions = own.subscriptions();
    List<Reply> replies = new ArrayList<>(targets.size());
    for (Target target : targets) {
      String refusal =
          total(subscriptions) >= MOST_SUBSCRIPTIONS
              ? "a connection may have up to " + MOST_SUBSCRIPTIONS + " subscriptions"
              : subscriptions.subscribe(target.where(), kind, target.said(), target.name());
      if (refusal != null) {
        replies.add(Reply.error("QUOTA " + refusal));
        break;
      }
      if (!target.where().allows(kind, target.name())) { // it was revoked meanwhile
        boolean _ = subscriptions.unsubscribe(kind, target.said());
        ChannelAddress address = Objects.requireNonNull(ChannelAddress.parse(target.said()));
        replies.add(refused(address.owner(), Rights.SUBSCRIBE, address.name()).reply());
        break;
      }
      replies.add(confirmation("subscribe", kind, new Reply.Bulk(target.said())));
    }
    return new Reply.Several(replies);
  }

  @Override
  public Reply unsubscribe(ChannelKind kind, List<byte[]> names) {
    Deliveries own = deliveries;
    if (own != null) {
      own.writeAll();
    }
    List<byte[]> ended = names;
    if (names.isEmpty()) {
      ended = own == null ? List.of() : own.subscriptions().names(kind);
      if (ended.isEmpty()) {
        return confirmation("unsubscribe", kind, Reply.Null.NULL);
      }
    }
    List<Reply> replies = new ArrayList<>(ended.size());
    for (byte[] name : ended) {
      if (own != null) {
        boolean _ = own.subscriptions().unsubscribe(kind, name);
      }
      replies.add(confirmation("unsubscribe", kind, new Reply.Bulk(name)));
    }
    return new Reply.Several(replies);
  }

  private static int total(Subscriptions subscriptions) {
    int sum = 0;
    for (ChannelKind kind : ChannelKind.values()) {
      sum += subscriptions.count(kind);
    }
    return sum;
  }

  private Reply confirmation(String action, ChannelKind kind, Reply name) {
    Deliveries known = deliveries;
    int count = known == null ? 0 : known.subscriptions().countFor(kind);
    return new Reply.Push(
        List.of(
            new Reply.Bulk(action(action, kind).getBytes(US_ASCII)), name, Reply.integer(count)));
  }

  static String action(String action, ChannelKind kind) {
    return switch (kind) {
          case CHANNEL -> "";
          case PATTERN -> "p";
          case SHARD -> "s";
        }
        + action;
  }

  // ---- publishing

  @Override
  public long publishAtOnce(boolean sharded, RequestView request) {
    if (ChannelAddress.ownerLength(request.bytes(), request.offset(1), request.length(1)) >= 0) {
      return NOT_AT_ONCE;
    }
    if (tenant.isSilent()) {
      return 0;
    }
    if (subscriptions() != null
        || tenant.hasGuests()
        || tenant.line().isHeardElsewhere()
        || tenant.isCongested()) {
      return NOT_AT_ONCE;
    }
    long receivers = tenant.publish(sharded, copy(request, 1), copy(request, 2), null).receivers();
    return receivers == ChannelBus.TOO_COSTLY ? NOT_AT_ONCE : receivers; // which says so
  }

  private static byte[] copy(RequestView request, int index) {
    int from = request.offset(index);
    return Arrays.copyOfRange(request.bytes(), from, from + request.length(index));
  }

  @Override
  public CompletionStage<Reply> publish(OutgoingMessage message) {
    boolean sharded = message.sharded();
    byte[] payload = message.payload();
    byte[] channel = message.channel();
    TenantChannels where = tenant;
    boolean isAsSaid = message.owner() == OutgoingMessage.AS_SAID;
    ChannelAddress address = isAsSaid ? ChannelAddress.parse(channel) : null;
    if (!isAsSaid) {
      where = host.channels().of(message.owner());
    } else if (address != null) {
      Foreign foreign = foreign(address);
      channel = address.name();
      require(foreign, Rights.PUBLISH, channel);
      where = host.channels().of(foreign.number());
    }
    Published here = where.publish(sharded, channel, payload, subscriptions());
    long receivers = checked(here.receivers());
    Deliveries own = deliveries;
    if (own != null) {
      own.writeAll();
    }
    CompletionStage<Void> room = here.room();
    if (!where.line().isHeardElsewhere()) {
      Reply reply = Reply.integer(receivers);
      return room == null ? CompletableFuture.completedFuture(reply) : room.thenApply(_ -> reply);
    }
    CompletionStage<Long> elsewhere =
        where.line().publish(sharded, channel, payload, session.endOfTurn());
    CompletionStage<Reply> all =
        elsewhere.thenApply(more -> Reply.integer(receivers + checked(more)));
    return room == null ? all : all.thenCombine(room, (reply, _) -> reply);
  }

  private static long checked(long receivers) {
    if (receivers == ChannelBus.TOO_COSTLY) {
      throw new CommandException(
          "ERR the patterns that clients have subscribed to take too many steps for this channel:"
              + " use fewer or simpler ones");
    }
    return receivers;
  }

  // ---- questions

  @Override
  public CompletionStage<List<ChannelCount>> ask(ChannelQuestion question) {
    byte[] pattern = question.pattern();
    ChannelAddress address = pattern == null ? null : ChannelAddress.parse(pattern);
    if (address != null) {
      return list(question.kind(), address);
    }
    for (byte[] name : question.names()) {
      if (ChannelAddress.parse(name) != null) {
        return countEach(question);
      }
    }
    return tenant.ask(question, SessionHost.patient());
  }

  /** Lists channels of another tenant, under the names that this one has for them. */
  private CompletionStage<List<ChannelCount>> list(ChannelKind kind, ChannelAddress address) {
    Foreign foreign = foreign(address);
    require(foreign, Rights.SUBSCRIBE, new GlobPattern(address.name()).literalBeginning());
    byte[] alias = ChannelAddress.alias(address.owner());
    return host.channels()
        .of(foreign.number())
        .ask(new ChannelQuestion(kind, address.name(), List.of()), SessionHost.patient())
        .thenApply(
            counts ->
                counts.stream()
                    .filter(each -> foreign.allows(Rights.SUBSCRIBE, each.name()))
                    .map(each -> new ChannelCount(join(alias, each.name()), each.subscriptions()))
                    .toList());
  }

  private static byte[] join(byte[] first, byte[] second) {
    byte[] joined = Arrays.copyOf(first, first.length + second.length);
    System.arraycopy(second, 0, joined, first.length, second.length);
    return joined;
  }

  /** Counts the subscriptions to channels of several tenants. */
  private CompletionStage<List<ChannelCount>> countEach(ChannelQuestion question) {
    List<byte[]> names = question.names();
    if (names.size() > MOST_NAMES) {
      throw new CommandException("ERR a request may have up to " + MOST_NAMES + " channels");
    }
    Map<TenantChannels, List<Integer>> places = new LinkedHashMap<>();
    List<byte[]> asked = new ArrayList<>(names);
    for (int i = 0; i < names.size(); i++) {
      ChannelAddress address = ChannelAddress.parse(names.get(i));
      TenantChannels where = tenant;
      if (address != null) {
        Foreign foreign = foreign(address);
        require(foreign, Rights.SUBSCRIBE, address.name());
        where = host.channels().of(foreign.number());
        asked.set(i, address.name());
      }
      places.computeIfAbsent(where, _ -> new ArrayList<>()).add(i);
    }
    ChannelCount[] counts = new ChannelCount[names.size()];
    CompletionStage<Void> all = CompletableFuture.completedFuture(null);
    for (Map.Entry<TenantChannels, List<Integer>> each : places.entrySet()) {
      List<Integer> its = each.getValue();
      CompletionStage<List<ChannelCount>> answered =
          each.getKey()
              .ask(
                  new ChannelQuestion(question.kind(), null, its.stream().map(asked::get).toList()),
                  SessionHost.patient());
      all =
          all.thenAcceptBoth(
              answered,
              (_, found) -> {
                for (int i = 0; i < its.size(); i++) {
                  int place = its.get(i);
                  counts[place] = new ChannelCount(names.get(place), found.get(i).subscriptions());
                }
              });
    }
    return all.thenApply(_ -> List.of(counts));
  }

  @Override
  public int countHere(ChannelKind kind) {
    return tenant.topicCount(kind);
  }
}
