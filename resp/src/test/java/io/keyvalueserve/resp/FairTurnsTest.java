package io.keyvalueserve.resp;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.keyvalueserve.engine.Engine;
import io.keyvalueserve.engine.MapEngine;
import io.keyvalueserve.gates.fairness.Slicing;
import io.keyvalueserve.gates.fairness.Waits;
import io.keyvalueserve.resp.RespServerConfig.TransportPreference;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;
import java.util.function.IntConsumer;
import java.util.function.IntUnaryOperator;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Goal: tenants on one event loop share its time, and nobody's requests are lost or reordered. */
class FairTurnsTest {
  private static final int ACME = TestMember.identity("acme").number();
  private static final int GLOBEX = TestMember.identity("globex").number();

  private static final int DEAR_READS = 400;
  private static final int CHEAP_READS = 10_000;
  private static final long NANOS_OF_STALL = 2_000_000;

  /** Slices end whenever they may. */
  private static final Slicing SHORT = new Slicing(1, 1, 1, 0);

  // ---- shares

  @Test
  void tenantsShareTheLoopWhateverTheirConnectionsAndCosts() throws Exception {
    Map<Integer, Waits> served = serveBacklogged(tenant -> 1);
    assertThat(ratio(served)).isBetween(0.8, 1.25);
  }

  @Test
  void sharesFollowWeights() throws Exception {
    Map<Integer, Waits> served = serveBacklogged(tenant -> tenant == GLOBEX ? 4 : 1);
    assertThat(ratio(served)).isBetween(0.2, 0.3125);
  }

  private static double ratio(Map<Integer, Waits> served) {
    return (double) of(served, ACME).servedNanos() / of(served, GLOBEX).servedNanos();
  }

  private static Waits of(Map<Integer, Waits> waits, int tenant) {
    Waits found = waits.get(tenant);
    if (found == null) {
      throw new AssertionError("tenant " + tenant + " has not been served");
    }
    return found;
  }

  /**
   * A client that waits for each reply sends the next request while the round after goes on, and is
   * served at its end: once in a round, which is half of one, as the one before ended early. If its
   * reply left at the end of the round that it was served in, it would be once in two; and if a
   * slice went on beyond its round, once in a whole one. A client that the machine holds up counts
   * more than half a round, and no client counts less but by the first request; so what tells is
   * the fourth smallest of the counts.
   */
  @Test
  void aReplyToANewcomerLeavesBeforeOthersHaveTheirTurn() throws Exception {
    long requestNanos = 500_000;
    int inRound = 40;
    Slicing slicing =
        new Slicing(
            inRound * requestNanos, inRound * requestNanos, requestNanos, 100 * requestNanos);
    List<Integer> between = new ArrayList<>(); // what others were served meanwhile
    AtomicInteger others = new AtomicInteger();
    IntConsumer cost =
        tenant -> {
          if (tenant == GLOBEX) {
            between.add(others.getAndSet(0));
          } else {
            LockSupport.parkNanos(requestNanos);
            others.incrementAndGet();
          }
        };
    FlatEngine engine = new FlatEngine(new MapEngine(InstantSource.system()), cost);
    try (TestMember member = TestMember.startFair(engine, tenant -> 1, slicing)) {
      WireClient one = member.connect("globex");
      CompletableFuture<Void> many = reads(member.connect("acme"), 40 * inRound);
      await().until(() -> others.get() > inRound);
      for (int i = 0; i < 15; i++) {
        one.send(WireClient.requestText("GET", "k"));
        assertThat(one.next(5)).isEqualTo("$-1\r\n");
      }
      one.close();
      many.join();
    }
    between.sort(null);
    assertThat(between.get(3)).as("fourth smallest of %s", between).isLessThan(inRound * 5 / 8);
  }

  /**
   * While the loop is busy with one request, two of another tenant come, and logins of many clients
   * between them. Whatever their order is on the loop, one of the two is not among the last: it is
   * served before all have logged in.
   */
  @ParameterizedTest
  @EnumSource(TransportPreference.class)
  void whoWaitsForATurnDoesNotWaitForAllThatTheLoopFindsToDo(TransportPreference transport)
      throws Exception {
    int logins = 60;
    long loginNanos = 1_000_000;
    AtomicInteger done = new AtomicInteger();
    List<Integer> before = new ArrayList<>(); // logins before each of the two was served
    CountDownLatch busy = new CountDownLatch(1);
    CountDownLatch goOn = new CountDownLatch(1);
    FlatEngine flat =
        new FlatEngine(
            new MapEngine(InstantSource.system()),
            tenant -> {
              if (tenant == GLOBEX) {
                before.add(done.get());
              } else {
                busy.countDown();
                awaitUninterruptibly(goOn);
              }
            });
    Engine engine =
        identity -> {
          if (busy.getCount() == 0) {
            LockSupport.parkNanos(loginNanos);
            done.incrementAndGet();
          }
          return flat.space(identity);
        };
    List<WireClient> clients = new ArrayList<>();
    try (TestMember member = TestMember.startFair(engine, tenant -> 1, Slicing.DEFAULT, transport);
        WireClient acme = member.connect("acme");
        WireClient first = member.connect("globex");
        WireClient last = member.connect("globex")) {
      for (int i = 0; i < logins; i++) {
        clients.add(member.connect());
        assertThat(clients.getLast().call("PING")).startsWith("-NOAUTH");
      }
      acme.send(WireClient.requestText("GET", "k"));
      busy.await();
      first.send(WireClient.requestText("GET", "k"));
      for (WireClient client : clients) {
        client.send(WireClient.requestText("AUTH", "acme", TestMember.key("acme")));
      }
      last.send(WireClient.requestText("GET", "k"));
      goOn.countDown();
      assertThat(first.reply()).isEqualTo("$-1\r\n");
      assertThat(last.reply()).isEqualTo("$-1\r\n");
      assertThat(Collections.min(before)).isLessThan(logins / 2);
      for (WireClient client : clients) {
        assertThat(client.reply()).isEqualTo("+OK\r\n");
        client.close();
      }
    }
  }

  private static void awaitUninterruptibly(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /**
   * Ten connections with dear requests beside one with cheap ones, all with more than the loop can
   * do. What each was served, from when both had begun until one was about to end.
   */
  private static Map<Integer, Waits> serveBacklogged(IntUnaryOperator weights) throws Exception {
    Load load = new Load(Map.of(ACME, 10 * DEAR_READS, GLOBEX, CHEAP_READS));
    FlatEngine engine = new FlatEngine(new MapEngine(InstantSource.system()), load);
    try (TestMember member = TestMember.startFair(engine, weights, Slicing.DEFAULT)) {
      load.watch(member);
      List<WireClient> many = new ArrayList<>();
      for (int i = 0; i < 10; i++) {
        many.add(member.connect("acme"));
      }
      WireClient one = member.connect("globex");
      List<CompletableFuture<Void>> clients = new ArrayList<>();
      clients.add(reads(one, CHEAP_READS));
      many.forEach(client -> clients.add(reads(client, DEAR_READS)));
      CompletableFuture.allOf(clients.toArray(new CompletableFuture<?>[0])).join();
    }
    return load.served();
  }

  /** Sends reads as fast as they are taken, and reads as many replies. */
  private static CompletableFuture<Void> reads(WireClient client, int count) {
    CompletableFuture<Void> sent =
        CompletableFuture.runAsync(
            () -> {
              try {
                client.send(WireClient.requestText("GET", "k").repeat(count));
              } catch (IOException e) {
                throw new UncheckedIOException(e);
              }
            },
            task -> Thread.ofPlatform().start(task));
    return CompletableFuture.runAsync(
        () -> {
          try (client) {
            assertThat(client.next(5 * count)).isEqualTo("$-1\r\n".repeat(count));
            sent.join();
          } catch (IOException e) {
            throw new UncheckedIOException(e);
          }
        },
        task -> Thread.ofPlatform().start(task));
  }

  /**
   * Makes reads cost something, on the event loop: four times as much for one tenant as for the
   * other. Takes a reading when both have done a twentieth of what they are to do, and when one has
   * but a twentieth left.
   */
  private static final class Load implements IntConsumer {
    private static final long CHEAP_NANOS = 20_000;

    private final Map<Integer, Integer> toDo;
    private final int[] done = new int[8];
    private @Nullable TestMember member;
    private @Nullable Map<Integer, Waits> first;
    private @Nullable Map<Integer, Waits> last;

    Load(Map<Integer, Integer> toDo) {
      this.toDo = toDo;
    }

    void watch(TestMember measured) {
      member = measured;
    }

    @Override
    public void accept(int tenant) {
      long end = System.nanoTime() + (tenant == ACME ? 4 : 1) * CHEAP_NANOS;
      while (System.nanoTime() < end) {
        Thread.onSpinWait();
      }
      done[tenant]++;
      if (first == null
          && toDo.entrySet().stream()
              .allMatch(each -> done[each.getKey()] > each.getValue() / 20)) {
        first = readings();
      }
      if (last == null
          && toDo.entrySet().stream()
              .anyMatch(each -> done[each.getKey()] > each.getValue() / 20 * 19)) {
        last = readings();
      }
    }

    private Map<Integer, Waits> readings() {
      TestMember measured = member;
      if (measured == null) {
        throw new AssertionError("a read before there is a member");
      }
      return byTenant(measured);
    }

    /** What was served between the readings. */
    Map<Integer, Waits> served() {
      Map<Integer, Waits> from = first;
      Map<Integer, Waits> to = last;
      if (from == null || to == null) {
        throw new AssertionError("the tenants were not served at the same time");
      }
      return Map.of(
          ACME,
          difference(of(from, ACME), of(to, ACME)),
          GLOBEX,
          difference(of(from, GLOBEX), of(to, GLOBEX)));
    }

    private static Waits difference(Waits from, Waits to) {
      return new Waits(
          to.tenant(),
          to.servedNanos() - from.servedNanos(),
          to.waits() - from.waits(),
          to.waitedNanos() - from.waitedNanos(),
          to.behindOthersNanos() - from.behindOthersNanos(),
          to.longestNanos(),
          to.aggressors());
    }
  }

  private static Map<Integer, Waits> byTenant(TestMember member) {
    return member.server().waits().stream()
        .collect(Collectors.toMap(Waits::tenant, Function.identity()));
  }

  @Test
  void aTenantIsNotChargedForTimeInWhichItsLoopDidNotRun() throws Exception {
    int reads = 30;
    FlatEngine engine =
        new FlatEngine(
            new MapEngine(InstantSource.system()), tenant -> LockSupport.parkNanos(NANOS_OF_STALL));
    try (TestMember member = TestMember.startFair(engine, tenant -> 1, Slicing.DEFAULT);
        WireClient _ = member.connect("globex")) {
      reads(member.connect("acme"), reads).join();
      assertThat(of(byTenant(member), ACME).servedNanos())
          .isPositive()
          .isLessThan(reads * NANOS_OF_STALL / 2);
    }
  }

  // ---- who made whom wait

  @Test
  void itIsKnownWhoMadeWhomWait() throws Exception {
    FlatEngine engine = new FlatEngine(new MapEngine(InstantSource.system()));
    try (TestMember member = TestMember.startFair(engine, tenant -> 1, Slicing.DEFAULT);
        WireClient acme = member.connect("acme");
        WireClient globex = member.connect("globex")) {
      int many = 3_000;
      int rounds = 0;
      while (of(byTenant(member), ACME).aggressors().isEmpty()
          || of(byTenant(member), GLOBEX).aggressors().isEmpty()) {
        assertThat(++rounds).as("rounds in which nobody waited").isLessThan(1_000);
        acme.send(WireClient.requestText("GET", "k").repeat(many)); // for many slices
        globex.send(WireClient.requestText("GET", "k").repeat(many));
        for (int i = 0; i < many; i++) {
          acme.reply();
          globex.reply();
        }
      }
      assertThat(of(byTenant(member), ACME).aggressors().getFirst().tenant()).isEqualTo(GLOBEX);
      assertThat(of(byTenant(member), GLOBEX).aggressors().getFirst().tenant()).isEqualTo(ACME);
      assertThat(acme.call("QUIT")).isEqualTo("+OK\r\n");
      while (member.server().connections() > 1) {
        globex.call("PING");
      }
      member.server().forget(ACME);
      await().untilAsserted(() -> assertThat(byTenant(member)).containsOnlyKeys(GLOBEX));
    }
  }

  // ---- order

  @Test
  void aPipelineIsCutAndNothingIsLost() {
    try (EmbeddedSession session =
        new EmbeddedSession(Way.DIRECT.engine(EmbeddedSession.CLOCK), /* hasRival= */ true)) {
      session.send(WireClient.requestText("SET", "n", "0"));
      String one = WireClient.requestText("GET", "n") + WireClient.requestText("INCR", "n");
      StringBuilder expected = new StringBuilder();
      for (int i = 0; i < 500; i++) {
        String digits = Integer.toString(i);
        expected.append('$').append(digits.length()).append("\r\n").append(digits);
        expected.append("\r\n:").append(i + 1).append("\r\n");
      }
      assertThat(session.send(one.repeat(500))).isEqualTo(expected.toString());
      assertThat(session.waits()).isGreaterThan(50);
      assertThat(session.isReading()).isTrue();
    }
  }

  /** A request on 1,000 keys is done at a stretch, but to read it takes several slices. */
  @Test
  void theReadingOfALongRequestIsCut() {
    try (EmbeddedSession session =
        new EmbeddedSession(Way.DIRECT.engine(EmbeddedSession.CLOCK), /* hasRival= */ true)) {
      String[] words = new String[1_001];
      Arrays.setAll(words, i -> i == 0 ? "DEL" : "k" + i);
      String delete = WireClient.requestText(words);
      session.send(WireClient.requestText("SET", "k7", "v"));
      long before = session.waits();
      assertThat(session.send(delete)).isEqualTo(":1\r\n");
      assertThat(session.waits() - before).isGreaterThan(10);
      // and where it is split into reads makes no difference
      before = session.waits();
      session.read(delete.substring(0, 7_000).getBytes(ISO_8859_1));
      assertThat(session.send(delete.substring(7_000))).isEqualTo(":0\r\n");
      assertThat(session.waits() - before).isGreaterThan(10);
    }
  }

  @Test
  void whatIsReadWhileSomethingWaitsIsBounded() {
    try (EmbeddedSession session =
        new EmbeddedSession(Way.DIRECT.engine(EmbeddedSession.CLOCK), /* hasRival= */ true)) {
      byte[] some = WireClient.requestText("PING").repeat(1_000).getBytes(ISO_8859_1);
      int reads = 0;
      while (session.isReading()) {
        session.read(some);
        assertThat(++reads).isLessThan(20);
      }
      assertThat(session.receive()).isEqualTo("+PONG\r\n".repeat(1_000 * reads));
      assertThat(session.isReading()).isTrue();
    }
  }

  /** Connections of two tenants, each of which counts, in pieces of all sizes. */
  @Test
  void repliesAreInOrderOnEveryConnection() throws Exception {
    for (Way way : Way.values()) {
      Engine engine = way.engine(InstantSource.system());
      try (TestMember member = TestMember.startFair(engine, tenant -> tenant, SHORT)) {
        List<CompletableFuture<Void>> clients = new ArrayList<>();
        for (int i = 0; i < 6; i++) {
          clients.add(counts(member.connect(i % 2 == 0 ? "acme" : "globex"), "k" + i));
        }
        CompletableFuture.allOf(clients.toArray(new CompletableFuture<?>[0])).join();
      }
    }
  }

  private static CompletableFuture<Void> counts(WireClient client, String key) {
    int count = 3_000;
    Random random = new Random(key.hashCode());
    StringBuilder requests = new StringBuilder();
    StringBuilder replies = new StringBuilder();
    for (int i = 1; i <= count; i++) {
      requests.append(WireClient.requestText("INCR", key));
      replies.append(':').append(i).append("\r\n");
      switch (random.nextInt(8)) {
        case 0 -> {
          requests.append("EXISTS ").append(key).append("\r\n");
          replies.append(":1\r\n");
        }
        case 1 -> {
          requests.append(WireClient.requestText("STRLEN", key));
          replies.append(':').append(Integer.toString(i).length()).append("\r\n");
        }
        case 2 -> {
          String text = "x".repeat(random.nextInt(3_000));
          requests.append(WireClient.requestText("ECHO", text));
          replies.append('$').append(text.length()).append("\r\n").append(text).append("\r\n");
        }
        default -> {}
      }
    }
    return CompletableFuture.runAsync(
        () -> {
          try (client) {
            CompletableFuture<String> rest =
                CompletableFuture.supplyAsync(
                    () -> {
                      try {
                        return client.rest();
                      } catch (IOException e) {
                        throw new UncheckedIOException(e);
                      }
                    },
                    task -> Thread.ofPlatform().start(task));
            for (int at = 0; at < requests.length(); ) {
              int to = Math.min(requests.length(), at + 1 + random.nextInt(5_000));
              client.send(requests.substring(at, to));
              at = to;
            }
            client.shutdownOutput();
            assertThat(rest.join()).isEqualTo(replies.toString());
          } catch (IOException e) {
            throw new UncheckedIOException(e);
          }
        },
        task -> Thread.ofPlatform().start(task));
  }
}
