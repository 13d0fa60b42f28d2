package io.keyvalueserve.bench;

import java.util.Locale;

/** A port of a member that hostile peers can reach. */
enum HostileDoor {
  RESP,
  HAZELCAST,
  HTTP,
  MEMBER;

  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
