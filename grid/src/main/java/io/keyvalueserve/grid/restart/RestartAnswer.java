package io.keyvalueserve.grid.restart;

import com.hazelcast.internal.partition.PartitionTableView;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The answer to a member that starts. */
sealed interface RestartAnswer {
  /** The member is to load what it has, and to ask again. */
  record Wait(String why) implements RestartAnswer {}

  /** The member is to read its log whole, as another one is damaged, and to ask again. */
  record Check() implements RestartAnswer {}

  /**
   * The cluster is running.
   *
   * @param history the cluster's id
   * @param known whether the cluster still takes it for the member that it was before
   */
  record Running(UUID history, boolean known) implements RestartAnswer {}

  /**
   * All begin now.
   *
   * @param history the cluster's id
   * @param table who has which partition; null if nobody has anything
   */
  record Begin(UUID history, @Nullable PartitionTableView table) implements RestartAnswer {}

  /** It must not start. */
  record Refused(String why) implements RestartAnswer {}
}
