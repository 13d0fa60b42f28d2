package io.keyvalueserve.grid.channel;

import com.hazelcast.cluster.Address;
import io.keyvalueserve.grid.link.MemberLink;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;

/**
 * Another member: the tenants that have subscribers there, and what it was told of those that have
 * subscribers here. Everything but the link is guarded by the lock of the {@link GridChannelBus}.
 */
final class Peer {
  final UUID uuid;
  final Address address;
  final MemberLink<PublishedMessage, Long> link;

  // ---- what it has told

  /** False until it has told all tenants with subscribers there: until then all is sent to it. */
  boolean isKnown;

  /** The number of its last message. */
  long heard = -1;

  final Set<Integer> listening = new HashSet<>();

  // ---- what it was told

  /** True if it is to be told all tenants with subscribers here. */
  boolean isWholeDue = true;

  /** True from the first message about all tenants on: before, it sends everything here. */
  boolean wasTold;

  /** True when a message has come there. */
  boolean hasHeard;

  /** The changes since the last message, by the number of the tenant. */
  final Map<Integer, Boolean> changes = new TreeMap<>();

  /** True while a message to it is under way, or is to be sent again. */
  boolean isBusy;

  /** The last version of what is told that it has confirmed. */
  long confirmed = -1;

  boolean isGone;

  Peer(UUID uuid, Address address, MemberLink<PublishedMessage, Long> link) {
    this.uuid = uuid;
    this.address = address;
    this.link = link;
  }

  /** Returns whether it may not send messages that are due since a version. */
  boolean isBehind(long version) {
    return !isGone && wasTold && confirmed < version;
  }
}
