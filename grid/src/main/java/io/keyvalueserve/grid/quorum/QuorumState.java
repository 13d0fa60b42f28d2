package io.keyvalueserve.grid.quorum;

import java.util.List;

/**
 * Tells operators whether a member may serve, and why not.
 *
 * @param consistent whether only a majority may serve
 * @param serves whether this member may serve now
 * @param voters the addresses of the voters, sorted
 * @param missing the addresses of voters that do not answer this member, sorted
 * @param majority how many voters decide; 0 if there are none yet
 */
public record QuorumState(
    boolean consistent, boolean serves, List<String> voters, List<String> missing, int majority) {
  public QuorumState {
    voters = List.copyOf(voters);
    missing = List.copyOf(missing);
  }
}
