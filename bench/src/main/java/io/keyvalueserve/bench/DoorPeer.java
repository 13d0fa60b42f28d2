package io.keyvalueserve.bench;

import java.util.Locale;

/** What the door for Redis clients is compared with. */
enum DoorPeer {
  REDIS,
  VALKEY,
  MEMCACHED,
  INFINISPAN;

  /** Returns whether it has Redis' types, scripts and channels. */
  boolean hasTypes() {
    return this == REDIS || this == VALKEY;
  }

  /** What the options of the bench call it. */
  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
