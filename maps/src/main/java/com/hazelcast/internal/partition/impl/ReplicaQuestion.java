package com.hazelcast.internal.partition.impl;

import com.hazelcast.internal.partition.InternalPartition;
import com.hazelcast.internal.partition.PartitionReplica;
import com.hazelcast.internal.services.ServiceNamespace;
import com.hazelcast.spi.impl.NodeEngineImpl;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/**
 * Asks the backups of a partition of this member whether they have what it has; those that have not
 * get it. To be run by the partition's thread: what it has sent to its backups before reaches them
 * before.
 */
final class ReplicaQuestion extends AbstractPartitionPrimaryReplicaAntiEntropyTask {
  private final NodeEngineImpl member;
  private final Consumer<Boolean> answer;

  /**
   * @param answer told once, by any thread: false too if the partition is not this member's, moves,
   *     or has a backup on a member that is not there
   */
  ReplicaQuestion(NodeEngineImpl member, int partition, Consumer<Boolean> answer) {
    super(member, partition);
    this.member = member;
    this.answer = answer;
  }

  @Override
  public void run() {
    InternalPartition row = partitionService.getPartition(partitionId, false);
    if (!row.isLocal() || row.isMigrating()) {
      answer.accept(false);
      return;
    }
    List<Integer> backups = new ArrayList<>();
    for (int index = 1; index < InternalPartition.MAX_REPLICA_COUNT; index++) {
      PartitionReplica backup = row.getReplica(index);
      if (backup != null) {
        backups.add(index);
        if (member.getClusterService().getMember(backup.address(), backup.uuid()) == null) {
          answer.accept(false);
          return;
        }
      }
    }
    if (backups.isEmpty()) {
      answer.accept(true);
      return;
    }
    Answers answers = new Answers(backups.size());
    Collection<ServiceNamespace> namespaces = retainAndGetNamespaces();
    for (int index : backups) {
      PartitionReplica backup = row.getReplica(index);
      if (backup == null) { // the row has changed meanwhile
        answers.add(false);
      } else {
        invokePartitionBackupReplicaAntiEntropyOp(
            index, backup, namespaces, (same, failure) -> answers.add(Boolean.TRUE.equals(same)));
      }
    }
  }

  /** The first no is the answer, or the last yes. */
  private final class Answers {
    private static final int ANSWERED = -InternalPartition.MAX_REPLICA_COUNT;

    private final AtomicInteger left;

    Answers(int count) {
      left = new AtomicInteger(count);
    }

    void add(boolean same) {
      if (same ? left.decrementAndGet() == 0 : left.getAndSet(ANSWERED) > 0) {
        answer.accept(same);
      }
    }
  }
}
