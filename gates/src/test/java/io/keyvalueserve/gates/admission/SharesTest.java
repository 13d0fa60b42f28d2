package io.keyvalueserve.gates.admission;

import static io.keyvalueserve.gates.admission.ShareSimulation.QUOTA;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.data.Percentage.withPercentage;

import io.keyvalueserve.gates.admission.ShareSimulation.Load;
import io.keyvalueserve.gates.admission.ShareSimulation.Node;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Goal: members together admit a limit and no more, wherever the demand is and whatever becomes of
 * messages. Method: {@link ShareSimulation}.
 *
 * <p>Two tolerances. Above: none but the burst, over every window there is. Below: {@link #SHORT}
 * of the limit, over every window of a second once a second has passed.
 */
class SharesTest {
  private static final long PER_SECOND = 10_000;
  private static final long BURST = 1_000;
  private static final RateLimit LIMIT = new RateLimit(PER_SECOND, BURST);
  private static final double SHORT = 0.05;

  /** What a share's part of a burst, rounded down, cannot hold: one amount of one token each. */
  private static final double ONE_EACH = 1;

  private static final int SETTLED = 1000;
  private static final int END = 8000;

  private static Load atFirst(double part) {
    return (node, milli) -> node == 0 ? part * PER_SECOND : 0;
  }

  private static Load atLast(ShareSimulation sim, double part) {
    return (node, milli) -> node == sim.nodes.size() - 1 ? part * PER_SECOND : 0;
  }

  private static Load evenly(ShareSimulation sim, double part) {
    return (node, milli) -> part * PER_SECOND / sim.nodes.size();
  }

  /** A little more than a second each, so that it moves at any time between two looks. */
  private static Load moving(ShareSimulation sim, double part) {
    return (node, milli) -> milli / 1003 % sim.nodes.size() == node ? part * PER_SECOND : 0;
  }

  /** 100 ms of five times as much, 400 ms of nothing. */
  private static Load inBursts(double part) {
    return (node, milli) -> milli % 500 < 100 ? 5 * part * PER_SECOND : 0;
  }

  @ParameterizedTest
  @CsvSource({"1,1", "1,1.05", "1,10", "3,1", "3,1.05", "3,10", "5,1", "5,1.05", "5,10"})
  void admitsTheLimitWhenAllDemandIsAtOneMember(int members, double part) {
    ShareSimulation sim = new ShareSimulation(members, LIMIT, 1);
    sim.run(END, atLast(sim, part));
    assertReached(sim, SETTLED);
    assertNeverAbove(sim);
  }

  @ParameterizedTest
  @CsvSource({"1,1", "1,10", "3,1", "3,10", "5,1", "5,10"})
  void admitsTheLimitWhenDemandIsEven(int members, double part) {
    ShareSimulation sim = new ShareSimulation(members, LIMIT, 2);
    sim.run(END, evenly(sim, part));
    assertReached(sim, SETTLED);
    assertNeverAbove(sim);
  }

  @ParameterizedTest
  @CsvSource({"1,1.2", "1,10", "3,1", "3,1.2", "3,10", "5,1", "5,1.2", "5,10"})
  void admitsTheLimitWhenDemandMovesEachSecond(int members, double part) {
    ShareSimulation sim = new ShareSimulation(members, LIMIT, 3);
    sim.run(12_000, moving(sim, part));
    assertReached(sim, SETTLED);
    assertNeverAbove(sim);
  }

  @ParameterizedTest
  @CsvSource({"1,0.9", "3,0.9", "5,0.9", "1,0.3", "3,0.3", "5,0.3"})
  void neverRefusesSteadyDemandBelowTheLimit(int members, double part) {
    for (Load load : List.of(atFirst(part), evenly(new ShareSimulation(members, LIMIT, 0), part))) {
      ShareSimulation sim = new ShareSimulation(members, LIMIT, 4);
      sim.run(END, load);
      assertThat(sim.refusedBetween(SETTLED, END)).isZero();
      assertNeverAbove(sim);
    }
  }

  @ParameterizedTest
  @CsvSource({"3,10", "3,200", "5,10", "5,200"})
  void neverRefusesSteadyDemandBelowALowLimit(int members, int perSecond) {
    RateLimit low = new RateLimit(perSecond, perSecond);
    for (int hot = 1; hot <= members; hot++) {
      int busy = hot;
      ShareSimulation sim = new ShareSimulation(members, low, 5);
      sim.run(3000, (node, milli) -> node < busy ? 0.5 * perSecond / busy : 0);
      sim.run(20_000, (node, milli) -> node < busy ? 0.85 * perSecond / busy : 0);
      assertThat(sim.refusedBetween(4000, 23_000)).as("%s busy", busy).isZero();
      assertThat(sim.mostAbove(perSecond, 0)).isLessThanOrEqualTo(perSecond + members * ONE_EACH);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 3, 5})
  void neverAdmitsMoreThanLimitAndBurstWhenDemandComesInBursts(int members) {
    ShareSimulation sim = new ShareSimulation(members, LIMIT, 6);
    sim.run(END, inBursts(3));
    assertNeverAbove(sim);
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10})
  void neverAdmitsMoreHoweverMessagesFare(long seed) {
    ShareSimulation sim = new ShareSimulation(5, LIMIT, seed);
    sim.lost = 0.3;
    sim.twice = 0.3;
    sim.mostDelayMillis = 300;
    sim.run(5000, moving(sim, 10));
    sim.mostDelayMillis = 2500;
    sim.run(5000, moving(sim, 10));
    sim.mostDelayMillis = 3;
    sim.run(5000, inBursts(10));
    assertNeverAbove(sim);
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void admitsTheLimitThoughOneMessageInTwentyIsLost(long seed) {
    ShareSimulation sim = new ShareSimulation(3, LIMIT, seed);
    sim.lost = 0.05;
    sim.twice = 0.05;
    sim.mostDelayMillis = 20;
    sim.run(END, atLast(sim, 10));
    assertReached(sim, SETTLED);
    assertNeverAbove(sim);
  }

  @ParameterizedTest
  @CsvSource({"0,1", "0,2", "2,1", "2,3", "4,1", "4,2"})
  void admitsNoMoreThanTheLimitOnBothSidesOfASplit(int hot, int cut) {
    ShareSimulation sim = new ShareSimulation(5, LIMIT, 7);
    Load overload = (node, milli) -> node == hot || milli > 3000 ? 3 * PER_SECOND : 0;
    sim.run(3000, overload);
    sim.link = (from, to) -> (from.index < cut) == (to.index < cut);
    sim.run(6000, overload);
    assertNeverAbove(sim);
    assertThat(sim.admittedBetween(6000, 9000))
        .as("the side with the coordinator goes on, the other has equal parts or less")
        .isGreaterThan((long) (3 * PER_SECOND * (cut / 5.0) * (1 - SHORT)));
    sim.link = (from, to) -> true;
    sim.run(3000, overload);
    assertReached(sim, 10_000);
    assertNeverAbove(sim);
  }

  @ParameterizedTest
  @CsvSource({"0", "1", "2"})
  void oneSideOfASplitAdmitsNoMoreThanTheLimitWhenItHasForgottenTheOther(int hot) {
    ShareSimulation sim = new ShareSimulation(5, LIMIT, 8);
    Load overload = (node, milli) -> node == hot || milli > 3000 ? 3 * PER_SECOND : 0;
    sim.run(3000, overload);
    List<Node> here = sim.nodes.subList(0, 3);
    List<Node> there = sim.nodes.subList(3, 5);
    sim.link = (from, to) -> here.contains(from) == here.contains(to);
    sim.run(2000, overload);
    sim.setOldest(here, here.getFirst());
    there.forEach(node -> node.alive = false); // as far as this side can tell
    sim.run(5000, overload);
    assertNeverAbove(sim);
    assertReached(sim, 6000);
  }

  @ParameterizedTest
  @CsvSource({"1,0", "1,1500", "2,0", "2,1500", "0,500"})
  void carriesOnWhenTheCoordinatorDies(int hot, int unknownMillis) {
    ShareSimulation sim = new ShareSimulation(3, LIMIT, 9);
    int busy = Math.max(1, hot);
    Load overload = (node, milli) -> node == (milli < 3000 ? hot : busy) ? 10 * PER_SECOND : 0;
    sim.run(3000, overload);
    sim.nodes.getFirst().alive = false;
    sim.run(unknownMillis, overload);
    sim.setOldest(sim.nodes.subList(1, 3), sim.nodes.get(1));
    sim.run(4000, overload);
    assertNeverAbove(sim);
    assertReached(sim, 3000 + unknownMillis + SETTLED);
    if (hot == busy && unknownMillis == 0) {
      assertThat(sim.admittedBetween(3000, 4000)).isGreaterThan((long) (0.9 * PER_SECOND));
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5})
  void admitsNoMoreWhileCoordinatorsChangeAndMessagesOfOldOnesArrive(long seed) {
    ShareSimulation sim = new ShareSimulation(4, LIMIT, seed);
    sim.lost = 0.1;
    sim.twice = 0.2;
    sim.mostDelayMillis = 400;
    for (int i = 0; i < 20; i++) {
      Node oldest = sim.nodes.get(sim.random.nextInt(4));
      for (Node node : sim.nodes) {
        sim.after(sim.random.nextInt(300), () -> sim.setOldest(sim.nodes, oldest, node));
      }
      sim.run(500 + sim.random.nextInt(2000), moving(sim, 10));
    }
    assertNeverAbove(sim);
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void aMemberThatJoinsTakesNothingThatOthersHave(long seed) {
    ShareSimulation sim = new ShareSimulation(2, LIMIT, seed);
    Load overload = (node, milli) -> 3 * PER_SECOND;
    sim.run(2000, overload);
    Node joined = sim.join();
    sim.run(3000, overload);
    assertNeverAbove(sim);
    assertReached(sim, 3000);
    assertThat(joined.admittedTokens).isGreaterThan((long) (PER_SECOND / 3.0 * 2.5));
  }

  @ParameterizedTest
  @CsvSource({"1,40000", "3,40000", "3,2500", "5,2500"})
  void aChangedLimitHoldsWithinASecond(int members, long next) {
    ShareSimulation sim = new ShareSimulation(members, LIMIT, 10);
    sim.run(2000, evenly(sim, 8));
    sim.setLimit(new RateLimit(next, next / 10), 200);
    sim.run(4000, evenly(sim, 8));
    assertThat(sim.mostAbove((double) next, 2200))
        .isLessThanOrEqualTo(next / 10.0 + members * ONE_EACH);
    assertThat(sim.admittedBetween(3000, 6000)).isGreaterThan((long) (3 * next * (1 - SHORT)));
  }

  @ParameterizedTest
  @ValueSource(ints = {3, 5})
  void speaksLittleWhenNothingHappens(int members) {
    ShareSimulation sim = new ShareSimulation(members, LIMIT, 11);
    sim.run(2000, evenly(sim, 10));
    long before = sim.messages;
    sim.run(10_000, evenly(sim, 10));
    assertThat(sim.messages - before).isLessThanOrEqualTo(members * 2L * 101);
    assertThat(sim.nodes.getLast().shares.share(QUOTA))
        .isCloseTo(ShareAssignment.WHOLE / members, withPercentage(1.6));
  }

  private static void assertNeverAbove(ShareSimulation sim) {
    assertThat(sim.mostShares(0)).as("sum of shares").isLessThanOrEqualTo(1.0);
    assertThat(sim.mostAbove(PER_SECOND, 0))
        .as("tokens above the limit")
        .isLessThanOrEqualTo(BURST + sim.nodes.size() * ONE_EACH);
  }

  private static void assertReached(ShareSimulation sim, long from) {
    for (long at = from; at + 1000 <= sim.milli(); at += 20) {
      assertThat(sim.admittedBetween(at, at + 1000))
          .as("tokens admitted in the second from %s ms", at)
          .isGreaterThanOrEqualTo((long) ((1 - SHORT) * PER_SECOND));
    }
  }
}
