package io.keyvalueserve.server;

import io.keyvalueserve.grid.GridMember;
import io.keyvalueserve.grid.MemberInfo;
import io.keyvalueserve.grid.Role;
import io.keyvalueserve.grid.quorum.SplitMode;
import io.keyvalueserve.server.config.ServerConfig;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The note to an operator who has two members and has not chosen what happens in a split. */
final class TwoMembers {
  private static final int TWO = 2;

  static final String NOTE =
      "available: this cluster has two members. If they lose contact, both go on, and writes that"
          + " one of them acknowledges can be lost. Use --split consistent on both, or add a"
          + " witness: kvs serve --role witness --join HOST:PORT,HOST:PORT. Or accept it with"
          + " --split available.";

  private TwoMembers() {}

  /** Returns what to tell; null if there is nothing to choose, or it was chosen. */
  static @Nullable String noteOn(ServerConfig config, GridMember grid) {
    List<MemberInfo> members = grid.members();
    boolean isOpen =
        config.quorum().mode() == SplitMode.AUTO
            && grid.namedMembers() == TWO
            && members.size() <= TWO
            && members.stream().allMatch(member -> member.role() == Role.DATA)
            && !grid.quorum().consistent();
    return isOpen ? NOTE : null;
  }
}
