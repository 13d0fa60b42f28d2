package io.keyvalueserve.resp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.keyvalueserve.billing.metering.Measure;
import io.keyvalueserve.billing.metering.UsageEvent;
import io.keyvalueserve.gates.TenantMeters;
import io.keyvalueserve.tenancy.Limit;
import io.keyvalueserve.tenancy.MapName;
import io.keyvalueserve.tenancy.QualifiedName;
import io.keyvalueserve.tenancy.Quota;
import io.keyvalueserve.tenancy.Tenant;
import io.keyvalueserve.tenancy.TenantName;
import io.keyvalueserve.tenancy.TenantState;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.function.ToLongFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Goal: what tenants are charged for is exactly what their clients did, whichever way it went. */
class SessionUsageTest {
  private static final TenantName ACME = new TenantName("acme");
  private static final int REQUESTS = 3_000;
  private static final long MINUTE = 29_000_000;

  private final Map<QualifiedName, Map<Measure, Long>> charged = new HashMap<>();

  private void flush(TestMember member) {
    for (UsageEvent event : member.usage.flush(MINUTE)) {
      assertThat(event.identity().tenant()).isEqualTo(ACME);
      Map<Measure, Long> sums =
          charged.computeIfAbsent(
              Objects.requireNonNull(event.identity().map()), map -> new EnumMap<>(Measure.class));
      event.quantities().toMap().forEach((measure, more) -> sums.merge(measure, more, Long::sum));
    }
  }

  private long charged(String map, Measure measure) {
    return charged
        .getOrDefault(new QualifiedName(ACME, new MapName(map)), Map.of())
        .getOrDefault(measure, 0L);
  }

  private long charged(Measure measure) {
    return charged.values().stream().mapToLong(sums -> sums.getOrDefault(measure, 0L)).sum();
  }

  private static long metered(TestMember member, ToLongFunction<TenantMeters.Reading> what) {
    return member.meters().readings().stream().mapToLong(what).sum();
  }

  @ParameterizedTest
  @EnumSource(Way.class)
  void everyOperationIsChargedOnceAsWhatItIs(Way way) throws Exception {
    Random random = new Random(Long.getLong("kvs.seed", 7));
    Map<String, Map<Measure, Long>> expected = new HashMap<>();
    try (TestMember member = TestMember.start(way.engine(InstantSource.system()), c -> c)) {
      try (WireClient one = member.connect("acme");
          WireClient two = member.connect("acme")) {
        assertThat(two.call("SELECT", "other")).isEqualTo("+OK\r\n");
        int left = REQUESTS;
        while (left > 0) {
          left -= burst(random, one, expected, "default");
          left -= burst(random, two, expected, "other");
          if (random.nextInt(10) == 0) {
            flush(member);
          }
        }
      }
      await().until(() -> member.sessions().count(TestMember.identity("acme").number()) == 0);
      flush(member);
      assertThat(charged(Measure.BYTES_IN))
          .isEqualTo(metered(member, TenantMeters.Reading::bytesIn));
      assertThat(charged(Measure.BYTES_OUT))
          .isEqualTo(metered(member, TenantMeters.Reading::bytesOut));
    }
    for (String map : List.of("default", "other")) {
      for (Measure measure :
          List.of(Measure.READS, Measure.WRITES, Measure.DELETES, Measure.QUERIES)) {
        assertThat(charged(map, measure))
            .as("%s on %s", measure, map)
            .isEqualTo(Objects.requireNonNull(expected.get(map)).get(measure));
      }
    }
    assertThat(charged(Measure.REFUSED)).isZero();
  }

  /** SORT reads a key for each element, in a block and in a script too. */
  @Test
  void theKeysThatPatternsNameAreChargedAsReads() throws Exception {
    try (TestMember member = TestMember.start()) {
      try (WireClient client = member.connect("acme")) {
        client.call("RPUSH", "l", "1", "2", "3", "3");
        client.call("SORT_RO", "l", "BY", "w*", "GET", "v*"); // 1 and 2 times 3
        client.call("MULTI");
        client.call("SORT_RO", "l", "BY", "w*"); // 1 and 3
        client.call("EXEC");
        client.call("EVAL", "return redis.call('SORT_RO', 'l', 'GET', 'v*')", "0"); // 1 and 3
      }
      await().until(() -> member.sessions().count(TestMember.identity("acme").number()) == 0);
      flush(member);
    }
    assertThat(charged(Measure.WRITES)).isEqualTo(1);
    assertThat(charged(Measure.READS)).isEqualTo(7 + 4 + 4);
  }

  /** Sends some requests together, and waits for the last reply. */
  private static int burst(
      Random random, WireClient client, Map<String, Map<Measure, Long>> expected, String map)
      throws Exception {
    Map<Measure, Long> sums = expected.computeIfAbsent(map, name -> new EnumMap<>(Measure.class));
    StringBuilder text = new StringBuilder();
    int count = 1 + random.nextInt(40);
    for (int i = 0; i < count; i++) {
      text.append(request(random, sums));
    }
    client.send(text + WireClient.requestText("ECHO", "end"));
    String received = "";
    while (!received.endsWith("$3\r\nend\r\n")) {
      received += client.next(1);
    }
    return count;
  }

  private static String request(Random random, Map<Measure, Long> sums) {
    String key = "k" + random.nextInt(50);
    return switch (random.nextInt(9)) {
      case 0 -> counted(sums, Measure.WRITES, 1, "SET", key, "v");
      case 1 -> counted(sums, Measure.READS, 1, "GET", key);
      case 2 -> counted(sums, Measure.READS, 3, "MGET", key, "k1", "k2");
      case 3 -> counted(sums, Measure.WRITES, 2, "MSET", key, "1", "k1", "2");
      case 4 -> counted(sums, Measure.DELETES, 2, "DEL", key, "k3");
      case 5 -> counted(sums, Measure.WRITES, 1, "INCR", key);
      case 6 -> counted(sums, Measure.QUERIES, 1, "KEYS", "none*");
      case 7 -> WireClient.requestText("PING");
      default -> {
        String[] many = new String[1_101];
        Arrays.setAll(many, i -> i == 0 ? "EXISTS" : "k" + i);
        yield counted(sums, Measure.READS, 1_100, many);
      }
    };
  }

  private static String counted(
      Map<Measure, Long> sums, Measure measure, long operations, String... words) {
    sums.merge(measure, operations, Long::sum);
    return WireClient.requestText(words);
  }

  @Test
  void aCommandIsPricedWithoutBeingRun() throws Exception {
    try (TestMember member = TestMember.start(Way.DIRECT);
        WireClient client = member.connect("acme")) {
      assertThat(client.call("KVS.COST", "MSET", "a", "1", "b", "2"))
          .startsWith("*16\r\n$8\r\ncurrency\r\n")
          .contains("$9\r\noperation\r\n$6\r\nwrites\r\n$10\r\noperations\r\n:2\r\n")
          .endsWith(
              "$7\r\nbytesIn\r\n:"
                  + WireClient.request("MSET", "a", "1", "b", "2").length
                  + "\r\n");
      assertThat(client.call("EXISTS", "a")).isEqualTo(":0\r\n");
      assertThat(client.call("KVS.COST", "NONSENSE")).startsWith("-ERR unknown command");
      assertThat(client.call("KVS.COST", "GET")).startsWith("-ERR wrong number of arguments");
    }
  }

  @Test
  void whatIsNotServedIsCountedAsThat() throws Exception {
    try (TestMember member = TestMember.start(Way.DIRECT);
        WireClient client = member.connect("acme")) {
      member
          .admissions()
          .apply(
              new Tenant(
                  ACME,
                  TestMember.identity("acme").number(),
                  TenantState.ACTIVE,
                  Instant.EPOCH,
                  List.of(),
                  Quota.USUAL.with(Limit.OPERATIONS, 5L),
                  1));
      List<String> replies = new ArrayList<>();
      for (int i = 0; i < 50; i++) {
        replies.add(client.call("SET", "k", "v"));
      }
      flush(member);
      long served = replies.stream().filter("+OK\r\n"::equals).count();
      assertThat(served).isLessThan(50);
      assertThat(charged(Measure.WRITES)).isEqualTo(served);
      assertThat(charged(Measure.THROTTLED)).isEqualTo(50 - served);
    }
  }
}
