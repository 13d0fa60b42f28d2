package io.keyvalueserve.grid.quorum;

import java.util.Map;
import java.util.UUID;

/**
 * Holds a list of the cluster's members, as one member knows it.
 *
 * @param version grows with each change; 0 if the member is in no cluster
 * @param master the oldest member
 * @param members the addresses of the members by their ids
 */
public record MembersView(long version, UUID master, Map<UUID, String> members) {
  public MembersView {
    members = Map.copyOf(members);
  }

  boolean has(UUID member) {
    return members.containsKey(member);
  }

  Stamp stamp() {
    return new Stamp(version, master);
  }

  /** Names a view: a master uses each version once. */
  public record Stamp(long version, UUID master) {}
}
