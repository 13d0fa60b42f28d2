package io.keyvalueserve.hazelcast;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatNoException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.hazelcast.client.HazelcastClient;
import com.hazelcast.client.config.ClientConfig;
import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.core.HazelcastOverloadException;
import com.hazelcast.map.IMap;
import com.hazelcast.transaction.TransactionContext;
import com.hazelcast.transaction.TransactionalMap;
import io.keyvalueserve.billing.pricing.RateCard;
import io.keyvalueserve.billing.spending.SpendLimit;
import io.keyvalueserve.grid.quota.QuotaExchange;
import io.keyvalueserve.tenancy.Limit;
import io.keyvalueserve.tenancy.Quota;
import io.keyvalueserve.tenancy.TenantName;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.awaitility.core.ThrowingRunnable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** A Hazelcast client is served what its tenant's quota says, and told what is used up. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class QuotaClientTest {
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private final DoorMember member = new DoorMember();
  private final HazelcastInstance acme = member.client("acme");
  private final HazelcastInstance globex = member.client("globex");
  private final IMap<String, Object> map = acme.getMap("orders");

  @AfterAll
  void stop() {
    acme.shutdown();
    globex.shutdown();
    member.close();
  }

  @AfterEach
  void unlimited() {
    member.quota("acme", Quota.USUAL);
    map.clear();
  }

  @Test
  void whatIsMoreThanItsRateIsRefusedAsAnOverload() {
    map.set("k", "v");
    member.quota("acme", Quota.USUAL.with(Limit.OPERATIONS, 1L).with(Limit.BURST, 1L));
    assertOverload(
        () -> {
          for (int i = 0; i < 100; i++) {
            map.get("k");
          }
        },
        "1 operations a second are used up; retry after");
    assertThat(globex.<String, String>getMap("orders").get("k")).as("another tenant").isNull();
    member.quota("acme", Quota.USUAL);
    assertThat(map.get("k")).isEqualTo("v");
  }

  @Test
  void whatItsMoneyDoesNotPayForIsRefusedAsAnOverload() {
    member.cap("acme", SpendLimit.refusing(BigDecimal.ONE, RateCard.paper().currency()));
    try {
      map.putAll(Map.of("a", 1, "b", 2)); // by keys, however many messages it takes
      for (int i = 0; i < 98; i++) {
        map.set("key " + i, "value");
      }
      String message = "spend cap: the tenant's 1 USD a month are used up until ";
      assertOverload(() -> map.set("c", 3), message);
      assertOverload(() -> map.putAll(Map.of("c", 3)), message);
      assertThat(map.get("c")).isNull();
      assertThat(globex.getMap("orders").put("paid by another", "value")).isNull();
      assertThat(map.get("a")).as("what costs nothing").isEqualTo(1);
    } finally {
      member.cap("acme", null);
    }
    map.set("c", 3);
  }

  @Test
  void requestsOnManyKeysCountForEachOfThem() {
    Map<String, String> many = new HashMap<>();
    for (int i = 0; i < 1000; i++) {
      many.put("key " + i, "value");
    }
    map.putAll(many);
    member.quota("acme", Quota.USUAL.with(Limit.OPERATIONS, 100L).with(Limit.BURST, 10_000L));
    assertOverload(
        () -> {
          for (int i = 0; i < 20; i++) {
            map.getAll(many.keySet());
          }
        },
        "100 operations a second are used up");
  }

  @Test
  void bytesAreLimitedBothWays() {
    map.set("large", new byte[100_000]);
    member.quota("acme", Quota.USUAL.with(Limit.BYTES_OUT, 1000L));
    assertOverload(
        () -> {
          for (int i = 0; i < 100; i++) {
            map.get("large");
          }
        },
        "1000 bytes of answers a second are used up");
    member.quota("acme", Quota.USUAL.with(Limit.BYTES_IN, 1000L));
    assertOverload(
        () -> {
          for (int i = 0; i < 100; i++) {
            map.set("large", new byte[100_000]);
          }
        },
        "1000 bytes of requests a second are used up");
  }

  @Test
  void entriesAreLimitedWhicheverWayTheyCome() {
    member.quota("acme", Quota.USUAL.with(Limit.ENTRIES, 50L));
    for (int i = 0; i < 50; i++) {
      map.set("key " + i, "value");
    }
    String message = "the tenant's 50 entries are used up, nothing was changed";
    assertOverload(() -> map.set("one more", "value"), message);
    assertOverload(() -> map.put("one more", "value", 1, TimeUnit.HOURS), message);
    assertOverload(() -> map.putIfAbsent("one more", "value"), message);
    assertOverload(() -> map.putAll(Map.of("one more", "value")), message);
    assertOverload(
        () ->
            acme.executeTransaction(
                context -> {
                  TransactionalMap<String, Object> orders = context.getMap("orders");
                  return orders.put("one more", "value");
                }),
        message);
    assertThat(map.size()).isEqualTo(50);
    assertThat(globex.getMap("orders").put("one more", "value")).isNull();
    map.delete("key 7");
    map.set("one more", "value");
    assertThat(map.size()).isEqualTo(50);
    map.clear();
    map.set("one more", "value");
  }

  /** Not even until expiry removes them, if the write is one to their partition. */
  @Test
  void entriesThatHaveExpiredCountForNothing() {
    member.quota("acme", Quota.USUAL.with(Limit.ENTRIES, 50L));
    int partition = acme.getPartitionService().getPartition("key 0").getPartitionId();
    for (int round = 0; round < 3; round++) {
      List<String> keys = new ArrayList<>();
      for (int i = 0; keys.size() < 50; i++) {
        String key = "key " + round + " " + i;
        if (acme.getPartitionService().getPartition(key).getPartitionId() == partition) {
          keys.add(key);
        }
      }
      keys.forEach(key -> map.set(key, "value", 300, TimeUnit.MILLISECONDS));
      long written = System.currentTimeMillis();
      await()
          .pollInterval(Duration.ofMillis(1))
          .until(() -> System.currentTimeMillis() > written + 300);
      map.set("key 0", "value");
      map.delete("key 0");
    }
  }

  @Test
  void whatATransactionHasPreparedIsCommittedWhole() {
    TransactionContext context = acme.newTransactionContext();
    context.beginTransaction();
    TransactionalMap<String, Object> orders = context.getMap("orders");
    for (int i = 0; i < 10; i++) {
      orders.put("key " + i, "value");
    }
    member.quota("acme", Quota.USUAL.with(Limit.ENTRIES, 3L));
    context.commitTransaction();
    assertThat(map.size()).isEqualTo(10);
    assertOverload(() -> map.set("one more", "value"), "3 entries");
  }

  @Test
  void memoryIsLimited() {
    member.quota("acme", Quota.USUAL.with(Limit.MEMORY, 4L << 20));
    assertOverload(
        () -> {
          for (int i = 0; i < 1000; i++) {
            map.set("key " + i, new byte[10_000]);
          }
        },
        "4194304 bytes of memory are used up");
    assertThat(map.size()).isBetween(200, 420);
    map.clear();
    map.set("key", new byte[10_000]);
  }

  @Test
  void valuesAreLimited() {
    member.quota("acme", Quota.USUAL.with(Limit.VALUE, 1000L));
    map.set("k", new byte[1000]);
    map.replace("k", new byte[1000]);
    String message = "the value has 1001 bytes, and the tenant's values up to 1000";
    assertOverload(() -> map.set("k", new byte[1001]), message);
    assertOverload(() -> map.replace("k", new byte[1001]), message);
    assertThat((byte[]) map.get("k")).hasSize(1000);
  }

  @Test
  void valuesOfTransactionsAreLimitedBeforeTheyAreCommitted() {
    member.quota("acme", Quota.USUAL.with(Limit.VALUE, 1000L));
    for (int size : new int[] {1000, 1100}) {
      ThrowingCallable write =
          () ->
              acme.executeTransaction(
                  context -> context.<String, byte[]>getMap("orders").put("k", new byte[size]));
      if (size > 1000) {
        assertOverload(write, "the tenant's values up to 1000");
      } else {
        assertThatNoException().isThrownBy(write);
      }
    }
    assertThat((byte[]) map.get("k")).hasSize(1000);
  }

  @Test
  void mapsAreLimitedAndThoseThatAreThereServe() {
    map.set("k", "v");
    member.quota("acme", Quota.USUAL.with(Limit.MAPS, 2L));
    IMap<String, String> second = acme.getMap("second");
    second.set("k", "v");
    IMap<String, String> third = acme.getMap("third");
    assertOverload(() -> third.set("k", "v"), "2 maps are used up; delete one");
    assertThat(map.get("k")).isEqualTo("v");
    assertThat(second.get("k")).isEqualTo("v");
    second.destroy();
    await()
        .atMost(PATIENCE)
        .ignoreException(HazelcastOverloadException.class)
        .untilAsserted(() -> third.set("k", "v"));
    third.destroy();
  }

  @Test
  void locksAreLimitedAndCountedWhereTheyAre() {
    member.quota("acme", Quota.USUAL.with(Limit.LOCKS, 5L));
    List<String> locked = new ArrayList<>();
    assertOverload(
        () -> {
          for (int i = 0; i < 100; i++) {
            map.lock("key " + i);
            locked.add("key " + i);
          }
        },
        "the tenant holds its 5 locks");
    assertThat(locked)
        .as("but for one that is on its way as they are counted")
        .hasSizeBetween(5, 7);
    locked.forEach(map::unlock);
    awaitLock(() -> map.lock("another"));
    map.unlock("another");
    // Locks that end by themselves are seen as the member counts them.
    for (int i = 0; i < 5; i++) {
      String key = "leased " + i;
      awaitLock(() -> map.lock(key, 50, TimeUnit.MILLISECONDS));
    }
    awaitLock(() -> map.lock("another"));
    map.unlock("another");
  }

  /** The member is alone, and nobody asks for a lock: it looks for some now and then. */
  @Test
  void locksOfTransactionsAreSeenThoughNobodyAskedForThem() {
    TenantName tenant = new TenantName("acme");
    QuotaExchange quotas = member.member.quotas();
    member.quota("acme", Quota.USUAL);
    await().atMost(PATIENCE).until(() -> quotas.locksHere(tenant) == 0);
    TransactionContext context = acme.newTransactionContext();
    context.beginTransaction();
    context.<String, Object>getMap("orders").set("k", "v");
    await().atMost(PATIENCE).until(() -> quotas.locksHere(tenant) == 1);
    context.rollbackTransaction();
    await().atMost(PATIENCE).until(() -> quotas.locksHere(tenant) == 0);
  }

  /** Those that were released count until the member counts again. */
  private void awaitLock(ThrowingRunnable lock) {
    await()
        .pollInSameThread()
        .atMost(PATIENCE)
        .ignoreException(HazelcastOverloadException.class)
        .untilAsserted(lock);
  }

  @Test
  void connectionsAreLimited() {
    member.quota("acme", Quota.USUAL.with(Limit.CONNECTIONS, 1L));
    ClientConfig impatient = member.config("acme");
    impatient
        .getConnectionStrategyConfig()
        .getConnectionRetryConfig()
        .setClusterConnectTimeoutMillis(0);
    assertThatThrownBy(() -> HazelcastClient.newHazelcastClient(impatient))
        .isInstanceOf(IllegalStateException.class);
    assertThat(map.get("k")).as("who is there stays").isNull();
    member.quota("acme", Quota.USUAL.with(Limit.CONNECTIONS, 2L));
    HazelcastClient.newHazelcastClient(impatient).shutdown();
  }

  private static void assertOverload(ThrowingCallable call, String words) {
    assertThatThrownBy(call)
        .satisfies(
            thrown -> {
              Throwable cause = thrown;
              while (!(cause instanceof HazelcastOverloadException) && cause.getCause() != null) {
                cause = cause.getCause();
              }
              assertThat(cause)
                  .isInstanceOf(HazelcastOverloadException.class)
                  .hasMessageContaining(words);
            });
  }
}
