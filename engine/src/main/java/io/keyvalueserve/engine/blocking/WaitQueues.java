package io.keyvalueserve.engine.blocking;

import java.util.Comparator;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BiConsumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The queues of those who wait at keys, first come first served.
 *
 * <p>When a key gets elements, the first in its queue has the turn, and nobody else has until it
 * says that it took one ({@link #leave}) or not ({@link #goOn}). If there may be more elements
 * then, the next has the turn. So elements go out in the order in which their takers came, and a
 * write costs one message at most, however many wait.
 *
 * <p>Whoever waits at another member renews its place from time to time: a place that is not
 * renewed is dropped ({@link #sweep}). A turn is told again if the message was lost.
 *
 * <p>Thread-safe, never blocks. Who has the turn is told outside of all locks.
 *
 * @param <K> a key, and the type of what is waited for there
 */
public final class WaitQueues<K> {
  /** The time after which a turn counts as lost if who had it asks again. */
  private static final long TURN_NANOS = TimeUnit.SECONDS.toNanos(5);

  /**
   * A place in a queue.
   *
   * @param order its rank: lower comes first; 0 in a request for the last place
   * @param member the member at which it waits
   * @param number tells it from others of the member
   */
  public record Ticket(long order, UUID member, long number) {
    private static final Comparator<Ticket> ORDER =
        Comparator.comparingLong(Ticket::order)
            .thenComparing(Ticket::member)
            .thenComparingLong(Ticket::number);

    private boolean isOf(Ticket other) {
      return number == other.number && member.equals(other.member);
    }
  }

  /**
   * The answer to a request for a place.
   *
   * @param order the rank that it has from now on, also at other members
   * @param hasTurn whether it has the turn now
   */
  public record Joined(long order, boolean hasTurn) {}

  private final BiConsumer<K, Ticket> teller;
  private final LongSupplier nanoTime;
  private final LongSupplier millis;
  private final AtomicLong lastOrder = new AtomicLong();
  private final ConcurrentHashMap<K, Queue> queues = new ConcurrentHashMap<>();

  /**
   * @param teller told who has the turn at a key. It must not block, and may be called by any
   *     thread that calls a method here
   * @param nanoTime a clock that never goes back
   * @param millis the time in milliseconds since 1970: it ranks places across members
   */
  public WaitQueues(BiConsumer<K, Ticket> teller, LongSupplier nanoTime, LongSupplier millis) {
    this.teller = teller;
    this.nanoTime = nanoTime;
    this.millis = millis;
  }

  /** The queue of a key. Used within {@link ConcurrentHashMap#compute} only. */
  private static final class Queue {
    /** Those who wait, and when each asked last. */
    private final TreeMap<Ticket, Long> waiting = new TreeMap<>(Ticket.ORDER);

    private @Nullable Ticket turn;
    private long turnNanos;

    /** True if the key may have got elements since the turn began. */
    private boolean more;

    boolean isEmpty() {
      return waiting.isEmpty() && turn == null;
    }

    boolean hasTurn(Ticket ticket) {
      Ticket present = turn;
      return present != null && present.isOf(ticket);
    }

    /** Gives the turn to the first, if nobody has it. */
    @Nullable Ticket next(long now) {
      if (turn != null || waiting.isEmpty()) {
        return null;
      }
      Ticket first = waiting.firstKey();
      var _ = waiting.remove(first);
      turn = first;
      turnNanos = now;
      more = false;
      return first;
    }

    @Nullable Ticket elementsCame(long now) {
      if (turn != null) {
        more = true;
        return null;
      }
      return next(now);
    }

    @Nullable Ticket endTurn(long now) {
      turn = null;
      return more ? next(now) : null;
    }
  }

  /**
   * Takes a place in a queue, or renews it.
   *
   * @param ticket with the rank that it had before, or 0 for the last place
   * @param present whether the key has elements now
   */
  public Joined join(K key, Ticket ticket, boolean present) {
    long now = nanoTime.getAsLong();
    Ticket ranked =
        ticket.order() == 0 ? new Ticket(nextOrder(), ticket.member(), ticket.number()) : ticket;
    Told told = new Told();
    Queue _ =
        queues.compute(
            key,
            (_, known) -> {
              Queue queue = known == null ? new Queue() : known;
              if (queue.hasTurn(ranked)) {
                if (now - queue.turnNanos > TURN_NANOS) {
                  queue.turnNanos = now;
                  told.ticket = ranked; // what told it was lost
                }
                return queue;
              }
              var _ = queue.waiting.put(ranked, now);
              if (present) {
                told.ticket = queue.elementsCame(now);
              }
              return queue;
            });
    Ticket chosen = told.ticket;
    boolean isChosen = chosen != null && chosen.isOf(ranked);
    if (chosen != null && !isChosen) {
      teller.accept(key, chosen);
    }
    return new Joined(ranked.order(), isChosen);
  }

  /** Notes that a key has got elements, or another value that has some. */
  public void elementsCame(K key) {
    if (!queues.isEmpty() && queues.containsKey(key)) {
      long now = nanoTime.getAsLong();
      change(key, queue -> queue.elementsCame(now));
    }
  }

  /**
   * Leaves a queue, with or without the turn.
   *
   * @param took whether it has used its turn; else there still is what it was to take
   */
  public void leave(K key, Ticket ticket, boolean took) {
    long now = nanoTime.getAsLong();
    change(
        key,
        queue -> {
          var _ = queue.waiting.remove(ticket);
          if (!queue.hasTurn(ticket)) {
            return null;
          }
          queue.more |= !took;
          return queue.endTurn(now);
        });
  }

  /** Gives the turn back, and keeps the place. */
  public void goOn(K key, Ticket ticket) {
    long now = nanoTime.getAsLong();
    change(
        key,
        queue -> {
          if (!queue.hasTurn(ticket)) {
            return null; // it was lost, and the place is renewed later
          }
          var _ = queue.waiting.put(ticket, now);
          return queue.endTurn(now);
        });
  }

  /** Drops the places of a member that has left. Who is behind a turn of its gets the turn. */
  public void memberLeft(UUID member) {
    drop((ticket, _) -> ticket.member().equals(member));
  }

  /**
   * Drops places that were not renewed for a while.
   *
   * @param self the places of this member stay
   */
  public void sweep(UUID self, long mostNanos) {
    long now = nanoTime.getAsLong();
    drop((ticket, asked) -> !ticket.member().equals(self) && now - asked > mostNanos);
  }

  private interface Dropped {
    boolean is(Ticket ticket, long askedNanos);
  }

  private void drop(Dropped dropped) {
    long now = nanoTime.getAsLong();
    for (K key : queues.keySet()) {
      change(
          key,
          queue -> {
            queue.waiting.entrySet().removeIf(e -> dropped.is(e.getKey(), e.getValue()));
            Ticket turn = queue.turn;
            if (turn == null || !dropped.is(turn, queue.turnNanos)) {
              return null;
            }
            queue.more = true; // what it was to take may still be there
            return queue.endTurn(now);
          });
    }
  }

  /** Returns whether anybody waits at a key, or has the turn there. */
  public boolean isAwaited(K key) {
    return !queues.isEmpty() && queues.containsKey(key);
  }

  /** Returns whether nobody waits anywhere. */
  public boolean isEmpty() {
    return queues.isEmpty();
  }

  /** Returns the number of places in all queues, those with the turn included. */
  public int places() {
    int[] places = {0};
    for (K key : queues.keySet()) {
      change(
          key,
          queue -> {
            places[0] += queue.waiting.size() + (queue.turn == null ? 0 : 1);
            return null;
          });
    }
    return places[0];
  }

  /** A change of a queue. Returns who has got the turn by it, or null. */
  private interface Change {
    @Nullable Ticket on(Queue queue);
  }

  private static final class Told {
    private @Nullable Ticket ticket;
  }

  private void change(K key, Change change) {
    Told told = new Told();
    Queue _ =
        queues.computeIfPresent(
            key,
            (_, queue) -> {
              told.ticket = change.on(queue);
              return queue.isEmpty() ? null : queue;
            });
    Ticket chosen = told.ticket;
    if (chosen != null) {
      teller.accept(key, chosen);
    }
  }

  /** Ranks rise with the time, so that those of two members are in order, about. */
  private long nextOrder() {
    long least = millis.getAsLong() << 20;
    return lastOrder.updateAndGet(last -> Math.max(last + 1, least));
  }
}
