package io.keyvalueserve.hazelcast;

import com.hazelcast.client.impl.protocol.ClientMessage;
import com.hazelcast.internal.util.collection.Long2LongHashMap;
import java.util.function.LongSupplier;

/**
 * Measures how long requests on the entries of maps take, by when the messages of one connection
 * were read. The tenant's histogram gets the times. A request that is meant to wait, as for a lock,
 * a queue or an event, is not timed.
 *
 * <p>The short way times the requests of a read together. A message that goes the long way is noted
 * by its correlation id until its answer is written. The reader of the connection reads and sends,
 * the writer answers.
 */
final class MessageTimes {
  private static final long NONE = Long.MIN_VALUE;

  private final LongSupplier nanoTime;
  private final Long2LongHashMap sent = new Long2LongHashMap(NONE);

  /** The time of the last read. Used only by the reader. */
  private long readNanos;

  /**
   * @param nanoTime nanoseconds since any moment
   */
  MessageTimes(LongSupplier nanoTime) {
    this.nanoTime = nanoTime;
  }

  /**
   * Bytes were read now. Not to be called for what is read while what was read before waits: it all
   * counts from then.
   */
  void read() {
    readNanos = nanoTime.getAsLong();
  }

  /** Requests of the last read are answered now, on the short way. */
  void answered(long requests, DoorSession session) {
    session.visit().took(nanoTime.getAsLong() - readNanos, requests);
  }

  /** Notes a message whose end was in the last read, and which goes the long way. */
  void sent(ClientMessage message) {
    MessageDescriptor descriptor = MessageTable.find(message.getMessageType());
    if (descriptor != null && descriptor.timed()) {
      note(message.getCorrelationId(), readNanos);
    }
  }

  private synchronized void note(long correlation, long nanos) {
    sent.put(correlation, nanos == NONE ? NONE + 1 : nanos);
  }

  /** Times a message by its answer, which is written now. */
  void answered(ClientMessage answer, DoorSession session) {
    if (!ClientMessage.isFlagSet(answer.getHeaderFlags(), ClientMessage.IS_EVENT_FLAG)) {
      long begin = take(answer.getCorrelationId());
      if (begin != NONE) {
        session.visit().took(nanoTime.getAsLong() - begin, 1);
      }
    }
  }

  private synchronized long take(long correlation) {
    return sent.remove(correlation);
  }
}
