package io.keyvalueserve.bench;

import java.util.Locale;

/** Names who suffers faults: this product, or a peer. */
enum FaultPeer {
  /** Three members of this product. */
  KVS,

  /** A Redis master with two replicas, and a sentinel beside each. */
  REDIS,

  /** Three members of Hazelcast as it comes. */
  HAZELCAST;

  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
