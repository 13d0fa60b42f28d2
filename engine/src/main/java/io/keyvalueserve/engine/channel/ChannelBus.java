package io.keyvalueserve.engine.channel;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * Carries published messages to the other members of the cluster. Thread-safe. Nothing here blocks;
 * stages complete on any thread.
 */
public interface ChannelBus {
  /** The answer of {@link Line#publish} if matching the tenant's patterns takes too many steps. */
  long TOO_COSTLY = -1;

  /** The bus of a member that has no others. */
  ChannelBus ALONE =
      new ChannelBus() {
        @Override
        public void serve(Subscribers subscribers) {}

        @Override
        public Line line(int tenant) {
          return Line.DEAD;
        }

        @Override
        public void forget(int tenant) {}
      };

  /** Sets the subscribers of this member, before any of them subscribes. */
  void serve(Subscribers subscribers);

  /**
   * Returns the line of a tenant: the same until the tenant is forgotten.
   *
   * @param tenant the tenant's number
   */
  Line line(int tenant);

  /** Forgets a tenant that was deleted. */
  void forget(int tenant);

  /** The way of one tenant's messages to the other members. */
  interface Line {
    /** A line to nobody. */
    Line DEAD =
        new Line() {
          @Override
          public boolean isHeardElsewhere() {
            return false;
          }

          @Override
          public CompletionStage<Long> publish(
              boolean sharded, byte[] channel, byte[] payload, Executor endOfTurn) {
            return CompletableFuture.completedFuture(0L);
          }

          @Override
          public @Nullable CompletionStage<Void> listen() {
            return null;
          }

          @Override
          public void stopListening() {}

          @Override
          public CompletionStage<List<List<ChannelCount>>> ask(ChannelQuestion question) {
            return CompletableFuture.completedFuture(List.of());
          }
        };

    /** Returns whether another member may have subscribers of the tenant. */
    boolean isHeardElsewhere();

    /**
     * Publishes a message at the members that may have subscribers. A member that does not answer
     * counts as one without receivers.
     *
     * @param endOfTurn runs a task when the thread is through with what it is at now: messages of
     *     the same turn travel together
     * @return how many subscriptions at other members have received it, or {@link #TOO_COSTLY}
     */
    CompletionStage<Long> publish(
        boolean sharded, byte[] channel, byte[] payload, Executor endOfTurn);

    /**
     * Has the tenant's messages sent to this member from now on.
     *
     * @return null if the other members know it already; else complete when they do
     */
    @Nullable CompletionStage<Void> listen();

    /** Has no more messages of the tenant sent to this member. */
    void stopListening();

    /** Asks the other members that may have subscribers. Answers that are late are left out. */
    CompletionStage<List<List<ChannelCount>>> ask(ChannelQuestion question);
  }

  /** The subscribers at this member. Thread-safe. */
  interface Subscribers {
    /**
     * Delivers a message that another member has sent. Does not block.
     *
     * @return how many subscriptions have received it, or {@link #TOO_COSTLY}; complete when
     *     another message may be sent
     */
    CompletionStage<Long> deliver(int tenant, boolean sharded, byte[] channel, byte[] payload);

    /** Answers a question of another member. Takes a time that grows with the subscriptions. */
    List<ChannelCount> answer(int tenant, ChannelQuestion question);
  }
}
