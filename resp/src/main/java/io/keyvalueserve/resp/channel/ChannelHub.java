package io.keyvalueserve.resp.channel;

import io.keyvalueserve.engine.channel.ChannelBus;
import io.keyvalueserve.engine.channel.ChannelCount;
import io.keyvalueserve.engine.channel.ChannelKind;
import io.keyvalueserve.engine.channel.ChannelQuestion;
import io.keyvalueserve.gates.heap.HeapUse;
import io.keyvalueserve.gates.heap.MemberHeap;
import io.keyvalueserve.tenancy.TenantName;
import io.keyvalueserve.tenancy.grant.GrantDirectory;
import io.keyvalueserve.tenancy.grant.MapAccess;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/** The channels of all tenants at this member. Thread-safe. */
public final class ChannelHub implements ChannelBus.Subscribers {
  private final ChannelBus bus;
  private final MemberHeap heap;
  private final GrantDirectory grants;
  private final AtomicBoolean watchesGrants = new AtomicBoolean();
  private final ConcurrentHashMap<Integer, TenantChannels> tenants = new ConcurrentHashMap<>();
  private final LongAdder delivered = new LongAdder();
  private final LongAdder cutOff = new LongAdder();

  /**
   * Creates a hub without subscribers, which the bus serves from now on.
   *
   * @param grants the grants on channels: they are watched while tenants subscribe to others'
   *     channels
   * @param heap where subscriptions count, and messages that wait for slow clients
   */
  public ChannelHub(ChannelBus bus, MemberHeap heap, GrantDirectory grants) {
    this.grants = grants;
    this.bus = bus;
    this.heap = heap;
    bus.serve(this);
  }

  /** Returns the channels of a tenant: the same until the tenant is forgotten. */
  public TenantChannels of(int tenant) {
    TenantChannels known = tenants.get(tenant);
    return known == null
        ? tenants.computeIfAbsent(
            tenant,
            added -> new TenantChannels(bus.line(added), heap.lease(added, HeapUse.SUBSCRIBERS)))
        : known;
  }

  /**
   * Returns a tenant's channels as another tenant subscribes to them.
   *
   * @param access what is granted; null if the tenant is the owner itself
   */
  public TenantChannels guest(
      TenantName owner, int ownerNumber, @Nullable MapAccess access, int grantee) {
    if (watchesGrants.compareAndSet(false, true)) {
      grants.onChange(() -> tenants.values().forEach(TenantChannels::endRevoked));
    }
    return of(ownerNumber).guest(grantee, ChannelAddress.alias(owner), access, of(grantee).lease());
  }

  /** Forgets a tenant that was deleted. */
  public void forget(int tenant) {
    tenants.remove(tenant);
    tenants.values().forEach(each -> each.forgetGuest(tenant));
    bus.forget(tenant);
  }

  @Override
  public CompletionStage<Long> deliver(
      int tenant, boolean sharded, byte[] channel, byte[] payload) {
    TenantChannels known = tenants.get(tenant);
    if (known == null) {
      return CompletableFuture.completedFuture(0L);
    }
    Published published = known.publish(sharded, channel, payload, null);
    if (published.receivers() == 0) {
      known.stopListeningIfEmpty();
    }
    CompletionStage<Void> room = published.room();
    return room == null
        ? CompletableFuture.completedFuture(published.receivers())
        : room.thenApply(_ -> published.receivers());
  }

  @Override
  public List<ChannelCount> answer(int tenant, ChannelQuestion question) {
    TenantChannels known = tenants.get(tenant);
    return known == null ? List.of() : known.answer(question);
  }

  // ---- what metrics tell

  /** Counts messages that were written to subscribers. */
  public void delivered(long messages) {
    delivered.add(messages);
  }

  /** Counts a subscriber that was cut off as it did not read. */
  public void cutOff() {
    cutOff.increment();
  }

  /** Returns the number of messages that were written to subscribers since the member started. */
  public long deliveredMessages() {
    return delivered.sum();
  }

  /** Returns the number of subscribers that were cut off since the member started. */
  public long subscribersCutOff() {
    return cutOff.sum();
  }

  /** Returns the number of subscriptions of a kind at this member. */
  public long subscriptions(ChannelKind kind) {
    long sum = 0;
    for (TenantChannels each : tenants.values()) {
      sum += each.subscriptions(kind);
    }
    return sum;
  }
}
