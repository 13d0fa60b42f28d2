package io.keyvalueserve.hazelcast;

import com.hazelcast.client.impl.protocol.ClientMessage;
import com.hazelcast.internal.nio.Connection;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The messages about entries of maps that one connection has sent to partition threads and that are
 * not answered yet. While one is on its way to a partition, later messages of the same connection
 * for that partition follow it, instead of being answered at once: a client that sends two writes
 * of a key without waiting in between has always found the second to win.
 *
 * <p>A client that waits for each answer needs none of this; the set is empty then, and to ask an
 * empty set costs one read. The reader of the connection adds and asks, the writer removes.
 */
final class UnansweredMessages {
  private static final int FAMILY_SHIFT = 16;
  private static final int MAP_FAMILY = 1;
  private static final int PARTITION_END = ClientMessage.PARTITION_ID_FIELD_OFFSET + Integer.BYTES;

  private final Map<Long, Integer> partitions = new HashMap<>();
  private final Map<Integer, Integer> counts = new HashMap<>();
  private final MessageTimes times;
  private volatile boolean empty = true;

  /**
   * None.
   *
   * @param times is told of each message too
   */
  UnansweredMessages(MessageTimes times) {
    this.times = times;
  }

  /** Those of a connection of a client. */
  static @Nullable UnansweredMessages of(Connection connection) {
    return (UnansweredMessages) connection.attributeMap().get(UnansweredMessages.class);
  }

  /** Returns the times when the connection's messages were read. */
  MessageTimes times() {
    return times;
  }

  /** Notes a message that is about to go the long way. */
  void sent(ClientMessage message) {
    times.sent(message);
    if (message.getStartFrame().content.length < PARTITION_END
        || message.getMessageType() >>> FAMILY_SHIFT != MAP_FAMILY
        || message.getPartitionId() < 0) {
      return;
    }
    add(message.getCorrelationId(), message.getPartitionId());
  }

  private synchronized void add(long correlation, int partition) {
    Integer same = partitions.put(correlation, partition);
    if (same != null) {
      leave(same);
    }
    counts.merge(partition, 1, Integer::sum);
    empty = false;
  }

  /**
   * Forgets a message that need not follow others to its partition.
   *
   * @return false if there are others, before or behind it; then it is still noted
   */
  synchronized boolean takeOutIfAlone(ClientMessage message) {
    Integer alone = 1;
    if (!alone.equals(counts.get(message.getPartitionId()))) {
      return false;
    }
    remove(message.getCorrelationId());
    return true;
  }

  /** Notes an answer that was written. */
  void answered(ClientMessage message) {
    if (!empty && !ClientMessage.isFlagSet(message.getHeaderFlags(), ClientMessage.IS_EVENT_FLAG)) {
      remove(message.getCorrelationId());
    }
  }

  private synchronized void remove(long correlation) {
    Integer partition = partitions.remove(correlation);
    if (partition != null) {
      leave(partition);
      empty = partitions.isEmpty();
    }
  }

  private void leave(Integer partition) {
    counts.computeIfPresent(partition, (any, count) -> count == 1 ? null : count - 1);
  }

  /** Returns whether a message is on its way to this partition. */
  boolean has(int partition) {
    return !empty && isCounted(partition);
  }

  private synchronized boolean isCounted(int partition) {
    return counts.containsKey(partition);
  }
}
