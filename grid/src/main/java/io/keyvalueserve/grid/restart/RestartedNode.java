package io.keyvalueserve.grid.restart;

import org.jspecify.annotations.Nullable;

/** A member's node extension, as far as restarts are concerned. */
public interface RestartedNode {
  /**
   * Returns the object that brings the member back; null if the member lives as long as its
   * process.
   */
  @Nullable HotRestart hotRestart();
}
