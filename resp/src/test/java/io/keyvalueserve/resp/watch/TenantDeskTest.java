package io.keyvalueserve.resp.watch;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import io.keyvalueserve.gates.heap.HeapLease;
import io.keyvalueserve.gates.heap.HeapUse;
import io.keyvalueserve.gates.heap.MemberHeap;
import io.keyvalueserve.resp.protocol.Request;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Goal: what a tenant's sessions have in common is bounded, cut and without secrets. */
class TenantDeskTest {
  private static final long MILLI = TimeUnit.MILLISECONDS.toNanos(1);

  private final MemberHeap heap = new MemberHeap(1 << 20);
  private final HeapLease lease = heap.lease(1, HeapUse.SLOW_LOGS);
  private final TenantDesk desk = new TenantDesk(lease);

  private static Request request(String... arguments) {
    byte[][] bytes = new byte[arguments.length][];
    for (int i = 0; i < bytes.length; i++) {
      bytes[i] = arguments[i].getBytes(ISO_8859_1);
    }
    return new Request(bytes);
  }

  private void slow(Request request, long millis) {
    desk.slow(request, true, millis * MILLI, 1_000, "1.2.3.4:5", "app");
  }

  private List<List<String>> logged() {
    return desk.slowLog().newest(Integer.MAX_VALUE).stream()
        .map(entry -> entry.arguments().stream().map(b -> new String(b, ISO_8859_1)).toList())
        .toList();
  }

  @Test
  void theSlowLogKeepsTheNewestFewAndNumbersAll() {
    desk.slowLog().keep(3);
    for (int i = 0; i < 5; i++) {
      slow(request("GET", "k" + i), 20);
    }
    assertThat(logged())
        .containsExactly(List.of("GET", "k4"), List.of("GET", "k3"), List.of("GET", "k2"));
    assertThat(desk.slowLog().newest(1).getFirst().id()).isEqualTo(4);
    assertThat(desk.slowLog().newest(1).getFirst().micros()).isEqualTo(20_000);
    desk.slowLog().keep(1);
    assertThat(logged()).containsExactly(List.of("GET", "k4"));
    desk.slowLog().clear();
    assertThat(desk.slowLog().size()).isZero();
    assertThat(lease.used()).isZero();
    slow(request("GET", "next"), 20);
    assertThat(desk.slowLog().newest(1).getFirst().id()).isEqualTo(5);
  }

  @Test
  void theSlowLogTakesBoundedMemoryAndYieldsToOthersOnTheHeap() {
    String[] long32 = new String[32];
    Arrays.fill(long32, "x".repeat(1_000));
    desk.slowLog().keep(SlowLog.MOST_ENTRIES);
    for (int i = 0; i < 500; i++) {
      slow(request(long32), 20);
    }
    assertThat(lease.used()).isBetween((long) SlowLog.MOST_BYTES / 2, (long) SlowLog.MOST_BYTES);
    assertThat(desk.slowLog().size()).isLessThan(100);
    heap.lease(2, HeapUse.VALUES).force(heap.most());
    slow(request(long32), 20);
    assertThat(logged()).isEmpty(); // there is no room: its own entries have gone
    assertThat(lease.used()).isZero();
    desk.close();
  }

  @Test
  void argumentsAreCutAsRedisCutsThem() {
    String[] many = new String[40];
    Arrays.setAll(many, Integer::toString);
    slow(request(many), 20);
    assertThat(logged().getFirst())
        .hasSize(32)
        .startsWith("0", "1")
        .endsWith("30", "... (9 more arguments)");
    slow(request("SET", "k", "v".repeat(130)), 20);
    assertThat(logged().getFirst())
        .containsExactly("SET", "k", "v".repeat(128) + "... (2 more bytes)");
    slow(request(Arrays.copyOf(many, 32)), 20);
    assertThat(logged().getFirst()).hasSize(32).endsWith("31");
  }

  @Test
  void secretsAreNotShown() {
    for (Request secret :
        List.of(
            request("auth", "acme", "secret"),
            request("AUTH", "secret"),
            request("hello", "3", "SETNAME", "x", "AUTH", "acme", "secret"),
            request("KVS.COST", "AUTH", "acme", "kvs_secret"),
            request("GET", "a kvs_secret"))) {
      slow(secret, 20);
      String line = ShownArguments.line(secret, Instant.ofEpochSecond(7, 42_000), "0", "a:1");
      assertThat(line).startsWith("7.000042 [0 a:1] ").doesNotContain("secret");
    }
    List<String> all = new ArrayList<>();
    logged().forEach(all::addAll);
    assertThat(String.join(" ", all)).doesNotContain("secret").contains("(redacted)", "SETNAME");
  }

  @Test
  void aLineOfAMonitorIsBounded() {
    String[] many = new String[1_000];
    Arrays.fill(many, "x".repeat(5_000));
    String line = ShownArguments.line(request(many), Instant.EPOCH, "0", "a:1");
    assertThat(line).hasSizeLessThan(300_000).endsWith(" ... (744 more arguments)");
    assertThat(ShownArguments.line(request("a\"\\\n\u0007\u0000z"), Instant.EPOCH, "0", "a:1"))
        .isEqualTo("0.000000 [0 a:1] \"a\\\"\\\\\\n\\a\\x00z\"");
  }

  @Test
  void requestsAreTimedOnlyWhileSomebodyWantsToKnow() {
    assertThat(desk.leastNanos()).isEqualTo(10 * MILLI);
    desk.setLatencyMillis(5);
    assertThat(desk.leastNanos()).isEqualTo(5 * MILLI);
    desk.setSlowMicros(-1);
    assertThat(desk.leastNanos()).isEqualTo(5 * MILLI);
    slow(request("GET", "k"), 20);
    assertThat(desk.slowLog().size()).isZero();
    assertThat(desk.events().history("fast-command"))
        .containsExactly(new LatencyEvents.Sample(1_000, 20));
    desk.setLatencyMillis(0);
    assertThat(desk.leastNanos()).isEqualTo(TenantDesk.NEVER);
    desk.setSlowMicros(0);
    assertThat(desk.leastNanos()).isZero();
  }

  @Test
  void latencyEventsKeepTheLongestOfEachSecondAndTheLastSeconds() {
    LatencyEvents events = desk.events();
    for (int second = 0; second < 200; second++) {
      events.add(LatencyEvents.COMMAND, second, 5);
      events.add(LatencyEvents.COMMAND, second, 10 + second);
      events.add(LatencyEvents.COMMAND, second, 7);
    }
    assertThat(events.history("command"))
        .hasSize(LatencyEvents.MOST_SAMPLES)
        .startsWith(new LatencyEvents.Sample(40, 50))
        .endsWith(new LatencyEvents.Sample(199, 209));
    events.add(LatencyEvents.COMMAND, 300, 1);
    assertThat(events.latest())
        .containsExactly(
            new LatencyEvents.Latest("command", new LatencyEvents.Sample(300, 1), 209));
    assertThat(events.reset("none")).isFalse();
    assertThat(events.reset("command")).isTrue();
    assertThat(events.latest()).isEmpty();
  }

  @Test
  void aPauseGetsNoShorterAndNoMilderUntilItEnds() {
    long now = Long.MAX_VALUE - 5; // clocks may begin anywhere
    assertThat(desk.mayBePaused()).isFalse();
    desk.pause(now, 100, false);
    assertThat(desk.pauseNanos(now, true)).isEqualTo(100 * MILLI);
    assertThat(desk.pauseNanos(now, false)).isZero();
    desk.pause(now, 50, true);
    assertThat(desk.pauseNanos(now + MILLI, false)).isEqualTo(99 * MILLI);
    assertThat(desk.pauseNanos(now + 100 * MILLI, true)).isZero();
    assertThat(desk.mayBePaused()).isFalse();
    desk.pause(now, Long.MAX_VALUE, true);
    assertThat(desk.pauseNanos(now, false)).isPositive();
    desk.unpause();
    assertThat(desk.pauseNanos(now, true)).isZero();
  }
}
