package io.keyvalueserve.hazelcast;

import com.hazelcast.client.impl.protocol.ClientMessage;
import com.hazelcast.internal.networking.nio.NioThread;
import com.hazelcast.spi.impl.NodeEngine;
import io.keyvalueserve.grid.link.MemberLink;
import io.keyvalueserve.grid.link.OwnerLinks;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;

/**
 * Reads of entries that are another member's, for clients that have but this one: what many
 * connections ask of a member travels there in few messages (seeds 000 and 004, section 3.7; {@link
 * MemberLink}), is read there without an operation of the partition, and comes back together.
 *
 * <p>Only a read that no other request of its connection is ahead of on the way to the same
 * partition: so it never misses a write that the client sent before. One that cannot be answered
 * so, as its partition moves or its key is locked, goes Hazelcast's way then.
 *
 * <p>Thread-safe, never blocks.
 */
final class RemoteReads {
  /**
   * A tenant that has more than so many requests waiting sends the rest of them Hazelcast's way,
   * where partition threads serve tenants in turn: what is here is served in the order it came, and
   * one message has as many.
   */
  private static final int MOST_OF_TENANT = 4_096;

  private final OwnerLinks<MemberLink<RemoteRead, ReadAnswers.Answer>> owners;
  private final int partitions;
  private final Consumer<ClientMessage> otherWay;
  private final LongAdder answered = new LongAdder();

  /**
   * None on their way.
   *
   * @param nodeEngine of a member that need not have started yet
   * @param partitions how many the grid has
   * @param channels how many messages may be under way to each member
   * @param otherWay takes what could not be answered; on any thread
   */
  RemoteReads(
      NodeEngine nodeEngine, int partitions, int channels, Consumer<ClientMessage> otherWay) {
    this.owners =
        new OwnerLinks<>(
            nodeEngine,
            member -> new MemberLink<>(nodeEngine, member, ReadMessage::of, channels, 1));
    this.partitions = partitions;
    this.otherWay = otherWay;
  }

  /**
   * Takes a request, if it is one for this.
   *
   * @param message about a map of the grid's by its name there, permitted and counted
   * @param session its client's
   * @return whether it will be answered; if not, nothing was done
   */
  boolean take(ClientMessage message, DoorSession session) {
    int type = message.getMessageType();
    if (type != DirectRequest.GET && type != DirectRequest.CONTAINS) {
      return false;
    }
    int partition = message.getPartitionId();
    if (partition < 0 || partition >= partitions) {
      return false;
    }
    MemberLink<RemoteRead, ReadAnswers.Answer> link = owners.toOwnerOf(partition);
    if (link == null) {
      return false;
    }
    if (session.waiting().ofTenant() > MOST_OF_TENANT) {
      return false;
    }
    UnansweredMessages unanswered = UnansweredMessages.of(message.getConnection());
    if (unanswered == null || !unanswered.takeOutIfAlone(message)) {
      return false;
    }
    link.send(RemoteRead.of(message, this), endOfTurn());
    return true;
  }

  /**
   * Returns the number of reads that were answered with what came back, since the member started.
   */
  long answered() {
    return answered.sum();
  }

  void countAnswered() {
    answered.increment();
  }

  /** Has a request go Hazelcast's way after all. */
  void sendAlone(ClientMessage request) {
    otherWay.accept(request);
  }

  /**
   * Returns an executor that runs a task at the end of this thread's turn. By then the thread has
   * read all connections that had something to say, or those that had their turns in a round.
   */
  private static Executor endOfTurn() {
    return Thread.currentThread() instanceof NioThread thread ? thread::addTask : Runnable::run;
  }
}
