package io.keyvalueserve.hazelcast;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.hazelcast.client.HazelcastClient;
import com.hazelcast.client.config.ClientConfig;
import com.hazelcast.config.InMemoryFormat;
import com.hazelcast.config.NearCacheConfig;
import com.hazelcast.core.DistributedObject;
import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.map.IMap;
import com.hazelcast.map.listener.EntryAddedListener;
import com.hazelcast.map.listener.MapClearedListener;
import com.hazelcast.query.Predicate;
import com.hazelcast.query.Predicates;
import com.hazelcast.transaction.TransactionContext;
import com.hazelcast.transaction.TransactionalMap;
import io.keyvalueserve.grid.lock.HeldLock;
import io.keyvalueserve.grid.lock.MapLocks;
import io.keyvalueserve.tenancy.MapName;
import io.keyvalueserve.tenancy.QualifiedName;
import io.keyvalueserve.tenancy.Quota;
import io.keyvalueserve.tenancy.TenantName;
import io.keyvalueserve.tenancy.grant.Right;
import io.keyvalueserve.tenancy.grant.Rights;
import io.keyvalueserve.tenancy.grant.Scope;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A Hazelcast client on another tenant's map gets what is granted, as long as it is. */
@SuppressWarnings("removal") // the exception that Hazelcast clients know
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class GrantedClientTest {
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final String MAP = "acme/orders";
  private static final QualifiedName ORDERS =
      new QualifiedName(new TenantName("acme"), new MapName("orders"));

  private static final String LONGEST =
      "mmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmm"
          + "mmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmm"
          + "mmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmm"
          + "mmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmm";

  private static final Rights TRANSACTIONAL = Rights.of(Right.READ, Right.WRITE, Right.LOCK);

  private final DoorMember member = new DoorMember();
  private final HazelcastInstance acme = member.client("acme");
  private final HazelcastInstance globex = member.client("globex");
  private final IMap<Object, Object> own = acme.getMap("orders");

  @AfterAll
  void stop() {
    acme.shutdown();
    globex.shutdown();
    member.close();
  }

  @BeforeEach
  void fill() {
    own.clear();
    for (int i = 0; i < 10; i++) {
      own.set("eu:" + i, "value " + i);
      own.set("us:" + i, "value " + i);
      own.set(i, "number " + i);
    }
  }

  @AfterEach
  void revokeAll() {
    grant(Map.of());
  }

  private void grant(Map<Scope, Rights> given) {
    member.grant("acme", "orders", "globex", given);
  }

  private IMap<Object, Object> granted(Map<Scope, Rights> given) {
    grant(given);
    return globex.getMap(MAP);
  }

  private static void assertRefused(ThrowingCallable call) {
    assertThatThrownBy(call)
        .isInstanceOf(java.security.AccessControlException.class)
        .hasMessageContaining("'globex'")
        .hasMessageContaining(MAP);
  }

  @Test
  void aMapWithoutGrantsCannotBeNamed() {
    assertRefused(() -> globex.getMap(MAP).get("eu:1"));
    assertThatThrownBy(() -> globex.getMap("nobody/nothing").get("k"))
        .isInstanceOf(java.security.AccessControlException.class)
        .hasMessageContaining("has no grant on 'nobody/nothing'");
  }

  /** As frameworks name them; with the longest name that a map may have. */
  @ParameterizedTest
  @ValueSource(strings = {"spring:session:sessions", "or@ders", "a:b@c", LONGEST})
  void mapsWithColonsAndAtSignsAreServedMeteredAndGranted(String name) {
    IMap<Object, Object> map = acme.getMap(name);
    map.set("eu:1", "v");
    assertThat(map.values(Predicates.equal("this", "v"))).containsExactly("v");
    QualifiedName qualified = new QualifiedName(new TenantName("acme"), new MapName(name));
    assertThat(member.usage.flush(29_000_000))
        .anyMatch(event -> qualified.equals(event.identity().map()));
    assertThatThrownBy(() -> globex.getMap("acme/" + name).get("eu:1"))
        .isInstanceOf(java.security.AccessControlException.class);
    member.grant("acme", name, "globex", Map.of(Scope.prefix("eu:"), Rights.READ));
    IMap<Object, Object> granted = globex.getMap("acme/" + name);
    assertThat(granted.get("eu:1")).isEqualTo("v");
    assertThatThrownBy(() -> granted.get("us:1"))
        .isInstanceOf(java.security.AccessControlException.class);
    assertThat(globex.getMap(name).get("eu:1")).as("its own").isNull();
    member.grant("acme", name, "globex", Map.of());
    map.destroy();
  }

  @Test
  void namesThatAreNoneAreRefusedWithTheRemedy() {
    for (String name : List.of(LONGEST + "m", "a\nb")) {
      assertThatThrownBy(() -> acme.getMap(name).get("k"))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("use 1 to 255 characters, without '/' and control characters");
    }
  }

  @Test
  void aPrefixOpensItsKeysAndNoOthers() {
    IMap<Object, Object> map = granted(Map.of(Scope.prefix("eu:"), Rights.READ_WRITE));
    assertThat(map.get("eu:1")).isEqualTo("value 1");
    assertThat(map.put("eu:1", "new")).isEqualTo("value 1");
    assertThat(own.get("eu:1")).isEqualTo("new");
    map.set("eu:new", "made");
    assertThat(own.get("eu:new")).isEqualTo("made");
    assertThat(map.getAll(Set.of("eu:2", "eu:3"))).hasSize(2);
    map.putAll(Map.of("eu:4", "x", "eu:5", "y"));
    assertThat(own.get("eu:5")).isEqualTo("y");
    assertThat(map.remove("eu:4")).isEqualTo("x");

    assertRefused(() -> map.get("us:1"));
    assertRefused(() -> map.set("us:1", "x"));
    assertRefused(() -> map.put("us:1", "x"));
    assertRefused(() -> map.getAll(Set.of("eu:2", "us:3")));
    assertRefused(() -> map.putAll(Map.of("eu:4", "x", "us:5", "y")));
    assertRefused(map::size);
    assertRefused(map::keySet);
    assertRefused(() -> map.values(Predicates.alwaysTrue()));
    assertRefused(map::clear);
    assertRefused(map::destroy);
    assertRefused(() -> map.lock("eu:1"));
    assertRefused(() -> map.get(1));
    assertThat(own.get("us:1")).isEqualTo("value 1");
    assertThat(own.get("us:5")).isEqualTo("value 5");
  }

  @Test
  void numbersAndIdsAreKnownByTheirText() {
    UUID id = new UUID(7, 9);
    own.set(id, "of id");
    own.set(List.of("no text"), "of list");
    IMap<Object, Object> map =
        granted(Map.of(Scope.key("7"), Rights.READ, Scope.key(id.toString()), Rights.READ));
    assertThat(map.get(7)).isEqualTo("number 7");
    assertThat(map.get(7L)).isNull();
    assertThat(map.get(id)).isEqualTo("of id");
    assertRefused(() -> map.get(8));
    assertRefused(() -> map.get(List.of("no text")));
    grant(Map.of(Scope.MAP, Rights.READ));
    assertThat(map.get(List.of("no text"))).isEqualTo("of list");
  }

  @Test
  void theWholeMapOpensQueriesAndListings() {
    IMap<Object, Object> map = granted(Map.of(Scope.MAP, Rights.READ));
    assertThat(map.size()).isEqualTo(30);
    assertThat(map.keySet()).hasSize(30);
    assertThat(map.values(Predicates.equal("this", "value 1"))).hasSize(2);
    assertThat(map.entrySet()).hasSize(30);
    assertRefused(() -> map.set("k", "v"));
    assertRefused(map::clear);
    assertThat(
            globex.getDistributedObjects().stream()
                .filter(object -> object instanceof IMap<?, ?>)
                .map(DistributedObject::getName))
        .contains(MAP);
    grant(Map.of(Scope.MAP, Rights.ALL));
    map.lock("eu:1");
    assertThat(own.tryLock("eu:1")).isFalse();
    map.unlock("eu:1");
    assertRefused(map::destroy);
    map.clear();
    assertThat(own.isEmpty()).isTrue();
  }

  @Test
  void whatIsTakenBackIsRefusedAtOnce() {
    IMap<Object, Object> map = granted(Map.of(Scope.MAP, Rights.ALL));
    for (int i = 0; i < 100; i++) {
      assertThat(map.get("eu:1")).isEqualTo("value 1");
    }
    grant(Map.of(Scope.key("eu:2"), Rights.READ));
    assertRefused(() -> map.get("eu:1"));
    assertRefused(() -> map.set("eu:2", "x"));
    assertThat(map.get("eu:2")).isEqualTo("value 2");
    grant(Map.of());
    assertRefused(() -> map.get("eu:2"));
  }

  @Test
  void listenersHearWhatMayBeReadWhenItHappens() {
    IMap<Object, Object> map = granted(Map.of(Scope.prefix("eu:"), Rights.READ));
    Set<Object> heard = ConcurrentHashMap.newKeySet();
    UUID all =
        map.addEntryListener(
            (EntryAddedListener<Object, Object>) event -> heard.add(event.getKey()), true);
    UUID cleared = map.addEntryListener((MapClearedListener) event -> heard.add("cleared"), false);
    own.set("us:new", "v");
    own.set("eu:new", "v");
    await().atMost(PATIENCE).untilAsserted(() -> assertThat(heard).containsExactly("eu:new"));
    grant(Map.of(Scope.key("eu:last"), Rights.READ));
    own.set("eu:more", "v");
    own.clear();
    own.set("eu:last", "v");
    await().atMost(PATIENCE).untilAsserted(() -> assertThat(heard).contains("eu:last"));
    assertThat(heard).containsExactlyInAnyOrder("eu:new", "eu:last");
    grant(Map.of());
    assertThat(map.removeEntryListener(all)).isTrue();
    assertThat(map.removeEntryListener(cleared)).isTrue();
  }

  @Test
  void aNearCacheNeedsTheWholeMap() {
    ClientConfig config = member.config("globex");
    config.addNearCacheConfig(
        new NearCacheConfig(MAP)
            .setInMemoryFormat(InMemoryFormat.OBJECT)
            .setInvalidateOnChange(true));
    grant(Map.of(Scope.MAP, Rights.READ));
    HazelcastInstance client = HazelcastClient.newHazelcastClient(config);
    try {
      IMap<Object, Object> map = client.getMap(MAP);
      assertThat(map.get("eu:1")).isEqualTo("value 1");
      assertThat(map.get("eu:1")).isEqualTo("value 1");
      own.set("eu:1", "changed");
      for (int i = 0; i < 200; i++) {
        own.set("filler " + i, "v"); // invalidations are sent by the hundred
      }
      await()
          .atMost(PATIENCE)
          .untilAsserted(() -> assertThat(map.get("eu:1")).isEqualTo("changed"));
    } finally {
      client.shutdown();
    }
  }

  @Test
  void transactionsActOnWhatIsGranted() {
    grant(Map.of(Scope.prefix("eu:"), TRANSACTIONAL));
    TransactionContext transaction = globex.newTransactionContext();
    transaction.beginTransaction();
    TransactionalMap<Object, Object> map = transaction.getMap(MAP);
    assertThat(map.put("eu:1", "in a transaction")).isEqualTo("value 1");
    assertRefused(() -> map.get("us:1"));
    assertRefused(() -> map.set("us:1", "x"));
    assertRefused(map::size);
    transaction.commitTransaction();
    assertThat(own.get("eu:1")).isEqualTo("in a transaction");
  }

  @Test
  void aTransactionDoesNotOutliveWhatWasGranted() {
    grant(Map.of(Scope.prefix("eu:"), TRANSACTIONAL));
    TransactionContext transaction = globex.newTransactionContext();
    transaction.beginTransaction();
    transaction.getMap(MAP).set("eu:1", "late");
    grant(Map.of(Scope.prefix("us:"), TRANSACTIONAL));
    assertThatThrownBy(transaction::commitTransaction)
        .hasStackTraceContaining("has changed since the transaction used them");
    transaction.rollbackTransaction();
    assertThat(own.get("eu:1")).isEqualTo("value 1");
    assertThat(own.tryLock("eu:1")).isTrue();
    own.unlock("eu:1");

    grant(Map.of(Scope.prefix("eu:"), Rights.READ_WRITE));
    TransactionContext withoutLock = globex.newTransactionContext();
    withoutLock.beginTransaction();
    assertRefused(() -> withoutLock.getMap(MAP).set("eu:1", "x"));
    withoutLock.rollbackTransaction();
  }

  @Test
  void aListenerWithAPredicateNeedsTheWholeMap() {
    IMap<Object, Object> map = granted(Map.of(Scope.prefix("eu:"), Rights.READ));
    EntryAddedListener<Object, Object> listener = event -> {};
    Predicate<Object, Object> predicate = Predicates.equal("this", "x");
    assertThatThrownBy(() -> map.addEntryListener(listener, predicate, true))
        .hasStackTraceContaining("needs a grant of read on the whole map");
    assertThatThrownBy(() -> map.addEntryListener(listener, predicate, "eu:1", true))
        .hasStackTraceContaining("needs a grant of read on the whole map");
  }

  @Test
  void aLockOnAnothersKeyEndsAndCanBeTakenOff() {
    own.lock("eu:own");
    IMap<Object, Object> map = granted(Map.of(Scope.prefix("eu:"), Rights.LOCK));
    map.lock("eu:1");
    assertThat(map.tryLock("eu:2")).isTrue();
    map.lock("eu:3", 5, TimeUnit.SECONDS);
    Map<String, Long> held = new HashMap<>();
    Map<String, String> holders = new HashMap<>();
    member.quota("acme", Quota.USUAL); // it is a tenant that the member knows
    for (HeldLock lock : locks().list(ORDERS).locks()) {
      held.put(lock.key(), lock.remainingMillis());
      holders.put(lock.key(), lock.holder().words());
    }
    assertThat(holders).containsEntry("eu:own", "a Hazelcast client of acme");
    assertThat(holders.get("eu:1")).as("of nobody whom the member knows").endsWith(" client");
    assertThat(held.keySet()).containsExactlyInAnyOrder("eu:own", "eu:1", "eu:2", "eu:3");
    assertThat(held.get("eu:own")).isNegative();
    for (String leased : List.of("eu:1", "eu:2")) {
      assertThat(held.get(leased)).isBetween(1L, GrantedMaps.MOST_LEASE_MILLIS);
    }
    assertThat(held.get("eu:3")).isBetween(1L, 5_000L);

    assertThat(own.tryLock("eu:1")).isFalse();
    assertThat(locks().forceUnlock(ORDERS, "eu:1").locks())
        .singleElement()
        .satisfies(lock -> assertThat(lock.key()).isEqualTo("eu:1"));
    assertThat(own.tryLock("eu:1")).isTrue();
    assertThat(locks().forceUnlock(ORDERS, "eu:none").locks()).isEmpty();
    assertRefused(() -> map.forceUnlock("eu:own"));
    grant(Map.of(Scope.key("eu:own"), Rights.ADMIN));
    map.forceUnlock("eu:own");
    assertThat(own.isLocked("eu:own")).isFalse();
    own.unlock("eu:1");
    own.forceUnlock("eu:2");
    own.forceUnlock("eu:3");
  }

  @Test
  void theLocksOfAClientThatIsGoneAreTakenOff() {
    grant(Map.of(Scope.MAP, Rights.LOCK));
    HazelcastInstance client = member.client("globex");
    IMap<Object, Object> map = client.getMap(MAP);
    map.lock("eu:1");
    map.lock(7);
    assertThat(locks().list(ORDERS).locks()).hasSize(2);
    client.getLifecycleService().terminate();
    await()
        .atMost(PATIENCE)
        .untilAsserted(() -> assertThat(locks().list(ORDERS).locks()).isEmpty());
  }

  private MapLocks locks() {
    return member.member.locks();
  }

  @Test
  void aClientThatConnectsAnewKeepsWhatIsStillGranted() {
    HazelcastInstance client = member.client("globex");
    try {
      grant(Map.of(Scope.MAP, Rights.READ));
      member.grant("acme", "second", "globex", Map.of(Scope.MAP, Rights.READ_WRITE));
      IMap<Object, Object> first = client.getMap(MAP);
      IMap<Object, Object> second = client.getMap("acme/second");
      assertThat(first.get("eu:1")).isEqualTo("value 1");
      second.set("k", "v");
      member.grant("acme", "second", "globex", Map.of());
      member.sessions.endUnless(identity -> false, "a test");
      await()
          .atMost(PATIENCE)
          .ignoreExceptions()
          .untilAsserted(() -> assertThat(first.get("eu:2")).isEqualTo("value 2"));
      assertThatThrownBy(() -> second.get("k"))
          .isInstanceOf(java.security.AccessControlException.class);
    } finally {
      client.shutdown();
    }
  }

  @Test
  void answersDirectlyWhatIsGranted() {
    IMap<Object, Object> map = granted(Map.of(Scope.prefix("eu:"), Rights.READ_WRITE));
    assertThat(map.get("eu:1")).isEqualTo("value 1");
    long before = member.member.answeredDirectly();
    for (int i = 0; i < 50; i++) {
      map.set("eu:1", "v" + i);
      assertThat(map.get("eu:1")).isEqualTo("v" + i);
      assertThat(map.containsKey("eu:1")).isTrue();
    }
    assertThat(member.member.answeredDirectly() - before).isGreaterThan(100);
    assertThat(Objects.requireNonNull(member.reading("globex")).operations()).isPositive();
  }
}
