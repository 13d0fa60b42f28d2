package io.keyvalueserve.grid.quorum;

import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Tells others what a member knows and how it stands.
 *
 * @param member its id
 * @param set the newest voters that it knows; null if it knows none
 * @param view the version of its member list
 * @param master the id of its master
 * @param masterAddress the address of its master
 * @param members how many members its list has
 * @param leases whether it may serve
 * @param fresh whether it has what an earlier life had, remembers that life's view, and waits to
 *     see what goes on
 * @param leaving whether it is about to leave for good
 * @param silent the members of its list of which it has heard nothing for too long
 */
public record Standing(
    UUID member,
    @Nullable VoterSet set,
    long view,
    UUID master,
    String masterAddress,
    int members,
    boolean leases,
    boolean fresh,
    boolean leaving,
    Set<UUID> silent) {
  public Standing {
    silent = Set.copyOf(silent);
  }
}
