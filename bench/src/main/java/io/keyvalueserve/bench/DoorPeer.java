package io.keyvalueserve.bench;

import java.util.Locale;

/** What the door for Redis clients is compared with. */
enum DoorPeer {
  REDIS,
  VALKEY,
  MEMCACHED,
  INFINISPAN;

  /** What the options of the bench call it. */
  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
