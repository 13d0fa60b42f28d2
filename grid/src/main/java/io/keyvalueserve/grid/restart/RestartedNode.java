package io.keyvalueserve.grid.restart;

import org.jspecify.annotations.Nullable;

/** A member's node extension, as far as restarts are concerned. */
public interface RestartedNode {
  /** What brings the member back; null if it lives as long as its process. */
  @Nullable HotRestart hotRestart();
}
