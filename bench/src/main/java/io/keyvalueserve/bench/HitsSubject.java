package io.keyvalueserve.bench;

import java.util.List;
import java.util.Locale;

/** A cache whose tenants share its memory, and what it does when that is full. */
enum HitsSubject {
  /** This product, deleting entries. */
  KVS_EVICT("evict"),
  /** This product, as it comes: values go to the disk and come back. */
  KVS_SPILL("spill"),
  /** redis-server, a logical database for each tenant. */
  REDIS_LRU("allkeys-lru"),
  /** The same by frequency. */
  REDIS_LFU("allkeys-lfu"),
  /** A Hazelcast member as it comes: one map, as memory is shared in no other way. */
  STOCK_LRU("LRU"),
  /** The same by frequency. */
  STOCK_LFU("LFU");

  /** What the server calls it. */
  final String policy;

  HitsSubject(String policy) {
    this.policy = policy;
  }

  /** What the options of the bench call it. */
  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  boolean isRedis() {
    return this == REDIS_LRU || this == REDIS_LFU;
  }

  boolean isStock() {
    return this == STOCK_LRU || this == STOCK_LFU;
  }

  /** Starts a server whose tenants have nothing yet. */
  HitsServer start(HitsPlan plan, Programs installed, String run) {
    return switch (this) {
      case KVS_EVICT, KVS_SPILL -> HitsServer.own(this, plan, run);
      case REDIS_LRU, REDIS_LFU -> HitsServer.redis(this, plan, installed, run);
      case STOCK_LRU, STOCK_LFU -> HitsServer.stock(this, plan, run);
    };
  }

  /** All that can be measured here. */
  static List<HitsSubject> possible(Programs installed) {
    return List.of(values()).stream()
        .filter(subject -> !subject.isRedis() || installed.find(Program.REDIS).isPresent())
        .toList();
  }
}
