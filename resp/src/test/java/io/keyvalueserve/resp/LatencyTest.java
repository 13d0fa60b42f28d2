package io.keyvalueserve.resp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.keyvalueserve.engine.Engine;
import io.keyvalueserve.gates.fairness.Slicing;
import io.keyvalueserve.gates.latency.Latencies;
import io.keyvalueserve.tenancy.Door;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.assertj.core.data.Percentage;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Goal: the histogram has each request once, with the time from its bytes to its reply. */
class LatencyTest {
  private static final Percentage ERROR = Percentage.withPercentage(6.25);
  private static final int BURSTS = 60;

  /** Stands still unless a test has it go on. */
  private final AtomicLong nanos = new AtomicLong(1_000);

  private static Latencies latencies(TestMember member, String tenant) {
    return member.meters().meter(TestMember.identity(tenant), Door.RESP).latency().latencies();
  }

  private void pass(long millis) {
    nanos.addAndGet(TimeUnit.MILLISECONDS.toNanos(millis));
  }

  @Test
  void aRequestThatIsDelayedByTheEngineIsInTheBucketOfItsDelay() throws Exception {
    HeldEngine engine = new HeldEngine(Way.QUEUED.engine(InstantSource.system()));
    try (TestMember member = TestMember.startTimed(engine, nanos::get);
        WireClient client = member.connect("acme")) {
      client.send(WireClient.requestText("GET", "k"));
      HeldEngine.HeldBatch batch = engine.next();
      pass(300);
      batch.release();
      assertThat(client.reply()).isEqualTo("$-1\r\n");

      Latencies latencies = latencies(member, "acme");

      assertThat(latencies.count()).isEqualTo(2); // AUTH, for which no time has passed, and GET
      assertThat((double) latencies.percentileNanos(1)).isCloseTo(300e6, ERROR);
      assertThat(latencies.percentileNanos(0.5)).isLessThan(1_000);
      assertThat(latencies(member, "globex").count()).isZero();
    }
  }

  @Test
  void requestsThatWaitForOthersOfTheirConnectionHaveTheWaitInTheirTime() throws Exception {
    HeldEngine engine = new HeldEngine(Way.QUEUED.engine(InstantSource.system()));
    try (TestMember member = TestMember.startTimed(engine, nanos::get);
        WireClient client = member.connect("acme")) {
      client.send(WireClient.requestText("GET", "a"));
      HeldEngine.HeldBatch first = engine.next();
      pass(100); // the next two come in a read of their own
      client.send(WireClient.requestText("GET", "b") + WireClient.requestText("GET", "c"));
      long bytes = 3L * WireClient.request("GET", "a").length;
      await().until(() -> bytesIn(member) >= bytes);
      pass(50);
      first.release();
      client.reply(); // timed when it is sent, which is after the others go to the engine
      HeldEngine.HeldBatch others = engine.next();
      pass(10);
      others.release();
      client.reply();
      assertThat(client.reply()).isEqualTo("$-1\r\n");

      Latencies latencies = latencies(member, "acme");

      assertThat(latencies.count()).isEqualTo(4);
      assertThat(latencies.sumNanos() / 1_000_000).isEqualTo(150 + 60 + 60);
    }
  }

  @Test
  void aReplyThatIsHeldBackUntilItIsCertainIsTimedUntilThen() throws Exception {
    UncertainEngine engine = new UncertainEngine(InstantSource.system());
    try (TestMember member = TestMember.startTimed(engine, nanos::get);
        WireClient client = member.connect("acme")) {
      client.send(WireClient.requestText("SET", "k", "v") + WireClient.requestText("GET", "k"));
      var held = engine.next();
      pass(2_000);
      held.certain();
      assertThat(client.reply()).isEqualTo("+OK\r\n");
      assertThat(client.reply()).isEqualTo("$1\r\nv\r\n");

      Latencies latencies = latencies(member, "acme");

      assertThat(latencies.count()).isEqualTo(3);
      assertThat(latencies.sumNanos() / 1_000_000).isEqualTo(2 * 2_000);
    }
  }

  @ParameterizedTest
  @EnumSource(Way.class)
  void everyRequestIsThereOnceWhicheverWayItGoes(Way way) throws Exception {
    Engine engine = way.engine(InstantSource.system());
    String[] many = new String[1_101];
    Arrays.setAll(many, i -> i == 0 ? "EXISTS" : "k" + i);
    String burst =
        WireClient.requestText("SET", "k1", "v")
            + WireClient.requestText("GET", "k1")
            + WireClient.requestText("MGET", "k1", "k2")
            + WireClient.requestText(many)
            + WireClient.requestText("KEYS", "none*")
            + WireClient.requestText("NONSENSE")
            + WireClient.requestText("PING");
    try (TestMember member = TestMember.startFair(engine, tenant -> 1, Slicing.DEFAULT);
        WireClient acme = member.connect("acme");
        WireClient globex = member.connect("globex")) {
      for (int i = 0; i < BURSTS; i++) {
        // Two tenants on one loop: what comes waits for turns, now and then for several reads.
        acme.send(burst + burst);
        globex.send(burst);
        acme.send(burst + WireClient.requestText("ECHO", "end"));
        globex.send(WireClient.requestText("ECHO", "end"));
        awaitEnd(acme);
        awaitEnd(globex);
      }
      assertThat(latencies(member, "acme").count()).isEqualTo(1 + BURSTS * (3 * 7 + 1));
      assertThat(latencies(member, "globex").count()).isEqualTo(1 + BURSTS * (7 + 1));
    }
  }

  private static void awaitEnd(WireClient client) throws Exception {
    String received = "";
    while (!received.endsWith("$3\r\nend\r\n")) {
      received += client.next(1);
    }
  }

  private static long bytesIn(TestMember member) {
    return member.meters().readings().stream().mapToLong(each -> each.bytesIn()).sum();
  }
}
