package io.keyvalueserve.engine;

import io.keyvalueserve.engine.blocking.KeyWaiting;
import io.keyvalueserve.engine.blocking.WaitQueues;
import io.keyvalueserve.engine.blocking.WaitQueues.Joined;
import io.keyvalueserve.engine.blocking.WaitQueues.Ticket;
import io.keyvalueserve.engine.collection.CollectionType;
import java.nio.ByteBuffer;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.IntConsumer;

/** The clients that wait for keys of the reference engine: one member, so nothing is lost. */
final class MapWaits {
  private static final UUID SELF = new UUID(0, 1);

  private final AtomicLong numbers = new AtomicLong();
  private final Map<Long, Runnable> turns = new ConcurrentHashMap<>();
  private final WaitQueues<Place> queues;

  /** A key of a map, and what is waited for there. */
  record Place(Object map, ByteBuffer key, CollectionType type) {
    static Place of(Object map, byte[] key, CollectionType type) {
      return new Place(map, ByteBuffer.wrap(key), type);
    }
  }

  MapWaits(InstantSource clock) {
    queues = new WaitQueues<>((_, ticket) -> turn(ticket), System::nanoTime, clock::millis);
  }

  private void turn(Ticket ticket) {
    Runnable turn = turns.get(ticket.number());
    if (turn != null) {
      turn.run();
    }
  }

  void elementsCame(Place place) {
    queues.elementsCame(place);
  }

  boolean isAwaited(Place place) {
    return queues.isAwaited(place);
  }

  /**
   * @param present whether the places have elements, in their order
   */
  KeyWaiting await(List<Place> places, List<Boolean> present, IntConsumer turn) {
    List<Ticket> tickets = new ArrayList<>();
    KeyWaiting waiting =
        new KeyWaiting() {
          @Override
          public void goOn(int index) {
            queues.goOn(places.get(index), tickets.get(index));
          }

          @Override
          public void end(int taken) {
            for (int i = 0; i < tickets.size(); i++) {
              queues.leave(places.get(i), tickets.get(i), i == taken);
              Runnable _ = turns.remove(tickets.get(i).number());
            }
          }
        };
    for (int i = 0; i < places.size(); i++) {
      int index = i;
      long number = numbers.incrementAndGet();
      Runnable _ = turns.put(number, () -> turn.accept(index));
      Joined joined = queues.join(places.get(i), new Ticket(0, SELF, number), present.get(index));
      tickets.add(new Ticket(joined.order(), SELF, number));
      if (joined.hasTurn()) {
        turn.accept(index);
      }
    }
    return waiting;
  }
}
