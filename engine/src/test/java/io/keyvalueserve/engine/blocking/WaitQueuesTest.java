package io.keyvalueserve.engine.blocking;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyvalueserve.engine.blocking.WaitQueues.Joined;
import io.keyvalueserve.engine.blocking.WaitQueues.Ticket;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Queue;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;

class WaitQueuesTest {
  private static final UUID HERE = new UUID(0, 1);
  private static final UUID THERE = new UUID(0, 2);

  private final List<Ticket> told = new ArrayList<>();
  private long nanos;
  private final WaitQueues<String> queues =
      new WaitQueues<>((_, ticket) -> told.add(ticket), () -> nanos, () -> 1);

  private Ticket join(UUID member, long number) {
    Joined joined = queues.join("k", new Ticket(0, member, number), false);
    assertThat(joined.hasTurn()).isFalse();
    return new Ticket(joined.order(), member, number);
  }

  private List<Long> told() {
    List<Long> numbers = told.stream().map(Ticket::number).toList();
    told.clear();
    return numbers;
  }

  @Test
  void theFirstHasTheTurnUntilItSaysWhatBecameOfIt() {
    Ticket first = join(HERE, 1);
    Ticket second = join(THERE, 2);
    queues.elementsCame("other");
    assertThat(told()).isEmpty();
    queues.elementsCame("k");
    queues.elementsCame("k");
    assertThat(told()).containsExactly(1L);
    queues.leave("k", first, true);
    assertThat(told()).containsExactly(2L);
    queues.leave("k", second, true);
    assertThat(told()).isEmpty();
    assertThat(queues.isEmpty()).isTrue();
  }

  @Test
  void whoLeavesWithoutHavingUsedItsTurnPassesItOn() {
    Ticket first = join(HERE, 1);
    Ticket _ = join(HERE, 2);
    queues.elementsCame("k");
    queues.leave("k", first, false);
    assertThat(told()).containsExactly(1L, 2L);
  }

  @Test
  void whoTookNothingKeepsItsPlace() {
    Ticket first = join(HERE, 1);
    Ticket _ = join(HERE, 2);
    queues.elementsCame("k");
    queues.goOn("k", first);
    queues.elementsCame("k");
    assertThat(told()).containsExactly(1L, 1L);
  }

  @Test
  void aNewcomerComesBehindEvenIfThereIsAnElement() {
    Ticket _ = join(HERE, 1);
    Joined joined = queues.join("k", new Ticket(0, HERE, 2), true);
    assertThat(joined.hasTurn()).isFalse();
    assertThat(told()).containsExactly(1L);
  }

  @Test
  void theOnlyOneHasTheTurnAtOnceIfThereIsAnElement() {
    Joined joined = queues.join("k", new Ticket(0, HERE, 1), true);
    assertThat(joined.hasTurn()).isTrue();
    assertThat(told()).isEmpty();
  }

  @Test
  void aPlaceKeepsItsRankAtAnotherMember() {
    Ticket _ = join(HERE, 7);
    Joined earlier = queues.join("k", new Ticket(1, THERE, 8), true);
    assertThat(earlier).isEqualTo(new Joined(1, true));
  }

  @Test
  void theTurnOfAMemberThatHasLeftGoesToTheNext() {
    Ticket _ = join(THERE, 1);
    Ticket _ = join(THERE, 2);
    Ticket _ = join(HERE, 3);
    queues.elementsCame("k");
    assertThat(told()).containsExactly(1L);
    queues.memberLeft(THERE);
    assertThat(told()).containsExactly(3L);
  }

  @Test
  void aTurnThatWasLostIsGivenAgain() {
    Ticket first = join(THERE, 1);
    queues.elementsCame("k");
    assertThat(queues.join("k", first, true).hasTurn()).isFalse();
    nanos += TimeUnit.SECONDS.toNanos(6);
    assertThat(queues.join("k", first, true).hasTurn()).isTrue();
  }

  @Test
  void placesThatAreNotRenewedAreDropped() {
    Ticket _ = join(THERE, 1);
    Ticket _ = join(HERE, 2);
    Ticket renewed = join(THERE, 3);
    nanos += 100;
    Joined _ = queues.join("k", renewed, false);
    queues.sweep(HERE, 99);
    queues.elementsCame("k");
    queues.leave("k", told.getFirst(), true);
    queues.elementsCame("k");
    assertThat(told()).containsExactly(2L, 3L);
  }

  /**
   * Clients come and go, elements come, turns arrive late: nobody takes before who came earlier,
   * and no element stays while somebody waits.
   */
  @RepeatedTest(20)
  void elementsGoOutInTheOrderOfThoseWhoWait() {
    long seed = Long.getLong("kvs.seed", System.nanoTime());
    Random random = new Random(seed);
    Queue<Ticket> turns = new ArrayDeque<>();
    Map<Long, Ticket> waiting = new HashMap<>();
    List<Long> came = new ArrayList<>();
    WaitQueues<String> model = new WaitQueues<>((_, ticket) -> turns.add(ticket), () -> 0, () -> 1);
    int elements = 0;
    long last = 0;
    for (int i = 0; i < 3_000 || !turns.isEmpty(); i++) {
      switch (i < 3_000 ? random.nextInt(5) : 4) {
        case 0 -> {
          long number = ++last;
          UUID member = random.nextBoolean() ? HERE : THERE;
          Joined joined = model.join("k", new Ticket(0, member, number), elements > 0);
          Ticket ticket = new Ticket(joined.order(), member, number);
          waiting.put(number, ticket);
          came.add(number);
          if (joined.hasTurn()) {
            turns.add(ticket);
          }
        }
        case 1 -> {
          elements += 1 + random.nextInt(2);
          model.elementsCame("k");
        }
        case 2 -> {
          if (!came.isEmpty() && random.nextInt(4) == 0) {
            Long gone = came.remove(random.nextInt(came.size()));
            Ticket ticket = Objects.requireNonNull(waiting.remove(gone));
            model.leave("k", ticket, false);
          }
        }
        default -> {
          Ticket turn = turns.poll();
          if (turn == null || !waiting.containsKey(turn.number())) {
            if (turn != null) {
              model.leave("k", turn, false);
            }
          } else if (elements > 0) {
            elements--;
            assertThat(turn.number()).as("seed=%d", seed).isEqualTo(came.removeFirst());
            Ticket _ = waiting.remove(turn.number());
            if (elements > 0) {
              model.elementsCame("k"); // its write leaves some
            }
            model.leave("k", turn, true);
          } else {
            model.goOn("k", turn);
          }
        }
      }
    }
    assertThat(elements == 0 || came.isEmpty()).as("seed=%d", seed).isTrue();
    assertThat(model.isEmpty()).as("seed=%d", seed).isEqualTo(came.isEmpty());
  }
}
