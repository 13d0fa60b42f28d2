package io.keyvalueserve.grid.space;

import com.hazelcast.spi.impl.NodeEngine;
import com.hazelcast.spi.impl.operationservice.Operation;
import io.keyvalueserve.grid.link.MemberLink;
import io.keyvalueserve.grid.link.OwnerLinks;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The ways to the other members. Thread-safe, never blocks. */
final class MemberLinks {
  /**
   * The number of messages with writes that may be under way to a member. Each message is answered
   * when the slowest of its backups is: with few messages, writes would wait for the backups of
   * others. So the turns of the event loops gather writes, and this is only a bound.
   */
  private static final int WRITE_MESSAGES = 64;

  /**
   * The number of batches with writes that are worth a message. Writes to a partition's entries are
   * done by its thread when they come alone. When they come in a message, two threads do them, one
   * after the other; few writes do not make up for that cost.
   */
  private static final int FEWEST_WRITES = 4;

  private final OwnerLinks<Ways> owners;

  /** Writes may have to wait for backups, and reads must not wait for writes. */
  private record Ways(
      MemberLink<PartitionBatch, BatchAnswer> reads,
      MemberLink<PartitionBatch, BatchAnswer> writes) {}

  /**
   * @param channels how many messages with reads alone may be under way to each member
   */
  MemberLinks(NodeEngine nodeEngine, int channels) {
    this.owners =
        new OwnerLinks<>(
            nodeEngine,
            member ->
                new Ways(
                    new MemberLink<>(nodeEngine, member, MemberLinks::message, channels, 1),
                    new MemberLink<>(
                        nodeEngine, member, MemberLinks::message, WRITE_MESSAGES, FEWEST_WRITES)));
  }

  private static Operation message(List<PartitionBatch> load) {
    return new MemberBatch(load.stream().map(PartitionBatch::remainder).toList());
  }

  /**
   * The way to a partition's owner; null if that is this member, or nobody.
   *
   * @param writes whether writes are to go there, or reads alone
   */
  @Nullable MemberLink<PartitionBatch, BatchAnswer> toOwnerOf(int partition, boolean writes) {
    Ways ways = owners.toOwnerOf(partition);
    return ways == null ? null : writes ? ways.writes() : ways.reads();
  }
}
