package io.keyvalueserve.grid;

import com.hazelcast.instance.BuildInfo;
import com.hazelcast.instance.BuildInfoProvider;

/**
 * The one Hazelcast version this grid is built on. The seams are internal classes, which any other
 * version may have moved; running on one that was not tested could lose data or open the door.
 */
final class PinnedHazelcast {
  static final String VERSION = "5.7.0";

  private PinnedHazelcast() {}

  /**
   * Checks what is on the class path.
   *
   * @throws GridStartException if it is another version or another edition
   */
  static void check() {
    BuildInfo found = BuildInfoProvider.getBuildInfo();
    check(found.getVersion(), found.isEnterprise());
  }

  static void check(String version, boolean enterprise) {
    if (!VERSION.equals(version) || enterprise) {
      throw new GridStartException(
          "wrong Hazelcast on the class path: found="
              + version
              + (enterprise ? " Enterprise" : "")
              + " needed="
              + VERSION
              + " Community; remove the other jar");
    }
  }
}
