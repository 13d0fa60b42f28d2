package io.keyvalueserve.resp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.keyvalueserve.billing.metering.Measure;
import io.keyvalueserve.billing.pricing.Basis;
import io.keyvalueserve.billing.pricing.Rate;
import io.keyvalueserve.billing.pricing.RateCard;
import io.keyvalueserve.billing.pricing.RateCards;
import io.keyvalueserve.billing.spending.SpendAction;
import io.keyvalueserve.billing.spending.SpendLimit;
import io.keyvalueserve.billing.spending.Spendings;
import io.keyvalueserve.billing.spending.TenantCap;
import io.keyvalueserve.gates.TenantMeters;
import io.keyvalueserve.tenancy.Limit;
import io.keyvalueserve.tenancy.Quota;
import io.keyvalueserve.tenancy.SessionRegistry;
import io.keyvalueserve.tenancy.Tenant;
import io.keyvalueserve.tenancy.TenantName;
import io.keyvalueserve.tenancy.TenantState;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Goal: a tenant is served what its quota says, exactly, whichever way its requests go. */
class QuotaTest {
  private static final String ACME = "acme";

  private @Nullable TestMember started;
  private long revision;

  private void start(Way way) throws IOException {
    started = TestMember.start(way);
  }

  @AfterEach
  void stop() {
    member().close();
  }

  private TestMember member() {
    return Objects.requireNonNull(started);
  }

  private void quota(Quota quota) {
    revision++;
    member()
        .admissions()
        .apply(
            new Tenant(
                new TenantName(ACME),
                TestMember.identity(ACME).number(),
                TenantState.ACTIVE,
                Instant.EPOCH,
                List.of(),
                quota,
                revision));
  }

  @ParameterizedTest
  @EnumSource(Way.class)
  void servesAsManyAsComeInASecondAndRefusesTheRest(Way way) throws IOException {
    start(way);
    try (WireClient client = member().connect(ACME);
        WireClient other = member().connect("globex")) {
      quota(Quota.USUAL.with(Limit.OPERATIONS, 100L));
      member().passSeconds(1);
      List<String> replies = pipeline(client, 250);
      assertThat(replies).filteredOn(reply -> reply.equals("+OK\r\n")).hasSize(100);
      assertThat(replies.subList(100, 250))
          .allMatch(
              reply ->
                  reply.equals(
                      "-THROTTLED the tenant's 100 operations a second are used up; retry after 11"
                          + " ms\r\n"));
      assertThat(other.call("SET", "k", "v")).as("another tenant").isEqualTo("+OK\r\n");
      member().passSeconds(0.05);
      assertThat(pipeline(client, 20)).filteredOn(reply -> reply.equals("+OK\r\n")).hasSize(5);
      await().untilAsserted(() -> assertThat(operations(ACME)).isEqualTo(100 + 5));
    }
  }

  private void cap(@Nullable SpendLimit limit) {
    revision++;
    RateCard paper = RateCard.paper();
    Spendings spendings = member().admissions().spendings();
    spendings.setPrices(
        RateCards.of(
            new RateCard(
                "test",
                paper.from(),
                null,
                paper.calendar(),
                paper.currency(),
                6,
                List.of(Rate.of(Measure.WRITES, Basis.AMOUNT, 1, "0.01", "0.01")),
                paper.sharing(),
                BigDecimal.ZERO)));
    spendings.apply(
        new TenantCap(
            new TenantName(ACME),
            TestMember.identity(ACME).number(),
            limit,
            null,
            1,
            List.of(),
            revision));
  }

  private long used(Measure measure) {
    return member().usage.flush(1).stream()
        .mapToLong(event -> event.quantities().of(measure))
        .sum();
  }

  @ParameterizedTest
  @EnumSource(Way.class)
  void servesWhatItsMoneyPaysForAndRefusesTheRest(Way way) throws IOException {
    start(way);
    try (WireClient client = member().connect(ACME);
        WireClient other = member().connect("globex")) {
      cap(SpendLimit.refusing(BigDecimal.ONE, RateCard.paper().currency()));
      List<String> replies = pipeline(client, 250);
      assertThat(replies.subList(0, 100)).containsOnly("+OK\r\n");
      assertThat(replies.subList(100, 250))
          .allMatch(
              reply ->
                  reply.startsWith(
                      "-QUOTA spend cap: the tenant's 1 USD a month are used up until "));
      assertThat(other.call("SET", "k", "v")).as("another tenant").isEqualTo("+OK\r\n");
      assertThat(client.call("PING")).as("what costs nothing").isEqualTo("+PONG\r\n");
      assertThat(client.call("MSET", "a", "1", "b", "2")).startsWith("-QUOTA spend cap");
      cap(SpendLimit.refusing(new BigDecimal("1.02"), RateCard.paper().currency()));
      assertThat(client.call("MSET", "a", "1", "b", "2")).as("it was raised").isEqualTo("+OK\r\n");
      assertThat(client.call("SET", "a", "1")).startsWith("-QUOTA spend cap");
      cap(null);
      assertThat(client.call("SET", "a", "1")).isEqualTo("+OK\r\n");
      await().untilAsserted(() -> assertThat(operations(ACME)).isEqualTo(100 + 1 + 1 + 1));
    }
  }

  @ParameterizedTest
  @EnumSource(Way.class)
  void whatIsRefusedForWantOfMoneyIsCounted(Way way) throws IOException {
    start(way);
    try (WireClient client = member().connect(ACME)) {
      cap(SpendLimit.refusing(new BigDecimal("0.03"), RateCard.paper().currency()));
      assertThat(pipeline(client, 10)).filteredOn(reply -> reply.equals("+OK\r\n")).hasSize(3);
      AtomicLong refused = new AtomicLong();
      await()
          .untilAsserted(() -> assertThat(refused.addAndGet(used(Measure.REFUSED))).isEqualTo(7));
      cap(
          new SpendLimit(
              new BigDecimal("0.03"),
              RateCard.paper().currency(),
              SpendAction.THROTTLE,
              1,
              List.of()));
      assertThat(client.call("SET", "a", "1")).startsWith("-THROTTLED spend cap: ");
      AtomicLong throttled = new AtomicLong();
      await()
          .untilAsserted(
              () -> assertThat(throttled.addAndGet(used(Measure.THROTTLED))).isEqualTo(1));
    }
  }

  @ParameterizedTest
  @EnumSource(Way.class)
  void aCommandOnManyKeysCountsForEachOfThem(Way way) throws IOException {
    start(way);
    try (WireClient client = member().connect(ACME)) {
      quota(Quota.USUAL.with(Limit.OPERATIONS, 10L));
      member().passSeconds(1);
      assertThat(client.call("MSET", "a", "1", "b", "2", "c", "3")).isEqualTo("+OK\r\n");
      assertThat(client.call("MGET", "a", "b", "c", "d", "e")).startsWith("*5\r\n");
      assertThat(client.call("DEL", "a", "b", "c")).startsWith("-THROTTLED ");
      assertThat(client.call("DEL", "a", "b")).isEqualTo(":2\r\n");
      assertThat(client.call("PING")).startsWith("-THROTTLED ");
    }
  }

  @ParameterizedTest
  @EnumSource(Way.class)
  void requestsThatNameNoCommandCountAsOthers(Way way) throws IOException {
    start(way);
    try (WireClient client = member().connect(ACME)) {
      quota(Quota.USUAL.with(Limit.OPERATIONS, 10L));
      member().passSeconds(1);
      String[][] refused = {
        {"FOO"}, {"GET", "a"}, {"XADD", "h", "f", "v"}, {"GET"}, {"CLIENT", "X"}
      };
      ByteArrayOutputStream requests = new ByteArrayOutputStream();
      for (int i = 0; i < 100; i++) {
        requests.writeBytes(WireClient.request(refused[i % refused.length]));
      }
      client.send(requests.toByteArray());
      List<String> replies = new ArrayList<>();
      for (int i = 0; i < 100; i++) {
        replies.add(client.reply());
      }
      assertThat(replies.subList(0, 10))
          .allMatch(reply -> reply.startsWith("-ERR ") || reply.equals("$-1\r\n"));
      assertThat(replies.subList(10, 100)).allMatch(reply -> reply.startsWith("-THROTTLED "));
      await().untilAsserted(() -> assertThat(operations(ACME)).isEqualTo(10));
      assertThat(used(Measure.THROTTLED)).isEqualTo(90);
    }
  }

  @ParameterizedTest
  @EnumSource(Way.class)
  void whoIsThrottledMaySayWhoItIsAndGo(Way way) throws IOException {
    start(way);
    try (WireClient client = member().connect(ACME)) {
      quota(Quota.USUAL.with(Limit.OPERATIONS, 1L));
      assertThat(client.call("GET", "a")).startsWith("-THROTTLED ");
      assertThat(client.call("AUTH", ACME, TestMember.key(ACME))).isEqualTo("+OK\r\n");
      assertThat(client.call("AUTH", "globex", TestMember.key("globex"))).isEqualTo("+OK\r\n");
      assertThat(client.call("GET", "a")).as("that of another").isEqualTo("$-1\r\n");
      assertThat(client.call("QUIT")).isEqualTo("+OK\r\n");
    }
  }

  @ParameterizedTest
  @EnumSource(Way.class)
  void bytesThatCameAndWentAreCounted(Way way) throws IOException {
    start(way);
    try (WireClient client = member().connect(ACME)) {
      quota(Quota.USUAL.with(Limit.BYTES_IN, 1000L));
      member().passSeconds(1);
      assertThat(client.call("SET", "k", "v".repeat(5000))).isEqualTo("+OK\r\n");
      assertThat(client.call("GET", "k"))
          .startsWith("-THROTTLED the tenant's 1000 bytes of requests a second are used up");
      member().passSeconds(4.2);
      assertThat(client.call("GET", "k")).startsWith("$5000\r\n");

      quota(Quota.USUAL.with(Limit.BYTES_OUT, 1000L));
      member().passSeconds(1);
      assertThat(client.call("GET", "k")).startsWith("$5000\r\n");
      await()
          .untilAsserted(
              () ->
                  assertThat(client.call("GET", "k"))
                      .startsWith("-THROTTLED the tenant's 1000 bytes of answers"));
      for (int i = 0; i < 1000; i++) {
        assertThat(client.call("GET", "k")).startsWith("-THROTTLED ");
      }
      member().passSeconds(4.2); // refusals are free
      assertThat(client.call("GET", "k")).startsWith("$5000\r\n");
    }
  }

  @ParameterizedTest
  @EnumSource(Way.class)
  void aReservedMemberRefusesOthersAndEndsTheirSessions(Way way) throws IOException {
    start(way);
    try (WireClient own = member().connect(ACME);
        WireClient before = member().connect("globex")) {
      member().sessions().admitOnly(identity -> identity.tenant().value().equals(ACME));
      assertThat(
              member()
                  .sessions()
                  .endUnless(member().sessions()::mayEnter, SessionRegistry.RESERVED))
          .isEqualTo(1);
      assertThat(before.isClosedByServer()).isTrue();
      try (WireClient next = member().connect()) {
        assertThat(next.call("AUTH", "globex", TestMember.key("globex")))
            .isEqualTo(
                "-RESERVED this member is reserved for another tenant; connect to another member of"
                    + " the cluster\r\n");
        assertThat(next.isClosedByServer()).isTrue();
      }
      assertThat(own.call("PING")).isEqualTo("+PONG\r\n");
    }
  }

  @ParameterizedTest
  @EnumSource(Way.class)
  void connectionsAreLimited(Way way) throws IOException {
    start(way);
    quota(Quota.USUAL.with(Limit.CONNECTIONS, 2L));
    try (WireClient first = member().connect(ACME);
        WireClient _ = member().connect(ACME)) {
      try (WireClient third = member().connect()) {
        assertThat(third.call("AUTH", ACME, TestMember.key(ACME)))
            .isEqualTo(
                "-QUOTA the tenant's 2 connections are used up; close some or have the quota"
                    + " raised\r\n");
        assertThat(third.isClosedByServer()).isTrue();
      }
      assertThat(first.call("AUTH", ACME, TestMember.key(ACME))).as("its own").isEqualTo("+OK\r\n");
      assertThat(first.call("QUIT")).isEqualTo("+OK\r\n");
      await()
          .untilAsserted(
              () -> {
                try (WireClient next = member().connect()) {
                  assertThat(next.call("AUTH", ACME, TestMember.key(ACME))).isEqualTo("+OK\r\n");
                }
              });
    }
  }

  @Test
  void withoutAQuotaNothingIsRefused() throws IOException {
    start(Way.MIXED);
    try (WireClient client = member().connect(ACME)) {
      assertThat(pipeline(client, 5000)).allMatch(reply -> reply.equals("+OK\r\n"));
    }
  }

  private long operations(String tenant) {
    return member().meters().readings().stream()
        .filter(reading -> reading.tenant().value().equals(tenant))
        .mapToLong(TenantMeters.Reading::operations)
        .sum();
  }

  private static List<String> pipeline(WireClient client, int count) throws IOException {
    ByteArrayOutputStream requests = new ByteArrayOutputStream();
    for (int i = 0; i < count; i++) {
      requests.writeBytes(WireClient.request("SET", "key" + i, "value"));
    }
    client.send(requests.toByteArray());
    List<String> replies = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      replies.add(client.reply());
    }
    return replies;
  }
}
